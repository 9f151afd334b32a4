import { closeSync, constants, openSync, readSync } from 'node:fs';

import { errorCode } from '#drivers/kit/error-code.ts';
import type { NativeCalls } from '#drivers/kit/native.ts';
import type { EpochMs } from '#machines/kit/units.ts';

import type { FoundDevice } from './devices.ts';
import { begins, CODES, type DeviceEvent, eachEvent, EVENT_BYTES, isLoss } from './event-format.ts';
import { type Held, heldOn } from './held.ts';

/** One input device held open. */
export interface OpenDevice extends FoundDevice {
  /** The file descriptor; whoever takes the device for itself (EVIOCGRAB) does it on this one. */
  readonly fd: number;
  /** Whether the kernel signals new events; without it the device must be read in turns. */
  readonly signalled: boolean;
  /** What is down on it, as far as it was read. */
  readonly held: Held;
  /**
   * Reads what has come, to the end: when the first touch or press among it was, null for none, `gone` when the device
   * is.
   */
  readonly drain: () => EpochMs | null | 'gone';
  readonly close: () => void;
}

/** Called after each key and switch of a device, with the time of it. */
export type KeyListener = (held: Held, at: EpochMs) => void;

/** Why a device cannot be opened. */
export type OpenRefusal = 'denied' | 'gone';

/** Events taken in one read; a hand on the screen makes about twenty in 10 ms. */
const EVENTS = 64;
/** Most reads in one go, so that a broken device which never stops talking cannot hold the agent up. */
const READS = 16;

// Never taken off again: SIGIO without a listener ends the process, and a signal may still be on its way when a device
// is closed.
const listeners = new Set<() => void>();
let installed = false;

/** Calls back when the kernel says that some device has something to read; returns how to stop that. */
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

/**
 * Opens a device for reading without ever waiting for it: a read that waits would hold a thread of the process until
 * somebody touches.
 */
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
