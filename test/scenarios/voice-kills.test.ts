import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, describe, expect, it } from 'vitest';

import { amount } from '#test/fakes/amount.ts';
import type { AssistRun } from '#test/fakes/assist-server.ts';
import { type Random, sequence } from '#test/fakes/sequence.ts';

import { clearAway } from './agent-process.ts';
import { post, until } from './live-agent.ts';
import { PLAYER, soundMissing, VoiceRoom, type VoiceStage, voiceStages } from './voice-room.ts';

afterAll(clearAway);

/** How soon the status says what is the case, and nothing is left, in milliseconds. */
const TRUE_MS = 2000;
/** How soon a turn that goes on is over, with its answer; one that hangs takes 120 s. */
const WHOLE_MS = 8000;
/** Time of the processor that a look at its load takes, in milliseconds. */
const BURN_MS = 20;
/** A machine that is slower than by this is too slow for a turn. */
const MOST_SLOW = 10;
/** Before each look. */
const LOOK_MS = 60;
/** How long a short announcement may take from its end to that of its player, in milliseconds. */
const ANNOUNCED_MS = 4000;
/** Shortest time for what is looked at last, once what was looked at first is right, in milliseconds. */
const LOOKS_MS = 200;
/** Length of an answer during which something happens, and of any other. */
const LONG_MS = 700;
const SHORT_MS = 100;

/** What happens in each room as often. */
const happenings = [
  'socket cut',
  'sound server killed',
  'device unloaded',
  'player killed',
  'announcement',
  'mute',
  'agent killed',
  'settings changed',
  'voice off',
  'two triggers',
] as const;
type Fault = (typeof happenings)[number];

/** What becomes of the turn: its code if it fails, or how it ends; `gone` with the agent. */
type Fate = 'done' | 'gone' | 'off' | readonly string[];

/** A turn in which something happens. */
interface Turn {
  readonly room: VoiceRoom;
  readonly random: Random;
  readonly stage: VoiceStage;
}

/** All of them in an order that looks random; in four rooms, or four times in one, each at every stage. */
function shuffled(random: Random, room: number, times: number): readonly (readonly [Fault, VoiceStage])[] {
  const faults = Array.from({ length: times }, (_, time) =>
    happenings.map((fault, at) => [fault, voiceStages[(room + time + at) % voiceStages.length] ?? 'opening'] as const),
  );
  return faults
    .flat()
    .map((fault) => ({ fault, place: random(1_000_000) }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ fault }) => fault);
}

/** False also for one that has ended and is not cleared away yet. */
function runs(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/mu.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/**
 * By how much longer than alone a program computes now: the bounds are those of a machine that has time for the panel,
 * and other suites share its processors.
 */
function slowness(): number {
  const [since, used] = [performance.now(), process.cpuUsage()];
  let cpuMs = 0;
  while (cpuMs < BURN_MS) {
    const { user, system } = process.cpuUsage(used);
    cpuMs = (user + system) / 1000;
  }
  return Math.min(MOST_SLOW, Math.max(1, (performance.now() - since) / cpuMs));
}

const isHeard = ({ stage }: Turn): boolean => stage === 'processing' || stage === 'responding';

const faults: Readonly<Record<Exclude<Fault, 'two triggers'>, (turn: Turn) => Promise<Fate>>> = {
  'socket cut': async ({ room, stage }) => {
    room.house.cut();
    // An answer that plays needs no connection.
    return stage === 'responding' ? 'done' : ['unavailable'];
  },
  'sound server killed': async (turn) => {
    await turn.room.server.kill();
    return isHeard(turn) ? ['reply-no-sound', 'reply-not-playable'] : ['ended', 'no-device', 'no-recorder', 'stalled'];
  },
  'device unloaded': async (turn) => {
    await turn.room.unplug();
    return isHeard(turn) ? 'done' : ['no-device', 'ended'];
  },
  'player killed': async ({ room }) => {
    for (const name of ['paplay', 'aplay', PLAYER])
      for (const pid of room.programs().get(name) ?? []) process.kill(pid, 'SIGKILL');
    return 'done';
  },
  announcement: async ({ room }) => {
    const { status } = await post(`${room.agent.url}/play`, { url: room.house.sound(SHORT_MS) });
    expect(status).toBe(202);
    return ['replaced'];
  },
  mute: async (turn) => {
    await turn.room.server.pactl('set-source-mute', 'mic', '1');
    return isHeard(turn) ? 'done' : ['microphone-muted'];
  },
  'agent killed': async ({ room }) => {
    const pids = [...room.programs().values()].flat();
    await room.agent.kill('SIGKILL');
    await until('its programs to be gone', () => !pids.some(runs), TRUE_MS * slowness());
    expect(await room.recordings()).toBe(0);
    await room.startAgain();
    return 'gone';
  },
  'settings changed': async ({ room, random }) => {
    await room.save({ voice_mic_gain_db: random(20) - 10, voice_show_text: random(2) === 0 });
    return 'done';
  },
  'voice off': async ({ room }) => {
    await room.save({ voice_enabled: false });
    return 'off';
  },
};

/** Leads a turn to a stage; with `times` triggers at once, of which one counts. */
async function lead({ room, stage }: Turn, triggers = 1): Promise<{ readonly begun: Promise<AssistRun> }> {
  const before = room.house.assist.runs.length;
  const answers = await Promise.all(Array.from({ length: triggers }, () => room.trigger()));
  const expected = [202, ...Array.from({ length: triggers - 1 }, () => 409)];
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual(expected);
  const begun = room.run(before);
  // It is waited for only where the turn goes on.
  begun.catch(() => {});
  if (stage === 'opening') return { begun };
  const run = await begun;
  await until('sound', () => run.frames.length > 2, 5000);
  const { in_use: inUse, voice } = await room.status();
  expect([voice?.state, inUse.holders, await room.recordings()]).toEqual(['listening', ['microphone'], 1]);
  await until('the music to be quiet', async () => (await room.musicVolume()) !== 100, TRUE_MS * slowness());
  if (stage !== 'listening') await room.understand(run);
  if (stage !== 'responding') return { begun };
  room.answer(run, LONG_MS);
  await until('the answer', () => (room.programs().get(PLAYER) ?? []).length > 0, TRUE_MS * slowness());
  return { begun };
}

/** Does the rest of a turn that goes on. */
async function complete({ room, stage }: Turn, begun: Promise<AssistRun>): Promise<void> {
  if (stage === 'responding') return;
  const run = await begun;
  if (stage !== 'processing') await room.understand(run);
  room.answer(run, SHORT_MS);
}

/** What the panel says of voice. */
async function said(room: VoiceRoom) {
  const { voice, in_use: inUse } = await room.status();
  const { state, turn, microphone } = voice ?? {};
  return { state, turn, level: microphone?.level, holders: inUse.holders, left: room.listening() };
}

/** What sounds and records, by the panel, its programs and the sound server. */
async function heard(room: VoiceRoom) {
  const { announcement } = await room.status();
  return {
    announces: announcement !== null && announcement.phase !== 'idle' && announcement.phase !== 'failed',
    left: room.left(),
    recordings: await room.recordings(),
    music: await room.musicVolume(),
  };
}

/** What is right after a turn with this fate. */
const right = (fate: Fate): Awaited<ReturnType<typeof said>> => ({
  state: fate === 'off' ? 'off' : fate === 'done' || fate === 'gone' || fate.includes('replaced') ? 'idle' : 'error',
  turn: null,
  level: -1,
  holders: [],
  left: [],
});

/**
 * Waits until what is read is as expected; the bound is as much longer as the machine is slower, at the beginning or,
 * since others come to work meanwhile, at the end.
 */
async function becomes<T>(what: string, read: () => Promise<T>, expected: T, aloneMs: number): Promise<void> {
  let last: T | null = null;
  const since = performance.now();
  const within = (slow: number): Promise<unknown> =>
    until(
      () => `the truth, ${what}: ${JSON.stringify(last)}, not ${JSON.stringify(expected)}; ${slow.toFixed(1)} x slower`,
      async () => {
        // Each look costs the panel, which has four rooms to serve.
        await pause(LOOK_MS);
        last = await read();
        return JSON.stringify(last) === JSON.stringify(expected);
      },
      Math.round(aloneMs * slow - (performance.now() - since)),
    );
  const first = slowness();
  await within(first).catch(async (error: unknown) => {
    const now = slowness();
    if (now <= first) throw error;
    await within(now);
  });
}

/** The turn ends as it should, in time, and nothing of it is left. */
async function settle({ room, stage }: Turn, fault: Fault, fate: Fate): Promise<void> {
  const what = `${fault} while ${stage}`;
  const boundMs = fate === 'done' ? WHOLE_MS : TRUE_MS;
  const since = performance.now();
  await becomes(what, () => said(room), right(fate), boundMs).catch(async (error: unknown) => {
    throw new Error(`${String(error)}; ${JSON.stringify((await room.voice()).last)}`);
  });
  const deadline = Math.max(since + boundMs, performance.now() + LOOKS_MS);
  const quiet = { announces: false, left: [], recordings: 0, music: fault === 'sound server killed' ? null : 100 };
  // An announcement goes on after the turn.
  const moreMs = fault === 'announcement' ? ANNOUNCED_MS : 0;
  await becomes(what, () => heard(room), quiet, deadline + moreMs - performance.now());
  const { last } = await room.voice();
  if (fate === 'gone' || fate === 'off') return;
  if (fate === 'done') expect([last?.outcome, last?.fault], what).toEqual(['done', null]);
  else expect(fate, what).toContain(last?.fault);
}

/** Mends what the fault broke, and waits until a turn can begin. */
async function mend(room: VoiceRoom, fault: Fault): Promise<void> {
  if (fault === 'sound server killed') {
    await room.server.startAgain();
    await room.furnish();
  }
  if (fault === 'device unloaded') await room.plug();
  if (fault === 'mute') await room.server.pactl('set-source-mute', 'mic', '0');
  if (fault === 'voice off') await room.turnOn();
  else await room.ready();
}

async function live(number: number): Promise<void> {
  const room = await VoiceRoom.open();
  try {
    await room.allow();
    await room.turnOn();
    const random = sequence(38 + number);
    for (const [fault, stage] of shuffled(random, number, amount(1, 8))) {
      const turn = { room, random, stage };
      const { begun } = await lead(turn, fault === 'two triggers' ? 2 : 1);
      const fate = fault === 'two triggers' ? 'done' : await faults[fault](turn);
      const goesOn = fate === 'done' || (fault === 'sound server killed' && stage === 'processing');
      if (goesOn) await complete(turn, begun);
      await settle(turn, fault, fate);
      await mend(room, fault);
    }
    expect(room.house.assist.errors).toEqual([]);
  } finally {
    await room.close();
  }
}

/** The rooms of a run: four meet each fault at every stage, two at every other one. */
const rooms = amount([0, 2], [0, 1, 2, 3]);

describe.skipIf(soundMissing !== null)(
  `a turn of voice${soundMissing === null ? '' : ` (skipped: ${soundMissing})`}`,
  () => {
    it.concurrent.each(rooms)(
      'ends in time, and leaves nothing, whatever happens in it (room %i)',
      live,
      amount(180_000, 1_800_000),
    );
  },
);
