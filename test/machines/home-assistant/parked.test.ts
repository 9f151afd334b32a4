import { createActor, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type {
  ConnectionCommand,
  ConnectionFact,
  ConnectionInput,
  Excess,
  NeedsFact,
} from '#machines/home-assistant/events.ts';
import { parkedFor } from '#machines/home-assistant/excess.ts';
import { homeAssistantMachine } from '#machines/home-assistant/machine.ts';
import { phaseOf } from '#machines/home-assistant/phase.ts';
import { excessStore } from '#test/fakes/excess-store.ts';

const minute = 60_000;
const needs = (change: Partial<Extract<NeedsFact, { type: 'needs.changed' }>> = {}) =>
  ({ type: 'needs.changed', credential: true, revision: 1, lifecycle: true, native: false, ...change }) as const;

/** An agent that starts with what was kept before it; its time of day is the simulated clock. */
function start(before: Excess | null = null) {
  const clock = new SimulatedClock();
  const kept: Excess[] = [];
  const replies: unknown[] = [];
  let attempts = 0;
  let open = 0;
  const actor = createActor(
    homeAssistantMachine.provide({
      actors: {
        connection: fromDriver<ConnectionCommand, ConnectionInput, ConnectionFact>(() => {
          attempts += 1;
          open += 1;
          return () => {
            open -= 1;
          };
        }),
        needs: fromDriver(() => {}),
        store: excessStore(before, (excess) => void kept.push(excess)),
      },
      delays: { parked: ({ context }) => (context.excess === null ? 0 : parkedFor(context.excess, clock.now())) },
    }),
    { clock, input: { settleMs: 0 } },
  );
  actor.on('reply', ({ outcome }) => void replies.push(outcome));
  actor.start();
  return {
    actor,
    clock,
    kept,
    replies,
    made: () => ({ attempts, open, phase: phaseOf(actor.getSnapshot()) }),
    facts: () => actor.getSnapshot().context,
    live: () =>
      actor.send({
        type: 'socket.live',
        generation: attempts,
        at: clock.now(),
        running: 'running',
        hearsEvents: true,
        family: 'ipv4',
      }),
    overrun: (generation = attempts) =>
      actor.send({
        type: 'socket.overrun',
        generation,
        code: 'message-too-deep',
        at: clock.now(),
        moment: clock.now(),
      }),
  };
}

describe('a Home Assistant that sends too much', () => {
  it('is left alone for a minute, doubled each time, and what it sent is kept', () => {
    const rig = start();
    rig.actor.send(needs());
    rig.live();
    for (const [index, minutes] of [1, 2, 4, 8].entries()) {
      rig.overrun();
      expect(rig.made()).toEqual({ attempts: index + 1, open: 0, phase: 'parked' });
      expect(rig.kept.at(-1)).toEqual({
        code: 'message-too-deep',
        count: index + 1,
        until: rig.clock.now() + minutes * minute,
      });
      rig.clock.increment(minutes * minute - 1);
      expect(rig.made().phase).toBe('parked');
      rig.clock.increment(1);
      expect(rig.made()).toEqual({ attempts: index + 2, open: 1, phase: 'connecting' });
    }
    expect([rig.facts().failure, rig.facts().lifecycle?.state]).toEqual(['message-too-deep', 'connection_lost']);
  });

  it('stays so over a restart, for what is left of the time', () => {
    const rig = start({ code: 'message-flood', count: 3, until: 3 * minute });
    rig.actor.send(needs());
    expect(rig.made()).toEqual({ attempts: 0, open: 0, phase: 'parked' });
    rig.clock.increment(3 * minute);
    expect(rig.made()).toEqual({ attempts: 1, open: 1, phase: 'connecting' });
    rig.overrun();
    expect(rig.kept).toEqual([{ code: 'message-too-deep', count: 4, until: 11 * minute }]);
  });

  it('answers who asks at once', () => {
    const rig = start();
    rig.actor.send(needs());
    rig.actor.send({ type: 'home-assistant.read', requestId: 'a', topic: { kind: 'areas' } });
    rig.overrun();
    rig.actor.send({ type: 'home-assistant.read', requestId: 'b', topic: { kind: 'areas' } });
    rig.actor.send({ type: 'home-assistant.sample', requestId: 'c', entityIds: null, ms: 1000 });
    expect(rig.replies).toEqual(Array.from({ length: 3 }, () => ({ ok: false, reason: 'unreachable' })));
    expect(rig.facts().requests).toEqual([]);
  });

  it('is tried again at once when a person asks, and waits longer the next time', () => {
    const rig = start();
    rig.actor.send(needs());
    rig.overrun();
    rig.actor.send({ type: 'home-assistant.retry' });
    expect(rig.made()).toEqual({ attempts: 2, open: 1, phase: 'connecting' });
    rig.overrun();
    expect(rig.kept.map(({ count }) => count)).toEqual([1, 2]);
  });

  it('is another one at another address: nothing is held against that', () => {
    const rig = start();
    rig.actor.send(needs());
    rig.overrun();
    rig.actor.send({ type: 'excess.recalled', excess: null });
    expect(rig.made()).toEqual({ attempts: 2, open: 1, phase: 'connecting' });
    rig.overrun();
    expect(rig.kept.map(({ count }) => count)).toEqual([1, 1]);
  });

  it('is not left alone because of a connection that is over', () => {
    const rig = start();
    rig.actor.send(needs());
    rig.overrun(0);
    expect([rig.made().phase, rig.kept]).toEqual(['connecting', []]);
  });

  it('stays left alone with another credential, and is closed while nothing needs it', () => {
    const rig = start();
    rig.actor.send(needs());
    rig.overrun();
    rig.actor.send(needs({ revision: 2 }));
    expect(rig.made().phase).toBe('parked');
    rig.actor.send(needs({ revision: 2, lifecycle: false }));
    expect(rig.made().phase).toBe('closed');
    rig.actor.send(needs({ revision: 2 }));
    expect(rig.made()).toEqual({ attempts: 1, open: 0, phase: 'parked' });
    rig.clock.increment(minute);
    expect(rig.made().phase).toBe('connecting');
  });

  it('asking again and another address change nothing of a connection that is live', () => {
    const rig = start();
    rig.actor.send(needs());
    rig.live();
    rig.actor.send({ type: 'home-assistant.retry' });
    rig.actor.send({ type: 'excess.recalled', excess: null });
    expect(rig.made()).toEqual({ attempts: 1, open: 1, phase: 'live' });
  });
});
