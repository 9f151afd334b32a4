import type { EventObject, StateValue } from 'xstate';
import { afterEach, describe, expect, it } from 'vitest';

import { homePresenceFacts } from '#actors/home-presence.ts';
import type { Lifecycle } from '#machines/home-assistant/lifecycle.ts';
import type { PresenceFact, PresenceFacts } from '#machines/home-presence/events.ts';
import { initialFacts } from '#machines/renderer/initial.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';
import { runDriver, type RunningDriver } from '../drivers/run-driver.ts';

describe('what is followed of the other parts', () => {
  let driver: RunningDriver<EventObject, PresenceFact> | undefined;
  afterEach(() => driver?.stop());

  /** The newest facts where the actor `id` shows these. */
  const factsOf = (id: string, context: object, state?: StateValue): PresenceFacts | undefined => {
    const registry = fakeRegistry({});
    registry.put(id, context, state);
    const running = runDriver<EventObject, PresenceFact>(homePresenceFacts(registry));
    driver = running;
    const fact = running.facts.at(-1);
    return fact?.type === 'presence.observed' ? fact.facts : undefined;
  };

  it.each<[Lifecycle | null, PresenceFacts['lifecycle']]>([
    [null, null],
    [{ state: 'normal', source: null }, null],
    [{ state: 'starting', source: 'socket' }, 'starting'],
    [{ state: 'shutting_down', source: 'socket' }, 'stopping'],
    [{ state: 'shutting_down', source: null }, 'stopping'],
    // The will of the broker may come of a crash; with an orderly close it does not.
    [{ state: 'shutting_down', source: 'mqtt' }, null],
    [{ state: 'shutting_down', source: 'mqtt', orderly: true }, 'stopping'],
    [{ state: 'connection_lost', source: null, awaits: 'notice' }, null],
  ])('takes of %o as its own word %s', (lifecycle, word) => {
    const held = { running: { link: { held: 'waiting' } } };
    expect(factsOf('home-assistant', { failure: null, lifecycle }, held)?.lifecycle).toBe(word);
  });

  it.each<[string, object, PresenceFacts['page']]>([
    ['that shows the dashboard', {}, 'connected'],
    ['that is not drawn', { rendered: false }, null],
    ['of another place', { place: 'own' }, null],
    ['whose connection is closed', { disconnectedSince: 1 }, null],
    ['that is frozen', { frozen: true }, null],
    ['of an address that does not answer', { unreachable: { since: 1, reason: 'refused' } }, 'away'],
    ['with a certificate that is not trusted', { unreachable: { since: 1, reason: 'tls' } }, null],
    ['of another program', { mode: 'external' }, null],
  ])('takes a page %s as %s', (_, change, page) => {
    const drawn = { ...initialFacts, mode: 'builtin', place: 'dashboard', rendered: true };
    expect(factsOf('renderer', { ...drawn, ...change })?.page).toBe(page);
  });

  it('takes a page that is loading as none', () => {
    const drawn = { ...initialFacts, mode: 'builtin', place: 'dashboard', rendered: true };
    expect(factsOf('renderer', drawn, { up: 'loading' })?.page).toBeNull();
  });
});
