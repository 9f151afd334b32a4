// The camera's RTSP server alone, which shows a film in real time: node relay-server.mjs BUNDLE FILM PORT
import { createRequire } from 'node:module';

const [bundle, file, port] = process.argv.slice(2);
const { rtspServer, isLanPeer, cameraHeights, encodeBounds, readFilm, testHub, projector, runDriver } = createRequire(
  import.meta.url,
)(bundle);

const film = readFilm(file, { width: 1280, height: 720 });
const hub = testHub();
hub.begin(film.format);
projector(hub, film).play();
const server = runDriver(
  rtspServer({
    hub,
    elapsed: () => performance.now(),
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
