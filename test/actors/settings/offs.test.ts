import { createActor } from 'xstate';
import { afterEach, describe, expect, it } from 'vitest';

import { createRegistry } from '#actors/kit/registry.ts';
import { settingsSpec } from '#actors/settings.ts';
import type { MergeOutcome, SettingsContext, SettingsEvent } from '#machines/settings/events.ts';
import { HELD_WAIT_MS } from '#machines/settings/hold.ts';
import { descriptorOf } from '#machines/settings.ts';
import { warnings } from '#machines/settings/status.ts';
import { consentKeys } from '#machines/settings/consents.ts';
import { createClock, settle as turn, timersOf } from '#test/fakes/kit-clock.ts';
import { INSTALL_ID, memoryStore } from './memory-store.ts';

async function settle(): Promise<void> {
  for (let times = 0; times < 6; times += 1) await turn();
}

let running: { readonly stop: () => void } | undefined;
afterEach(() => running?.stop());

type Merging = Omit<Extract<SettingsEvent, { readonly type: 'settings.merge' }>, 'type' | 'requestId'>;

/** The settings on that store; everything that they ever showed is in `seen`. */
async function start(store = memoryStore()) {
  const clock = createClock(0);
  const fixed = { openFiles: [], recorded: null, mode: () => 'relaxed' as const };
  const spec = settingsSpec({ registry: store, now: clock.now, clock: timersOf(clock), ...fixed });
  const registry = createRegistry();
  const seen: SettingsContext[] = [];
  const run = async () => {
    const actor = createActor(spec.logic, { systemId: 'settings' });
    registry.attach({ get: (id) => (id === 'settings' ? actor : undefined) });
    actor.subscribe((snapshot) => seen.push(snapshot.context));
    actor.start();
    running = actor;
    await settle();
    return actor;
  };
  const actor = await run();
  const pass = async (ms: number): Promise<void> => {
    clock.pass(ms, 250);
    await settle();
  };
  const ask = async (event: Merging): Promise<{ outcome: MergeOutcome | null }> => {
    const asked: { outcome: MergeOutcome | null } = { outcome: null };
    void registry.ask('settings', { type: 'settings.merge', ...event }, 10_000_000).then((answer) => {
      asked.outcome = answer.ok ? answer.value : null;
    });
    await settle();
    return asked;
  };
  const merge = async (event: Merging): Promise<MergeOutcome | null> => {
    const asked = await ask(event);
    await pass(1000);
    return asked.outcome;
  };
  return {
    store,
    actor,
    run,
    registry,
    seen,
    pass,
    ask,
    merge,
    context: (): SettingsContext => registry.read('settings')?.context ?? expect.fail('the settings ended'),
    hold: async (token: string) => {
      void registry.ask('settings', { type: 'settings.hold', token }, 10_000_000);
      await settle();
    },
    withdrawn: () => store.told.flatMap(({ id, event }) => (id === 'approvals' ? [event] : [])),
  };
}

const agreed = (key: string, id = INSTALL_ID, value: unknown = true) =>
  memoryStore({ settings: { revision: 4, values: { [key]: value } }, consents: { [key]: id } });

describe.each(consentKeys)('%s', (key) => {
  const consent = descriptorOf(key)?.consent ?? expect.fail('no consent');
  const off = { patch: { [key]: false } };
  const on = { patch: { [key]: true }, consent };
  const isOn = (t: Awaited<ReturnType<typeof start>>): unknown => t.context().values[key];
  const consentsOf = (t: Awaited<ReturnType<typeof start>>): unknown => t.store.sections['consents'] ?? null;

  describe('at a start', () => {
    it('is on in the first facts that are shown, where it was agreed to', async () => {
      const t = await start(agreed(key));
      expect(t.seen.filter(({ revision }) => revision > 0).map(({ values }) => values[key])).toEqual([true]);
    });

    it('waits for the identity, so that it is never shown as off first', async () => {
      const store = agreed(key);
      store.identify('');
      const t = await start(store);
      expect(t.context().revision).toBe(0);
      store.identify(INSTALL_ID);
      await settle();
      expect(t.seen.filter(({ revision }) => revision > 0).map(({ values }) => values[key])).toEqual([true]);
    });

    it('is off for as long as the identity does not come, and nothing else waits longer than two seconds', async () => {
      const store = agreed(key);
      store.identify('');
      const t = await start(store);
      await t.pass(2000);
      expect([t.context().revision, isOn(t)]).toEqual([4, false]);
      store.identify(INSTALL_ID);
      await settle();
      expect(isOn(t)).toBe(true);
    });

    it('is never on where another install id is known, at any moment', async () => {
      for (const when of ['before', 'after', 'late'] as const) {
        const store = agreed(key);
        store.identify(when === 'before' ? 'beef'.repeat(8) : '');
        const t = await start(store);
        if (when === 'late') await t.pass(2000);
        store.identify('beef'.repeat(8));
        await t.pass(5000);
        expect(await t.merge({ patch: { friendly_name: 'Hall' } })).toMatchObject({ status: 'saved' });
        expect(t.seen.map(({ values }) => values[key])).not.toContain(true);
        // Nothing of it is left for a later consent.
        expect([consentsOf(t), t.store.sections['settings']]).toMatchObject([
          null,
          { values: { friendly_name: 'Hall' } },
        ]);
        expect(JSON.stringify(t.store.sections['settings'])).not.toContain(key);
        t.actor.stop();
      }
    });
  });

  describe('turned on', () => {
    it('has value and consent in one commit', async () => {
      const t = await start();
      expect(await t.merge(on)).toMatchObject({ status: 'saved', applied: [key] });
      expect(t.store.commits).toBe(1);
      expect(t.store.sections).toMatchObject({
        settings: { values: { [key]: true } },
        consents: { [key]: INSTALL_ID },
      });
      expect(isOn(t)).toBe(true);
    });

    it('is not, if the disk refuses, or the machine does not know itself', async () => {
      const full = memoryStore();
      full.failure = 'ENOSPC';
      const t = await start(full);
      expect(await t.merge(on)).toEqual({ status: 'commit-failed', reason: 'ENOSPC' });
      expect(isOn(t)).toBe(false);
      t.actor.stop();
      const unknown = await start(memoryStore({}, ''));
      expect(await unknown.merge(on)).toMatchObject({ status: 'refused' });
      expect([isOn(unknown), consentsOf(unknown)]).toEqual([false, null]);
    });
  });

  describe('turned off', () => {
    it('is off before anything is written', async () => {
      const t = await start(agreed(key));
      const { digest, revision } = t.context();
      let release = (): void => {};
      t.store.blocked = new Promise((resolve) => (release = resolve));
      const asked = await t.ask(off);
      expect([isOn(t), t.context().unsavedOff, asked.outcome]).toEqual([false, [], null]);
      expect([t.context().digest === digest, t.context().revision]).toEqual([false, revision + 1]);
      release();
      await settle();
      expect(asked.outcome).toEqual({ status: 'saved', applied: [key] });
      expect([consentsOf(t), t.context().revision]).toEqual([null, revision + 1]);
    });

    it.each([
      [
        'a slow save of something else',
        async (t: Awaited<ReturnType<typeof start>>) => {
          t.store.blocked = new Promise(() => {});
          await t.ask({ patch: { friendly_name: 'Hall' } });
        },
      ],
      ['a job that holds the settings', (t: Awaited<ReturnType<typeof start>>) => t.hold('job')],
      [
        'a store that does not answer',
        async (t: Awaited<ReturnType<typeof start>>) => {
          t.store.silent = 'timeout';
        },
      ],
    ])('is off at once, whatever else is under way: %s', async (_, before) => {
      const t = await start(agreed(key));
      await before(t);
      await t.ask({ ...off, from: 'network' });
      expect(isOn(t)).toBe(false);
    });

    it('is written although a job holds the settings, and whatever else the save has waits or is refused', async () => {
      const t = await start(agreed(key));
      await t.hold('job');
      const asked = await t.ask({ patch: { [key]: null, friendly_name: 'Hall' }, from: 'network' });
      await t.pass(1000);
      expect([asked.outcome, consentsOf(t), t.context().values['friendly_name']]).toEqual([
        { status: 'busy' },
        null,
        '',
      ]);
    });

    it('stays off where the disk refuses, and says so until it is durable', async () => {
      const t = await start(agreed(key));
      t.store.failure = 'ENOSPC';
      expect(await t.merge(off)).toEqual({ status: 'commit-failed', reason: 'ENOSPC', off: [key] });
      expect([isOn(t), t.context().unsavedOff]).toEqual([false, [key]]);
      await t.pass(120_000);
      expect([isOn(t), t.context().unsavedOff]).toEqual([false, [key]]);
      // By its name for people.
      const [title] = t.context().unsavedOffLabels;
      expect([title, title === key]).toEqual([descriptorOf(key)?.label, false]);
      const warning = warnings.find((one) => one.key === 'unsaved-off') ?? expect.fail('no warning');
      const lines = warning.lines({ read: () => t.context() } as unknown as Parameters<typeof warning.lines>[0]);
      expect(lines).toEqual([expect.stringMatching(new RegExp(`^${title} is off now, but the disk refused`))]);
      // Another save does not bring it back, and a repetition is told the same.
      expect(await t.merge(off)).toMatchObject({ status: 'commit-failed', off: [key] });
      expect(await t.merge({ patch: { friendly_name: 'Hall' } })).toEqual({
        status: 'commit-failed',
        reason: 'ENOSPC',
      });
      t.store.failure = null;
      await t.pass(60_000);
      expect([isOn(t), t.context().unsavedOff, consentsOf(t)]).toEqual([false, [], null]);
      const { commits } = t.store;
      await t.pass(600_000);
      expect(t.store.commits).toBe(commits);
    });

    it('stays off where its part crashes before it is durable, and is written by the next one', async () => {
      const t = await start(agreed(key));
      t.store.failure = 'ENOSPC';
      await t.merge(off);
      t.actor.stop();
      const from = t.seen.length;
      await t.run();
      expect(isOn(t)).toBe(false);
      t.store.failure = null;
      await t.pass(2000);
      expect([isOn(t), t.context().unsavedOff, consentsOf(t)]).toEqual([false, [], null]);
      expect(t.seen.slice(from).map(({ values }) => values[key])).not.toContain(true);
    });

    it('is written with the next save that the disk takes', async () => {
      const t = await start(agreed(key));
      t.store.failure = 'EROFS';
      await t.merge(off);
      t.store.failure = null;
      expect(await t.merge({ patch: { friendly_name: 'Hall' } })).toEqual({
        status: 'saved',
        applied: ['friendly_name'],
      });
      expect([isOn(t), t.context().unsavedOff, consentsOf(t)]).toEqual([false, [], null]);
    });

    it('is tried again after pauses that double, up to a minute', async () => {
      const t = await start(agreed(key));
      t.store.failure = 'EIO';
      const tries: number[] = [];
      let at = 0;
      const { ask } = t.store;
      t.store.ask = ((id: 'store', event: { readonly type: string }, ms: number) => {
        if (event.type === 'store.commit-all') tries.push(at);
        return ask(id, event as never, ms);
      }) as typeof ask;
      await t.ask(off);
      for (; at < 200_000; at += 250) await t.pass(250);
      const gaps = tries.slice(1).map((time, index) => Math.round((time - (tries[index] ?? 0)) / 1000));
      expect(gaps.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    }, 20_000);

    it('turns off nothing if the save is refused', async () => {
      const t = await start(agreed(key));
      expect(await t.merge({ patch: { [key]: false, log_level: 'loud' } })).toMatchObject({ status: 'refused' });
      expect(await t.merge({ ...off, expectDigest: '00000000' })).toMatchObject({ status: 'stale' });
      expect([isOn(t), t.withdrawn()]).toEqual([true, []]);
    });

    it('withdraws what waits at the panel, also where it is off already', async () => {
      const t = await start();
      expect(await t.merge(off)).toEqual({ status: 'no-op' });
      expect(t.withdrawn()).toEqual([{ type: 'approval.withdraw', operation: consent }]);
    });

    it('counts for more than an approval that came before it', async () => {
      const t = await start();
      await t.hold('job');
      const approved = await t.ask(on);
      expect(await t.merge({ ...off, from: 'network' })).toEqual({ status: 'busy' });
      t.registry.tell('settings', { type: 'settings.release', token: 'job' });
      await t.pass(HELD_WAIT_MS);
      expect([approved.outcome, isOn(t)]).toMatchObject([{ status: 'refused' }, false]);
      expect(t.seen.map(({ values }) => values[key])).not.toContain(true);
    });

    it('is turned on again by a later approval, though the disk had refused', async () => {
      const t = await start(agreed(key));
      t.store.failure = 'ENOSPC';
      await t.merge(off);
      expect(await t.merge(on)).toMatchObject({ status: 'commit-failed' });
      expect(isOn(t)).toBe(false);
      t.store.failure = null;
      expect(await t.merge(on)).toMatchObject({ status: 'saved' });
      expect([isOn(t), t.context().unsavedOff]).toEqual([true, []]);
    });

    it('is off at once by the event alone, which touches nothing else', async () => {
      const t = await start(agreed(key));
      t.registry.tell('settings', { type: 'settings.off', keys: [key, 'friendly_name', 'log_level'] });
      expect(isOn(t)).toBe(false);
      await t.pass(1000);
      expect([consentsOf(t), t.store.sections['settings']]).toMatchObject([null, { values: {} }]);
    });

    it('is left as a person set it by the command line', async () => {
      const t = await start(agreed(key));
      const values = { [key]: 'false', friendly_name: 'Hall' };
      const asked = await t.registry.ask('settings', { type: 'settings.provision', values }, 1000);
      expect(asked).toMatchObject({ ok: true, value: { status: 'provisioned', kept: [key] } });
      expect([isOn(t), consentsOf(t)]).toEqual([true, { [key]: INSTALL_ID }]);
    });
  });
});
