import { closeSync, constants, openSync, readSync } from 'node:fs';

import { errorCode } from '#drivers/kit/error-code.ts';
import type { NativeCalls } from '#drivers/kit/native.ts';
import type { EpochMs } from '#machines/kit/units.ts';

import type { FoundDevice } from './devices.ts';
import { begins, CODES, type DeviceEvent, eachEvent, EVENT_BYTES, isLoss } from './event-format.ts';
import { type Held, heldOn } from './held.ts';

/** An input device that is held open. */
export interface OpenDevice extends FoundDevice {
  /** The file descriptor, on which the device is grabbed (EVIOCGRAB). */
  readonly fd: number;
  /** True if the kernel signals new events; otherwise the device must be polled. */
  readonly signalled: boolean;
  /** What is down on it, according to the events read so far. */
  readonly held: Held;
  /**
   * Reads all pending events. Returns the time of the first touch or press, null for none, `gone` if the device is
   * lost.
   */
  readonly drain: () => EpochMs | null | 'gone';
  readonly close: () => void;
}

/** Called after each key or switch event, with its time. */
export type KeyListener = (held: Held, at: EpochMs) => void;

export type OpenRefusal = 'denied' | 'gone';

/** Events per read; a hand on the screen produces about twenty in 10 ms. */
const EVENTS = 64;
/** Largest number of consecutive reads, so that a faulty device that never stops cannot block the agent. */
const READS = 16;

// The SIGIO handler is never removed: without one SIGIO ends the process, and a signal may be pending when a device
// closes.
const listeners = new Set<() => void>();
let installed = false;

/** Calls `listener` when the kernel signals that some device can be read. Returns a function that stops it. */
export function onInputSignal(listener: () => void): () => void {
  listeners.add(listener);
  if (!installed) {
    installed = true;
    process.on('SIGIO', () => {
      for (const one of listeners) one();
    });
  }
  return () => void listeners.delete(listener);
}

const nothingDown = { keys: [], switches: [] };

/** Opens a device for non-blocking reads: a blocking one would occupy a thread of the process until the next touch. */
export function openDevice(
  path: string,
  device: FoundDevice,
  native: NativeCalls | null,
  onKey: KeyListener = () => {},
): OpenDevice | OpenRefusal {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const code = errorCode(error);
    return code === 'EACCES' || code === 'EPERM' ? 'denied' : 'gone';
  }
  const buffer = Buffer.alloc(EVENTS * EVENT_BYTES);
  const held = heldOn();
  const signalled = native?.signalWhenReadable(fd) === null;
  held.reset(native?.inputState(fd) ?? nothingDown);
  let first: EpochMs | null = null;
  const take = (event: DeviceEvent): void => {
    if (isLoss(event)) {
      held.reset(native?.inputState(fd) ?? nothingDown);
      onKey(held, event.at);
      return;
    }
    held.take(event);
    if (device.kind !== null && first === null && begins(device.kind, event)) first = event.at;
    if (event.type === CODES.EV_KEY || event.type === CODES.EV_SW) onKey(held, event.at);
  };
  return {
    ...device,
    fd,
    signalled,
    held,
    drain: () => {
      first = null;
      try {
        for (let reads = 0; reads < READS; reads += 1) {
          const length = readSync(fd, buffer, 0, buffer.length, null);
          eachEvent(buffer, length, take);
          if (length < buffer.length) break;
        }
      } catch (error) {
        const code = errorCode(error);
        if (code !== 'EAGAIN' && code !== 'EINTR') return 'gone';
      }
      return first;
    },
    close: () => closeSync(fd),
  };
}
