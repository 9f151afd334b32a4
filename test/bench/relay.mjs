// What passing the camera's stream on costs: its server alone, beside FFmpeg that passes the same film on to as many.
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

import { end, freePort, median, processorMs, residentMb, start } from './measure.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const node = process.execPath;
/** Pictures a second, and seconds of the film. */
const RATE = 15;
const FILM_S = 10;

export const relayMissing =
  spawnSync('ffmpeg', ['-version']).error === undefined
    ? null
    : 'passing the camera on is compared with FFmpeg: sudo apt-get install ffmpeg';

/** A film of 720p at 2 Mbit/s with a key frame each second, as a panel's camera is encoded. */
function record(file) {
  const args = `-y -v error -f lavfi -i testsrc2=size=1280x720:rate=${RATE}:duration=${FILM_S} -an -c:v libx264
    -preset ultrafast -tune zerolatency -profile:v baseline -pix_fmt yuv420p -b:v 2000k -maxrate 2000k -bufsize 1000k
    -g ${RATE} -keyint_min ${RATE} -sc_threshold 0 -bsf:v h264_metadata=aud=insert -f h264`;
  execFileSync('ffmpeg', [...args.split(/\s+/), file]);
}

async function bundle(outfile) {
  const contents = `
    export { rtspServer } from './drivers/camera/rtsp/server.ts';
    export { isLanPeer } from './machines/http/lan-peer.ts';
    export { cameraHeights, encodeBounds } from './machines/camera-session/events.ts';
    export { projector, readFilm, testHub } from './test/drivers/camera/rtsp/film.ts';
    export { runDriver } from './test/drivers/run-driver.ts';`;
  const define = { 'import.meta.url': JSON.stringify(import.meta.url) };
  const stdin = { contents, resolveDir: join(here, '../..') };
  await build({ stdin, bundle: true, platform: 'node', define, logLevel: 'error', outfile });
}

/**
 * Processor time in milliseconds a second of the server and of FFmpeg with as many clients, both beyond one without
 * clients, by their number; of the server and of one that only writes, both to 16; resident memory without and
 * with 16; milliseconds of ten joins.
 */
async function measureRelay({ folder, forMs }) {
  const [file, outfile] = [join(folder, 'film.h264'), join(folder, 'relay.cjs')];
  record(file);
  await bundle(outfile);
  const port = await freePort();
  const server = start(node, [join(here, 'relay-server.mjs'), outfile, file, String(port)]);
  await pause(2000);
  if (server.child.exitCode !== null) throw new Error(`the server ended: ${server.errors()}`);
  const rate = async (...programs) => {
    const before = programs.map(processorMs);
    await pause(forMs);
    return programs.map((program, index) => ((processorMs(program) - before[index]) * 1000) / forMs);
  };
  const memory = { none: residentMb(server), full: 0 };
  const barePort = await freePort();
  const bare = start(node, [join(here, 'bare/fan-out.mjs'), String(barePort)]);

  const sinkPort = await freePort();
  const sink = start(node, [join(here, 'relay-clients.mjs'), 'sink', String(sinkPort)]);
  await pause(1000);
  // Raw H.264 cannot be played again from its start.
  const long = join(folder, 'long.h264');
  const film = readFileSync(file);
  for (let played = 0; played < forMs + 10_000; played += FILM_S * 1000) appendFileSync(long, film);
  /** FFmpeg that shows the film in real time to so many, as raw H.264: it frames no packets and answers no one. */
  const relay = (count) =>
    start('ffmpeg', [
      ...`-nostdin -v error -re -framerate ${RATE} -f h264 -i`.split(' '),
      long,
      ...'-map 0:v -c copy -f'.split(' '),
      ...(count === 0
        ? ['null', '-']
        : ['tee', Array(count).fill(`[f=h264:flush_packets=1]tcp://127.0.0.1:${sinkPort}?tcp_nodelay=1`).join('|')]),
    ]);
  /** Rates of the server and of FFmpeg with so many clients. */
  const load = async (count) => {
    const clients =
      count === 0 ? null : start(node, [join(here, 'relay-clients.mjs'), 'drain', String(port), String(count)]);
    const theirs = relay(count);
    await pause(5000);
    for (const one of [theirs, clients])
      if (one !== null && one.child.exitCode !== null) throw new Error(`a client ended: ${one.errors()}`);
    const rates = await rate(server, theirs);
    memory.full = Math.max(memory.full, residentMb(server));
    for (const one of [theirs, clients]) if (one !== null) await end(one);
    return { count, ours: rates[0], theirs: rates[1] };
  };
  // Compiles what is run often.
  await load(16);
  await load(16);
  const measured = [];
  for (const count of [1, 8, 16]) measured.push(await load(count));
  const none = await load(0);
  const writers = [
    start(node, [join(here, 'relay-clients.mjs'), 'drain', String(port), '16']),
    start(node, [join(here, 'relay-clients.mjs'), 'bare', String(barePort), '16']),
  ];
  await pause(15_000);
  const [writes, bareWrites] = await rate(server, bare);
  for (const one of writers) await end(one);
  // At the end: by then nothing is compiled any more.
  await pause(2000);
  const [still, bareStill] = await rate(server, bare);
  await end(bare);
  await end(sink);
  const writing = [writes - still, bareWrites - bareStill];
  const loads = measured.map(({ count, ours: all, theirs: whole }) => ({
    count,
    ours: Math.max(0, all - none.ours),
    theirs: Math.max(0, whole - none.theirs),
  }));
  const joins = JSON.parse(
    execFileSync(node, [join(here, 'relay-clients.mjs'), 'join', String(port), '10'], { encoding: 'utf8' }),
  );
  await end(server);
  return { loads, writing, memory: [memory.full, memory.none], firstMs: median(joins) };
}

/** Measures, and adds the rows by `atMost` and `row` of the bench. */
export async function reportRelay(options, { atMost, row }) {
  const { loads, writing, memory, firstMs } = await measureRelay(options);
  for (const { count, ours, theirs } of loads)
    atMost(`camera to ${count} over TCP, ms a second (bare: ffmpeg -c copy to as many)`, [ours, theirs], 'ms', 1, 1.2);
  row('the same to 16 (bare: node:net, which writes one buffer to all)', 'ms', 1, writing, '-', null);
  atMost('first picture when joining (bare: the key interval)', [firstMs, 1000], 'ms', 0, 0.2);
  row('memory with 16 clients, RSS (bare: none)', 'MB', 0, memory, '-', null);
}
