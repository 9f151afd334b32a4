import { matchesState } from 'xstate';
import { describe, expect, it } from 'vitest';

import { operations } from '#machines/operations.ts';

import { approvalsRig, settle } from './rig.ts';

type Rig = ReturnType<typeof approvalsRig>;
const isAsking = ({ value }: Rig): boolean => matchesState({ running: { screen: 'asking' } }, value());
const effect = { do: 'settings', patch: { camera_enabled: true } } as const;
const ask = (rig: Rig, peer = '192.0.2.1') => rig.request({ operation: 'CAMERA_ENABLE', effect, peer, digest: peer });
const withdraw = (rig: Rig): void => rig.send({ type: 'approval.withdraw', operation: 'CAMERA_ENABLE' });

describe.each(['relaxed', 'hardened'] as const)('what is not wanted any more, in %s mode', (mode) => {
  it('leaves the screen, and no press approves it', async () => {
    const rig = approvalsRig({ mode });
    ask(rig);
    expect(isAsking(rig)).toBe(true);
    withdraw(rig);
    expect([isAsking(rig), rig.context().standing]).toEqual([false, { pending: 0, approved: 0 }]);
    rig.hold();
    await settle();
    expect([rig.effects, rig.codes()]).toEqual([[], ['asked', 'withdrawn']]);
  });

  it('goes for every device that asked for it, and nothing else does', () => {
    const rig = approvalsRig({ mode });
    ask(rig);
    ask(rig, '192.0.2.2');
    rig.request({ operation: 'IDENTITY_REPLACE', digest: 'other' });
    withdraw(rig);
    expect(rig.context().requests.list.map(({ operation }) => operation)).toEqual(['IDENTITY_REPLACE']);
    expect(isAsking(rig)).toBe(true);
  });

  it('is not carried out, though it was approved while the machine was looked at', async () => {
    const rig = approvalsRig({ mode });
    ask(rig);
    rig.see();
    rig.step(1000);
    withdraw(rig);
    rig.approve();
    await settle();
    expect(rig.effects).toEqual([]);
  });

  it('can be asked for again', () => {
    const rig = approvalsRig({ mode });
    ask(rig);
    withdraw(rig);
    expect(ask(rig)).toMatchObject({ status: 'pending' });
  });

  it('is answered to the part of the panel that asked for it', () => {
    const rig = approvalsRig({ mode });
    const request = { candidate: 'c', operation: 'CAMERA_ENABLE', what: '', code: null, at: rig.at() };
    rig.send({ type: 'approval.ask', requestId: 'part', request });
    withdraw(rig);
    expect([isAsking(rig), rig.replies]).toEqual([false, [{ requestId: 'part', outcome: 'expired' }]]);
  });

  it('is nothing where nothing waits', () => {
    const rig = approvalsRig({ mode });
    withdraw(rig);
    expect(rig.codes()).toEqual([]);
  });
});

it('a question says what follows from approving it', () => {
  const rig = approvalsRig();
  ask(rig);
  expect(rig.commands.question.at(-1)).toMatchObject({
    question: {
      title: 'Turn on the camera',
      consequence: 'Everybody on this network can then watch. A red square shows when it is in use.',
    },
  });
  expect(rig.context().shown).toMatchObject({ consequence: expect.stringMatching(/^Everybody/) });
});

it('each consent says what follows from it, and what to do without a place to ask', () => {
  expect(operations.CAMERA_ENABLE).toMatchObject({
    in: 'every',
    consequence: expect.stringMatching(/network can then watch/),
    withoutPlace: expect.stringMatching(/\.$/),
  });
});
