import { createActor, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { ATTEMPT_MS, type KeeperCommand, type KeeperFact } from '#machines/sign-in/events.ts';
import { signInMachine } from '#machines/sign-in/machine.ts';

const start = () => {
  const clock = new SimulatedClock();
  const commands: KeeperCommand[] = [];
  const replies: unknown[] = [];
  let starts = 0;
  let crash = (): void => {};
  const keeper = fromDriver<KeeperCommand, undefined, never>(({ onEvent, guard }) => {
    starts += 1;
    onEvent((command) => void commands.push(command));
    crash = guard(() => {
      throw new Error('marker');
    });
  });
  const actor = createActor(signInMachine.provide({ actors: { keeper } }), { clock });
  actor.on('reply', (reply) => void replies.push(reply));
  actor.start();
  return {
    actor,
    clock,
    commands,
    replies,
    starts: () => starts,
    crash: () => crash(),
    hear: (fact: KeeperFact) => actor.send(fact),
    facts: () => actor.getSnapshot().context,
  };
};

describe('the sign-in', () => {
  it('passes questions on and answers each once', () => {
    const { actor, commands, replies, hear } = start();
    actor.send({ type: 'sign-in.token', requestId: 'q', force: true });
    expect(commands).toEqual([{ type: 'sign-in.token', requestId: 'q', force: true }]);
    hear({ type: 'keeper.answered', requestId: 'q', outcome: { ok: false, reason: 'none' } });
    expect(replies).toEqual([{ type: 'reply', requestId: 'q', outcome: { ok: false, reason: 'none' } }]);
  });

  it('goes from no address to signed in, raising the revision with each other credential', () => {
    const { hear, facts } = start();
    expect(facts()).toMatchObject({ phase: 'no-address', revision: 0 });
    hear({ type: 'credential.changed', hasAddress: true, method: null, at: 1 });
    expect(facts()).toMatchObject({ phase: 'needed', revision: 1, at: 1 });
    hear({ type: 'attempt.opened', until: 600_001 });
    expect(facts()).toMatchObject({ phase: 'pending', attemptUntil: 600_001 });
    hear({ type: 'attempt.closed', outcome: 'signed-in', at: 2 });
    hear({ type: 'credential.changed', hasAddress: true, method: 'oauth', at: 3 });
    expect(facts()).toMatchObject({
      phase: 'signed-in',
      method: 'oauth',
      reachable: null,
      lastOutcome: 'signed-in',
      attemptUntil: null,
      revision: 2,
    });
    hear({ type: 'platform.reached', at: 4 });
    hear({ type: 'user.read', displayName: 'Kim', administrator: false, at: 5 });
    expect(facts()).toMatchObject({ reachable: true, displayName: 'Kim', administrator: false, at: 5 });
    hear({ type: 'platform.lost', at: 6 });
    expect(facts()).toMatchObject({ phase: 'signed-in', reachable: false, displayName: 'Kim' });
    hear({ type: 'credential.refused', at: 7 });
    expect(facts()).toMatchObject({
      phase: 'refused',
      method: 'oauth',
      displayName: null,
      administrator: null,
      revision: 3,
    });
  });

  it('ends an attempt after ten minutes, counted from the newest', () => {
    const { clock, hear, facts, starts } = start();
    hear({ type: 'credential.changed', hasAddress: true, method: null, at: 1 });
    hear({ type: 'attempt.opened', until: 1 });
    clock.increment(ATTEMPT_MS - 1);
    hear({ type: 'attempt.opened', until: 2 });
    clock.increment(ATTEMPT_MS - 1);
    expect(facts()).toMatchObject({ phase: 'pending', attemptUntil: 2 });
    clock.increment(1);
    expect(facts()).toMatchObject({ phase: 'needed', attemptUntil: null, lastOutcome: 'expired' });
    expect(starts(), 'the keeper, which holds the attempt, was never started anew').toBe(1);
  });

  it('keeps the last outcome when an attempt is dropped without one', () => {
    const { hear, facts } = start();
    hear({ type: 'attempt.closed', outcome: 'cancelled', at: 1 });
    hear({ type: 'attempt.opened', until: 9 });
    hear({ type: 'attempt.closed', outcome: null, at: 2 });
    expect(facts()).toMatchObject({ lastOutcome: 'cancelled', attemptUntil: null });
  });

  it('fails when its keeper crashes, and ends in order when it is asked to', () => {
    const broken = start();
    broken.crash();
    expect(broken.actor.getSnapshot()).toMatchObject({
      status: 'done',
      output: { ended: 'failed', reason: 'sign-in-keeper' },
    });
    const orderly = start();
    orderly.actor.send({ type: 'sign-in.stop' });
    expect(orderly.actor.getSnapshot()).toMatchObject({ status: 'done', output: { ended: 'stopped' } });
  });
});
