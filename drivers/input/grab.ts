import type { NativeCalls } from '#drivers/kit/native.ts';
import type { Grab } from '#machines/input/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

/**
 * Longest that a finger which never leaves the screen keeps a device for Sconce after the screen is lit, in
 * milliseconds.
 */
export const STUCK_MS: Milliseconds = 10_000;

/**
 * What to do with one device. It is taken only while nothing is on it: whoever saw a touch begin must see it end. It is
 * given back when the touch that woke the screen has ended, so that its end reaches nobody who did not see it begin.
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

/** One device that can be grabbed: kept from everybody else (EVIOCGRAB). */
export interface GrabbableDevice {
  readonly fd: number;
  readonly held: () => boolean;
}

/** The grab of one device. */
export interface DeviceGrab {
  readonly holds: () => boolean;
  readonly refused: () => Grab['refused'];
  /**
   * Takes or gives back the device as `wanted` says and its fingers allow; `drain` reads what has come and reports it.
   * Losing the device while it is held needs nothing: the kernel frees it.
   */
  readonly adjust: (wanted: boolean, drain: () => void) => void;
}

/** The grab of `device`; null calls are a machine that has none. */
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
    // A touch that began in this very moment may have reached others, who would never see it end: it is theirs.
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
