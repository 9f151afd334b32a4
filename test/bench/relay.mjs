// What passing the camera's stream on costs: its server alone, beside FFmpeg that passes the same film on to as many.
import { execFileSync, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
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
/** Clients at the turns of a round. One is a difference of small figures, so it has two turns. */
const ROUND = [0, 1, 0, 1, 8, 16];
/** What comes before the rounds and is not counted: the film plays fast in its first half (`relay-server.mjs`). */
const WARM = [8, 1, 1, 0];
/** What a client that joins is given at first, and what V8 collects after it, takes some seconds. */
const SETTLE_MS = 5000;

export const relayMissing =
  spawnSync('ffmpeg', ['-version']).error === undefined
    ? null
    : 'passing the camera on is compared with FFmpeg: sudo apt-get install ffmpeg';

/** A film of 720p at 2 Mbit/s with a key frame each second, as a panel's camera is encoded. */
function record(file) {
  const args = `-y -v error -f lavfi -i testsrc2=size=1280x720:rate=${RATE}:duration=${FILM_S} -an -c:v libx264
    -preset ultrafast -tune zerolatency -profile:v baseline -pix_fmt yuv420p -b:v 2000k -maxrate 2000k -bufsize 1000k
    -g ${RATE} -keyint_min ${RATE} -sc_threshold 0 -f flv`;
  execFileSync('ffmpeg', [...args.split(/\s+/), file]);
}

async function bundle(outfile) {
  const contents = `
    export { createFlvReader } from './drivers/camera/flv.ts';
    export { createFrameHub } from './drivers/camera/hub.ts';
    export { runFfmpeg } from './drivers/camera/ffmpeg.ts';
    export { rtspServer } from './drivers/camera/rtsp/server.ts';
    export { isLanPeer } from './machines/http/lan-peer.ts';
    export { cameraHeights, encodeBounds } from './machines/camera-session/events.ts';
    export { runDriver } from './test/drivers/run-driver.ts';`;
  const define = { 'import.meta.url': JSON.stringify(import.meta.url) };
  const stdin = { contents, resolveDir: join(here, '../..') };
  await build({ stdin, bundle: true, platform: 'node', define, logLevel: 'error', outfile });
}

const clients = (mode, port, ...more) => start(node, [join(here, 'relay-clients.mjs'), mode, String(port), ...more]);

/** Processor time of programs in milliseconds a second. */
async function rates(programs, forMs) {
  const before = programs.map(processorMs);
  const began = performance.now();
  await pause(forMs);
  const seconds = (performance.now() - began) / 1000;
  return programs.map((program, index) => (processorMs(program) - before[index]) / seconds);
}

/**
 * Keeps a core awake while nothing else wants to run: to wake one that sleeps takes longer than what is measured, and
 * it sleeps deeper the less runs beside it. The kernel ends it with the bench.
 */
const keepAwake = () => start('setpriv', `--pdeathsig KILL chrt --idle 0 ${node} -e for(;;);`.split(' '));

/**
 * Arguments of an FFmpeg that plays the film in real time on its standard output, as the encoder gives its pictures.
 * It is no part of what is measured: who waits for a picture in a pipe wakes for it alone, where FFmpeg that keeps the
 * time looks a hundred times a second.
 */
const playing = (film) =>
  `-nostdin -v error -re -stream_loop -1 -i ${film} -map 0:v -c copy -flush_packets 1 -f flv pipe:1`.split(' ');

/** FFmpeg that reads the playing film and passes it on to targets. */
function passOn(film, targets) {
  const player = start('ffmpeg', playing(film), { output: 'pipe' });
  const words = '-nostdin -v error -fflags nobuffer -probesize 32 -analyzeduration 0 -f flv -i pipe:0 -map 0:v -c copy';
  const program = start('ffmpeg', [...words.split(' '), ...targets], { input: player });
  return { program, all: [program, player] };
}

/** Arguments of FFmpeg that write to each URL in one format, whose options are given by name. */
function writeTo(urls, options) {
  if (urls.length === 1) return [...Object.entries(options).flatMap(([name, value]) => [`-${name}`, value]), ...urls];
  const named = Object.entries(options).map((option) => option.join('='));
  return ['-f', 'tee', urls.map((url) => `[${named.join(':')}]${url}`).join('|')];
}
const urls = (count, urlOf) => Array.from({ length: count }, (_, index) => urlOf(index));

/** The same film to so many clients, by RTP and as bare H.264. */
const asRtp = (count, port) =>
  writeTo(
    urls(count, (index) => `rtsp://127.0.0.1:${port}/${index}`),
    { f: 'rtsp', rtsp_transport: 'tcp' },
  );
const asBare = (count, port) =>
  writeTo(
    urls(count, () => `tcp://127.0.0.1:${port}?tcp_nodelay=1`),
    { f: 'h264', flush_packets: '1' },
  );

/**
 * Processor time in milliseconds a second with as many clients, by their number, beyond the same without clients: of
 * the server, of FFmpeg that sends them the same packets of RTP over TCP, and of FFmpeg that sends them the bare H.264;
 * of the server and of one that only writes, both to 16; resident memory without and with 16;
 * milliseconds of ten joins.
 */
async function measureRelay({ folder, rounds, forMs }) {
  const [film, outfile] = [join(folder, 'film.flv'), join(folder, 'relay.cjs')];
  record(film);
  await bundle(outfile);
  const port = await freePort();
  const awake = Array.from({ length: availableParallelism() }, keepAwake);
  const server = start(node, [join(here, 'relay-server.mjs'), outfile, String(port), 'ffmpeg', ...playing(film)]);
  await pause(3000);
  for (const one of [server, ...awake])
    if (one.child.exitCode !== null) throw new Error(`what measures has ended: ${one.errors()}`);
  const memory = { none: residentMb(server), full: 0 };
  const [barePort, sinkPort, recordPort] = [await freePort(), await freePort(), await freePort()];
  const bare = start(node, [join(here, 'bare/fan-out.mjs'), String(barePort)]);
  const sinks = [clients('sink', sinkPort), clients('record', recordPort)];
  await pause(1000);

  /** Rates of the server and of both FFmpegs with so many clients. */
  const load = async (count) => {
    const watchers = count === 0 ? [] : [clients('drain', port, String(count))];
    const theirs =
      count === 0
        ? [passOn(film, ['-f', 'null', '-'])]
        : [passOn(film, asRtp(count, recordPort)), passOn(film, asBare(count, sinkPort))];
    await pause(SETTLE_MS);
    const others = [...theirs.flatMap(({ all }) => all), ...watchers];
    for (const one of others) if (one.child.exitCode !== null) throw new Error(`a client ended: ${one.errors()}`);
    const [ours, rtp, unframed = rtp] = await rates([server, ...theirs.map(({ program }) => program)], forMs);
    memory.full = Math.max(memory.full, residentMb(server));
    for (const one of others) await end(one);
    return { count, ours, rtp, bare: unframed };
  };
  for (const count of WARM) await load(count);
  const measured = [];
  for (let round = 0; round < rounds; round += 1) for (const count of ROUND) measured.push(await load(count));
  const writers = [clients('drain', port, '16'), clients('bare', barePort, '16')];
  await pause(15_000);
  const [writes, bareWrites] = await rates([server, bare], forMs * 2);
  for (const one of writers) await end(one);
  await pause(2000);
  const [still, bareStill] = await rates([server, bare], forMs * 2);
  for (const one of [bare, ...sinks, ...awake]) await end(one);

  const medianOf = (count, of) => median(measured.filter((one) => one.count === count).map((one) => one[of]));
  const loads = [1, 8, 16].map((count) => ({
    count,
    ...Object.fromEntries(
      ['ours', 'rtp', 'bare'].map((of) => [of, Math.max(0, medianOf(count, of) - medianOf(0, of))]),
    ),
  }));
  const joins = JSON.parse(
    execFileSync(node, [join(here, 'relay-clients.mjs'), 'join', String(port), '10'], { encoding: 'utf8' }),
  );
  await end(server);
  return {
    loads,
    writing: [writes - still, bareWrites - bareStill],
    memory: [memory.full, memory.none],
    firstMs: median(joins),
  };
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
