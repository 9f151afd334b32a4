import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { WRITE_STEPS } from '#drivers/store/adapter.ts';
import { readDocument } from '#drivers/store/document.ts';
import { storedSections, type StoredSectionsOptions } from '#drivers/store/stored-sections.ts';

const devices = { version: 1, devices: [{ panelId: 'hall' }, { panelId: 'old_hall' }] };
const others = {
  identity: { installId: 'a' },
  settings: { revision: 3, values: { friendly_name: 'Hall' } },
  secrets: { mqtt_password: 'p' },
  voices: 'of tomorrow',
};
const history = { version: 1, entries: [{ at: 1 }] };
/** What an earlier version stored: a former name, and a section that has a file by now. */
const earlier = { ...others, ledger: devices, history };
const whole = { ok: true, values: { ...others, announced: devices, history, ledger: null } };

let base = '';
let folder = '';
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'sconce-names-'));
  folder = join(base, 'data');
  mkdirSync(folder, { mode: 0o700 });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const putDocument = (sections: object, name = 'state.json'): void =>
  writeFileSync(join(folder, name), JSON.stringify({ version: 1, later: 'kept', sections }));
const documentIn = (of = folder): unknown => JSON.parse(readFileSync(join(of, 'state.json'), 'utf8'));

async function open(options: Partial<StoredSectionsOptions> = {}, of = folder) {
  const store = storedSections({ folder: of, apart: ['history'], ...options });
  return { store, loaded: await store.load() };
}
const valuesOf = async (of = folder, options: Partial<StoredSectionsOptions> = {}): Promise<unknown> =>
  (await open(options, of)).store.read(Object.keys(whole.values));

describe('a section under a former name', () => {
  it('is read and stored under its present one, with all else as it was', async () => {
    putDocument(earlier);
    expect(await valuesOf()).toEqual(whole);
    expect(documentIn()).toEqual({ version: 1, later: 'kept', sections: { ...others, announced: devices } });
  });

  it('is not looked for again: a second start writes nothing', async () => {
    putDocument(earlier);
    await open();
    const { ino, mtimeMs } = statSync(join(folder, 'state.json'));
    const steps: string[] = [];
    expect(await valuesOf(folder, { onStep: (step) => void steps.push(step) })).toEqual(whole);
    expect(steps).toEqual([]);
    expect(statSync(join(folder, 'state.json'))).toMatchObject({ ino, mtimeMs });
  });

  it('is there after a kill at any step of the first start, and after another kill in the next', async () => {
    putDocument(earlier);
    const copies: string[] = [];
    const startIn = async (of: string, copiesAt: (step: number) => boolean): Promise<number> => {
      let steps = 0;
      await open(
        {
          onStep: () => {
            steps += 1;
            if (!copiesAt(steps)) return;
            const copy = join(base, `copy-${copies.length}`);
            // What the disk holds at this moment is what a killed process leaves.
            cpSync(of, copy, { recursive: true });
            copies.push(copy);
          },
        },
        of,
      );
      return steps;
    };
    const steps = await startIn(folder, () => true);
    // The new file of the history, and the document, which keeps the one from before.
    expect([steps, copies.length]).toEqual([WRITE_STEPS.length - 2 + WRITE_STEPS.length, steps]);
    for (const copy of copies.slice()) {
      // oxlint-disable-next-line no-await-in-loop -- one start after another
      await startIn(copy, (step) => step === 7);
    }
    expect(copies.length).toBeGreaterThan(steps);
    for (const copy of copies) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await valuesOf(copy), copy).toEqual(whole);
      expect(documentIn(copy), copy).toMatchObject({ sections: { announced: devices } });
      expect(documentIn(copy), copy).not.toHaveProperty('sections.ledger');
    }
  });

  it('is found in the copy from before the last save', async () => {
    putDocument(earlier, 'state.json.previous');
    writeFileSync(join(folder, 'state.json'), '{');
    const { store, loaded } = await open();
    expect(loaded).toMatchObject({ from: 'previous', trouble: 'unreadable' });
    expect(await store.read(['announced', 'ledger'])).toMatchObject({ values: { announced: devices, ledger: null } });
    expect(documentIn()).not.toHaveProperty('sections.ledger');
  });

  it('is used all the same where the disk refuses, and stored with the next save', async () => {
    putDocument({ ...others, ledger: devices });
    mkdirSync(join(folder, 'state.json.next', 'x'), { recursive: true });
    const { store } = await open();
    expect(await store.read(['announced'])).toEqual({ ok: true, values: { announced: devices } });
    expect(documentIn()).toHaveProperty('sections.ledger');
    rmSync(join(folder, 'state.json.next'), { recursive: true });
    expect(await store.write({ voices: 1 })).toMatchObject({ outcome: { ok: true } });
    expect(documentIn()).toEqual({ version: 1, later: 'kept', sections: { ...others, voices: 1, announced: devices } });
  });

  it('takes precedence over the present one, since an earlier version was in use since', async () => {
    const newer = { version: 1, devices: [{ panelId: 'newer' }] };
    putDocument({ ...others, ledger: newer, announced: devices });
    expect(await valuesOf()).toMatchObject({ values: { announced: newer, ledger: null } });
    expect(await valuesOf()).toMatchObject({ values: { announced: newer } });
  });

  it('is left in its place by an agent that only looks', async () => {
    putDocument(earlier);
    const before = documentIn();
    expect(await valuesOf(folder, { moves: false })).toEqual(whole);
    expect(documentIn()).toEqual(before);
  });

  it('does not make a document of what is none', () => {
    for (const json of [null, [], { version: 2, sections: {} }, { version: 1, sections: 'ledger' }])
      expect(() => readDocument(json)).toThrow();
    expect(readDocument({ version: 1, sections: { ledger: 1 } })).toEqual({ version: 1, sections: { announced: 1 } });
  });
});
