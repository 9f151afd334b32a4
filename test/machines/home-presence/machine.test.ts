import { createActor, type EventObject, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { OwnDevice } from '#machines/home-assistant/events.ts';
import type { PresenceFact, PresenceFacts } from '#machines/home-presence/events.ts';
import { homePresenceMachine } from '#machines/home-presence/machine.ts';
import { working } from '#machines/kit/verdict.ts';

const facts: PresenceFacts = {
  socket: 'live',
  failure: null,
  lifecycle: null,
  page: 'connected',
  signedIn: true,
  answers: true,
  path: 'healthy',
  broker: 'birth',
  publishing: { verdict: working('live', 'Announced.'), announced: true, entities: 2 },
};
const shown: OwnDevice = {
  kind: 'own-device',
  identifier: 'sconce_hall',
  state: 'live',
  deviceId: 'c0ffee',
  entityIds: ['button.hall_reboot', 'light.hall_screen'],
  integration: 'present',
};

function run() {
  const clock = new SimulatedClock();
  let observe: (changed?: Partial<PresenceFacts>) => void = () => {};
  let report: (fact: Exclude<PresenceFact, { readonly type: 'presence.observed' }>) => void = () => {};
  let crash: () => void = () => {};
  const actor = createActor(
    homePresenceMachine.provide({
      actors: {
        followed: fromDriver<EventObject, undefined, Extract<PresenceFact, { readonly type: 'presence.observed' }>>(
          ({ send, guard }) => {
            observe = (changed) => send({ type: 'presence.observed', facts: { ...facts, ...changed } });
            crash = guard(() => {
              throw new Error('x');
            });
          },
        ),
        lookup: fromDriver<EventObject, undefined, Exclude<PresenceFact, { readonly type: 'presence.observed' }>>(
          ({ send }) => {
            report = send;
          },
        ),
      },
    }),
    { clock },
  ).start();
  return {
    actor,
    clock,
    observe: (changed?: Partial<PresenceFacts>) => observe(changed),
    found: (device: OwnDevice, isCertain = false, panelId = 'hall') =>
      report({ type: 'presence.found', panelId, device, isCertain }),
    forgotten: () => report({ type: 'presence.forgotten' }),
    crash: () => crash(),
    says: () => actor.getSnapshot().context.verdict.reason,
  };
}
const lost: Partial<PresenceFacts> = { socket: 'reconnecting', failure: 'ECONNREFUSED', page: null, broker: 'will' };

describe('the verdict on Home Assistant', () => {
  it('gives a connection that is back at once no word', () => {
    const t = run();
    t.observe();
    t.observe(lost);
    t.clock.increment(4_900);
    expect(t.says()).toBe('live');
    t.observe();
    t.clock.increment(60_000);
    expect(t.says()).toBe('live');
  });

  it('is gone 5 s after the connection, and there at once with it', () => {
    const t = run();
    t.observe();
    t.found(shown);
    t.observe(lost);
    t.observe({ ...lost, failure: 'ECONNRESET' });
    t.clock.increment(5_000);
    expect(t.says()).toBe('home-assistant-gone');
    t.observe();
    expect(t.says()).toBe('live');
  });

  it('forgets with a Home Assistant that is gone what it showed, until that is looked up again', () => {
    const t = run();
    t.observe();
    t.found(shown);
    const known = () => {
      const { judged, lookup, foundEntity } = t.actor.getSnapshot().context;
      return [judged.evidence.includes('entities-shown'), lookup, foundEntity?.entityId ?? null];
    };
    expect(known()).toEqual([true, 'shown', 'light.hall_screen']);
    const away = { socket: 'absent', page: 'away', broker: 'will' } as const;
    t.observe(away);
    expect([t.says(), ...known()]).toEqual(['home-assistant-gone', false, null, null]);
    // An answer to a question from before.
    t.found(shown);
    expect([t.says(), ...known()]).toEqual(['home-assistant-gone', false, null, null]);
    t.observe();
    expect([t.says(), ...known()]).toEqual(['live', false, null, null]);
    t.found(shown);
    expect([t.says(), ...known()]).toEqual(['shown', true, 'shown', 'light.hall_screen']);
  });

  it('is gone at once where the page or the silence have waited already', () => {
    const t = run();
    t.observe({ ...lost, page: 'away' });
    expect(t.says()).toBe('home-assistant-gone');
  });

  it('gives a restart that was told 9 s, however its parts follow each other', () => {
    const t = run();
    t.observe();
    t.observe({ lifecycle: 'stopping' });
    expect(t.says()).toBe('home-assistant-restarting');
    t.clock.increment(60_000);
    t.observe({ ...lost, lifecycle: 'stopping' });
    t.clock.increment(5_500);
    expect(t.says()).toBe('home-assistant-restarting');
    t.observe({ ...lost, lifecycle: 'stopping', page: 'away' });
    t.clock.increment(3_500);
    expect(t.says()).toBe('home-assistant-gone');
    t.observe({ ...lost, lifecycle: 'stopping', failure: 'closed' });
    expect(t.says()).toBe('home-assistant-gone');
    t.observe({ lifecycle: 'starting' });
    expect(t.says()).toBe('home-assistant-restarting');
    t.observe();
    expect(t.says()).toBe('live');
  });

  it('never needs more than 15 s where a loss turns out to be a restart', () => {
    const t = run();
    t.observe();
    t.observe(lost);
    t.clock.increment(4_900);
    t.observe({ ...lost, lifecycle: 'stopping' });
    t.clock.increment(9_000);
    expect(t.says()).toBe('home-assistant-gone');
  });

  it('names the entity that it saw first, until it is shown no more', () => {
    const t = run();
    t.observe();
    t.found(shown);
    expect(t.actor.getSnapshot().context.foundEntity).toEqual({
      deviceId: 'c0ffee',
      entityId: 'light.hall_screen',
      panelId: 'hall',
    });
    t.found({ ...shown, entityIds: ['button.hall_reboot'] });
    expect(t.actor.getSnapshot().context.foundEntity?.entityId).toBe('light.hall_screen');
    t.found({ ...shown, entityIds: ['light.bath_screen'] }, false, 'bath');
    expect(t.actor.getSnapshot().context.foundEntity).toEqual({
      deviceId: 'c0ffee',
      entityId: 'light.bath_screen',
      panelId: 'bath',
    });
    t.found({ ...shown, state: 'unavailable' }, true);
    expect([t.says(), t.actor.getSnapshot().context.foundEntity]).toEqual(['not-shown', null]);
    t.forgotten();
    expect([t.says(), t.actor.getSnapshot().context.lookup]).toEqual(['live', null]);
  });

  it('fails with a code where a part of it crashes', () => {
    const t = run();
    t.crash();
    expect(t.actor.getSnapshot().output).toMatchObject({ ended: 'failed', reason: 'home-presence-facts' });
  });
});
