import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createActor, type EventObject } from 'xstate';

import { profileCatalogSpec } from '#actors/profile-catalog.ts';
import type { ProfileFormat } from '#actors/profile-catalog/format.ts';
import { profileRevisions } from '#actors/profile-catalog/revisions.ts';
import { profileStore, type ProfileStoreDeps } from '#actors/profile-catalog/store.ts';
import { cleanupsOf } from '#drivers/kit/cleanups.ts';
import type { ProfileFiles } from '#drivers/profiles/files.ts';
import type { BeginOutcome } from '#machines/maintenance/events.ts';
import type { CatalogCommand, CatalogFact } from '#machines/profile-catalog/events.ts';
import type { ProfileSummary } from '#machines/profile-catalog/reading.ts';
import { runDriver } from '#test/drivers/run-driver.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

const revision = 'a'.repeat(64);
const bytes = new TextEncoder().encode('schema: 1\n');
const summary: ProfileSummary = {
  id: 'one',
  revision,
  origin: 'local',
  display_name: 'One',
  version: '1.0.0',
  author: 'A',
  license: 'MIT',
  maturity: 'draft',
  limitations: [],
  tested_firmware: [],
  links: [],
  bytes: bytes.length,
  drivers: [],
};

const readable: ProfileFormat['read'] = () => ({
  ok: true,
  summary,
  document: {},
  warnings: [],
  risks: [],
  absent: [],
});
const format: ProfileFormat = {
  read: readable,
  readSaved: readable,
  bundled: () => [],
  bundledBytes: () => null,
  matched: () => null,
  matches: () => false,
  platform: () => 'linux',
  diff: () => [],
  probe: () => Promise.resolve([]),
  schema: () => '{}',
  drivers: () => '{}',
  template: () => '',
  draft: () => Promise.resolve(''),
};

/** A disk that takes so long for each write, and what was written. */
function slowDisk(fsyncMs: number): { readonly saved: readonly string[]; readonly files: ProfileFiles } {
  const saved: string[] = [];
  const slow = async (name: string): Promise<null> => {
    await new Promise((resolve) => setTimeout(resolve, fsyncMs));
    saved.push(name);
    return null;
  };
  return {
    saved,
    files: {
      list: () => Promise.resolve([]),
      read: () => Promise.resolve({ state: 'absent' }),
      save: () => slow('revision'),
      remove: () => Promise.resolve(null),
      readRecord: () => ({ state: 'absent' }),
      writeRecord: () => slow('record'),
      revisionOf: () => revision,
    },
  };
}

/** A registry whose operations answer a begin with this. */
function beside(outcome: BeginOutcome) {
  const registry = fakeRegistry({ maintenance: {} });
  registry.answer = () => ({ ok: true, value: outcome });
  return registry;
}

/** What every catalogue here is wired to. */
const wired: Pick<ProfileStoreDeps, 'registry' | 'boot' | 'now' | 'generateToken' | 'version'> = {
  registry: beside({ status: 'begun', token: 'lane' }),
  boot: { active: null, commandLine: true, issues: [], startedAt: 0 },
  now: () => 1000,
  generateToken: () => 'token',
  version: '0.0.0',
};

/** The catalogue on such a disk. */
function start(fsyncMs: number) {
  const { saved, files } = slowDisk(fsyncMs);
  const { logic, input, stop } = profileCatalogSpec({
    screen: false,
    answers: () => Promise.resolve(false),
    ...wired,
    registry: fakeRegistry({}),
    files,
    format,
  });
  const actor = createActor(logic, { input: input?.() });
  const outcomes: Record<string, unknown> = {};
  actor.on('reply', (reply: EventObject & { readonly requestId?: string; readonly outcome?: unknown }) => {
    outcomes[reply.requestId ?? ''] = reply.outcome;
  });
  actor.start();
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  return {
    actor,
    stop,
    outcomes,
    saved,
    pass,
    /** Previews the bytes, begins to save them, and tells the catalogue to stop. */
    stopInImport: async () => {
      actor.send({ type: 'profiles.ask.preview', requestId: 'preview', ask: { kind: 'preview', bytes, probe: false } });
      await pass(0);
      actor.send({ type: 'profiles.ask.import', requestId: 'import', ask: { kind: 'import', bytes, token: 'token' } });
      await pass(0);
      if (stop) actor.send(stop.event);
    },
  };
}

describe('the catalogue told to stop', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('finishes the import that is under way on a slow card, and answers it', async () => {
    const { actor, stop, outcomes, saved, pass, stopInImport } = start(100);
    await stopInImport();
    await pass(199);
    expect(actor.getSnapshot().status).toBe('active');
    await pass(1);
    expect(outcomes['import']).toMatchObject({ status: 'saved', saved: true });
    expect(saved).toEqual(['revision', 'record']);
    expect(actor.getSnapshot().output).toEqual({ ended: 'stopped' });
    expect(stop?.withinMs).toBeGreaterThan(250);
  });

  it('is held up no longer than its bound, and the write goes on until the agent exits', async () => {
    const { actor, outcomes, saved, pass, stopInImport } = start(400);
    await stopInImport();
    await pass(250);
    expect(actor.getSnapshot().output).toEqual({ ended: 'stopped' });
    expect(outcomes).not.toHaveProperty('import');
    const settled = cleanupsOf(actor.system).settled();
    await pass(600);
    await settled;
    expect(saved).toEqual(['revision', 'record']);
  });

  it('answers what is asked while it stops', async () => {
    const { actor, outcomes, stopInImport } = start(100);
    await stopInImport();
    actor.send({ type: 'profiles.ask.rollback', requestId: 'late', ask: { kind: 'rollback', expected: 0 } });
    expect(outcomes['late']).toEqual({ status: 'stopping' });
  });
});

const preview: CatalogCommand = {
  type: 'catalog.serve',
  requestId: 'p',
  ask: { kind: 'preview', bytes, probe: false },
};
const save: CatalogCommand = { type: 'catalog.serve', requestId: 'i', ask: { kind: 'import', bytes, token: 'token' } };

describe('the revisions', () => {
  it('leave a saved copy of a bundled revision out of the list and of the limits, for it cannot be deleted', async () => {
    const { files } = slowDisk(0);
    const copy = { id: summary.id, revision };
    const other = { id: summary.id, revision: 'b'.repeat(64) };
    const list = () => Promise.resolve([copy, other]);
    const built = { summary: { ...summary, origin: 'bundled' as const }, document: {} };
    const revisions = profileRevisions(
      { ...files, list, read: () => Promise.resolve({ state: 'read', value: bytes }) },
      {
        ...format,
        readSaved: () => ({ ...readable(bytes), summary: { ...summary, revision: other.revision } }),
        bundled: () => [built],
      },
    );
    await revisions.load();
    expect(revisions.known().map((known) => [known.summary.revision, known.summary.origin])).toEqual([
      [revision, 'bundled'],
      [other.revision, 'local'],
    ]);
    expect(revisions.local()).toEqual([{ ...other, bytes: bytes.length }]);
  });
});

describe('the store of the catalogue', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('does nothing of what was queued behind a crash', async () => {
    const { saved, files } = slowDisk(100);
    const read = vi.fn<ProfileFormat['read']>(() => {
      throw new Error('unforeseen');
    });
    const driver = runDriver<CatalogCommand, CatalogFact>(
      profileStore({ ...wired, files, format: { ...format, read } }),
    );
    driver.tell(preview);
    driver.tell({
      type: 'catalog.serve',
      requestId: 's',
      ask: { kind: 'select', selection: { mode: 'auto' }, expected: 0, confirmsPlatform: false },
    });
    driver.tell({ type: 'catalog.take-back', reason: 'ended-before-health' });
    driver.tell(preview);
    await vi.advanceTimersByTimeAsync(1000);
    expect(driver.crashed()).toMatchObject({ message: 'unforeseen' });
    await driver.settled();
    expect([read.mock.calls.length, saved]).toEqual([1, []]);
  });

  it('that is asked if a change would be made judges it as the change itself, and writes nothing', async () => {
    const { saved, files } = slowDisk(10);
    const list: ProfileFiles['list'] = () => Promise.resolve([{ id: 'one', revision }]);
    const read: ProfileFiles['read'] = () => Promise.resolve({ state: 'read', value: bytes });
    const driver = runDriver<CatalogCommand, CatalogFact>(
      profileStore({ ...wired, boot: { ...wired.boot, commandLine: false }, files: { ...files, list, read }, format }),
    );
    const pinned = {
      kind: 'select',
      selection: { mode: 'pinned', id: 'one', revision },
      confirmsPlatform: false,
    } as const;
    const changes = [
      { ...pinned, expected: 3 },
      { ...pinned, selection: { mode: 'auto' }, expected: 0 },
      { kind: 'rollback', expected: 0 },
      { ...pinned, expected: 0 },
    ] as const;
    for (const change of changes)
      driver.tell({ type: 'catalog.serve', requestId: 'judge', ask: { kind: 'judge', change } });
    await vi.advanceTimersByTimeAsync(1000);
    expect(driver.facts).toMatchObject([
      { restart: false, outcome: { status: 'refused', code: 'catalog-stale' } },
      { restart: false, outcome: { status: 'refused', code: 'profile-active-already' } },
      { restart: false, outcome: { status: 'refused', code: 'nothing-to-roll-back' } },
      { restart: false, outcome: { status: 'possible', ref: { id: 'one', revision } } },
    ]);
    expect(saved).toEqual([]);
    for (const change of changes) driver.tell({ type: 'catalog.serve', requestId: 'do', ask: change });
    await vi.advanceTimersByTimeAsync(1000);
    expect(driver.facts.slice(4)).toMatchObject([
      { outcome: { code: 'catalog-stale' } },
      { outcome: { code: 'profile-active-already' } },
      { outcome: { code: 'nothing-to-roll-back' } },
      { restart: true, outcome: { status: 'scheduled' } },
    ]);
    expect(saved).toEqual(['record']);
    driver.stop();
  });

  it.each([
    { kind: 'select', selection: { mode: 'pinned', id: 'one', revision }, confirmsPlatform: false, expected: 0 },
    { kind: 'rollback', expected: 0 },
  ] as const)('changes nothing beside another operation: $kind', async (ask) => {
    const { saved, files } = slowDisk(10);
    const driver = runDriver<CatalogCommand, CatalogFact>(
      profileStore({ ...wired, registry: beside({ status: 'busy', running: null }), files, format }),
    );
    driver.tell({ type: 'catalog.serve', requestId: 'do', ask });
    await vi.advanceTimersByTimeAsync(1000);
    expect(driver.facts).toMatchObject([{ restart: false, outcome: { status: 'refused', code: 'operation-busy' } }]);
    expect(saved).toEqual([]);
    driver.stop();
  });

  it('reports a selection as ordered, and a refused one as nothing', async () => {
    const { files } = slowDisk(10);
    const list: ProfileFiles['list'] = () => Promise.resolve([{ id: 'one', revision }]);
    const read: ProfileFiles['read'] = () => Promise.resolve({ state: 'read', value: bytes });
    const registry = beside({ status: 'begun', token: 'lane' });
    const boot = { ...wired.boot, commandLine: false };
    const driver = runDriver<CatalogCommand, CatalogFact>(
      profileStore({ ...wired, registry, boot, files: { ...files, list, read }, format }),
    );
    const pinned = {
      kind: 'select',
      selection: { mode: 'pinned', id: 'one', revision },
      confirmsPlatform: false,
    } as const;
    for (const expected of [3, 0]) {
      driver.tell({ type: 'catalog.serve', requestId: 'do', ask: { ...pinned, expected } });
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(registry.told.map(({ event }) => event)).toMatchObject([
      { type: 'maintenance.begin', kind: 'profile-select', holder: 'profile-catalog' },
      { type: 'maintenance.leave', token: 'lane' },
      { type: 'maintenance.begin' },
      { type: 'maintenance.order', token: 'lane' },
    ]);
    driver.stop();
  });

  it('that is started again reads only after the last write of the one before', async () => {
    const { saved, files } = slowDisk(100);
    const readRecord = vi.fn<ProfileFiles['readRecord']>(() => ({ state: 'absent' }));
    const logic = profileStore({ ...wired, files: { ...files, readRecord }, format });
    const first = runDriver<CatalogCommand, CatalogFact>(logic);
    for (const command of [preview, save]) first.tell(command);
    await vi.advanceTimersByTimeAsync(50);
    first.stop();
    readRecord.mockClear();
    const second = runDriver<CatalogCommand, CatalogFact>(logic);
    second.tell({ type: 'catalog.load' });
    await vi.advanceTimersByTimeAsync(100);
    expect([saved, readRecord.mock.calls.length, second.facts]).toEqual([['revision'], 0, []]);
    await vi.advanceTimersByTimeAsync(50);
    expect([saved, readRecord.mock.calls.length]).toEqual([['revision', 'record'], 1]);
    expect(second.facts).toMatchObject([{ type: 'catalog.loaded' }]);
    second.stop();
  });
});
