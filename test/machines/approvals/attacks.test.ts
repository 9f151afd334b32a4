import { matchesState } from 'xstate';
import { describe, expect, it } from 'vitest';

import { approvalsRig, settle } from './rig.ts';

type Rig = ReturnType<typeof approvalsRig>;
const isAsking = ({ value }: Rig): boolean => matchesState({ running: { screen: 'asking' } }, value());
const effect = { do: 'settings', patch: { camera_enabled: true } } as const;
const shows = ({ commands }: Rig) => commands.question.filter(({ type }) => type === 'question.show').length;
const results = ({ commands }: Rig) => commands.question.filter(({ type }) => type === 'question.result');

/** A question that was held, whose machine is being looked at for what bars it. */
function checked(): Rig & { readonly endCheck: () => void } {
  const rig = approvalsRig();
  rig.request({ operation: 'CAMERA_ENABLE', effect });
  rig.see();
  rig.step(1000);
  const { actor, at, clock } = rig;
  actor.send({ type: 'question.pressed', id: 'id1', at: at() });
  clock.increment(1000);
  // Past the rig, which answers the look at once.
  actor.send({ type: 'question.answered', id: 'id1', answer: 'hold', at: at() });
  return { ...rig, endCheck: () => rig.send({ type: 'exposure.seen', findings: [], at: at() }) };
}

describe('a held question whose machine is being looked at', () => {
  const ends: readonly (readonly [string, (rig: Rig) => void])[] = [
    ['denied on the command line', ({ actor }) => actor.send({ type: 'control.denied', id: 'id1' })],
    ['forgotten with its mode', ({ actor }) => actor.send({ type: 'mode.read', mode: 'relaxed', unreadable: false })],
    ['too late', ({ actor }) => actor.send({ type: 'approval.expired', id: 'id1' })],
  ];
  it.each(ends)('is not carried out, nor said to be, if it was %s', async (_, end) => {
    const rig = checked();
    end(rig);
    rig.endCheck();
    await settle();
    expect([rig.effects, results(rig), isAsking(rig)]).toEqual([[], [], false]);
    expect(rig.codes()).not.toContain('approved');
  });

  it('is carried out otherwise', async () => {
    const rig = checked();
    rig.endCheck();
    await settle();
    expect([rig.effects, results(rig).length]).toEqual([[effect], 1]);
  });
});

describe('a flood', () => {
  it('is not passed on to the tab, request by request', () => {
    const rig = approvalsRig();
    rig.request();
    const before = shows(rig);
    for (let n = 0; n < 1000; n += 1) rig.request({ digest: `${n}` });
    // Two more of this device wait; the others are refused.
    expect(rig.context().standing).toEqual({ pending: 3, approved: 0 });
    expect(shows(rig) - before).toBe(2);
  });
});
