import { describe, expect, it } from 'vitest';

import { earFailures, earHealths } from '#machines/voice/events.ts';
import { isCheckAsked, isClosed } from '#machines/voice/facts.ts';
import { amount } from '#test/fakes/amount.ts';
import { pick, type Random, sequence } from '#test/fakes/sequence.ts';
import { listed, options, sources, voiceRig, type VoiceRig } from './rig.ts';

const STEPS = 60;
/** Longest turn, and what may follow: the microphone closes within 2 s. */
const LONGEST_MS = 122_500;

const codes = ['timeout', 'stt-no-text-recognized', 'intent-failed', 'unavailable', 'duplicate_wake_up_detected'];

/** One thing that may happen at any time, also what no driver would say then. */
function step(rig: VoiceRig, random: Random, walk: { asked: number }): void {
  const now = rig.clock.now();
  // Mostly of the running turn.
  const turn = Math.max(0, rig.facts().turn - (random(8) === 0 ? 1 : 0));
  const all: readonly (() => void)[] = [
    () => rig.press(),
    () => rig.press(),
    () => rig.release(),
    () => rig.say({ type: 'button.pressed', at: now }),
    () => rig.say({ type: 'button.released', at: now }),
    () =>
      rig.say({
        type: 'overlay.asked',
        pipelineId: pick(random, [null, 'home', 'deaf', 'gone']),
        isTouched: random(4) > 0,
        at: now,
      }),
    () => {
      walk.asked += 1;
      rig.trigger(pick(random, [null, 'deaf']));
    },
    () => {
      walk.asked += 1;
      rig.check(random(2) === 0);
    },
    () => {
      if (random(3) === 0) rig.cancel();
    },
    () => {
      if (random(3) === 0) rig.say({ type: 'lane.taken', at: now });
    },
    () => rig.confirm(),
    () => rig.confirm(),
    () => {
      if (random(4) === 0) rig.say({ type: 'indication.refused', reason: 'unconfirmed' });
    },
    () => rig.fact({ type: 'ear.opened' }, turn),
    () => rig.fact({ type: 'ear.closed' }, turn),
    () => {
      if (random(3) === 0) rig.fact({ type: 'ear.failed', code: pick(random, earFailures) }, turn);
    },
    () => rig.say({ type: 'ear.measured', health: pick(random, earHealths), level: 40, at: now }),
    () => rig.fact({ type: 'assist.started' }, turn),
    () => rig.fact({ type: 'assist.speech-ended' }, turn),
    () => rig.fact({ type: 'assist.understood' }, turn),
    () => rig.fact({ type: 'assist.decided', conversationId: 'talk', continues: random(2) === 0 }, turn),
    () => rig.fact({ type: 'assist.answered', url: 'http://home/a.mp3' }, turn),
    () => rig.fact({ type: 'assist.ended' }, turn),
    () => {
      if (random(4) === 0) rig.fact({ type: 'assist.failed', code: pick(random, codes) }, turn);
    },
    () => rig.say({ type: 'reply.playing', turn, at: now }),
    () =>
      rig.say({ type: 'reply.ended', turn, code: pick(random, [null, null, null, 'replaced', 'no-sound']), at: now }),
    () => rig.say({ type: 'check.playing', check: rig.facts().checks }),
    () => rig.say({ type: 'check.ended', check: rig.facts().checks, code: null, health: 'ok', level: 1 }),
    () => rig.say({ type: 'link.changed', link: pick(random, ['live', 'live', 'live', 'unavailable'] as const) }),
    () => rig.say({ ...sources, failure: pick(random, [null, null, null, 'no-device'] as const) }),
    () => rig.say({ ...options, showsWords: random(2) === 0 }),
    () => rig.say({ type: 'pipelines.changed', listed: pick(random, [listed, listed, null]) }),
    () => rig.say({ type: 'voice.probe' }),
    () => rig.pass(pick(random, [100, 300, 500, 2000])),
    () => rig.pass(pick(random, [100, 300, 5000, 15_000])),
  ];
  pick(random, all)();
}

function check(rig: VoiceRig, random: Random): void {
  const facts = rig.facts();
  const phase = rig.phase();
  const isTurn = phase === 'listening' || phase === 'responding' || (phase === 'processing' && facts.times !== null);
  // A turn is what the facts say it is, and nothing else has the microphone.
  expect(facts.times !== null).toBe(isTurn);
  expect(facts.error !== null).toBe(phase === 'error');
  if (phase === 'idle' || (phase === 'error' && rig.state() !== 'stuck'))
    expect([facts.ear, facts.run, facts.reply]).toEqual([null, 'none', 'none']);
  expect(rig.held.duck).toBe(isTurn);
  if (facts.ear !== null || facts.speech !== 'over') expect(rig.held.mark).toBe(true);
  else expect(rig.held.mark).toBe(isCheckAsked(facts));
  expect(facts.turns).toBe(facts.turn);
  expect(facts.round).toBeLessThanOrEqual(6);
  // Sound leaves only with the mark.
  if (random(20) === 0) {
    const released = rig.commands.filter(({ type }) => type === 'ear.release').length;
    expect(released).toBeLessThanOrEqual(facts.turn);
  }
}

/** Whatever it was doing, and without a further word of any driver, it ends: alone, or since it is told to stop. */
function finish(rig: VoiceRig, random: Random, asked: number): void {
  const isStopped = random(3) === 0;
  if (isStopped) {
    rig.say({ type: 'voice.stop' });
    rig.pass(1500);
    expect(rig.actor.getSnapshot()).toMatchObject({ status: 'done', output: { ended: 'stopped' } });
  } else {
    rig.pass(LONGEST_MS);
    expect(['idle', 'error']).toContain(rig.phase());
    // Only the mark of a microphone that is not closed stays.
    expect(isCheckAsked(rig.facts())).toBe(rig.state() === 'stuck' && rig.facts().ear === null);
    if (rig.state() === 'stuck') {
      expect(rig.held.mark).toBe(true);
      rig.closed(rig.facts().ear ?? 0);
      rig.say({ type: 'check.ended', check: rig.facts().checks, code: 'cut', health: 'ok', level: 0 });
    }
  }
  const opened = rig.commands.flatMap((command) => (command.type === 'ear.open' ? [turnOf(command)] : []));
  const closed = new Set(
    rig.commands.flatMap(({ type, ...rest }) => (/^ear\.(close|finish)$/.test(type) ? [turnOf(rest)] : [])),
  );
  // A microphone that closed or failed by itself needs no word.
  expect(opened.filter((turn) => !closed.has(turn) && rig.held.ear === turn)).toEqual([]);
  // Its driver releases it once the microphone is closed.
  const isLeft = isStopped && !isClosed(rig.facts());
  expect([rig.held.mark, rig.held.duck]).toEqual([isLeft, false]);
  const count = (type: string): number => rig.commands.filter((command) => command.type === type).length;
  expect(count('reply.unduck')).toBe(count('reply.duck'));
  expect(count('indication.release') + (isLeft ? 1 : 0)).toBe(count('indication.hold'));
  expect(count('panel.rest')).toBe(count('panel.light'));
  expect(rig.replies.size).toBe(asked);
}

const turnOf = (command: object): unknown => ('turn' in command ? command.turn : null);

function run(seed: number): readonly unknown[] {
  const random = sequence(seed);
  const rig = voiceRig();
  const walk = { asked: 0 };
  const states: unknown[] = [];
  for (let at = 0; at < STEPS; at += 1) {
    step(rig, random, walk);
    check(rig, random);
    states.push(rig.state());
  }
  finish(rig, random, walk.asked);
  return states;
}

describe('voice under random events and time', () => {
  const seen = new Set<string>();
  const seeds = Array.from({ length: amount(80, 3000) }, (_, at) => at + 1);

  it.each(seeds)('ends each turn, closes what it opened and releases what it held: seed %i', (seed) => {
    for (const state of run(seed)) seen.add(JSON.stringify(state));
  });

  it('comes through every state', () => {
    const states = [
      { checking: 'showing' },
      { checking: 'open' },
      { checking: 'closing' },
      'ending',
      'stuck',
      { ready: 'idle' },
      { ready: 'error' },
      { turn: 'listening' },
      { turn: { processing: 'deciding' } },
      { turn: { processing: 'pausing' } },
      { turn: { responding: 'playing' } },
      { turn: { responding: 'pausing' } },
    ];
    expect([...seen].toSorted()).toEqual(states.map((state) => JSON.stringify(state)).toSorted());
  });
});
