import { expect, it } from 'vitest';
import { createActor } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { UpdateOutcome, UpdatesEvent, UpdatesFact } from '#machines/updates/events.ts';
import { updatesMachine } from '#machines/updates/machine.ts';

function run() {
  let questions = 0;
  let answer: (outcome: UpdateOutcome) => void = () => {};
  let crash: () => void = () => {};
  const actor = createActor(
    updatesMachine.provide({
      actors: {
        origin: fromDriver<UpdatesEvent, undefined, UpdatesFact>(({ send, guard }) => {
          questions += 1;
          answer = (outcome) => send({ type: 'updates.answered', outcome });
          crash = guard(() => {
            throw new Error('x');
          });
        }),
      },
    }),
  ).start();
  return {
    actor,
    questions: () => questions,
    answer: (outcome: UpdateOutcome) => answer(outcome),
    crash: () => crash(),
  };
}

it('asks only on request, once at a time, and keeps the last answer', () => {
  const { actor, questions, answer } = run();
  expect([actor.getSnapshot().value, questions()]).toEqual(['resting', 0]);
  actor.send({ type: 'updates.ask', at: 1 });
  actor.send({ type: 'updates.ask', at: 2 });
  expect([actor.getSnapshot().value, questions()]).toEqual(['asking', 1]);
  answer({ status: 'up-to-date' });
  expect(actor.getSnapshot()).toMatchObject({
    value: 'resting',
    context: { askedAt: 1, outcome: { status: 'up-to-date' } },
  });
  actor.send({ type: 'updates.ask', at: 3 });
  expect(questions()).toBe(2);
  expect(actor.getSnapshot().context).toEqual({ askedAt: 3, outcome: { status: 'up-to-date' } });
});

it('ends with the reason if its driver crashes', () => {
  const { actor, crash } = run();
  actor.send({ type: 'updates.ask', at: 1 });
  crash();
  expect(actor.getSnapshot()).toMatchObject({
    status: 'done',
    output: { ended: 'failed', reason: 'updates-driver', error: expect.any(Error) },
  });
});
