import { describe, expect, it } from 'vitest';

import { amount } from '#test/fakes/amount.ts';
import { pick, type Random, sequence } from '#test/fakes/sequence.ts';
import { sessionRig, type SessionRig } from './rig.ts';

const STEPS = 40;
const faults = ['open', 'disconnected', 'encode', 'stream_encoder', 'permission'] as const;

/** What a walk asked for, beside what the session says. */
interface Walk {
  readonly rig: SessionRig;
  readonly random: Random;
  readonly asked: string[];
  /** Clients that hold a lease, by what they were told. */
  readonly clients: Set<number>;
  /** Commands to the stream that were counted. */
  counted: number;
  nextClient: number;
}

const step = {
  want: ({ rig, random, clients }: Walk, client: number): void => {
    clients.add(client);
    rig.want(client, pick(random, [{}, {}, { height: 480 }, { kbps: 500 }, { fps: 30 }] as const));
  },
  leave: ({ rig, random, clients }: Walk): void => {
    const client = [...clients].at(random(Math.max(1, clients.size)));
    if (client === undefined) return;
    clients.delete(client);
    rig.leave(client);
  },
  ask: ({ rig, random, asked }: Walk): void => {
    asked.push(`p${asked.length}`);
    rig.ask(`p${asked.length - 1}`, pick(random, [null, 480, 720] as const));
  },
  indicate: ({ rig, random }: Walk): void => {
    if (!rig.isHeld()) return;
    if (random(4) > 0)
      rig.sayIndication({ type: 'indication.confirmed', by: pick(random, ['overlay', 'led'] as const) });
    else rig.sayIndication({ type: 'indication.refused', reason: pick(random, ['unconfirmed', 'headless'] as const) });
  },
  capture: ({ rig, random }: Walk): void => {
    const capture = rig.captures.at(-1);
    if (capture === undefined || !capture.hasDevice) return;
    const said = random(8);
    if (capture.isClosing || said === 0) rig.closed();
    else if (said === 1) rig.fail(pick(random, faults), 'code');
    else if (said === 2) rig.tick(null);
    else if (said === 3) rig.tick();
    else if (rig.facts().openedAt === null) rig.open();
  },
  still: ({ rig, random }: Walk): void =>
    rig.sayStill({
      type: 'still.taken',
      id: 1 + random(Math.max(1, rig.stills.length)),
      jpeg: random(3) === 0 ? null : new Uint8Array([1]),
    }),
  pass: ({ rig, random }: Walk): void => rig.pass(pick(random, [100, 1200, 2000, 5000, 31_000])),
  scan: ({ rig, random }: Walk): void =>
    rig.saySurroundings({
      type: 'scan.changed',
      camera: pick(random, ['present', 'present', 'gone', 'refused'] as const),
    }),
} as const;

/** Takes what the stream was told since into the list of clients that hold a lease. */
function count(walk: Walk): void {
  for (const command of walk.rig.streamed.slice(walk.counted)) {
    if (command.type === 'stream.refuse') walk.clients.delete(command.client);
    if (command.type === 'stream.drop') walk.clients.clear();
  }
  walk.counted = walk.rig.streamed.length;
}

const violations = ['capture without a confirmed indication', 'two captures', 'released before it closed'];

function check(walk: Walk): void {
  const { rig } = walk;
  count(walk);
  const facts = rig.facts();
  expect(rig.log.filter((line) => violations.includes(line))).toEqual([]);
  expect(new Set(facts.streams.map(({ client }) => client))).toEqual(walk.clients);
  expect(facts.clients).toBe(facts.streams.length + facts.pictures.length);
  const waiting = facts.pictures.map(({ requestId }) => requestId);
  const open = walk.asked.filter((id) => rig.answerOf(id) === null);
  expect(waiting.toSorted()).toEqual(open.toSorted());
  const hasDevice = rig.captures.some((capture) => capture.hasDevice);
  if (rig.phase() === 'idle' || rig.phase() === 'degraded')
    expect([hasDevice, rig.isHeld(), facts.clients]).toEqual([false, false, 0]);
  if (facts.clients > 0) expect(rig.phase()).not.toBe('idle');
  if (hasDevice) expect(rig.isHeld()).toBe(true);
  expect(Object.keys(rig.actor.getSnapshot().children).filter((id) => id.startsWith('capture-')).length).toBe(
    hasDevice ? 1 : 0,
  );
}

/** Ends the walk: whatever happened, everything is answered and closed. */
function finish(walk: Walk): void {
  const { rig } = walk;
  rig.stop();
  if (walk.random(2) === 0 && rig.captures.at(-1)?.hasDevice === true) rig.closed();
  rig.pass(800);
  count(walk);
  expect(rig.actor.getSnapshot()).toMatchObject({ status: 'done', output: { ended: 'stopped' } });
  expect([...walk.clients]).toEqual([]);
  expect(walk.asked.filter((id) => rig.answerOf(id) === null)).toEqual([]);
  expect(rig.replies).toHaveLength(walk.asked.length);
  expect([rig.isHeld(), rig.captures.some(({ hasDevice }) => hasDevice)]).toEqual([false, false]);
}

function run(seed: number): readonly unknown[] {
  const random = sequence(seed);
  const walk: Walk = { rig: sessionRig(), random, asked: [], clients: new Set(), counted: 0, nextClient: 1 };
  const states: unknown[] = [];
  for (let at = 0; at < STEPS; at += 1) {
    const turn = random(14);
    if (turn < 2) step.want(walk, walk.nextClient++);
    else if (turn < 3) step.leave(walk);
    else if (turn < 5) step.ask(walk);
    else if (turn < 7) step.indicate(walk);
    else if (turn < 10) step.capture(walk);
    else if (turn < 12) step.still(walk);
    else if (turn < 13) step.pass(walk);
    else if (random(3) === 0) step.scan(walk);
    check(walk);
    states.push(walk.rig.state());
  }
  finish(walk);
  return states;
}

describe('a session under random leases, captures, indications and time', () => {
  const seen = new Set<string>();
  const seeds = Array.from({ length: amount(200, 2000) }, (_, at) => at + 1);

  it.each(seeds)('loses nothing, films nothing unseen, and ends: seed %i', (seed) => {
    for (const state of run(seed)) seen.add(JSON.stringify(state));
  });

  it('comes through every state', () => {
    expect([...seen].toSorted()).toEqual(
      [
        'closing',
        'degraded',
        'idle',
        'live',
        'withdrawing',
        { opening: 'indicating' },
        { opening: 'pausing' },
        { opening: 'reclosing' },
        { opening: 'starting' },
      ]
        .map((state) => JSON.stringify(state))
        .toSorted(),
    );
  });
});
