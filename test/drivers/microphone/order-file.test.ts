import { chmodSync, existsSync, mkdtempSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { isOrderLeft, leaveOrder, orderFile } from '#drivers/microphone/order-file.ts';

const installId = 'a'.repeat(32);
const order = { do: 'allow', installId } as const;

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sconce-order-'));
  file = join(folder, 'microphone.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('an order of a person on this machine', () => {
  it('is left for its owner alone, read, and removed', async () => {
    const orders = orderFile(folder);
    expect([await orders.read(), await isOrderLeft(folder)]).toEqual([null, false]);
    expect(await leaveOrder(folder, { do: 'forget', installId })).toBeNull();
    expect(await leaveOrder(folder, order)).toBeNull();
    expect([statSync(file).mode & 0o777, await isOrderLeft(folder)]).toEqual([0o600, true]);
    expect(await orders.read()).toEqual(order);
    expect(await orders.remove()).toBeNull();
    expect([existsSync(file), await isOrderLeft(folder), await orders.remove()]).toEqual([false, false, null]);
  });

  it.each<[string, () => void]>([
    ['no JSON', () => writeFileSync(file, 'allow')],
    ['another task', () => writeFileSync(file, JSON.stringify({ do: 'listen', installId }))],
    ['no install id', () => writeFileSync(file, JSON.stringify({ do: 'allow' }))],
    ['an inherited name', () => writeFileSync(file, '{"__proto__":{"do":"allow"}}')],
    ['far too long', () => writeFileSync(file, JSON.stringify({ ...order, more: 'x'.repeat(300) }))],
    ['a folder', () => mkdirSync(file)],
    [
      'a link',
      () => {
        writeFileSync(join(folder, 'other'), JSON.stringify(order));
        symlinkSync(join(folder, 'other'), file);
      },
    ],
    [
      'a file that others can write',
      () => {
        writeFileSync(file, JSON.stringify(order));
        chmodSync(file, 0o666);
      },
    ],
  ])('is none: %s', async (_, make) => {
    make();
    const orders = orderFile(folder);
    expect(await orders.read()).toBe('invalid');
    expect(await orders.remove()).toBeNull();
    expect(existsSync(file)).toBe(false);
  });

  it('says why the disk refused it, and leaves nothing', async () => {
    expect(await leaveOrder(join(folder, 'missing'), order)).toBe('ENOENT');
    mkdirSync(file);
    writeFileSync(join(file, 'x'), '');
    expect(await leaveOrder(folder, order)).toMatch(/^E(ISDIR|EXIST|NOTEMPTY)$/);
    expect(existsSync(`${file}.next`)).toBe(false);
  });
});
