import type { Milliseconds } from '#machines/kit/units.ts';
import type { Verdict } from '#machines/kit/verdict.ts';

import { errorCode } from './error-code.ts';
import type { DriverScope } from './from-driver.ts';
import { type After, byTimer, rounds } from './rounds.ts';

/**
 * Pause between two probes for a missing device: with a loss noticed as fast, it is back within 5 s of being plugged
 * in.
 */
const PROBE_MS: Milliseconds = 2000;
/** Pause between two reads of a present device, which notice a loss or a change made elsewhere. */
export const POLL_MS: Milliseconds = 2000;

/** An open device; it can be pulled out at any moment. */
export interface AttachedDevice {
  /** Failures are ignored, since the device may be gone. */
  readonly close: () => void | Promise<void>;
}

/** Result of a probe: the open device, or why there is none. */
export type Probe<D> =
  | { readonly device: D; readonly verdict: Verdict }
  | { readonly device: null; readonly verdict: Verdict };

/** How a device is found and used; never two steps at once. */
export interface AttachedPlan<D extends AttachedDevice> {
  /** Opens the device, or says why it cannot; null if that is not known yet, which is not reported. Never rejects. */
  readonly probe: () => Probe<D> | null | Promise<Probe<D> | null>;
  /** Called with each device found, and with the verdict of a failed probe if it changed. */
  readonly report: (probe: Probe<D>) => void;
  /**
   * One step: writes what is due, else reads the device. Returns how long the next one may wait. Throws or rejects if
   * the device no longer answers; it then counts as lost and is probed for again.
   */
  readonly step: (device: D) => Milliseconds | Promise<Milliseconds>;
  /** Called with the error of a failed step, before the device is closed. */
  readonly lost?: (error: unknown) => void;
  /**
   * Calls back when the system reports a change, so that the next step or probe runs at once, until the returned
   * function is called.
   */
  readonly watch?: (now: () => void) => () => void;
  /** Pause between two failed probes; 2 s by default. */
  readonly probeMs?: Milliseconds;
  /** Pause from a loss to the next probe; none by default, so that the reason is known at once. */
  readonly lossMs?: Milliseconds;
  /** Timers to use; the process's own by default. */
  readonly after?: After;
}

export interface Attached<D extends AttachedDevice> {
  /**
   * Takes the next step (or probe) now, or right after the one under way. A device that was lost right after it was
   * found is not probed for before its pause is over.
   */
  readonly now: () => void;
  /** Takes the next step (or probe) after `ms` instead of when it was due. */
  readonly nextIn: (ms: Milliseconds) => void;
  /** Waits for the step under way, runs `last` with the device if there is one, and closes it. */
  readonly stop: (last?: (device: D) => Promise<void>) => Promise<void>;
}

/** Errors that mean the device itself is gone. */
const GONE = new Set(['ENOENT', 'ENODEV', 'ENXIO', 'ENOTDIR']);

/** True if the error means that the device is gone. */
export const isGone = (error: unknown): boolean => GONE.has(errorCode(error));

/** The error of a device that is gone. */
export const gone = (): Error => Object.assign(new Error('the device is gone'), { code: 'ENODEV' });

async function closeQuietly(device: AttachedDevice): Promise<void> {
  try {
    await device.close();
  } catch {
    // It may be gone already.
  }
}

/**
 * Follows a device that may come and go: probes for it, steps, and probes again when it is lost. It polls, since sysfs
 * reports no changes.
 */
export function attach<D extends AttachedDevice>(
  scope: Pick<DriverScope<never, unknown, never>, 'guard' | 'signal'>,
  { probe, report, step, lost, watch, probeMs = PROBE_MS, lossMs = 0, after = byTimer }: AttachedPlan<D>,
): Attached<D> {
  const { signal } = scope;
  let device: D | null = null;
  let reported = '';
  let foundAt = 0;
  /** Cancels the pause after a quick loss; null while there is none. */
  let cancelRest: (() => void) | null = null;

  const endRest = (): void => {
    cancelRest?.();
    cancelRest = null;
  };
  const lose = async (open: D, error: unknown): Promise<Milliseconds> => {
    if (device === open) device = null;
    lost?.(error);
    // A device that fails right after it was found is not probed for without a pause, even on request: each find may
    // lead to a command, and each command requests a step.
    const isQuick = performance.now() - foundAt < probeMs;
    const pauseMs = isQuick ? Math.max(lossMs, probeMs) : lossMs;
    if (isQuick && !signal.aborted) cancelRest = after(pauseMs, rested);
    await closeQuietly(open);
    return pauseMs;
  };
  const stepOnce = (open: D): Milliseconds | Promise<Milliseconds> => {
    try {
      const pause = step(open);
      return typeof pause === 'number' ? pause : pause.catch((error: unknown) => lose(open, error));
    } catch (error) {
      return lose(open, error);
    }
  };
  const probed = (found: Probe<D> | null): Milliseconds | Promise<Milliseconds> => {
    if (found === null) return probeMs;
    if (found.device === null) {
      const state = JSON.stringify(found.verdict);
      if (state !== reported) report(found);
      reported = state;
      return probeMs;
    }
    if (signal.aborted) return closeQuietly(found.device).then(() => probeMs);
    ({ device } = found);
    reported = '';
    foundAt = performance.now();
    report(found);
    return stepOnce(found.device);
  };
  const turns = rounds(
    scope,
    () => {
      if (device !== null) return stepOnce(device);
      // The end of the pause begins the probe.
      if (cancelRest !== null) return probeMs;
      const found = probe();
      return found instanceof Promise ? found.then(probed) : probed(found);
    },
    after,
  );
  const rested = (): void => {
    endRest();
    turns.now();
  };
  // A change reported by the system ends the pause: it is not the result of a find.
  const unwatch = watch?.(rested) ?? (() => {});
  turns.now();
  return {
    now: turns.now,
    nextIn: turns.nextIn,
    stop: async (last) => {
      unwatch();
      await turns.stop();
      endRest();
      const open = device;
      device = null;
      if (open === null) return;
      await last?.(open).catch(() => {});
      await closeQuietly(open);
    },
  };
}
