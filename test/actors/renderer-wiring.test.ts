import { afterEach, describe, expect, it } from 'vitest';
import { type Actor, createActor } from 'xstate';

import { rendererSpec } from '#actors/renderer.ts';
import { unknownFacts, unknownRoom } from '#machines/auto-brightness/off.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type {
  BrowserCommand,
  BrowserFact,
  StartInput,
  ReachabilityCommand,
  RendererMode,
} from '#machines/renderer/events.ts';
import { shownFacts } from '#test/fakes/renderer.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

const values = {
  ha_url: 'http://ha.test:8123',
  home_dashboard: '/lovelace/hall',
  dashboard_zoom: 125,
  dashboard_theme: 'Dark',
  dashboard_package: '',
};
const signedIn = { phase: 'signed-in', method: 'oauth', revision: 1 };
const whole = { settings: { revision: 1, values }, http: { port: 8888 }, 'sign-in': signedIn };

describe('the wiring of the renderer', () => {
  const running: Actor<ReturnType<typeof rendererSpec>['logic']>[] = [];
  afterEach(() => {
    for (const actor of running.splice(0)) actor.stop();
  });
  const start = (
    contexts: Readonly<Record<string, unknown>>,
    asked: RendererMode | null = 'headless',
    simulated = false,
  ) => {
    const registry = fakeRegistry(contexts);
    const launches: StartInput[] = [];
    const actor = createActor(
      rendererSpec({
        registry,
        browser: fromDriver<BrowserCommand, StartInput, BrowserFact>(({ input }) => void launches.push(input)),
        reachability: fromDriver<ReachabilityCommand, undefined, never>(() => {}),
        asked,
        simulated,
      }).logic,
    );
    running.push(actor);
    actor.start();
    // The actor is the renderer's machine.
    return {
      registry,
      launches,
      facts: () => shownFacts(actor.getSnapshot() as unknown as Parameters<typeof shownFacts>[0]),
    };
  };

  it('launches with what settings, listener and command line say', () => {
    expect(start(whole).launches).toMatchObject([
      {
        origin: 'http://ha.test:8123',
        ownOrigin: 'http://127.0.0.1:8888',
        display: 'headless',
        program: 'builtin',
        appearance: { zoomPercent: 125, theme: 'dark' },
      },
    ]);
  });

  it.each([
    ['the settings', { ...whole, settings: { revision: 0, values: {} } }],
    ['the listener', { ...whole, http: { port: -1 } }],
    ['the sign-in', { settings: whole.settings, http: whole.http, 'sign-in': undefined }],
  ])('waits for %s', (_, contexts) => {
    const { registry, launches, facts } = start(contexts);
    expect([launches, facts().phase]).toEqual([[], 'starting']);
    registry.put('settings', whole.settings);
    registry.put('http', whole.http);
    registry.put('sign-in', signedIn);
    expect(launches).toHaveLength(1);
  });

  it('starts nothing for a simulated panel that was not asked to', () => {
    const { launches, facts } = start(whole, null, true);
    expect([launches, facts().phase]).toEqual([[], 'off']);
  });

  it('launches anew for another address, and not when the listener or the sign-in is gone for a moment', () => {
    const { registry, launches, facts } = start(whole);
    registry.put('http', { port: -1 });
    registry.put('http', undefined);
    registry.put('sign-in', undefined);
    expect(facts()).toMatchObject({ credential: signedIn, phase: 'starting' });
    expect(launches).toHaveLength(1);
    registry.put('settings', { revision: 2, values: { ...values, ha_url: 'http://other.test:8123' } });
    expect(facts().restarts.map(({ reason }) => reason)).toEqual(['address-changed']);
    expect(facts().forget).toEqual(['http://ha.test:8123']);
  });

  it.each([
    [{ screen: false }, true],
    [{ screen: true }, false],
    [{ screen: null }, false],
    [{ screen: false, screen_2: true }, false],
    [{ screen: false, screen_2: false }, true],
    [{ screen: true, screen_4: false }, false],
    [{ screen_2: false }, true],
    [{}, false],
  ] as const)('with screens lit as %j the panel is dark: %j', (screens, dark) => {
    const contexts = Object.fromEntries(Object.entries(screens).map(([id, lit]) => [id, { lit }]));
    expect(start({ ...whole, ...contexts }).facts().dark).toBe(dark);
  });

  it('follows the verdict on the room, holds it through a restart, and lets go of it once that is off', () => {
    const { registry, facts } = start({ ...whole, 'auto-brightness': unknownFacts });
    const decide = (verdict: 'dark' | 'light' | null, level: number): void =>
      registry.put('auto-brightness', {
        room: { ...unknownRoom, why: null, ambient: { verdict, level, changesAt: null } },
        decidedAt: 1,
      });
    expect(facts().roomVerdict).toBeNull();
    decide('dark', 0.3);
    expect(facts().roomVerdict).toBe('dark');
    registry.put('auto-brightness', undefined);
    registry.put('auto-brightness', unknownFacts);
    expect(facts().roomVerdict).toBe('dark');
    decide('light', 0.6);
    expect(facts().roomVerdict).toBe('light');
    registry.put('auto-brightness', undefined);
    expect(facts().roomVerdict).toBe('light');
    registry.put('auto-brightness', unknownFacts, 'off');
    expect(facts().roomVerdict).toBeNull();
  });

  it('follows a screen that goes dark, and takes one that vanished for none', () => {
    const { registry, facts } = start({ ...whole, screen: { lit: true }, screen_2: { lit: false } });
    expect(facts().dark).toBe(false);
    registry.put('screen', { lit: false });
    expect(facts().dark).toBe(true);
    registry.put('screen_2', undefined);
    expect(facts().dark).toBe(true);
    registry.put('screen', undefined);
    expect(facts().dark).toBe(false);
  });
});
