import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createActor, waitFor } from 'xstate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storeSpec } from '#actors/store.ts';
import type { WriteStep } from '#drivers/store/adapter.ts';
import { dataFolder, makeFolder, prepareFolder } from '#drivers/store/folder.ts';
import { storedSections, type StoredSectionsOptions } from '#drivers/store/stored-sections.ts';
import type { StoreEvent } from '#machines/store/events.ts';

let base = '';
let folder = '';
const path = (name: string): string => join(folder, name);
const current = (): unknown => JSON.parse(readFileSync(path('state.json'), 'utf8'));
const document = (number: number): string => JSON.stringify({ version: 1, sections: { settings: { number } } });

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'sconce-store-'));
  folder = join(base, 'data');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const create = (options: Partial<StoredSectionsOptions> = {}) =>
  createActor(storeSpec({ folder, sections: storedSections({ folder, ...options }) }).logic);
async function open(onStep: (step: WriteStep) => void = () => {}) {
  const store = create({ onStep });
  const replies: { readonly requestId: string; readonly outcome: unknown }[] = [];
  let wake = (): void => {};
  store.on('reply', (reply) => {
    replies.push(reply);
    wake();
  });
  store.start();
  await waitFor(store, (snapshot) => snapshot.value === 'ready', { timeout: 5000 });
  const ask = (event: StoreEvent & { readonly requestId: string }): Promise<unknown> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = replies.find((reply) => reply.requestId === event.requestId);
        if (found) resolve(found.outcome);
      };
      const before = wake;
      wake = () => {
        before();
        look();
      };
      store.send(event);
    });
  return {
    store,
    ask,
    context: () => store.getSnapshot().context,
    commit: (requestId: string, value: unknown) => ask({ type: 'store.commit', requestId, section: 'settings', value }),
    read: (requestId: string) => ask({ type: 'store.read', requestId, section: 'settings' }),
    close: async () => {
      store.send({ type: 'store.stop' });
      await waitFor(store, (snapshot) => snapshot.status === 'done', { timeout: 5000 });
    },
  };
}

describe('the document on disk', () => {
  it('starts empty, closed to other users, and keeps the copy before the last save', async () => {
    const store = await open();
    expect(store.context()).toMatchObject({ loadedFrom: 'empty', loss: null, documentBytes: -1, commits: 0 });
    expect(await store.read('r')).toEqual({ ok: true, value: null });
    expect(await store.commit('a', { number: 1 })).toEqual({ ok: true });
    expect(await store.commit('b', { number: 2 })).toEqual({ ok: true });
    expect(current()).toEqual({ version: 1, sections: { settings: { number: 2 } } });
    expect(readFileSync(path('state.json.previous'), 'utf8').trim()).toBe(document(1));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) expect(statSync(path(name)).mode & 0o777, name).toBe(0o600);
    expect(readdirSync(folder).toSorted()).toEqual(['state.json', 'state.json.previous']);
    expect(store.context()).toMatchObject({ commits: 2, documentBytes: statSync(path('state.json')).size });
    await store.close();
  });

  it('commits in order, several sections in one step, and keeps what it does not know', async () => {
    mkdirSync(folder);
    writeFileSync(
      path('state.json'),
      JSON.stringify({ version: 1, later: 'kept', sections: { voices: [1], panel: 'gone soon' } }),
    );
    const store = await open();
    const outcomes = Array.from({ length: 20 }, (_, number) => store.commit(`n${number}`, { number }));
    store.store.send({ type: 'store.commit-all', requestId: 'all', sections: { secrets: { s: 'x' }, panel: null } });
    expect(await Promise.all(outcomes)).toEqual(Array.from({ length: 20 }, () => ({ ok: true })));
    await store.close();
    expect(current()).toEqual({
      version: 1,
      later: 'kept',
      sections: { voices: [1], settings: { number: 19 }, secrets: { s: 'x' } },
    });
  });

  it('is as before after a failed commit, and the next one works', async () => {
    const store = await open();
    await store.commit('a', { number: 1 });
    // Works for root too, whom permissions do not stop.
    mkdirSync(path('state.json.next'));
    expect(await store.commit('b', { number: 2 })).toMatchObject({ ok: false });
    expect(await store.read('r')).toEqual({ ok: true, value: { number: 1 } });
    expect(current()).toMatchObject({ sections: { settings: { number: 1 } } });
    expect(store.context().lastFailure?.reason).toBe('unknown');
    expect(await store.commit('c', { big: 1n })).toMatchObject({ ok: false });
    rmdirSync(path('state.json.next'));
    expect(await store.commit('d', { number: 3 })).toEqual({ ok: true });
    expect(store.context()).toMatchObject({ commits: 2, lastFailure: null });
    await store.close();
  });

  it.each([
    ['cut short', document(2).slice(0, 20)],
    ['empty', ''],
    ['zeroes', '\0'.repeat(50)],
    ['another shape', '{"version":1}'],
    ['not an object', '[]'],
  ])('falls back to the previous copy when the current file is %s', async (_, broken) => {
    mkdirSync(folder);
    writeFileSync(path('state.json'), broken);
    writeFileSync(path('state.json.previous'), document(1));
    const store = await open();
    expect(store.context()).toMatchObject({
      loadedFrom: 'previous',
      loss: { reason: expect.stringContaining('copy from before the last save is in use') },
    });
    expect(await store.read('r')).toEqual({ ok: true, value: { number: 1 } });
    expect(readFileSync(path('state.json.broken'), 'utf8')).toBe(broken);
    // The broken file never becomes the previous one.
    await store.commit('a', { number: 3 });
    expect(readFileSync(path('state.json.previous'), 'utf8')).toBe(document(1));
    await store.commit('b', { number: 4 });
    expect(readFileSync(path('state.json.previous'), 'utf8').trim()).toBe(document(3));
    await store.close();
    const again = await open();
    expect(again.context()).toMatchObject({ loadedFrom: 'current', loss: null });
    await again.close();
  });

  it('waits out a read that fails for a moment', async () => {
    mkdirSync(folder);
    writeFileSync(path('state.json'), document(2));
    writeFileSync(path('state.json.previous'), document(1));
    let failures = 2;
    const readText = (file: string): Promise<string> => {
      failures -= 1;
      return failures >= 0
        ? Promise.reject(Object.assign(new Error('no'), { code: 'EMFILE' }))
        : readFile(file, 'utf8');
    };
    const store = create({ readText }).start();
    await waitFor(store, (snapshot) => snapshot.value === 'ready', { timeout: 5000 });
    expect(store.getSnapshot().context).toMatchObject({ loadedFrom: 'current', loss: null });
    store.stop();
  });

  it.each(['EIO', 'EACCES', 'EMFILE'])(
    'fails and touches no file when the document cannot be read at all (%s)',
    async (code) => {
      mkdirSync(folder);
      writeFileSync(path('state.json'), document(2));
      writeFileSync(path('state.json.previous'), document(1));
      const readText = (): Promise<string> => Promise.reject(Object.assign(new Error('no'), { code }));
      const store = create({ readText }).start();
      store.send({ type: 'store.commit', requestId: 'a', section: 'settings', value: { number: 3 } });
      await waitFor(store, (snapshot) => snapshot.status === 'done', { timeout: 5000 });
      expect(store.getSnapshot().output).toMatchObject({ ended: 'failed' });
      expect(readdirSync(folder).toSorted()).toEqual(['state.json', 'state.json.previous']);
      expect(readFileSync(path('state.json'), 'utf8')).toBe(document(2));
    },
  );

  it('uses the previous copy when the current file is gone, and says so', async () => {
    mkdirSync(folder);
    writeFileSync(path('state.json.previous'), document(1));
    const store = await open();
    expect(store.context()).toMatchObject({
      loadedFrom: 'previous',
      loss: { reason: expect.stringContaining('were gone') },
    });
    await store.close();
  });

  it('starts empty and says so when both files are broken', async () => {
    mkdirSync(folder);
    writeFileSync(path('state.json'), '{');
    writeFileSync(path('state.json.previous'), '}');
    writeFileSync(path('state.json.broken'), 'older');
    const store = await open();
    expect(store.context()).toMatchObject({
      loadedFrom: 'empty',
      loss: { reason: expect.stringContaining('started with none') },
    });
    expect(readFileSync(path('state.json.broken'), 'utf8')).toBe('{');
    expect(await store.commit('a', { number: 1 })).toEqual({ ok: true });
    await store.close();
  });

  it('starts where a file stands in place of the folder, and refuses saves', async () => {
    writeFileSync(folder, 'in the way');
    const store = await open();
    expect(store.context().loadedFrom).toBe('empty');
    expect(await store.commit('a', { number: 1 })).toMatchObject({ ok: false });
    await store.close();
  });

  it('answers after a stop that what comes now is refused, once the write under way has ended', async () => {
    const store = await open();
    const last = store.commit('a', { number: 1 });
    store.store.send({ type: 'store.stop' });
    const late = store.commit('b', { number: 2 });
    expect(await late).toEqual({ ok: false, reason: 'unknown' });
    expect(await last).toEqual({ ok: true });
    await waitFor(store.store, (snapshot) => snapshot.status === 'done', { timeout: 5000 });
    expect(store.store.getSnapshot().output).toEqual({ ended: 'stopped' });
    expect(current()).toMatchObject({ sections: { settings: { number: 1 } } });
  });

  describe('a credential that is no longer in force', () => {
    const secrets = (store: Awaited<ReturnType<typeof open>>, requestId: string, value: unknown): Promise<unknown> =>
      store.ask({ type: 'store.commit-all', requestId, sections: { settings: { requestId }, secrets: value } });
    const holding = (marker: string): readonly string[] =>
      readdirSync(folder).filter((name) => readFileSync(path(name), 'utf8').includes(marker));

    it.each([
      ['was removed', { other: 'stays' }],
      ['has another in its place', { ha_token: 'newer', other: 'stays' }],
      ['went with all of them', null],
    ])('is in no file once it %s', async (_, after) => {
      const store = await open();
      await secrets(store, 'a', { ha_token: 'marker-7f3a', other: 'stays' });
      expect(holding('marker-7f3a')).toEqual(['state.json']);
      expect(await secrets(store, 'b', after)).toEqual({ ok: true });
      expect(holding('marker-7f3a')).toEqual([]);
      // Both are whole documents, and the newest is what was saved.
      expect(current()).toMatchObject({ sections: { settings: { requestId: 'b' } } });
      expect(JSON.parse(readFileSync(path('state.json.previous'), 'utf8'))).toMatchObject({ version: 1 });
      expect(store.context()).toMatchObject({ commits: 2, lastFailure: null });
      await store.close();
    });

    it('stays in the copy of before where nothing took it away', async () => {
      const store = await open();
      await secrets(store, 'a', { ha_token: 'marker-7f3a' });
      await secrets(store, 'b', { ha_token: 'marker-7f3a', mqtt_password: 'new' });
      expect(JSON.parse(readFileSync(path('state.json.previous'), 'utf8'))).toMatchObject({
        sections: { settings: { requestId: 'a' } },
      });
      await store.close();
    });

    it('is gone with the next save where the disk took only the first', async () => {
      let renamed = 0;
      const store = await open((step) => {
        if (step !== 'folder-synced') return;
        renamed += 1;
        // Works for root too, whom permissions do not stop.
        if (renamed === 2) mkdirSync(path('state.json.next'));
      });
      await secrets(store, 'a', { ha_token: 'marker-7f3a' });
      expect(await secrets(store, 'b', {})).toEqual({ ok: true });
      expect(current()).toMatchObject({ sections: { settings: { requestId: 'b' } } });
      rmdirSync(path('state.json.next'));
      expect(await secrets(store, 'c', {})).toEqual({ ok: true });
      expect(holding('marker-7f3a')).toEqual([]);
      await store.close();
    });

    describe('where a broken file was set aside that may hold it too', () => {
      const cut = '{"version":1,"sections":{"secrets":{"ha_token":"marker-7f3a"';
      const whole = JSON.stringify({ version: 1, sections: { secrets: { ha_token: 'marker-7f3a', other: 'stays' } } });
      const setAside = () => existsSync(path('state.json.broken'));
      const started = async (onStep?: (step: WriteStep) => void) => {
        mkdirSync(folder);
        writeFileSync(path('state.json'), cut);
        writeFileSync(path('state.json.previous'), whole);
        const store = await open(onStep);
        expect(holding('marker-7f3a')).toEqual(['state.json.broken', 'state.json.previous']);
        return store;
      };

      it.each([
        ['removed', { other: 'stays' }],
        ['replaced', { ha_token: 'newer', other: 'stays' }],
      ])('is in no file once it is %s, also after a power cut', async (word, after) => {
        const atSync: boolean[] = [];
        const store = await started((step) => {
          if (step === 'folder-synced') atSync.push(setAside());
        });
        expect(store.context().loss?.reason).toMatch(
          new RegExp(`kept as state\\.json\\.broken until a credential is .*${word}`),
        );
        expect(await secrets(store, 'b', after)).toEqual({ ok: true });
        expect(holding('marker-7f3a')).toEqual([]);
        expect(readdirSync(folder).toSorted()).toEqual(['state.json', 'state.json.previous']);
        // Taken away once the save is durable, and itself made so by the sync of the second one.
        expect(atSync).toEqual([true, false]);
        await store.close();
      });

      it('is kept with that file by saves that take no credential away, and by one that is refused', async () => {
        const store = await started();
        expect(await secrets(store, 'a', { ha_token: 'marker-7f3a', other: 'stays', mqtt_password: 'new' })).toEqual({
          ok: true,
        });
        // Works for root too, whom permissions do not stop.
        mkdirSync(path('state.json.next'));
        expect(await secrets(store, 'b', {})).toMatchObject({ ok: false });
        expect(readFileSync(path('state.json.broken'), 'utf8')).toBe(cut);
        await store.close();
      });

      it('goes with that file also where the disk takes only the first save', async () => {
        const store = await started((step) => {
          if (step === 'folder-synced') mkdirSync(path('state.json.next'));
        });
        expect(await secrets(store, 'b', {})).toEqual({ ok: true });
        expect(setAside()).toBe(false);
        await store.close();
      });

      it('is saved without, and told as saved, where what was set aside cannot be removed', async () => {
        mkdirSync(folder);
        writeFileSync(path('state.json.previous'), whole);
        // A folder in the document's place is set aside as a file is, and no unlink takes it away.
        mkdirSync(path('state.json'));
        const store = await open();
        expect(setAside()).toBe(true);
        expect(await secrets(store, 'b', {})).toEqual({ ok: true });
        expect(setAside()).toBe(true);
        for (const name of ['state.json', 'state.json.previous'])
          expect(readFileSync(path(name), 'utf8'), name).not.toContain('marker-7f3a');
        expect(store.context()).toMatchObject({ commits: 1, lastFailure: null });
        await store.close();
      });
    });
  });

  it('keeps sections out of the context', async () => {
    const store = await open();
    store.store.send({ type: 'store.commit', requestId: 's', section: 'secrets', value: { mqtt_password: 'marker' } });
    await store.read('r');
    expect(JSON.stringify(store.store.getPersistedSnapshot())).not.toContain('marker');
    await store.close();
  });
});

describe('the data folder', () => {
  const home = '/home/somebody';
  it.each<[string | undefined, Record<string, string>, string]>([
    ['/a', { STATE_DIRECTORY: '/b', XDG_STATE_HOME: '/c' }, '/a'],
    [undefined, { STATE_DIRECTORY: '/b:/d', XDG_STATE_HOME: '/c' }, '/b'],
    [undefined, { STATE_DIRECTORY: '', XDG_STATE_HOME: '/c' }, '/c/sconce'],
    [undefined, { XDG_STATE_HOME: 'relative' }, '/home/somebody/.local/state/sconce'],
    [undefined, {}, '/home/somebody/.local/state/sconce'],
  ])('%j and %j lead to %s', (flag, env, expected) => expect(dataFolder({ flag, env, home })).toBe(expected));

  it('is closed to others when it holds nothing else, and left alone when it does', () => {
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    writeFileSync(path('state.json'), document(1));
    mkdirSync(path('light'));
    mkdirSync(path('restore'));
    for (const name of ['revisions.json', 'revisions.json.previous', 'state.json.v1']) writeFileSync(path(name), '{}');
    expect(makeFolder(folder)).toBeNull();
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    chmodSync(folder, 0o755);
    writeFileSync(path('something else'), '');
    makeFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o755);
  });

  it('is refused by name when it cannot be made', () => {
    writeFileSync(folder, 'in the way');
    const refused = prepareFolder({ argument: join(folder, 'below'), env: {} });
    expect(refused).toMatchObject({ ok: false, reason: 'folder-unusable', message: expect.stringContaining('--data') });
    expect(JSON.stringify(refused)).toContain(join(folder, 'below'));
    expect(prepareFolder({ argument: join(base, 'new'), env: {} })).toEqual({ ok: true, value: join(base, 'new') });
    expect(existsSync(join(base, 'new'))).toBe(true);
  });
});
