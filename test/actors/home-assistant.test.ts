import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Actor, createActor } from 'xstate';

import { homeAssistantSpec } from '#actors/home-assistant.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { ConnectionCommand, ConnectionFact, ConnectionInput } from '#machines/home-assistant/events.ts';
import type { HomeAssistantFacts } from '#machines/home-assistant/facts.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

const signedIn = { phase: 'signed-in', revision: 1 };

describe('the wiring of the connection to Home Assistant', () => {
  const running: Actor<ReturnType<typeof homeAssistantSpec>['logic']>[] = [];
  afterEach(() => {
    for (const actor of running.splice(0)) actor.stop();
  });
  const start = async () => {
    const registry = fakeRegistry({
      'sign-in': signedIn,
      renderer: { mode: 'builtin' },
      settings: { revision: 1, values: { ha_url: 'http://home.test:8123' } },
    });
    registry.answer = () => ({ ok: true, value: { ok: true, value: null } });
    let open = 0;
    let attempts = 0;
    const connection = fromDriver<ConnectionCommand, ConnectionInput, ConnectionFact>(() => {
      open += 1;
      attempts += 1;
      return () => {
        open -= 1;
      };
    });
    const actor = createActor(homeAssistantSpec({ registry, connection, now: () => 0, uptime: () => 0 }).logic, {
      input: { settleMs: 0 },
    });
    running.push(actor);
    actor.start();
    await vi.waitFor(() => expect(attempts).toBe(1));
    // The actor is the machine of the connection.
    return {
      registry,
      made: () => ({ open, attempts }),
      facts: () => actor.getSnapshot().context as HomeAssistantFacts,
    };
  };

  it('keeps its connection while the sign-in restarts and has not read its credential yet', async () => {
    const { registry, made, facts } = await start();
    expect(made()).toEqual({ open: 1, attempts: 1 });
    registry.put('sign-in', undefined);
    registry.put('sign-in', { phase: 'no-address', revision: 0 });
    registry.put('sign-in', signedIn);
    expect([made(), facts().revision]).toEqual([{ open: 1, attempts: 1 }, 1]);
  });

  it('closes it when nobody is signed in any more, and makes it anew for another credential', async () => {
    const { registry, made } = await start();
    registry.put('sign-in', { phase: 'needed', revision: 2 });
    expect(made()).toEqual({ open: 0, attempts: 1 });
    registry.put('sign-in', { phase: 'signed-in', revision: 3 });
    expect(made()).toEqual({ open: 1, attempts: 2 });
  });
});
