import { createActor } from 'xstate';
import { describe, expect, it } from 'vitest';

import { createRegistry } from '#actors/kit/registry.ts';
import { settingsSpec } from '#actors/settings.ts';
import { sectionsAfter } from '#actors/reset-after.ts';
import { planImport } from '#machines/config-copies/values.ts';
import { planRevision } from '#machines/config-copies/plan-revision.ts';
import { resetScopes } from '#machines/reset/events.ts';
import { consentKeys } from '#machines/settings/consents.ts';
import { defaultConfiguration } from '#machines/settings/merge.ts';
import { descriptorOf } from '#machines/settings.ts';
import { createClock, settle as turn, timersOf } from '#test/fakes/kit-clock.ts';
import { pick, sequence } from '#test/fakes/sequence.ts';
import { INSTALL_ID, memoryStore } from './memory-store.ts';

async function settle(): Promise<void> {
  for (let times = 0; times < 6; times += 1) await turn();
}

const STEPS = 120;
const ids = [INSTALL_ID, 'beef'.repeat(8), ''] as const;
const spellings = [true, 'true', 'ON', 1, false, 'off', null, 'perhaps'] as const;

/**
 * Saves, approvals, imports, restores, command lines, resets, restarts and clones in random order, with a disk that
 * sometimes refuses. The model is what a person decided last.
 */
async function walk(seed: number, key: string): Promise<void> {
  const random = sequence(seed);
  const consent = descriptorOf(key)?.consent ?? expect.fail('no consent');
  const sections: Record<string, unknown> = {};
  let machine: string = INSTALL_ID;
  /** The machine on which a person agreed last; null once it was turned off. */
  let agreed: string | null = null;
  /** Each moment at which it was on without that. */
  const wrong: string[] = [];
  let step = 0;
  let failure: string | null = null;
  const boot = async () => {
    const store = memoryStore(sections, machine);
    store.failure = failure;
    const clock = createClock(0);
    const fixed = { openFiles: [], recorded: null, mode: () => 'relaxed' as const };
    const spec = settingsSpec({ registry: store, now: clock.now, clock: timersOf(clock), ...fixed });
    const actor = createActor(spec.logic, { systemId: 'settings' });
    const registry = createRegistry();
    registry.attach({ get: (id) => (id === 'settings' ? actor : undefined) });
    actor.subscribe(({ context }) => {
      if (context.values[key] === true && agreed !== machine) wrong.push(`step ${step}`);
    });
    actor.start();
    await settle();
    clock.pass(3000, 250);
    await settle();
    return { store, clock, actor, registry };
  };
  let t = await boot();
  const merge = async (event: { readonly patch: Readonly<Record<string, unknown>>; readonly consent?: string }) => {
    const asked = t.registry.ask('settings', { type: 'settings.merge', ...event }, 10_000_000);
    await settle();
    t.clock.pass(1000, 250);
    const answer = await asked;
    return answer.ok ? answer.value : expect.fail(answer.reason);
  };
  const shown = () => t.registry.read('settings')?.context ?? expect.fail('no settings');
  const restart = async (): Promise<void> => {
    // The one hole: the disk still has what was turned off, and that is said.
    const [consented] = shown().unsavedOff.includes(key) ? Object.values(sections['consents'] ?? {}) : [];
    t.actor.stop();
    if (typeof consented === 'string') agreed = consented;
    t = await boot();
  };
  const configuration = () => {
    const { values, expose } = shown();
    return { ...defaultConfiguration, values, expose };
  };
  for (; step < STEPS; step += 1) {
    const value = pick(random, spellings);
    const action = pick(random, [
      ...(['save', 'save', 'mixed', 'import', 'revision', 'provision', 'off', 'approve', 'approve'] as const),
      ...(['restart', 'clone', 'reset', 'disk'] as const),
    ]);
    // oxlint-disable no-await-in-loop -- one after another
    if (action === 'save' || action === 'mixed') {
      await merge({ patch: { [key]: value, ...(action === 'mixed' && { friendly_name: `Hall ${step}` }) } });
      if (value === null || value === false || value === 'off') {
        agreed = null;
        expect(shown().values[key]).toBe(false);
      }
    } else if (action === 'off') {
      t.registry.tell('settings', { type: 'settings.off', keys: [key] });
      agreed = null;
      expect(shown().values[key]).toBe(false);
      await settle();
      t.clock.pass(1000, 250);
      await settle();
    } else if (action === 'approve') {
      const before: string | null = agreed;
      agreed = machine;
      const { status } = await merge({ patch: { [key]: true }, consent });
      const isAgreed = status === 'saved' || status === 'no-op';
      if (!isAgreed) agreed = before;
      expect([isAgreed, shown().values[key]]).toEqual([failure === null && machine !== '' ? true : isAgreed, isAgreed]);
    } else if (action === 'import') {
      const { patch } = planImport(
        configuration(),
        { [key]: 'true', volume_limit_percent: `${step % 100}` },
        {
          mode: 'restore',
          isOrigin: true,
        },
      );
      await merge({ patch });
    } else if (action === 'revision') {
      const { patch } = planRevision(configuration(), { values: { ...configuration().values, [key]: true } });
      await merge({ patch });
    } else if (action === 'provision')
      await t.registry.ask('settings', { type: 'settings.provision', values: { [key]: value ?? true } }, 10_000);
    else if (action === 'restart') await restart();
    else if (action === 'clone') {
      machine = pick(random, ids);
      await restart();
    } else if (action === 'reset') {
      t.actor.stop();
      const order = { scope: pick(random, resetScopes), by: 'http', at: step, leftBehind: 0 };
      const after = sectionsAfter(sections, order);
      for (const name of Object.keys(sections)) delete sections[name];
      Object.assign(sections, after);
      agreed = null;
      t = await boot();
    } else {
      failure = failure === null && random(2) === 0 ? 'ENOSPC' : null;
      t.store.failure = failure;
      t.clock.pass(120_000, 1000);
      await settle();
      t.clock.pass(1000, 250);
      await settle();
      if (failure === null) expect(shown().unsavedOff).toEqual([]);
    }
    // oxlint-enable no-await-in-loop
    expect([seed, step, action, wrong]).toEqual([seed, step, action, []]);
  }
  t.actor.stop();
}

describe.each(consentKeys)('%s', (key) => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'is on only where a person agreed to it, whatever else happens (%i)',
    async (seed) => {
      await walk(seed, key);
    },
  );
});
