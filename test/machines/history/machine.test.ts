import { createActor, type EventObject } from 'xstate';
import { describe, expect, it } from 'vitest';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { RecordCommand, RecordFact } from '#machines/history/events.ts';
import { historyMachine } from '#machines/history/machine.ts';
import { createClock, settle } from '#test/fakes/kit-clock.ts';

function start() {
  const told: RecordCommand[] = [];
  let say: (fact: RecordFact) => void = () => {};
  let crash = (): void => {};
  const clock = createClock();
  const actor = createActor(
    historyMachine.provide({
      actors: {
        record: fromDriver<RecordCommand, undefined, RecordFact>((scope) => {
          scope.onEvent((command) => void told.push(command));
          say = scope.send;
        }),
        recorder: fromDriver<EventObject, undefined, never>(({ guard }) => {
          crash = guard(() => {
            throw new Error('broken');
          });
        }),
      },
    }),
    { input: { startedAt: 100 }, clock: clock.clock },
  );
  actor.subscribe({ error: () => {} });
  actor.start();
  const codes = (): readonly string[] => actor.getSnapshot().context.entries.map(({ code }) => code);
  const happen = (code: string, at = 200): void =>
    actor.send({ type: 'history.happened', at, kind: 'screen', by: 'http', code });
  return { actor, clock, told, say: (fact: RecordFact) => say(fact), crash: () => crash(), codes, happen };
}

describe('the history', () => {
  it('keeps nothing before it knows what earlier runs left, and loses nothing meanwhile', () => {
    const { told, say, codes, happen } = start();
    happen('on');
    expect([codes(), told]).toEqual([['on'], []]);
    say({ type: 'record.recalled', entries: [{ at: 1, kind: 'agent', by: null, code: 'stopped', times: 1 }] });
    expect(codes()).toEqual(['stopped', 'started', 'on']);
    expect(told.map(({ type }) => type)).toEqual(['record.keep']);
    happen('off', 300);
    expect(told.at(-1)).toMatchObject({ type: 'record.keep', entries: [{}, {}, {}, { code: 'off' }] });
  });

  it('stops once the record is written, or when it takes too long', () => {
    const first = start();
    first.say({ type: 'record.recalled', entries: [] });
    first.actor.send({ type: 'history.stop' });
    expect(first.told.at(-1)).toEqual({ type: 'record.close' });
    first.say({ type: 'record.closed' });
    expect(first.actor.getSnapshot().output).toEqual({ ended: 'stopped' });
    const second = start();
    second.say({ type: 'record.recalled', entries: [] });
    second.actor.send({ type: 'history.stop' });
    second.clock.pass(50);
    expect(second.actor.getSnapshot().output).toEqual({ ended: 'stopped' });
  });

  it('stops without a write while the old record is not known', () => {
    const { actor, told, happen } = start();
    happen('on');
    actor.send({ type: 'history.stop' });
    expect([actor.getSnapshot().output, told]).toEqual([{ ended: 'stopped' }, []]);
  });

  it('fails when what it listens with fails', async () => {
    const { actor, crash } = start();
    crash();
    await settle();
    expect(actor.getSnapshot().output).toMatchObject({ ended: 'failed', reason: 'history' });
  });
});
