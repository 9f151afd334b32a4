import { endianness } from 'node:os';

import type { InputKind } from '#machines/input/events.ts';
import type { EpochMs } from '#machines/kit/units.ts';

import { WORD_BITS } from './devices.ts';

/** Size of the kernel's `struct input_event`: two longs of time, type and code of two bytes, a value of four. */
export const EVENT_BYTES = (2 * WORD_BITS) / 8 + 8;

/** Event types and codes of the kernel (linux/input-event-codes.h) that are read. */
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
/** Value of a key event when it goes down; 0 is up, 2 is the keyboard's own repeat. */
const DOWN = 1;

/** One event of a device. */
export interface DeviceEvent {
  readonly type: number;
  readonly code: number;
  readonly value: number;
  /** The kernel's own time of it. */
  readonly at: EpochMs;
}

/** Whether an event is the beginning of a touch or of a press, the only moments that wake. */
export const begins = (kind: InputKind, { type, code, value }: Pick<DeviceEvent, 'type' | 'code' | 'value'>): boolean =>
  (type === CODES.EV_KEY && value === DOWN) ||
  (kind === 'touch' && type === CODES.EV_ABS && code === CODES.ABS_MT_TRACKING_ID && value >= 0);

/** Whether the kernel says that it had to throw events away: what is down must be asked for anew. */
export const isLoss = ({ type, code }: DeviceEvent): boolean => type === CODES.EV_SYN && code === CODES.SYN_DROPPED;

const little = endianness() === 'LE';

/** Hands over what was read from a device, event by event; half an event at the end is left alone. */
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
