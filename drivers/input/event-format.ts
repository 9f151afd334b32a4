import { endianness } from 'node:os';

import type { InputKind } from '#machines/input/events.ts';
import type { EpochMs } from '#machines/kit/units.ts';

import { WORD_BITS } from './devices.ts';

/** Size of the kernel's `struct input_event`: two longs of time, two bytes each of type and code, four of value. */
export const EVENT_BYTES = (2 * WORD_BITS) / 8 + 8;

/** The event types and codes that are read (linux/input-event-codes.h). */
export const CODES = {
  EV_SYN: 0x00,
  EV_KEY: 0x01,
  EV_ABS: 0x03,
  EV_SW: 0x05,
  SYN_DROPPED: 3,
  BTN_TOUCH: 0x14a,
  ABS_MT_SLOT: 0x2f,
  ABS_MT_TRACKING_ID: 0x39,
} as const;
/** Value of a key event when the key goes down; 0 is up, 2 is autorepeat. */
const DOWN = 1;

export interface DeviceEvent {
  readonly type: number;
  readonly code: number;
  readonly value: number;
  /** The kernel's timestamp. */
  readonly at: EpochMs;
}

/** True if an event begins a touch or a press; only these wake the screen. */
export const begins = (kind: InputKind, { type, code, value }: Pick<DeviceEvent, 'type' | 'code' | 'value'>): boolean =>
  (type === CODES.EV_KEY && value === DOWN) ||
  (kind === 'touch' && type === CODES.EV_ABS && code === CODES.ABS_MT_TRACKING_ID && value >= 0);

/** True if the kernel has dropped events, after which its key state must be read again. */
export const isLoss = ({ type, code }: DeviceEvent): boolean => type === CODES.EV_SYN && code === CODES.SYN_DROPPED;

const little = endianness() === 'LE';

/** Calls `take` for each event in the buffer; a partial event at the end is ignored. */
export function eachEvent(
  bytes: Buffer,
  length: number,
  take: (event: DeviceEvent) => void,
  wordBits: 32 | 64 = WORD_BITS,
): void {
  const size = (2 * wordBits) / 8 + 8;
  const long = (at: number): number => {
    if (wordBits === 32) return little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
    return Number(little ? bytes.readBigInt64LE(at) : bytes.readBigInt64BE(at));
  };
  const short = (at: number): number => (little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  for (let at = 0; at + size <= length; at += size) {
    const rest = at + (2 * wordBits) / 8;
    take({
      type: short(rest),
      code: short(rest + 2),
      value: little ? bytes.readInt32LE(rest + 4) : bytes.readInt32BE(rest + 4),
      at: Math.floor(long(at) * 1000 + long(at + wordBits / 8) / 1000),
    });
  }
}
