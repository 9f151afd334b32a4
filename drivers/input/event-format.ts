import { endianness } from 'node:os';

import type { InputKind } from '#machines/input/events.ts';
import type { EpochMs } from '#machines/kit/units.ts';

import { WORD_BITS } from './devices.ts';

/** Size of the kernel's `struct input_event`: two longs of time, type and code of two bytes, a value of four. */
export const EVENT_BYTES = (2 * WORD_BITS) / 8 + 8;

const EV_KEY = 0x01;
const EV_ABS = 0x03;
const ABS_MT_TRACKING_ID = 0x39;
/** Value of a key event when it goes down; 0 is up, 2 is the keyboard's own repeat. */
const DOWN = 1;

/** Whether an event is the beginning of a touch or of a press: the only moments that matter here. */
export const begins = (kind: InputKind, type: number, code: number, value: number): boolean =>
  (type === EV_KEY && value === DOWN) || (kind === 'touch' && type === EV_ABS && code === ABS_MT_TRACKING_ID && value >= 0);

/** The time of the first touch or press in what was read from a device, whole events only; null when there is none. */
export const firstTouch = (bytes: Buffer, length: number, kind: InputKind, wordBits: 32 | 64 = WORD_BITS): EpochMs | null => {
  const little = endianness() === 'LE';
  const size = (2 * wordBits) / 8 + 8;
  const long = (at: number): number => {
    if (wordBits === 32) return little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
    return Number(little ? bytes.readBigInt64LE(at) : bytes.readBigInt64BE(at));
  };
  const short = (at: number): number => (little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  for (let at = 0; at + size <= length; at += size) {
    const rest = at + (2 * wordBits) / 8;
    const value = little ? bytes.readInt32LE(rest + 4) : bytes.readInt32BE(rest + 4);
    if (begins(kind, short(rest), short(rest + 2), value)) return Math.floor(long(at) * 1000 + long(at + wordBits / 8) / 1000);
  }
  return null;
};
