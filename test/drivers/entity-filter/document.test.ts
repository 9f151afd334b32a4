import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';

import { filterDocument, type FilterDocumentOptions } from '#drivers/entity-filter/document.ts';
import { WRITE_STEPS } from '#drivers/store/adapter.ts';
import { makeFolder } from '#drivers/store/folder.ts';
import type { KeepCommand, KeepFact } from '#machines/entity-filter/events.ts';
import type { PersistedState } from '#machines/entity-filter/persisted.ts';

import { isFact, runDriver } from '../run-driver.ts';

/** How long what was learned may wait. */
const LEARNED_MS = 10_000;

const shape = z.object({
  version: z.literal(1),
  policy: z.object({ auto_static: z.boolean(), auto_runtime: z.boolean() }),
  manual: z.object({ enabled: z.boolean(), ids: z.array(z.string()) }),
  accounts: z.array(z.never()),
});
/** What is kept where these ids were chosen by hand. */
const keptOf = (...ids: readonly string[]): PersistedState => ({
  version: 1,
  policy: { auto_static: true, auto_runtime: true },
  manual: { enabled: true, ids },
  accounts: [],
});
const empty: PersistedState = { ...keptOf(), manual: { enabled: false, ids: [] } };
const textOf = (...ids: readonly string[]): string => `${JSON.stringify(keptOf(...ids))}\n`;

let base = '';
let folder = '';
let ends: (() => Promise<void>)[] = [];
const path = (name: string): string => join(folder, name);
const current = (): string => readFileSync(path('entity-filter.json'), 'utf8');
/** Works for root too, whom permissions do not stop. */
const obstruct = (): void => mkdirSync(path('entity-filter.json.next'));

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'sconce-entity-filter-'));
  folder = join(base, 'data');
  ends = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  for (const end of ends) await end();
  vi.useRealTimers();
  rmSync(base, { recursive: true, force: true });
});

/** A document that was recalled; `learn` and `decide` hand over what is kept from then on. */
async function open(
  options: Partial<FilterDocumentOptions> = {},
  logic = filterDocument({ folder, parse: (json) => shape.parse(json), empty, ...options }),
) {
  const driver = runDriver<KeepCommand, KeepFact>(logic);
  const stop = async (): Promise<void> => {
    driver.stop();
    await driver.settled();
  };
  ends.push(stop);
  const { persisted: kept } = await driver.until(isFact('filters.recalled'));
  let asked = 0;
  /** The next answer, to whom it is, and what the disk refused. */
  const answer = async (from: number, requestId: string | null): Promise<string | null> =>
    (
      await driver.until(
        isFact<KeepFact, 'filters.persisted'>('filters.persisted', (fact) => fact.requestId === requestId),
        from,
      )
    ).failure;
  return {
    ...driver,
    stop,
    recalled: kept,
    learn: (...ids: readonly string[]) =>
      driver.tell({ type: 'filters.keep', persisted: keptOf(...ids), requestId: null }),
    /** Lets what was learned become due, and waits for the answer. */
    due: async () => {
      const from = driver.facts.length;
      vi.advanceTimersByTime(LEARNED_MS);
      return answer(from, null);
    },
    decide: (...ids: readonly string[]) => {
      asked += 1;
      const requestId = `request-${asked}`;
      const from = driver.facts.length;
      driver.tell({ type: 'filters.keep', persisted: keptOf(...ids), requestId });
      return answer(from, requestId);
    },
  };
}

describe('the document of the entity filter', () => {
  it('starts empty, and holds at the next start what the owner decided', async () => {
    const first = await open();
    expect([first.recalled, existsSync(path('entity-filter.json'))]).toEqual([empty, false]);
    expect(await first.decide('light.one')).toBeNull();
    expect(await first.decide('light.two')).toBeNull();
    expect(readFileSync(path('entity-filter.json.previous'), 'utf8')).toBe(textOf('light.one'));
    expect(readdirSync(folder).toSorted()).toEqual(['entity-filter.json', 'entity-filter.json.previous']);
    expect(statSync(path('entity-filter.json')).mode & 0o777).toBe(0o600);
    await first.stop();
    expect((await open()).recalled).toEqual(keptOf('light.two'));
  });

  it('leaves the data folder closed to others, beside the settings', async () => {
    const first = await open();
    await first.decide('light.one');
    writeFileSync(path('state.json'), '{}');
    expect([makeFolder(folder), statSync(folder).mode & 0o777]).toEqual([null, 0o700]);
    rmSync(folder, { recursive: true });
    mkdirSync(folder, { mode: 0o755 });
    writeFileSync(path('entity-filter.json.previous'), '{}');
    makeFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('holds what was learned ten seconds later, the newest of it, in one write', async () => {
    const steps: string[] = [];
    const document = await open({ onStep: (step) => void steps.push(step) });
    document.learn('light.one');
    vi.advanceTimersByTime(LEARNED_MS - 1);
    document.learn('light.two');
    // Still the one wait.
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1);
    expect(await document.until(isFact('filters.persisted'))).toEqual({
      type: 'filters.persisted',
      requestId: null,
      failure: null,
    });
    expect([current(), steps.filter((step) => step === 'renamed').length]).toEqual([textOf('light.two'), 1]);
    document.learn('light.two');
    expect(await document.due()).toBeNull();
    expect(steps.filter((step) => step === 'renamed')).toHaveLength(1);
  });

  it('holds what was learned at the end, and a successor reads only after that', async () => {
    const logic = filterDocument({ folder, parse: (json) => shape.parse(json), empty });
    const first = await open({}, logic);
    first.learn('light.one');
    void first.stop();
    expect((await open({}, logic)).recalled).toEqual(keptOf('light.one'));
  });

  it('holds a decision, and not what was learned before it, whichever is written last', async () => {
    const document = await open();
    document.learn('light.one');
    expect(await document.decide('light.one', 'light.two')).toBeNull();
    vi.advanceTimersByTime(LEARNED_MS);
    await document.stop();
    expect(current()).toBe(textOf('light.one', 'light.two'));
  });

  it('writes decisions in the order in which they came', async () => {
    const document = await open();
    const answers = ['a', 'b', 'c', 'd', 'e'].map((name) => document.decide(`light.${name}`));
    expect(await Promise.all(answers)).toEqual([null, null, null, null, null]);
    expect(current()).toBe(textOf('light.e'));
    expect(readFileSync(path('entity-filter.json.previous'), 'utf8')).toBe(textOf('light.d'));
  });
});

describe('a disk that refuses it', () => {
  it('is named in the answer, and the document is as before', async () => {
    const document = await open();
    await document.decide('light.one');
    obstruct();
    expect(await document.decide('light.two')).toMatch(/^E[A-Z_]+$/);
    expect(current()).toBe(textOf('light.one'));
    rmdirSync(path('entity-filter.json.next'));
    expect(await document.decide('light.two')).toBeNull();
    expect(current()).toBe(textOf('light.two'));
  });

  it('gets what was learned again at the end, also where a decision was refused after it', async () => {
    const document = await open();
    document.learn('light.one');
    obstruct();
    expect(await document.due()).toMatch(/^E[A-Z_]+$/);
    expect(await document.decide('light.two')).toMatch(/^E[A-Z_]+$/);
    rmdirSync(path('entity-filter.json.next'));
    await document.stop();
    expect(current()).toBe(textOf('light.one'));
  });

  it('is not given what was learned before a decision that it took', async () => {
    const document = await open();
    document.learn('light.one');
    obstruct();
    expect(await document.due()).toMatch(/^E[A-Z_]+$/);
    rmdirSync(path('entity-filter.json.next'));
    expect(await document.decide('light.two')).toBeNull();
    await document.stop();
    expect(current()).toBe(textOf('light.two'));
  });

  it('that cannot be read at all ends the driver, and nothing is overwritten', async () => {
    mkdirSync(folder);
    // A link to itself: neither a file nor nothing.
    symlinkSync('entity-filter.json', path('entity-filter.json'));
    const document = runDriver<KeepCommand, KeepFact>(
      filterDocument({ folder, parse: (json) => shape.parse(json), empty }),
    );
    document.tell({ type: 'filters.keep', persisted: keptOf('light.one'), requestId: 'a' });
    document.tell({ type: 'filters.keep', persisted: keptOf('light.two'), requestId: null });
    await vi.waitFor(() => expect(document.crashed()).toMatchObject({ code: 'ELOOP' }), { timeout: 5000 });
    await document.settled();
    expect([document.facts, lstatSync(path('entity-filter.json')).isSymbolicLink()]).toEqual([[], true]);
    expect(readdirSync(folder)).toEqual(['entity-filter.json']);
  });
});

describe('a file that is no document', () => {
  it.each([
    ['cut short', textOf('light.two').slice(0, 30)],
    ['empty', ''],
    ['of another shape', '{"version":1}'],
    ['too large', textOf('light.two'.padEnd(2000, 'x'))],
  ])('as it is %s, is set aside; the one before it counts', async (_, text) => {
    mkdirSync(folder);
    writeFileSync(path('entity-filter.json'), text);
    writeFileSync(path('entity-filter.json.previous'), textOf('light.one'));
    const document = await open({ mostBytes: 1000 });
    expect(document.recalled).toEqual(keptOf('light.one'));
    expect(readFileSync(path('entity-filter.json.broken'), 'utf8')).toBe(text);
    expect(await document.decide('light.one')).toBeNull();
    expect(current()).toBe(textOf('light.one'));
  });

  it('like the one before it, is nothing kept', async () => {
    mkdirSync(folder);
    for (const name of ['entity-filter.json', 'entity-filter.json.previous']) writeFileSync(path(name), '{');
    expect((await open()).recalled).toEqual(empty);
  });

  it('is not written either where it would be too large to be read again', async () => {
    const document = await open({ mostBytes: 1000 });
    await document.decide('light.one');
    expect(await document.decide('light.two'.padEnd(2000, 'x'))).toBe('EFBIG');
    expect(current()).toBe(textOf('light.one'));
  });
});

describe('the document of a newer version', () => {
  const newer = JSON.stringify({ ...keptOf('light.two'), version: 2 });

  it('stays as it is, and nothing is written over it', async () => {
    mkdirSync(folder);
    writeFileSync(path('entity-filter.json'), newer);
    const document = await open();
    expect(document.recalled).toEqual(empty);
    expect(await document.decide('light.one')).toBe('newer-format');
    expect(readdirSync(folder)).toEqual(['entity-filter.json']);
    expect(readFileSync(path('entity-filter.json'), 'utf8')).toBe(newer);
  });

  it('is kept beside the copy from before it, which counts', async () => {
    mkdirSync(folder);
    writeFileSync(path('entity-filter.json'), newer);
    writeFileSync(path('entity-filter.json.v1'), textOf('light.one'));
    const document = await open();
    expect(document.recalled).toEqual(keptOf('light.one'));
    expect(await document.decide('light.three')).toBeNull();
    expect(current()).toBe(textOf('light.three'));
    expect(readFileSync(path('entity-filter.json.v2'), 'utf8')).toBe(newer);
  });
});

describe('a process that dies during a write', () => {
  it.each(WRITE_STEPS)('at "%s" leaves a whole document, and none that was acknowledged is lost', async (step) => {
    const left = join(base, 'left');
    let isSecond = false;
    const document = await open({
      onStep: (done) => {
        if (isSecond && done === step) cpSync(folder, left, { recursive: true });
      },
    });
    await document.decide('light.one');
    isSecond = true;
    await document.decide('light.two');
    // From the rename on the new document is there, though the write is not reported yet.
    const isNew = step === 'renamed' || step === 'folder-synced';
    const next = await open({ folder: left });
    expect(next.recalled).toEqual(keptOf(isNew ? 'light.two' : 'light.one'));
    expect(await next.decide('light.three')).toBeNull();
    expect(readFileSync(join(left, 'entity-filter.json'), 'utf8')).toBe(textOf('light.three'));
  });
});
