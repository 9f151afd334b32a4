import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

import { canType, countLetterKeys, kindOf, parseBits } from '#drivers/input/devices.ts';
import { begins, type DeviceEvent, eachEvent } from '#drivers/input/event-format.ts';
import { findOnScreenKeyboard, isOnScreenKeyboard } from '#drivers/input/on-screen-keyboard.ts';
import { inputNotReadable, listeningVerdict } from '#drivers/input/verdicts.ts';

const bits = (text: string): bigint => parseBits(text, 64) ?? 0n;
const abilities = (ev: string, key = '0', abs = '0', rel = '0') => ({
  ev: bits(ev),
  key: bits(key),
  abs: bits(abs),
  rel: bits(rel),
});

describe('a bitmap of sysfs', () => {
  it('puts words of the process’s width together, the highest first', () => {
    expect(parseBits('1 0', 64)).toBe(1n << 64n);
    expect(parseBits('1 0', 32)).toBe(1n << 32n);
    expect(parseBits('120013\n', 64)).toBe(0x120013n);
  });
  it.each(['', 'hello', '1 '.repeat(65), '11112222333344445'])('refuses %j', (text) =>
    expect(parseBits(text, 64)).toBeNull(),
  );
});

// The bitmaps as kernels print them for such devices.
describe('what a device is', () => {
  it.each<[string, ReturnType<typeof abilities>, string | null]>([
    ['a multi-touch panel (Goodix, ft5x06)', abilities('b', '400 0 0 0 0 0', '260800000000003'), 'touch'],
    ['a resistive panel (ADS7846)', abilities('b', '400 0 0 0 0 0', '1000003'), 'touch'],
    ['a keyboard', abilities('120013', '1000000000007 ff9f207ac14057ff febeffdfffefffff fffffffffffffffe'), 'key'],
    ['the power button', abilities('3', '10000000000000 0'), 'key'],
    ['keys on GPIO lines', abilities('3', '1c0000000000000 0'), 'key'],
    ['a mouse', abilities('17', '1f0000 0 0 0 0', '0', '1943'), 'pointer'],
    ['the lid switch', abilities('21'), null],
    ['the beeper', abilities('40001'), null],
    ['an accelerometer', abilities('9', '0', '7'), null],
  ])('%s', (_, device, kind) => expect(kindOf(device)).toBe(kind));
});

describe('whether people can type on a device', () => {
  const keys = (...codes: readonly number[]) => ({ key: codes.reduce((sum, code) => sum | (1n << BigInt(code)), 0n) });
  it.each<[string, { readonly key: bigint }, boolean]>([
    ['a keyboard', abilities('120013', '1000000000007 ff9f207ac14057ff febeffdfffefffff fffffffffffffffe'), true],
    ['one letter', keys(16), true],
    ['the last letter', keys(50), true],
    ['the power button', abilities('3', '10000000000000 0'), false],
    ['keys on GPIO lines', abilities('3', '1c0000000000000 0'), false],
    ['volume, function keys and arrows', keys(1, 59, 68, 87, 103, 105, 106, 108, 114, 115, 116), false],
    ['what stands around the letters', keys(15, 26, 29, 39, 43, 51), false],
    ['numbered buttons', keys(256, 265, 704, 743), false],
    ['nothing', keys(), false],
  ])('%s', (_, device, types) => expect(canType(device)).toBe(types));

  // Bitmaps of 64-bit kernels.
  it.each<[string, { readonly key: bigint }, number]>([
    ['a PS/2 keyboard', abilities('120013', '402000000 3803078f800d001 feffffdfffefffff fffffffffffffffe'), 26],
    ['a USB keyboard', abilities('120013', '1000000000007 ff9f207ac14057ff febeffdfffefffff fffffffffffffffe'), 26],
    ['the power button', abilities('3', '10000000000000 0'), 0],
    ['keys on GPIO lines', abilities('3', '1c0000000000000 0'), 0],
    [
      'a remote control over HDMI',
      abilities(
        '100013',
        'ffffc000000000 3ff 0 400000320fc200 40830c900000000 0 210300 49d2c040ec00 1e378000000000 8010000010000000',
      ),
      0,
    ],
    ['a box with the letters A to D', keys(30, 48, 46, 32), 4],
    [
      'all letters but one',
      keys(
        ...[...Array(9)].map((_, n) => 16 + n),
        ...[...Array(9)].map((_, n) => 30 + n),
        ...[...Array(7)].map((_, n) => 44 + n),
      ),
      25,
    ],
  ])('counts the letter keys of %s', (_, device, count) => expect(countLetterKeys(device)).toBe(count));
});

describe('an on-screen keyboard', () => {
  it.each(['squeekboard', 'onboard', 'wvkbd-mobintl', 'wvkbd-deskintl', 'maliit-keyboard', 'phosh-osk-stub'])(
    'is %s',
    (name) => expect(isOnScreenKeyboard(name)).toBe(true),
  );
  it.each(['onboarding', 'keyboard', 'chromium', 'labwc', ''])('is not %j', (name) =>
    expect(isOnScreenKeyboard(name)).toBe(false),
  );
  it('is found among the processes of this user alone, and not once it ended', () => {
    const proc = mkdtempSync(join(tmpdir(), 'sconce-proc-'));
    onTestFinished(() => rmSync(proc, { recursive: true }));
    const own = process.getuid?.() ?? -1;
    const run = (id: string, name: string): void => {
      mkdirSync(join(proc, id));
      writeFileSync(join(proc, id, 'comm'), `${name}\n`);
    };
    run('17', 'labwc');
    run('self', 'squeekboard');
    mkdirSync(join(proc, '18'));
    expect(findOnScreenKeyboard(proc, own)).toBe(false);
    run('901', 'squeekboard');
    expect(findOnScreenKeyboard(proc, own)).toBe(true);
    expect(findOnScreenKeyboard(proc, own + 1)).toBe(false);
    rmSync(join(proc, '901'), { recursive: true });
    expect(findOnScreenKeyboard(proc, own)).toBe(false);
    expect(findOnScreenKeyboard(join(proc, 'none'), own)).toBe(false);
  });
});

function event(wordBits: 32 | 64, seconds: number, micros: number, type: number, code: number, value: number): Buffer {
  const long = wordBits / 8;
  const bytes = Buffer.alloc(2 * long + 8);
  if (wordBits === 64) {
    bytes.writeBigInt64LE(BigInt(seconds), 0);
    bytes.writeBigInt64LE(BigInt(micros), 8);
  } else {
    bytes.writeUInt32LE(seconds, 0);
    bytes.writeUInt32LE(micros, 4);
  }
  bytes.writeUInt16LE(type, 2 * long);
  bytes.writeUInt16LE(code, 2 * long + 2);
  bytes.writeInt32LE(value, 2 * long + 4);
  return bytes;
}

/** When the first touch or press in what was read was. */
function firstOf(bytes: Buffer, kind: 'touch' | 'key', wordBits: 32 | 64): number | null {
  const all: DeviceEvent[] = [];
  eachEvent(bytes, bytes.length, (one) => all.push(one), wordBits);
  return all.find((one) => begins(kind, one))?.at ?? null;
}

describe.each([64, 32] as const)('events with %i-bit time', (wordBits) => {
  const at = (type: number, code: number, value: number) => event(wordBits, 1_900_000_000, 123_999, type, code, value);
  const read = (kind: 'touch' | 'key', ...events: readonly Buffer[]) => {
    const all = Buffer.concat(events);
    return firstOf(all, kind, wordBits);
  };
  const moment = 1_900_000_000_123;

  it.each<[string, 'touch' | 'key', Buffer, number | null]>([
    ['a key that goes down', 'key', at(1, 30, 1), moment],
    ['a key that comes up', 'key', at(1, 30, 0), null],
    ['a key that repeats', 'key', at(1, 30, 2), null],
    ['BTN_TOUCH', 'touch', at(1, 0x14a, 1), moment],
    ['a new contact', 'touch', at(3, 0x39, 7), moment],
    ['a contact that ends', 'touch', at(3, 0x39, -1), null],
    ['a contact that moves', 'touch', at(3, 0x35, 100), null],
    ['an axis of something with keys', 'key', at(3, 0x39, 7), null],
  ])('%s', (_, kind, bytes, expected) => expect(read(kind, bytes)).toBe(expected));

  it('finds the first of many, and leaves half an event alone', () => {
    const later = event(wordBits, 1_900_000_001, 0, 1, 30, 1);
    expect(read('key', at(0, 0, 0), later, at(1, 30, 1))).toBe(1_900_000_001_000);
    const half = later.subarray(0, later.length - 1);
    expect(firstOf(half, 'key', wordBits)).toBeNull();
  });
});

describe('what is said', () => {
  it('counts devices in words', () => {
    expect(listeningVerdict({ touch: 1, key: 2, pointer: 0 }).detail).toContain(
      'one touch screen and 2 devices with keys.',
    );
  });

  it('gives the one command for devices that may not be read', () => {
    expect(inputNotReadable('kiosk').fix?.command).toBe('sudo usermod -aG input kiosk');
    expect(inputNotReadable(null).fix?.command).toBe('sudo usermod -aG input "$USER"');
  });
});
