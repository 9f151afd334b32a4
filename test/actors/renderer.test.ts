import { createActor } from 'xstate';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { rendererSpec } from '#actors/renderer.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { BrowserCommand, BrowserFact, StartInput, ReachabilityCommand } from '#machines/renderer/events.ts';
import { shownFacts } from '#test/fakes/renderer.ts';
import { fakeRegistry, type FakeRegistry } from '#test/fakes/registry.ts';

const settings = {
  values: { ha_url: 'http://ha.test:8123', home_dashboard: '/lovelace/hall' },
  secrets: {},
  revision: 1,
};
const unread = { phase: 'no-address', method: null, revision: 0 };
const signedIn = { phase: 'signed-in', method: 'oauth', revision: 1 };

let stop = (): void => {};
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  stop();
  vi.useRealTimers();
});

function start(signIn: object | undefined) {
  const registry: FakeRegistry = {
    ...fakeRegistry({ settings, http: { port: 8888 }, ...(signIn !== undefined && { 'sign-in': signIn }) }),
    ids: () => ['settings', 'http', 'sign-in'],
  };
  const launches: StartInput[] = [];
  const commands: BrowserCommand[] = [];
  const spec = rendererSpec({
    registry,
    browser: fromDriver<BrowserCommand, StartInput, BrowserFact>(({ input, send, onEvent }) => {
      launches.push(input);
      onEvent((command) => {
        commands.push(command);
        if ('generation' in command)
          send({
            type: 'page.settled',
            generation: command.generation,
            outcome: 'shown',
            status: 200,
            path: command.path,
            tookMs: 1,
            at: 2,
          });
      });
      send({ type: 'browser.ready', generation: input.generation, route: 'headless', version: 'Chrome/156', at: 1 });
    }),
    reachability: fromDriver<ReachabilityCommand, undefined, never>(() => {}),
    asked: 'headless',
    simulated: false,
  });
  const actor = createActor(spec.logic);
  actor.start();
  stop = () => actor.stop();
  return {
    registry,
    launches,
    commands,
    facts: () => shownFacts(actor.getSnapshot() as unknown as Parameters<typeof shownFacts>[0]),
  };
}

describe('the renderer beside the sign-in', () => {
  it('waits until the sign-in has read what it keeps, and then shows the dashboard', async () => {
    const { registry, launches, commands, facts } = start(unread);
    await vi.advanceTimersByTimeAsync(1000);
    expect(launches).toEqual([]);
    registry.put('sign-in', signedIn);
    await vi.advanceTimersByTimeAsync(100);
    expect(facts().phase).toBe('showing');
    expect(commands.filter(({ type }) => type === 'page.own')).toEqual([]);
  });

  it.each([
    ['absent', undefined],
    ['silent', unread],
  ])('shows its offline page where the sign-in stays %s, and the dashboard once it speaks', async (_, signIn) => {
    const { registry, facts } = start(signIn);
    await vi.advanceTimersByTimeAsync(10_100);
    expect(facts().phase).toBe('waiting');
    registry.put('sign-in', signedIn);
    await vi.advanceTimersByTimeAsync(100);
    expect(facts().phase).toBe('showing');
  });

  it('leaves the dashboard alone while the sign-in restarts', async () => {
    const { registry, facts, commands } = start(signedIn);
    await vi.advanceTimersByTimeAsync(100);
    const before = commands.length;
    registry.put('sign-in', undefined);
    registry.put('sign-in', unread);
    registry.put('sign-in', signedIn);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(facts().phase).toBe('showing');
    expect(commands).toHaveLength(before);
  });
});
