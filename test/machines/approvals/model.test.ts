import { expect, it } from 'vitest';

import { PENDING_LIMIT, VALID_MS } from '#machines/approvals/requests.ts';

import { amount } from '../../fakes/amount.ts';
import { pick, type Random, sequence } from '../../fakes/sequence.ts';
import { approvalsRig } from './rig.ts';

const PEERS = ['192.0.2.1', '2001:db8::1', '2001:db8::2', 'mqtt'] as const;
const DIGESTS = ['a', 'b'] as const;
const OPERATIONS = ['REMOTE_MEDIA', 'DEVICE_REBOOT'] as const;
const STEPS = 40;

type Rig = ReturnType<typeof approvalsRig>;

/** What the model knows: approvals that were given and not used, by what they bind, with when they were asked for. */
type Given = Map<string, number>;

const isStatus = (outcome: unknown, status: string): boolean =>
  typeof outcome === 'object' && outcome !== null && 'status' in outcome && outcome.status === status;

/** Asks for something random; it must only proceed with an approval of exactly that, which is used up. */
function ask(random: Random, rig: Rig, given: Given): void {
  // Half of the time something that was approved is sent again.
  const again = random(2) === 0 ? [...given.keys()][0]?.split(' ') : undefined;
  const [operation = '', peer = '', digest = ''] = again ?? [
    pick(random, OPERATIONS),
    pick(random, PEERS),
    pick(random, DIGESTS),
  ];
  const key = `${operation} ${peer} ${digest}`;
  const { mode } = rig.context();
  const outcome = rig.request({ peer, digest, operation });
  const asked = given.get(key);
  const isGiven = asked !== undefined && rig.at() - asked < VALID_MS;
  if (mode === 'relaxed') expect(outcome).toEqual({ status: 'open' });
  else if (isStatus(outcome, 'open')) expect(isGiven, `${key} proceeds without an approval`).toBe(true);
  else expect(isGiven, `${key} was approved and is refused`).toBe(false);
  if (mode !== 'relaxed') given.delete(key);
}

/** A person answers the question on the screen, deliberately or not. */
function answer(random: Random, rig: Rig, given: Given): void {
  const { shown, requests } = rig.context();
  const request = requests.list.find(({ id }) => id === shown?.id);
  const before = rig.context().standing.approved;
  const { visibleSince, litSince } = rig.context();
  // One that was seen long enough before may be pressed at once.
  const isReadable = visibleSince !== null && litSince !== null && rig.at() - Math.max(visibleSince, litSince) >= 900;
  const how = pick(random, ['hold', 'hold', 'hasty', 'deny', 'ignore'] as const);
  if (how === 'hold') rig.approve();
  else if (how === 'hasty') rig.hold();
  else rig.press(how);
  const isApproved = rig.context().requests.list.some(({ id, approved }) => id === request?.id && approved);
  if (request !== undefined && isApproved && !request.approved) {
    expect(how === 'hold' || (how === 'hasty' && isReadable), 'only a deliberate press approves').toBe(true);
    given.set(`${request.operation} ${request.peer} ${request.digest}`, request.askedAt);
  } else expect(rig.context().standing.approved).toBeLessThanOrEqual(before);
}

const steps = {
  ask,
  answer,
  time: (random: Random, rig: Rig): void => rig.step(pick(random, [1000, 3000, 3000, 20_000, 60_000, 300_000])),
  lose: (_: Random, rig: Rig): void => rig.send({ type: 'question.lost', at: rig.at() }),
  move: (random: Random, rig: Rig): void =>
    rig.send({
      type: 'place.changed',
      place: pick(random, [
        { kind: 'screen' },
        { kind: 'screen' },
        { kind: 'screen' },
        { kind: 'none', reason: 'no-browser' },
      ] as const),
    }),
  darken: (random: Random, rig: Rig): void => rig.send({ type: 'screens.changed', lit: random(4) > 0, at: rig.at() }),
  want: (_: Random, rig: Rig): void => rig.send({ type: 'questions.wanted', at: rig.at() }),
  wish: (random: Random, rig: Rig, given: Given): void => {
    const before = rig.context().mode;
    rig.send({ type: 'mode.wanted', mode: pick(random, ['hardened', 'relaxed'] as const), at: rig.at() });
    if (rig.context().shown?.kind === 'operation') return;
    if (random(2) > 0) rig.approve();
    if (rig.context().mode !== before) given.clear();
  },
} satisfies Readonly<Record<string, (random: Random, rig: Rig, given: Given) => void>>;
/** Requests and answers are what the model is about. */
const weighted = [
  ...Object.values(steps),
  ...Array.from({ length: 6 }, () => steps.ask),
  ...Array.from({ length: 6 }, () => steps.answer),
];

it.each([0, 1, 2, 3])('no operation proceeds without its approval, and none is used twice (%i)', (part) => {
  const runs = amount(100, 1000) / 4;
  let used = 0;
  for (let run = 0; run < runs; run += 1) {
    const random = sequence(part * runs + run + 1);
    const given: Given = new Map();
    let rig = approvalsRig({ mode: pick(random, ['hardened', 'hardened', 'relaxed'] as const) });
    for (let step = 0; step < STEPS; step += 1) {
      const { mode } = rig.context();
      pick(random, weighted)(random, rig, given);
      if (rig.context().mode !== mode) given.clear();
      used += rig.codes().at(-1) === 'used' ? 1 : 0;
      const { list } = rig.context().requests;
      expect(list.filter(({ approved }) => !approved).length).toBeLessThanOrEqual(PENDING_LIMIT);
      // A restart forgets everything but the mode.
      if (random(40) === 0) {
        given.clear();
        rig = approvalsRig({ mode: rig.context().mode ?? 'hardened' });
      }
    }
    expect(rig.actor.getSnapshot().status).toBe('active');
    rig.actor.stop();
  }
  expect(used, 'the model reaches what it is about').toBeGreaterThan(runs / 2);
});
