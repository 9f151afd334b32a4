import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { RestorePlan } from '#actors/backup/plan.ts';
import { finishReset } from '#bin/reset-at-start.ts';
import { finishRestore } from '#bin/restore-at-start.ts';
import { stage } from '#drivers/backup/staged.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sconce-finish-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Sections = Readonly<Record<string, unknown>>;
const put = (held: Sections): void =>
  writeFileSync(join(folder, 'state.json'), JSON.stringify({ version: 1, sections: held }));
function sections(): Sections {
  // Written by the start under test.
  const { sections: stored } = JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')) as { sections: Sections };
  return stored;
}
const isStaged = (): boolean => existsSync(join(folder, 'restore'));

/** A plan that sets one name. */
const plan: RestorePlan = {
  version: 1,
  at: 50,
  preview: {
    origin: 'this-machine',
    madeAt: 1,
    madeBy: 'hall',
    version: '1.0.0',
    stateUnavailable: false,
    changes: [],
    skippedKeys: [],
    parts: [{ part: 'config', does: 'restored', items: 1, why: '' }],
    profile: null,
  },
  settings: { changes: { values: { friendly_name: 'Hall' }, secrets: {}, expose: {} }, recipients: {}, orphaned: [] },
  filter: null,
  panel: {},
  selection: null,
  revisions: [],
};
const cellar = { settings: { schema: 1, revision: 2, values: { friendly_name: 'Cellar' }, expose: {} }, secrets: {} };
const running = { token: 't', kind: 'restore', since: 40, ordered: true, run: 'earlier' };
const jobs = { version: 1, running, last: null, lastBackupAt: 30 };
const order = (digest: string) => ({ version: 1, state: 'ordered', by: 'panel', at: 45, digest, failure: null });

/** A panel with an ordered restore. */
async function ordered(more: Sections = {}): Promise<void> {
  const staged = await stage(folder, plan, []);
  if (!staged.ok) throw new Error(staged.code);
  put({ ...cellar, maintenance: jobs, restore: order(staged.digest), ...more });
}

const restored = { settings: { values: { friendly_name: 'Hall' } }, restore: { state: 'done', by: 'panel' } };

describe('a start after the order of a restore', () => {
  it('carries it out and removes what was staged', async () => {
    await ordered();
    expect(await finishRestore(folder, () => 60)).toEqual({ failure: null });
    expect(sections()).toMatchObject({
      ...restored,
      maintenance: {
        running: null,
        last: { kind: 'restore', since: 40, endedAt: 60, result: { status: 'succeeded' } },
        lastBackupAt: 30,
      },
    });
    expect(isStaged()).toBe(false);
    // The next start has nothing to do.
    expect(await finishRestore(folder)).toBeNull();
  });

  it('gives it up where the disk refuses, and everything is as it was', async () => {
    await ordered();
    // No new file can take this name.
    mkdirSync(join(folder, 'restore', 'next-state.json'));
    const done = await finishRestore(folder, () => 60);
    expect(done).toMatchObject({ failure: { again: false, code: expect.stringMatching(/^E[A-Z_]+$/) } });
    expect(sections()).toMatchObject({
      ...cellar,
      restore: { state: 'failed', failure: done?.failure?.code },
      maintenance: { running: null, last: { kind: 'restore', result: { status: 'failed' } } },
    });
    expect(isStaged()).toBe(false);
    expect(await finishRestore(folder)).toBeNull();
  });

  it.each([
    ['is gone', () => rmSync(join(folder, 'restore'), { recursive: true })],
    ['is another one', () => writeFileSync(join(folder, 'restore', 'plan.json'), JSON.stringify(plan))],
    ['is cut short', () => writeFileSync(join(folder, 'restore', 'plan.json'), '{"version":')],
  ])('gives it up where what was staged %s', async (what, change) => {
    await ordered();
    if (what === 'is another one') put({ ...cellar, maintenance: jobs, restore: order('0'.repeat(64)) });
    change();
    expect(await finishRestore(folder)).toEqual({ failure: { code: 'staged-files-missing', again: false } });
    expect(sections()).toMatchObject({ ...cellar, restore: { state: 'failed' } });
    expect(isStaged()).toBe(false);
  });

  it('gives it up even where the disk refuses to record that: the order then leads to nothing', async () => {
    await ordered();
    rmSync(join(folder, 'state.json.previous'), { force: true });
    const before = readFileSync(join(folder, 'state.json'), 'utf8');
    mkdirSync(join(folder, 'state.json.next'));
    const refused = await finishRestore(folder);
    // Its unchanged form is written first, which shows that the disk refuses.
    expect(refused).toMatchObject({ failure: { again: false } });
    expect(readFileSync(join(folder, 'state.json'), 'utf8')).toBe(before);
    rmSync(join(folder, 'state.json.next'), { recursive: true });
    // The order could not be withdrawn either, and leads to nothing.
    expect(await finishRestore(folder)).toEqual({ failure: { code: 'staged-files-missing', again: false } });
    expect(sections()).toMatchObject({ ...cellar, restore: { state: 'failed' } });
  });

  it('carries out an ordered reset after it', async () => {
    await ordered({ reset: { version: 1, state: 'ordered', scope: 'settings', by: 'panel', at: 46, left_behind: 0 } });
    expect(await finishRestore(folder, () => 60)).toEqual({ failure: null });
    expect(sections()).toMatchObject({ ...restored, reset: { state: 'ordered' } });
    expect(await finishReset(folder)).toEqual({ scope: 'settings', failure: null });
    expect(sections()).toMatchObject({ settings: { values: {} }, reset: { state: 'done' } });
  });
});

describe('a start without an order', () => {
  it.each<[string, Sections]>([
    ['none', {}],
    ['one that is done', { restore: { ...order('a'.repeat(64)), state: 'done' } }],
    ['what is no order', { restore: { version: 1, state: 'ordered', digest: '../x' } }],
  ])('removes what is staged: %s', async (_, more) => {
    await stage(folder, plan, []);
    put({ ...cellar, ...more });
    expect(await finishRestore(folder)).toBeNull();
    expect(isStaged()).toBe(false);
    expect(sections()).toMatchObject(cellar);
  });

  it('leaves it where the document cannot be read: the store may find the order elsewhere', async () => {
    await stage(folder, plan, []);
    writeFileSync(join(folder, 'state.json'), 'torn');
    expect(await finishRestore(folder)).toBeNull();
    expect(isStaged()).toBe(true);
  });
});
