// What passing the camera's stream on costs: its server alone, beside FFmpeg that only reads the same stream.
import { execFileSync, spawnSync } from 'node:child_process';
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
 * Processor time in milliseconds a second of the server, beyond one without clients, and of FFmpeg as one of its
 * clients, by the number of all; of the server and of one that only writes, both to 16; resident memory without and
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

  /** Rates of the server and of FFmpeg with so many clients. */
  const load = async (count) => {
    const url = `rtsp://127.0.0.1:${port}/live`;
    const reader = start('ffmpeg', [
      '-nostdin',
      ...'-v error -rtsp_transport tcp -i'.split(' '),
      url,
      ...'-c copy -f null -'.split(' '),
    ]);
    const others =
      count === 1 ? null : start(node, [join(here, 'relay-clients.mjs'), 'drain', String(port), String(count - 1)]);
    await pause(5000);
    for (const one of [reader, others])
      if (one !== null && one.child.exitCode !== null) throw new Error(`a client ended: ${one.errors()}`);
    const [ours, theirs] = await rate(server, reader);
    memory.full = residentMb(server);
    for (const one of [reader, others]) if (one !== null) await end(one);
    return { count, ours, theirs };
  };
  // Compiles what is run often.
  await load(16);
  await load(16);
  const measured = [];
  for (const count of [1, 8, 16]) measured.push(await load(count));
  const writers = [
    start(node, [join(here, 'relay-clients.mjs'), 'drain', String(port), '16']),
    start(node, [join(here, 'relay-clients.mjs'), 'bare', String(barePort), '16']),
  ];
  await pause(15_000);
  const [ours, theirs] = await rate(server, bare);
  for (const one of writers) await end(one);
  // At the end: by then nothing is compiled any more.
  await pause(2000);
  const [still, bareStill] = await rate(server, bare);
  await end(bare);
  const writing = [ours - still, theirs - bareStill];
  const loads = measured.map((one) => ({ ...one, ours: Math.max(0, one.ours - still) }));
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
    atMost(`camera to ${count} over TCP, ms a second (bare: ffmpeg -c copy)`, [ours, theirs], 'ms', 1, 1.2);
  row('the same to 16 (bare: node:net, which writes one buffer to all)', 'ms', 1, writing, '-', null);
  atMost('first picture when joining (bare: the key interval)', [firstMs, 1000], 'ms', 0, 0.2);
  row('memory with 16 clients, RSS (bare: none)', 'MB', 0, memory, '-', null);
}
