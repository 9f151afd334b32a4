import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { finishReset } from '#bin/reset-at-start.ts';
import { modeFile, type ModeStep, readMode, relax } from '#drivers/approvals/mode-file.ts';
import { DurableFile } from '#drivers/store/adapter.ts';
import { readDocument } from '#drivers/store/document.ts';
import { makeFolder } from '#drivers/store/folder.ts';
import type { ModeCommand, ModeFact } from '#machines/approvals/events.ts';
import { asUser } from '../as-user.ts';
import { isFact, runDriver } from '../run-driver.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sconce-mode-'));
  path = join(folder, 'hardened');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const relaxed = { type: 'mode.read', mode: 'relaxed', unreadable: false } as const;
const hardened = { type: 'mode.read', mode: 'hardened', unreadable: false } as const;
const unreadable = { type: 'mode.read', mode: 'hardened', unreadable: true } as const;

/** The driver once it has reported the mode that it found. */
async function started(steps: ModeStep[] = []) {
  const driver = runDriver<ModeCommand, ModeFact>(modeFile({ folder, onStep: (step) => steps.push(step) }));
  onTestFinished(driver.stop);
  await driver.until(isFact('mode.read'));
  return driver;
}

describe('the mode at a start', () => {
  it.each<[string, () => void, ModeFact]>([
    ['a new folder is Relaxed', () => {}, relaxed],
    ['the folder of an earlier version is Relaxed', () => writeFileSync(join(folder, 'state.json'), '{}'), relaxed],
    ['a write that was cut off is Relaxed', () => writeFileSync(`${path}.next`, ''), relaxed],
    ['a file is Hardened', () => writeFileSync(path, 'x'), hardened],
    ['an empty file is Hardened', () => writeFileSync(path, ''), hardened],
    ['a folder of that name is Hardened', () => mkdirSync(path), unreadable],
    ['a link that leads nowhere is Hardened', () => symlinkSync('nowhere', path), unreadable],
    ['a link to itself is Hardened', () => symlinkSync('hardened', path), unreadable],
    ['a pipe is Hardened', () => execFileSync('mkfifo', [path]), unreadable],
    ['a data folder that is gone is Hardened', () => rmSync(folder, { recursive: true }), unreadable],
  ])('%s', async (_, make, fact) => {
    make();
    expect((await started()).facts).toEqual([fact]);
  });

  it('is Hardened where this user may not look', async () => {
    chmodSync(folder, 0o000);
    const module = fileURLToPath(new URL('../../../drivers/approvals/mode-file.ts', import.meta.url));
    expect(await asUser(module, 'readMode', folder)).toEqual({ mode: 'hardened', unreadable: true });
    chmodSync(folder, 0o700);
  });

  it('is Hardened where a file stands in place of the folder', async () => {
    writeFileSync(join(folder, 'file'), '');
    expect(await readMode(join(folder, 'file'))).toEqual({ mode: 'hardened', unreadable: true });
  });
});

describe('a switch', () => {
  it('makes the file durable, closed to others and plain to read, and takes it away as durably', async () => {
    const steps: ModeStep[] = [];
    const driver = await started(steps);
    driver.tell({ type: 'mode.write', mode: 'hardened' });
    await driver.until(isFact('mode.read'), 1);
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8')).toMatch(/^[A-Z][^\n]+Hardened mode[^\n]+\n$/);
    expect(steps).toEqual(['opened', 'written', 'synced', 'renamed', 'folder-synced']);
    driver.tell({ type: 'mode.write', mode: 'relaxed' });
    await driver.until(isFact('mode.read'), 2);
    expect(steps.slice(5)).toEqual(['removed', 'removal-synced']);
    expect(readdirSync(folder)).toEqual([]);
    expect(driver.facts).toEqual([relaxed, hardened, relaxed]);
  });

  it('to the mode that it has changes nothing', async () => {
    const driver = await started();
    driver.tell({ type: 'mode.write', mode: 'relaxed' });
    driver.tell({ type: 'mode.write', mode: 'hardened' });
    driver.tell({ type: 'mode.write', mode: 'hardened' });
    await driver.until(isFact('mode.read'), 3);
    expect(driver.facts).toEqual([relaxed, relaxed, hardened, hardened]);
  });

  it.each<[string, 'hardened' | 'relaxed', () => void, RegExp, ModeFact]>([
    // Neither a file can replace a folder, nor does a plain removal take one away.
    ['into Hardened mode', 'hardened', () => mkdirSync(`${path}.next`), /^ERR_FS_EISDIR$/, relaxed],
    ['out of it', 'relaxed', () => mkdirSync(path), /^ERR_FS_EISDIR$/, unreadable],
  ])('%s that the disk refuses is reported by its code, then the mode as it is', async (_, mode, make, code, then) => {
    make();
    const driver = await started();
    driver.tell({ type: 'mode.write', mode });
    await driver.until(isFact('mode.read'), 1);
    expect(driver.facts.slice(1)).toEqual([{ type: 'mode.refused', code: expect.stringMatching(code) }, then]);
    expect(driver.crashed()).toBeUndefined();
  });

  it('into a folder that is gone is refused, and stays Hardened', async () => {
    const driver = await started();
    rmSync(folder, { recursive: true });
    driver.tell({ type: 'mode.write', mode: 'relaxed' });
    await driver.until(isFact('mode.read'), 1);
    expect(driver.facts.slice(1)).toEqual([{ type: 'mode.refused', code: 'ENOENT' }, unreadable]);
  });

  it('out of Hardened mode works without an agent, too', async () => {
    writeFileSync(path, '');
    expect(await relax({ folder })).toBeNull();
    expect(await readMode(folder)).toEqual({ mode: 'relaxed', unreadable: false });
    expect(await relax({ folder })).toBeNull();
  });
});

describe('Hardened mode outlives', () => {
  it.each(['connection', 'settings', 'everything'])('a reset of %s', async (scope) => {
    const order = { version: 1, state: 'ordered', scope, by: 'http', at: 9, left_behind: 0 };
    writeFileSync(join(folder, 'state.json'), JSON.stringify({ version: 1, sections: { reset: order } }));
    writeFileSync(path, 'kept');
    expect(await finishReset(folder)).toEqual({ scope, failure: null });
    expect(readFileSync(path, 'utf8')).toBe('kept');
  });

  it('a store whose files are all gone', async () => {
    writeFileSync(path, '');
    const file = new DurableFile({ folder, parse: readDocument });
    await file.write({ version: 1, sections: {} });
    await file.forgetBroken();
    expect(existsSync(path)).toBe(true);
  });

  it('as a file of Sconce, so that its folder is still closed to others', () => {
    writeFileSync(path, '');
    writeFileSync(`${path}.next`, '');
    chmodSync(folder, 0o755);
    expect(makeFolder(folder)).toBeNull();
    expect(lstatSync(folder).mode & 0o777).toBe(0o700);
  });
});
