import type { EventObject } from 'xstate';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { homePresenceLookup } from '#actors/home-presence-lookup.ts';
import type { OwnDevice, Topic } from '#machines/home-assistant/events.ts';
import type { PresenceFact } from '#machines/home-presence/events.ts';
import { askOf, fakeRegistry } from '#test/fakes/registry.ts';
import { runDriver, type RunningDriver } from '../drivers/run-driver.ts';

const device = (change: Partial<OwnDevice> = {}): OwnDevice => ({
  kind: 'own-device',
  identifier: 'sconce_hall',
  state: 'live',
  deviceId: 'c0ffee',
  entityIds: ['light.hall_screen'],
  integration: 'present',
  ...change,
});

describe('the lookups of what Home Assistant shows', () => {
  let driver: RunningDriver<EventObject, PresenceFact> | undefined;
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    driver?.stop();
    vi.useRealTimers();
  });

  const live = {
    announced: [{ key: 'screen', entityKind: 'light' }],
    homeAssistantDetected: true,
    homeAssistantLeft: false,
  };
  /** `answersInMs`: how long each answer takes. */
  const start = (answersInMs = 0) => {
    const registry = fakeRegistry({
      identity: { panelId: 'hall' },
      'sign-in': { phase: 'signed-in' },
      'home-assistant': { route: { number: 1, family: 'ipv4' } },
      publisher: live,
    });
    let is: OwnDevice | null = device();
    registry.answer = () =>
      is === null
        ? { ok: true, value: { ok: false, reason: 'unreachable' } }
        : { ok: true, value: { ok: true, reading: is } };
    registry.put('publisher', live, { active: 'live' });
    const ask = askOf(async (id, event) => {
      registry.told.push({ id, event });
      if (answersInMs > 0) await new Promise((resolve) => setTimeout(resolve, answersInMs));
      return registry.answer(id, event);
    });
    const running = runDriver<EventObject, PresenceFact>(homePresenceLookup({ ...registry, ask }));
    driver = running;
    return {
      registry,
      facts: running.facts,
      topics: (): readonly Topic[] =>
        registry.told.flatMap(({ event }) => ('topic' in event ? [event.topic as Topic] : [])),
      answer: (next: OwnDevice | null) => {
        is = next;
      },
    };
  };
  const certainties = (facts: readonly PresenceFact[]): readonly boolean[] =>
    facts.flatMap((fact) => (fact.type === 'presence.found' ? [fact.isCertain] : []));

  it('are made soon after the announcement, and then each half minute by what was found', async () => {
    const t = start();
    expect(t.topics()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(t.topics()).toEqual([{ kind: 'own-device', identifier: 'sconce_hall', known: [] }]);
    expect(t.facts).toEqual([{ type: 'presence.found', panelId: 'hall', device: device(), isCertain: false }]);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(t.topics()[1]).toEqual({ kind: 'own-device', identifier: 'sconce_hall', known: ['light.hall_screen'] });
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(t.topics().length).toBe(122);
  });

  it('are seldom where a connection is made for each', async () => {
    const t = start();
    t.registry.put('home-assistant', { route: null });
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(t.topics().length).toBe(4);
  });

  it('are certain of a panel that is missed three times, and ever more seldom then', async () => {
    const t = start();
    t.answer(device({ state: 'absent', entityIds: [] }));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(certainties(t.facts)).toEqual([false, false, true]);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(t.topics().length).toBeLessThan(20);
  });

  it('are made anew with each word of Home Assistant at the broker, each announcement and connection', async () => {
    const t = start();
    await vi.advanceTimersByTimeAsync(1_500);
    for (const change of [
      () => t.registry.put('publisher', { ...live, homeAssistantLeft: true }, { active: 'live' }),
      () => t.registry.put('publisher', { ...live, announced: [] }, { active: 'live' }),
      () => t.registry.put('home-assistant', { route: { number: 2, family: 'ipv4' } }),
    ]) {
      const before = t.topics().length;
      change();
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await vi.advanceTimersByTimeAsync(1_500);
      expect(t.topics().length).toBe(before + 1);
    }
  });

  it('are made anew with a word that comes while the answer is on its way, and drop that answer', async () => {
    const t = start(1_000);
    await vi.advanceTimersByTimeAsync(1_500);
    t.registry.put('publisher', { ...live, homeAssistantLeft: true }, { active: 'live' });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(t.facts).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_500);
    expect([t.topics().length, certainties(t.facts)]).toEqual([2, [false]]);
  });

  it('are not made anew for the connection that a lookup makes itself', async () => {
    const t = start(5_000);
    t.registry.put('home-assistant', { route: null });
    await vi.advanceTimersByTimeAsync(1_500);
    t.registry.put('home-assistant', { route: { number: 2, family: 'ipv4' } });
    await vi.advanceTimersByTimeAsync(4_500);
    t.registry.put('home-assistant', { route: null });
    await vi.advanceTimersByTimeAsync(5_000);
    expect([t.topics().length, certainties(t.facts)]).toEqual([1, [false]]);
  });

  it('are made without a connection once Home Assistant is back at the broker, not when it leaves', async () => {
    const t = start();
    t.registry.put('home-assistant', { route: null });
    await vi.advanceTimersByTimeAsync(1_500);
    const left = { ...live, homeAssistantDetected: false, homeAssistantLeft: true };
    t.registry.put('publisher', left, { active: 'live' });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(t.topics().length).toBe(1);
    t.registry.put('publisher', live, { active: 'live' });
    await vi.advanceTimersByTimeAsync(1_500);
    expect(t.topics().length).toBe(2);
  });

  it('cost nothing while nothing is announced, or nobody is signed in', async () => {
    const t = start();
    await vi.advanceTimersByTimeAsync(1_500);
    t.registry.put('publisher', live, 'waiting');
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect([t.topics().length, t.facts.at(-1)]).toEqual([1, { type: 'presence.forgotten' }]);
    t.registry.put('sign-in', { phase: 'needed' });
    t.registry.put('publisher', live, { active: 'live' });
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(t.topics().length).toBe(1);
  });

  it('say nothing where there was no answer', async () => {
    const t = start();
    t.answer(null);
    await vi.advanceTimersByTimeAsync(10_000);
    expect([t.topics().length, t.facts]).toEqual([1, []]);
  });
});
