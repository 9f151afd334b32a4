// The camera's RTSP server with what feeds it in the agent, the reader of the encoder's output and the hub, and no
// more: node relay-server.mjs BUNDLE PORT COMMAND... where the command plays a film as FLV in real time; for the first
// 20 s it plays fast.
import { createRequire } from 'node:module';

const [bundle, port, command, ...args] = process.argv.slice(2);
const parts = createRequire(import.meta.url)(bundle);
const { rtspServer, isLanPeer, cameraHeights, encodeBounds, createFrameHub, createFlvReader, runFfmpeg, runDriver } =
  parts;

const elapsed = () => performance.now();
const hub = createFrameHub(elapsed);

/** Plays until the command ends. */
async function play(words) {
  const reader = createFlvReader();
  const film = runFfmpeg(command, words, {
    env: process.env,
    onData: (bytes) => {
      for (const item of reader.push(bytes))
        if (item.kind === 'format') hub.begin(item.format);
        else hub.publish(item.unit);
    },
  });
  await film.gone;
  return film.lines().join('\n');
}

async function playAll() {
  // V8 compiles what runs often, which at fifteen pictures a second is after many minutes: 6,000 of them in 20 s.
  await play(['-readrate', '20', '-t', '400', ...args.filter((word) => word !== '-re')]);
  console.error(await play(args));
  process.exit(1);
}
void playAll();
process.once('SIGTERM', () => process.exit(0));
const server = runDriver(
  rtspServer({
    hub,
    elapsed,
    limits: { heights: cameraHeights, ...encodeBounds },
    isLanPeer,
    addresses: ['127.0.0.1'],
  }),
  { port: Number(port) },
);
// Its facts are looked at as seldom as they come.
let seen = 0;
setInterval(() => {
  for (const fact of server.facts.slice(seen))
    if (fact.type === 'stream.wanted') server.tell({ type: 'stream.admit', client: fact.client });
  seen = server.facts.length;
}, 250);
