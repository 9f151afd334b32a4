import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { InputKind } from '#machines/input/events.ts';

/** Event types and codes (linux/input-event-codes.h) that tell what a device is. */
const EV = { KEY: 0x01, REL: 0x02, ABS: 0x03 } as const;
const BTN_LEFT = 0x110;
const BTN_TOUCH = 0x14a;
const ABS_X = 0x00;
const ABS_MT_POSITION_X = 0x35;
/** Codes of keyboard keys and of keys added later; between them lie the buttons of mice, gamepads and pens. */
const KEYS = { first: 0x01, last: 0xff, laterFirst: 0x160, laterLast: 0x2ff } as const;

/** A bitmap of sysfs; its lowest bit is bit 0. */
export type Bits = bigint;

/**
 * Parses a bitmap as sysfs prints it: hexadecimal words, highest first, without leading zeros. A word is as wide as the
 * reading process's `long`: the kernel prints 32-bit words for a 32-bit process. Null if the text is something else.
 */
export function parseBits(text: string, wordBits: 32 | 64): Bits | null {
  const words = text.trim().split(/\s+/);
  if (words.length > 64 || words.some((word) => !/^[\da-f]{1,16}$/i.test(word))) return null;
  return words.reduce((sum, word) => (sum << BigInt(wordBits)) | BigInt(`0x${word}`), 0n);
}

export const hasBit = (bits: Bits, bit: number): boolean => ((bits >> BigInt(bit)) & 1n) === 1n;
const hasAny = (bits: Bits, first: number, last: number): boolean =>
  ((bits >> BigInt(first)) & ((1n << BigInt(last - first + 1)) - 1n)) !== 0n;

export interface Abilities {
  readonly ev: Bits;
  readonly key: Bits;
  readonly abs: Bits;
  readonly rel: Bits;
  readonly sw: Bits;
}

/** Classifies a device by its abilities, never by its name; null if it cannot be touched or pressed. */
export function kindOf({ ev, key, abs, rel }: Omit<Abilities, 'sw'>): InputKind | null {
  const positions =
    hasBit(ev, EV.ABS) &&
    (hasBit(abs, ABS_MT_POSITION_X) || (hasBit(abs, ABS_X) && hasBit(ev, EV.KEY) && hasBit(key, BTN_TOUCH)));
  if (positions) return 'touch';
  if (!hasBit(ev, EV.KEY)) return null;
  if (hasAny(key, KEYS.first, KEYS.last) || hasAny(key, KEYS.laterFirst, KEYS.laterLast)) return 'key';
  return hasBit(ev, EV.REL) && hasAny(rel, 0, 1) && hasBit(key, BTN_LEFT) ? 'pointer' : null;
}

/** Rows of letters on a keyboard, first and last code of each (linux/input-event-codes.h): Q to P, A to L, Z to M. */
const LETTERS = [
  [16, 25],
  [30, 38],
  [44, 50],
] as const;

/**
 * True if people can type on a device, that is, it has a letter key. Its use lights the screen, but its keys are never
 * reported by name.
 */
export const canType = ({ key }: Pick<Abilities, 'key'>): boolean =>
  LETTERS.some(([first, last]) => hasAny(key, first, last));

/** Number of letter keys, 0 to 26. */
export function countLetterKeys({ key }: Pick<Abilities, 'key'>): number {
  let count = 0;
  for (const [first, last] of LETTERS)
    for (let code = first; code <= last; code += 1) if (hasBit(key, code)) count += 1;
  return count;
}

/** Width of `long` in this process, in bits. */
export const WORD_BITS: 32 | 64 = ['arm', 'ia32', 'mips', 'mipsel', 'ppc', 's390'].includes(process.arch) ? 32 : 64;

/** A device that people touch or press, or whose buttons a profile may name. */
export interface FoundDevice {
  /** `event3`. */
  readonly name: string;
  /** The device's own name, as the kernel reports it. */
  readonly label: string;
  /** Null if it cannot be touched or pressed. */
  readonly kind: InputKind | null;
  readonly abilities: Abilities;
}

/** Largest number of devices that are scanned; a machine has about ten. */
const DEVICE_LIMIT = 64;

/** Characters of a device's name that are kept. */
const LABEL_LENGTH = 128;

async function abilitiesOf(folder: string): Promise<Abilities | null> {
  const read = async (file: string): Promise<Bits | null> =>
    parseBits(await readFile(join(folder, 'device/capabilities', file), 'utf8').catch(() => ''), WORD_BITS);
  const [ev, key, abs, rel, sw] = await Promise.all([read('ev'), read('key'), read('abs'), read('rel'), read('sw')]);
  return ev === null ? null : { ev, key: key ?? 0n, abs: abs ?? 0n, rel: rel ?? 0n, sw: sw ?? 0n };
}

/** Names of the event devices in sysfs (`event3`). */
export const listEvents = async (root: string): Promise<readonly string[]> =>
  (await readdir(root).catch((): string[] => [])).filter((name) => /^event\d{1,4}$/.test(name)).slice(0, DEVICE_LIMIT);

/** Reads what an event device is; null if it has gone. */
export async function scanDevice(root: string, name: string): Promise<FoundDevice | null> {
  const abilities = await abilitiesOf(join(root, name));
  if (abilities === null) return null;
  const label = await readFile(join(root, name, 'device/name'), 'utf8').catch(() => '');
  return { name, label: label.trim().slice(0, LABEL_LENGTH), kind: kindOf(abilities), abilities };
}
