// What a turn of voice costs: the agent beside a bare client with the same player, in one room with real sound.
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

import { end, freePort, median, residentMb, saveSettings, start, startTimes } from './measure.mjs';

const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));
const node = process.execPath;
const PANEL = 'bench';
/** Pairs that count; one before them warms up. */
const PAIRS = 7;
const SENTENCE = 'turn off the light';
/** Quiet samples after speech until the served Home Assistant takes it as over, in milliseconds. */
const HANGOVER_MS = 500;
/** Peak above which sound is speech. */
const LOUD = 300;

const missing = ['pulseaudio', 'parec', 'mpv', 'flite'].filter(
  (tool) => spawnSync(tool, ['--version']).error !== undefined,
);
export const voiceMissing =
  missing.length === 0
    ? null
    : 'a turn of voice is measured with real sound: sudo apt-get install pulseaudio pulseaudio-utils mpv flite';

async function load(folder) {
  const contents = `
    export { assistHouse, say } from './test/fakes/assist-house.ts';
    export { bareTurn } from './test/platform/voice/bare-turn.ts';
    export { Room } from './test/platform/voice/room.ts';
    export { voicePanel } from './test/platform/voice/panel-profile.ts';
    export { selectProfile } from './test/platform/kit/profile.ts';`;
  const outfile = join(folder, 'voice.mjs');
  const banner = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" };
  const stdin = { contents, resolveDir: join(here, '../..'), loader: 'ts' };
  const options = { bundle: true, platform: 'node', format: 'esm', conditions: ['development'], logLevel: 'error' };
  await build({ stdin, outfile, banner, ...options });
  return import(pathToFileURL(outfile).href);
}

async function until(what, look) {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (performance.now() > deadline) throw new Error(`not within 30 s: ${what}`);
    await pause(20);
  }
}

function peakOf(pcm) {
  let peak = 0;
  for (let at = 0; at + 1 < pcm.length; at += 2) peak = Math.max(peak, Math.abs(pcm.readInt16LE(at)));
  return peak;
}

/** Answers each run once its speech is over, as Home Assistant's own judge of speech does. */
function answerRuns({ assist, sound }, say) {
  let done = 0;
  const timer = setInterval(() => {
    const current = assist.runs[done];
    if (current === undefined) return;
    let [hasSpoken, quietMs] = [false, 0];
    for (const frame of current.frames) {
      const isLoud = peakOf(frame) > LOUD;
      hasSpoken ||= isLoud;
      quietMs = isLoud ? 0 : quietMs + frame.length / 32;
    }
    if (current.isOver()) done += 1;
    if (current.isOver() || !hasSpoken || quietMs < HANGOVER_MS) return;
    done += 1;
    say.understood(current);
    // Relative, as from Home Assistant.
    say.answer(current, new URL(sound(600)).pathname);
  }, 10);
  return () => clearInterval(timer);
}

/** Milliseconds from the end of what was said to the first sound of the answer, both as heard in the room. */
function pauseOf({ said, sounded }) {
  if (sounded === undefined) throw new Error('no answer was heard');
  return (sounded - said.to) * 10;
}

const get = async (port, path) => (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).json();

/** A turn of the agent: someone asks for it, and speaks after the chime. */
async function turnOf(room, port) {
  const before = await until('a turn can begin', async () => {
    const now = await get(port, 'voice/microphone');
    return now.refusal === null && now.state === 'idle' && room.isQuiet(300) && now;
  });
  const from = room.now;
  const asked = await fetch(`http://127.0.0.1:${port}/api/v1/voice/test`, { method: 'POST' });
  if (asked.status !== 202) throw new Error(`the turn was refused: ${asked.status} ${await asked.text()}`);
  await until('the chime', () => room.soundSince(from) !== undefined && room.isQuiet(250));
  const said = await room.say(SENTENCE);
  const { last } = await until('the end of the turn', async () => {
    const now = await get(port, 'voice/microphone');
    return now.last !== null && now.last.turn > (before.last?.turn ?? 0) && now;
  });
  if (last.outcome !== 'done') throw new Error(`the turn ended with ${last.code}`);
  return { said, sounded: room.soundSince(said.to + 20) };
}

/** Starts a panel with the sound of the room, on data of its own. */
async function panelIn({ bundle, folder, data, env, home, selectProfile, voicePanel }) {
  const [at, port] = [join(folder, data), await freePort()];
  const token = join(folder, `${data}-token`);
  mkdirSync(at, { mode: 0o700 });
  writeFileSync(token, 'a-token', { mode: 0o600 });
  selectProfile(at, voicePanel);
  const words = ['--data', at, '--port', String(port), '--renderer', 'none', '--no-discovery', '--ha-url', home];
  const { program } = await startTimes(
    () => start(node, [bundle, 'run', ...words, '--ha-token-file', token], { env: { ...process.env, ...env } }),
    port,
  );
  await saveSettings(port, { panel_id: PANEL });
  return { at, port, program };
}

/** Milliseconds of both in pairs, and the memory in MB of a panel whose voice is on and of one where it is off. */
async function measureVoice({ bundle, folder, idleMs }) {
  const { assistHouse, say, bareTurn, Room, ...kit } = await load(folder);
  const [house, room] = [await assistHouse(PANEL), await Room.open()];
  const stop = answerRuns(house, say);
  const home = house.home.origin;
  const { PULSE_SERVER: _, ...env } = room.server.env;
  try {
    const launch = (data) => panelIn({ bundle, folder, data, env, home, ...kit });
    const off = await launch('voice-off');
    const on = await launch('voice-on');
    await run(node, [bundle, 'microphone', 'allow', '--data', on.at]);
    await saveSettings(on.port, { voice_enabled: true });
    await until('voice is on', async () => (await get(on.port, 'voice/microphone')).refusal === null);
    await pause(idleMs);
    const memory = [on.program, off.program].map(residentMb);
    await end(off.program);
    const times = { ours: [], limit: [] };
    for (let turn = 0; turn <= PAIRS; turn += 1) {
      const us = pauseOf(await turnOf(room, on.port));
      const ask = { url: home, token: 'a-token', pipeline: 'p1', sentence: SENTENCE };
      const them = pauseOf(await bareTurn(room, ask));
      if (turn === 0) continue;
      times.ours.push(us);
      times.limit.push(them);
    }
    await end(on.program);
    return { times, memory };
  } finally {
    stop();
    await house.home.stop();
    await room.close();
  }
}

/** Measures, and adds the rows by `atMost` and `row` of the bench. */
export async function reportVoice(options, { atMost, row }) {
  const { times, memory } = await measureVoice(options);
  const pair = [median(times.ours), median(times.limit)];
  atMost('end of speech to first sound (bare: the same player)', pair, 'ms', 0, 1.2);
  row(
    `the same without the ${HANGOVER_MS} ms that end the speech`,
    'ms',
    0,
    pair.map((ms) => ms - HANGOVER_MS),
    '-',
    null,
  );
  row('memory with voice on, RSS (bare: voice off, not connected)', 'MB', 0, memory, '-', null);
}
