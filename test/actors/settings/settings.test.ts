import { createActor } from 'xstate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRegistry } from '#actors/kit/registry.ts';
import { readCredential, readSecret, settingsSpec } from '#actors/settings.ts';
import type { WriterDeps } from '#actors/settings/writer.ts';
import type { RecordedFile } from '#drivers/store/recorded-file.ts';
import type { AssignRequest, MergeOutcome, ProvisionOutcome } from '#machines/settings/events.ts';
import type { Recipient } from '#machines/kit/recipient.ts';
import { defaultConfiguration } from '#machines/settings/merge.ts';
import { createClock, settle, timersOf } from '#test/fakes/kit-clock.ts';
import { askOf } from '#test/fakes/registry.ts';
import { memoryStore } from './memory-store.ts';

let running: { readonly stop: () => void } | undefined;
afterEach(() => running?.stop());

async function start(
  store: ReturnType<typeof memoryStore>,
  openFiles: readonly string[] = [],
  recorded: RecordedFile | null = null,
  mode: WriterDeps['mode'] = () => 'relaxed',
) {
  const clock = createClock();
  const spec = settingsSpec({ registry: store, openFiles, now: () => 7, mode, recorded, clock: timersOf(clock) });
  const actor = createActor(spec.logic, { systemId: 'settings' });
  actor.subscribe({ error: () => {} });
  const registry = createRegistry();
  actor.start();
  running = actor;
  registry.attach({ get: (id) => (id === 'settings' ? actor : undefined) });
  await settle();
  // The secrets of an earlier version are looked at first.
  await settle();
  return {
    clock,
    actor,
    view: () => registry.read('settings'),
    provision: async (values: Record<string, unknown>): Promise<ProvisionOutcome> => {
      const asked = await registry.ask('settings', { type: 'settings.provision', values }, 5000);
      if (!asked.ok) throw new Error(asked.reason);
      return asked.value;
    },
    assign: async (request: AssignRequest) => {
      const asked = await registry.ask('settings', { type: 'settings.assign', ...request }, 5000);
      if (!asked.ok) throw new Error(asked.reason);
      return asked.value;
    },
    merge: async (patch: Record<string, unknown>): Promise<MergeOutcome> => {
      const asked = await registry.ask('settings', { type: 'settings.merge', patch }, 5000);
      if (!asked.ok) throw new Error(asked.reason);
      return asked.value;
    },
  };
}

describe('the settings actor', () => {
  let store: ReturnType<typeof memoryStore>;
  beforeEach(() => {
    store = memoryStore();
  });

  it('has the defaults on a new panel', async () => {
    const { view } = await start(store);
    expect(view()).toMatchObject({
      value: 'ready',
      context: {
        ...defaultConfiguration,
        secrets: { ha_token: false, ha_oauth: false, mqtt_password: false },
        revision: 1,
        dropped: [],
      },
    });
  });

  it('shows a save only once it is durable', async () => {
    const { view, merge } = await start(store);
    let open = (): void => {};
    store.blocked = new Promise((resolve) => {
      open = resolve;
    });
    const saving = merge({ friendly_name: 'Hall' });
    await settle();
    expect(view()?.context.values['friendly_name']).toBe('');
    open();
    expect(await saving).toEqual({ status: 'saved', applied: ['friendly_name'] });
    expect(view()?.context).toMatchObject({ values: { friendly_name: 'Hall' }, revision: 2 });
    expect(store.sections['settings']).toMatchObject({ revision: 2, values: { friendly_name: 'Hall' }, expose: {} });
  });

  it('is as before after a refused commit, and the next save works', async () => {
    const { view, merge } = await start(store);
    const before = view();
    store.failure = 'ENOSPC';
    expect(await merge({ friendly_name: 'Hall' })).toEqual({ status: 'commit-failed', reason: 'ENOSPC' });
    expect(view()).toEqual(before);
    store.failure = null;
    expect(await merge({ friendly_name: 'Hall' })).toEqual({ status: 'saved', applied: ['friendly_name'] });
  });

  it('changes nothing for a refused patch', async () => {
    const { view, merge } = await start(store);
    expect(await merge({ friendly_name: 'Hall', log_level: 'loud' })).toMatchObject({
      status: 'refused',
      reasons: { log_level: expect.any(String) },
    });
    expect(view()?.context.revision).toBe(1);
    expect(store.commits).toBe(0);
    expect(await merge({})).toEqual({ status: 'no-op' });
  });

  it('merges one after another, each on top of the one before', async () => {
    const { view, merge } = await start(store);
    const outcomes = await Promise.all([
      merge({ friendly_name: 'A' }),
      merge({ mqtt_user: 'u' }),
      merge({ friendly_name: 'A' }),
    ]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['saved', 'saved', 'no-op']);
    expect(view()?.context).toMatchObject({ values: { friendly_name: 'A', mqtt_user: 'u' }, revision: 3 });
  });

  it('keeps secrets out of everything that can be seen', async () => {
    const { actor, view, merge } = await start(store);
    expect(await merge({ mqtt_broker: 'mqtt://192.0.2.1', mqtt_password: 'marker' })).toMatchObject({
      status: 'saved',
    });
    expect(view()?.context.secrets).toMatchObject({ mqtt_password: true });
    expect(JSON.stringify(actor.getPersistedSnapshot())).not.toContain('marker');
    expect(await readSecret(store, 'mqtt_password')).toBe('marker');
    expect(await merge({ mqtt_broker: 'mqtt://192.0.2.2' })).toEqual({
      status: 'saved',
      applied: ['mqtt_broker', 'mqtt_password'],
      cleared: ['mqtt_password'],
    });
    expect(view()?.context.secrets).toMatchObject({ mqtt_password: false });
    expect(await readSecret(store, 'mqtt_password')).toBeNull();
    store.silent = 'absent';
    await expect(readSecret(store, 'mqtt_password')).rejects.toMatchObject({ code: 'store-silent' });
  });

  it('drops what it cannot use, says so, and lives', async () => {
    store.sections = {
      settings: { revision: 4, values: { log_level: 'loud', friendly_name: 'Hall' } },
      secrets: 'nonsense',
    };
    const { view } = await start(store);
    expect(view()?.context).toMatchObject({
      dropped: ['log_level'],
      revision: 4,
      values: { log_level: 'info', friendly_name: 'Hall' },
    });
  });

  it('waits for a silent store and asks again', async () => {
    store.silent = 'timeout';
    const { view, merge, clock } = await start(store);
    expect(view()).toMatchObject({ value: 'waiting', context: { revision: 0 } });
    expect(await merge({ friendly_name: 'Hall' })).toEqual({ status: 'commit-failed', reason: 'store-silent' });
    store.silent = null;
    clock.pass(1000);
    await settle();
    expect(view()).toMatchObject({ value: 'ready', context: { revision: 1 } });
  });

  it('ends after the save under way, and in time when that hangs', async () => {
    const first = await start(store);
    const saving = first.merge({ friendly_name: 'Hall' });
    first.actor.send({ type: 'settings.stop' });
    expect(await first.merge({ friendly_name: 'Late' })).toEqual({ status: 'commit-failed', reason: 'stopping' });
    expect(await saving).toMatchObject({ status: 'saved' });
    await settle();
    expect(first.actor.getSnapshot()).toMatchObject({ status: 'done', output: { ended: 'stopped' } });

    const second = await start(store);
    store.blocked = new Promise(() => {});
    void second.merge({ friendly_name: 'Hangs' }).catch(() => {});
    second.actor.send({ type: 'settings.stop' });
    second.clock.pass(2000);
    expect(second.actor.getSnapshot().status).toBe('done');
  });
});

describe('the writer of the settings', () => {
  it('merges nothing of what was queued behind a crash', async () => {
    const store = memoryStore();
    let asked = 0;
    const ask = askOf((id, event) => {
      asked += 1;
      if (asked === 1) throw new Error('unforeseen');
      // The question and its answer are those of the store above.
      return store.ask(id as 'store', event as never, 0);
    });
    const spec = settingsSpec({
      registry: { ...memoryStore(), ask },
      now: () => 7,
      mode: () => null,
      openFiles: [],
      recorded: null,
    });
    const writer = createActor(spec.logic).start();
    for (const friendly_name of ['A', 'B'])
      writer.send({ type: 'settings.merge', requestId: friendly_name, patch: { friendly_name } });
    await settle();
    expect(writer.getSnapshot()).toMatchObject({
      status: 'done',
      output: { ended: 'failed', reason: 'settings-writer', error: { message: 'unforeseen' } },
    });
    await settle();
    expect([store.commits, store.sections]).toEqual([0, {}]);
  });
});

describe('what a command line gives', () => {
  const given = { friendly_name: 'Hall', mqtt_password: 'marker-one' };

  it('is saved, and recognised the next time without being told', async () => {
    const store = memoryStore();
    const panel = await start(store);
    expect(await panel.provision(given)).toEqual({
      status: 'provisioned',
      applied: ['friendly_name', 'mqtt_password', 'panel_id'],
      kept: [],
      unaddressed: [],
    });
    expect(JSON.stringify(store.sections['settings'])).not.toContain('marker-one');
    const [commits, revision] = [store.commits, panel.view()?.context.revision];
    expect(await panel.provision(given)).toEqual({ status: 'provisioned', applied: [], kept: [], unaddressed: [] });
    expect([store.commits, panel.view()?.context.revision], 'nothing is written for it').toEqual([commits, revision]);
    expect(await panel.provision({ ...given, mqtt_password: 'marker-two' })).toMatchObject({
      applied: ['mqtt_password'],
    });
    expect(store.sections['secrets']).toMatchObject({ mqtt_password: 'marker-two' });
  });

  it('makes no panel id of a name where entities were announced under another one', async () => {
    const store = memoryStore();
    store.sections['announced'] = { version: 1, devices: [{ panelId: 'vm', prefix: 'homeassistant', entries: [] }] };
    const panel = await start(store);
    expect(await panel.provision(given)).toMatchObject({ applied: ['friendly_name', 'mqtt_password'] });
    expect(panel.view()?.context.values['panel_id']).toBe('');
  });

  it('does not take the place of what was saved by hand meanwhile', async () => {
    const store = memoryStore();
    const panel = await start(store);
    await panel.provision(given);
    await panel.merge({ friendly_name: 'Mine', mqtt_password: 'marker-mine' });
    const kept = { status: 'provisioned', applied: [], kept: ['friendly_name', 'mqtt_password'], unaddressed: [] };
    expect(await panel.provision(given)).toEqual(kept);
    expect(await panel.provision({ friendly_name: 'Other', mqtt_password: 'marker-two' })).toEqual(kept);
    expect(panel.view()?.context.values['friendly_name']).toBe('Mine');
    expect(store.sections['secrets']).toMatchObject({ mqtt_password: 'marker-mine' });
  });

  it('is refused whole where one value is not valid, and not taken for saved where the disk refuses', async () => {
    const store = memoryStore();
    const panel = await start(store);
    expect(await panel.provision({ ...given, ha_url: 'ftp://h' })).toMatchObject({
      status: 'refused',
      reasons: { ha_url: expect.stringContaining('http') },
    });
    expect(store.commits).toBe(0);
    store.failure = 'ENOSPC';
    expect(await panel.provision(given)).toEqual({ status: 'commit-failed', reason: 'ENOSPC' });
    store.failure = null;
    expect(await panel.provision(given)).toMatchObject({ status: 'provisioned', kept: [] });
  });

  it('shows which of its files others can read, whatever is saved later', async () => {
    const panel = await start(memoryStore(), ['--mqtt-pass-file']);
    expect(panel.view()?.context.openFiles).toEqual(['--mqtt-pass-file']);
    await panel.merge({ friendly_name: 'Hall' });
    expect(panel.view()?.context.openFiles).toEqual(['--mqtt-pass-file']);
  });
});

describe('whom a secret is for', () => {
  const found: Recipient = { scheme: 'mqtt', host: '10.0.0.2', port: 1883, name: 'home.local' };
  const named: Recipient = { scheme: 'mqtt', host: '192.0.2.1', port: 1883, name: null };
  const inMemory = (): RecordedFile & { json: unknown; refuses: boolean } => {
    const file = {
      json: null as unknown,
      refuses: false,
      read: () => file.json,
      write: (json: unknown) => {
        if (file.refuses) return 'EROFS';
        file.json = structuredClone(json);
        return null;
      },
    };
    return file;
  };
  const recipientOf = async (store: ReturnType<typeof memoryStore>, key = 'mqtt_password') =>
    (await readCredential(store, key))?.assignment;

  it('is whom the settings name when it is saved, in the same commit', async () => {
    const store = memoryStore();
    const { merge, view } = await start(store);
    await merge({ mqtt_broker: 'mqtt://192.0.2.1', mqtt_password: 'one', ha_url: 'http://h:8123', ha_token: 't' });
    expect(store.commits).toBe(1);
    expect(await recipientOf(store)).toMatchObject({ recipient: named, by: 'save', at: 7 });
    expect(await recipientOf(store, 'ha_token')).toMatchObject({ recipient: { host: 'h', port: 8123 } });
    expect(view()?.context.recipientChange).toBeNull();
    await merge({ mqtt_user: 'u', mqtt_address_family: 'Force IPv4' });
    expect(await recipientOf(store)).toMatchObject({ recipient: named });
    // Bringing it again for the same one changes nothing.
    const { commits } = store;
    expect(await merge({ mqtt_password: 'one' })).toEqual({ status: 'no-op' });
    expect(store.commits).toBe(commits);
    expect(await merge({ mqtt_broker: 'mqtt://192.0.2.9', mqtt_password: 'one' })).toMatchObject({ status: 'saved' });
    expect(await recipientOf(store)).toMatchObject({ recipient: { host: '192.0.2.9' } });
    expect(view()?.context.recipientChange).toEqual({ at: 7, code: 'moved', from: null });
  });

  it('is nobody while a broker is looked for, until one is assigned to that very save', async () => {
    const store = memoryStore();
    const { merge, assign, view } = await start(store);
    await merge({ mqtt_password: 'one' });
    const first = await recipientOf(store);
    expect(first).toMatchObject({ recipient: null, by: 'save' });
    expect(await merge({ mqtt_password: 'one' })).toEqual({ status: 'saved', applied: ['mqtt_password'] });
    const second = await recipientOf(store);
    expect(second?.id).not.toBe(first?.id);
    const request = { key: 'mqtt_password', recipient: found, code: 'bound', from: null } as const;
    expect(await assign({ ...request, id: first?.id ?? '' })).toEqual({ status: 'changed' });
    const { revision } = view()?.context ?? {};
    expect(await assign({ ...request, id: second?.id ?? '' })).toEqual({ status: 'assigned' });
    expect(await recipientOf(store)).toEqual({ ...second, recipient: found });
    expect(view()?.context).toMatchObject({ revision, recipientChange: { code: 'bound', from: null } });
    await merge({ mqtt_password: null });
    expect(store.sections['secrets']).toEqual({});
    expect(await assign({ ...request, id: second?.id ?? '' })).toEqual({ status: 'changed' });
  });

  it('is kept over a reset for what came from a file, and for that content alone', async () => {
    const file = inMemory();
    const store = memoryStore();
    const first = await start(store, [], file);
    await first.provision({ mqtt_password: 'marker-file' });
    const waiting = await recipientOf(store);
    expect(waiting).toMatchObject({ recipient: null, by: 'file' });
    await first.provision({ mqtt_password: 'marker-file' });
    expect(await recipientOf(store), 'it is read again').toEqual(waiting);
    file.refuses = true;
    const request = {
      key: 'mqtt_password',
      id: waiting?.id ?? '',
      recipient: found,
      code: 'confirmed',
      from: 'panel',
    } as const;
    expect(await first.assign(request)).toEqual({ status: 'commit-failed', reason: 'EROFS' });
    expect(await recipientOf(store)).toEqual(waiting);
    file.refuses = false;
    expect(await first.assign(request)).toEqual({ status: 'assigned' });
    expect(JSON.stringify(file.json)).not.toContain('marker-file');

    // The reset takes settings, secrets and marks; the file stays.
    for (const [content, recipient] of [
      ['marker-file', found],
      ['marker-other', null],
    ] as const) {
      const after = memoryStore();
      // oxlint-disable-next-line no-await-in-loop -- one panel after another
      const panel = await start(after, [], file);
      // oxlint-disable-next-line no-await-in-loop -- as above
      await panel.merge({ mqtt_broker: 'mqtt://192.0.2.66' });
      // oxlint-disable-next-line no-await-in-loop -- as above
      await panel.provision({ mqtt_password: content });
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await recipientOf(after)).toMatchObject({ recipient, by: 'file' });
    }
  });

  it('takes no token from a file without its address, and does not take it for kept', async () => {
    const file = inMemory();
    const store = memoryStore();
    const panel = await start(store, [], file);
    await panel.merge({ ha_url: 'http://h:8123' });
    const refused = { status: 'provisioned', applied: [], kept: [], unaddressed: ['ha_token'] };
    for (let n = 0; n < 2; n += 1)
      // oxlint-disable-next-line no-await-in-loop -- one start after another
      expect(await panel.provision({ ha_token: 'marker-token' })).toEqual(refused);
    expect(store.sections['secrets']).toEqual({});
    await panel.provision({ ha_url: 'http://h:8123', ha_token: 'marker-token' });
    expect(await recipientOf(store, 'ha_token')).toMatchObject({ recipient: { host: 'h' } });

    const after = memoryStore();
    const evil = await start(after, [], file);
    await evil.merge({ ha_url: 'http://evil:8123' });
    expect(await evil.provision({ ha_token: 'marker-token' })).toEqual(refused);
    await evil.merge({ ha_url: 'http://h:8123' });
    expect(await evil.provision({ ha_token: 'marker-token' })).toMatchObject({ applied: ['ha_token'] });
  });

  it('is tied once to whom the settings name, on a panel of an earlier version', async () => {
    const file = inMemory();
    const sections = {
      settings: { revision: 3, values: { ha_url: 'http://h:8123' } },
      secrets: { mqtt_password: 'one', ha_token: 't' },
      broker: {
        version: 1,
        password: 'mark',
        binding: { kind: 'bound', broker: { name: 'home.local', address: '10.0.0.2', port: 1883 } },
      },
    };
    const store = memoryStore(structuredClone(sections));
    const { view } = await start(store, [], file);
    expect(view()?.context).toMatchObject({ revision: 3, recipientChange: { at: 7, code: 'upgraded', from: null } });
    expect(await recipientOf(store)).toMatchObject({ recipient: found, by: 'upgrade' });
    expect(await recipientOf(store, 'ha_token')).toMatchObject({ recipient: { host: 'h', port: 8123 } });
    expect(store.sections['broker']).toBeNull();
    const { commits } = store;
    running?.stop();
    const again = await start(store, [], file);
    expect([again.view()?.context.recipientChange, store.commits]).toEqual([null, commits]);

    // Where the disk refuses, the panel starts, and its secrets wait.
    const full = memoryStore(structuredClone(sections));
    full.failure = 'ENOSPC';
    running?.stop();
    expect((await start(full, [], file)).view()).toMatchObject({ value: 'ready', context: { recipientChange: null } });
    expect(await recipientOf(full)).toMatchObject({ id: 'unassigned', recipient: null });
    // One that only probes the machine writes nothing.
    const probed = memoryStore(structuredClone(sections));
    running?.stop();
    await start(probed);
    expect(probed.commits).toBe(0);
  });

  it('is nobody where that cannot be read, and what an earlier version did not bind', async () => {
    const damaged = memoryStore({ secrets: { mqtt_password: 'one', recipients: { mqtt_password: { id: 3 } } } });
    await start(damaged, [], inMemory());
    expect(await recipientOf(damaged)).toMatchObject({ recipient: null, by: 'file' });
    const open = memoryStore({
      secrets: { mqtt_password: 'one' },
      broker: { version: 1, password: 'm', binding: { kind: 'open', by: 'file' } },
    });
    running?.stop();
    await start(open, [], inMemory());
    expect(await recipientOf(open)).toMatchObject({ recipient: null, by: 'upgrade', at: 7 });
  });
});
