import { createActor } from 'xstate';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';

import { createRegistry } from '#actors/kit/registry.ts';
import type { settingsSpec as SettingsSpec } from '#actors/settings.ts';
import type { SecurityMode } from '#machines/approvals/events.ts';
import type { MergeOutcome, SettingsEvent } from '#machines/settings/events.ts';
import type { Manifest } from '#machines/subsystem.ts';
import { createClock, settle, timersOf } from '#test/fakes/kit-clock.ts';
import { memoryStore } from './memory-store.ts';

let settingsSpec: typeof SettingsSpec;

// No setting of the agent needs a consent yet, so one more subsystem declares one. Modules that other tests loaded know
// nothing of it, and none of these may stay for them.
beforeAll(async () => {
  vi.resetModules();
  vi.doMock('#machines/subsystems.ts', async (original) => {
    const { subsystems } = await original<{ readonly subsystems: readonly Manifest[] }>();
    const meta = { title: 'Outside', help: 'A.', group: 'system', tier: 'basic', scope: 'device', consent: 'OUTSIDE' };
    const object = z.object({ outside: z.boolean().default(false).meta(meta) });
    return { subsystems: [...subsystems, { ids: [], group: 'panel', settings: { after: 'log_level', object } }] };
  });
  ({ settingsSpec } = await import('#actors/settings.ts'));
});
afterAll(() => {
  vi.doUnmock('#machines/subsystems.ts');
  vi.resetModules();
});

let running: { readonly stop: () => void } | undefined;
afterEach(() => running?.stop());

async function start(mode: SecurityMode | null = 'relaxed') {
  const clock = createClock();
  const spec = settingsSpec({
    registry: memoryStore(),
    openFiles: [],
    now: () => 7,
    mode: () => mode,
    recorded: null,
    clock: timersOf(clock),
  });
  const actor = createActor(spec.logic, { systemId: 'settings' });
  actor.start();
  running = actor;
  const registry = createRegistry();
  registry.attach({ get: (id) => (id === 'settings' ? actor : undefined) });
  await settle();
  type Merging = Omit<Extract<SettingsEvent, { readonly type: 'settings.merge' }>, 'type' | 'requestId'>;
  const merge = async (event: Merging): Promise<MergeOutcome> => {
    const asked = registry.ask('settings', { type: 'settings.merge', ...event }, 60_000);
    await settle();
    // Saves of one panel are joined to four commits a second.
    clock.pass(1000, 250);
    const answer = await asked;
    if (!answer.ok) throw new Error(answer.reason);
    return answer.value;
  };
  const provision = async (values: Record<string, unknown>) => {
    const asked = await registry.ask('settings', { type: 'settings.provision', values }, 5000);
    return asked.ok ? asked.value : null;
  };
  return { merge, provision, value: (key: string) => registry.read('settings')?.context.values[key] };
}

const refused = { status: 'refused', reasons: { outside: expect.stringMatching(/^Outside: .*at the panel/) } };

describe('a setting that needs a consent', () => {
  it.each<[string, Parameters<Awaited<ReturnType<typeof start>>['merge']>[0]]>([
    ['an ordinary save', { patch: { outside: true } }],
    ['a save over HTTP', { patch: { outside: true }, from: 'network', admitted: ['OUTSIDE'] }],
    ['a save beside others', { patch: { friendly_name: 'Hall', outside: 'on' } }],
    ['a write of the agent', { patch: { outside: true }, own: { expect: {} } }],
    ['the approval of something else', { patch: { outside: true }, consent: 'DEVICE_REBOOT' }],
  ])('is not turned on by %s', async (_, event) => {
    for (const mode of ['relaxed', 'hardened'] as const) {
      const t = await start(mode);
      expect(await t.merge(event)).toMatchObject(refused);
      expect([t.value('outside'), t.value('friendly_name')]).toEqual([false, '']);
    }
  });

  it('is not turned on by the command line, which then sets nothing else either', async () => {
    const t = await start();
    expect(await t.provision({ outside: 'true', friendly_name: 'Hall' })).toMatchObject(refused);
    expect([t.value('outside'), t.value('friendly_name')]).toEqual([false, '']);
  });

  it.each([
    ['off', false],
    ['back to its default', null],
  ])('is turned on by its approval, and %s by any save', async (_, to) => {
    const t = await start('hardened');
    expect(await t.merge({ patch: { outside: true }, consent: 'OUTSIDE' })).toMatchObject({ applied: ['outside'] });
    expect(t.value('outside')).toBe(true);
    expect(await t.merge({ patch: { outside: true, friendly_name: 'Hall' } })).toMatchObject({ status: 'saved' });
    expect(await t.merge({ patch: { outside: to } })).toMatchObject({ applied: ['outside'] });
    expect(t.value('outside')).toBe(false);
  });
});

describe('a protected setting', () => {
  const patch = { dashboard_package: 'firefox' };

  it.each([
    ['refused in Hardened mode', 'hardened', { patch }, 'refused'],
    ['refused while no mode is known', null, { patch }, 'refused'],
    ['refused with what was admitted for another', 'hardened', { patch, admitted: ['PANEL_RESET'] }, 'refused'],
    ['saved once admitted', 'hardened', { patch, admitted: ['DISPLAY_CONFIGURATION'] }, 'saved'],
    ['saved in Relaxed mode', 'relaxed', { patch }, 'saved'],
    ['saved by the agent', 'hardened', { patch, own: { expect: {} } }, 'saved'],
    ['unchanged by the value it has', 'hardened', { patch: { dashboard_package: 'builtin' } }, 'no-op'],
  ] as const)('is %s', async (_, mode, event, status) => {
    expect(await (await start(mode)).merge(event)).toMatchObject({ status });
  });

  it('leaves others open where no mode is known', async () => {
    expect(await (await start(null)).merge({ patch: { friendly_name: 'Hall' } })).toMatchObject({ status: 'saved' });
  });

  it('is set by the command line', async () => {
    const t = await start('hardened');
    expect(await t.provision(patch)).toMatchObject({ status: 'provisioned' });
    expect(t.value('dashboard_package')).toBe('firefox');
  });
});
