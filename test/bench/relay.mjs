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
 * Processor time in milliseconds a second with as many clients, by their number, beyond the same without clients: of
 * the server, of FFmpeg that sends them the same packets of RTP over TCP, and of FFmpeg that sends them the bare H.264;
 * of the server and of one that only writes, both to 16; resident memory without and with 16;
 * milliseconds of ten joins.
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

  const [sinkPort, recordPort] = [await freePort(), await freePort()];
  const sinks = [
    start(node, [join(here, 'relay-clients.mjs'), 'sink', String(sinkPort)]),
    start(node, [join(here, 'relay-clients.mjs'), 'record', String(recordPort)]),
  ];
  await pause(1000);
  // Raw H.264 cannot be played again from its start.
  const long = join(folder, 'long.h264');
  const film = readFileSync(file);
  for (let played = 0; played < forMs + 10_000; played += FILM_S * 1000) appendFileSync(long, film);
  const toEach = (count, urlOf) => ['tee', Array.from({ length: count }, (_, index) => urlOf(index)).join('|')];
  const targets = {
    none: () => ['null', '-'],
    rtp: (count) => toEach(count, (index) => `[f=rtsp:rtsp_transport=tcp]rtsp://127.0.0.1:${recordPort}/${index}`),
    bare: (count) => toEach(count, () => `[f=h264:flush_packets=1]tcp://127.0.0.1:${sinkPort}?tcp_nodelay=1`),
  };
  /** FFmpeg that shows the film in real time to so many. */
  const relay = (target, count) =>
    start('ffmpeg', [
      ...`-nostdin -v error -re -framerate ${RATE} -f h264 -i`.split(' '),
      long,
      ...'-map 0:v -c copy -f'.split(' '),
      ...targets[target](count),
    ]);
  /** Rates of the server and of both FFmpegs with so many clients. */
  const load = async (count) => {
    const clients =
      count === 0 ? null : start(node, [join(here, 'relay-clients.mjs'), 'drain', String(port), String(count)]);
    const theirs = count === 0 ? [relay('none', 0)] : [relay('rtp', count), relay('bare', count)];
    await pause(5000);
    const others = [...theirs, ...(clients === null ? [] : [clients])];
    for (const one of others) if (one.child.exitCode !== null) throw new Error(`a client ended: ${one.errors()}`);
    const [ours, rtp, unframed = rtp] = await rate(server, ...theirs);
    memory.full = Math.max(memory.full, residentMb(server));
    for (const one of others) await end(one);
    return { count, ours, rtp, bare: unframed };
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
  for (const one of sinks) await end(one);
  const writing = [writes - still, bareWrites - bareStill];
  const loads = measured.map(({ count, ...rates }) => ({
    count,
    ...Object.fromEntries(['ours', 'rtp', 'bare'].map((of) => [of, Math.max(0, rates[of] - none[of])])),
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
  for (const { count, ours, rtp } of loads)
    atMost(`camera to ${count} over TCP, ms a second (bare: ffmpeg -c copy -f rtsp)`, [ours, rtp], 'ms', 1, 1.2);
  for (const { count, ours, bare } of loads)
    row(`to ${count} (bare: ffmpeg -c copy -f h264, which frames no packets)`, 'ms', 1, [ours, bare], '-', null);
  row('the same to 16 (bare: node:net, which writes one buffer to all)', 'ms', 1, writing, '-', null);
  atMost('first picture when joining (bare: the key interval)', [firstMs, 1000], 'ms', 0, 0.2);
  row('memory with 16 clients, RSS (bare: none)', 'MB', 0, memory, '-', null);
}
