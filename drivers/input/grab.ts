import type { NativeCalls } from '#drivers/kit/native.ts';
import type { Grab } from '#machines/input/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

/** Longest that a finger which never leaves the screen keeps the device grabbed after the screen is lit. */
export const STUCK_MS: Milliseconds = 10_000;

/**
 * Decides what to do with one device. It is grabbed only while nothing touches it: a program that saw a touch begin
 * must see it end. It is released after the touch that woke the screen has ended, so that no program receives an end
 * without its beginning.
 */
export function nextGrab(now: {
  readonly wanted: boolean;
  readonly holds: boolean;
  readonly held: boolean;
  readonly unwantedForMs: Milliseconds;
}): 'take' | 'free' | null {
  if (now.wanted) return now.holds || now.held ? null : 'take';
  return now.holds && (!now.held || now.unwantedForMs >= STUCK_MS) ? 'free' : null;
}

/** A device that can be grabbed (EVIOCGRAB), so that no other program receives its events. */
export interface GrabbableDevice {
  readonly fd: number;
  readonly held: () => boolean;
}

export interface DeviceGrab {
  readonly holds: () => boolean;
  readonly refused: () => Grab['refused'];
  /**
   * Grabs or releases the device according to `wanted`, once its fingers allow it; `drain` reads and reports pending
   * events. If the device vanishes while grabbed, the kernel releases it.
   */
  readonly adjust: (wanted: boolean, drain: () => void) => void;
}

/** Manages the grab of `device`; `native` is null if this machine has no native calls. */
export function grabOn(
  device: GrabbableDevice,
  native: NativeCalls | null,
  now: () => Milliseconds = () => performance.now(),
): DeviceGrab {
  let holds = false;
  let refused: Grab['refused'] = null;
  let unwantedSince: Milliseconds | null = null;
  const free = (): void => {
    native?.grabInput(device.fd, false);
    holds = false;
  };
  const take = (drain: () => void): void => {
    const failure = native === null ? 'unsupported' : native.grabInput(device.fd, true);
    refused =
      failure === null ? null : failure === 'EBUSY' ? 'busy' : failure === 'unsupported' ? 'unsupported' : 'failed';
    if (failure !== null) return;
    holds = true;
    drain();
    // A touch that began just now may have reached other programs, which must see its end: leave it to them.
    if (device.held()) free();
  };
  return {
    holds: () => holds,
    refused: () => refused,
    adjust: (wanted, drain) => {
      unwantedSince = wanted ? null : (unwantedSince ?? now());
      const unwantedForMs = unwantedSince === null ? 0 : now() - unwantedSince;
      const step = nextGrab({ wanted, holds, held: device.held(), unwantedForMs });
      if (step === 'take') take(drain);
      if (step === 'free') free();
    },
  };
}
