import type { Milliseconds } from '#machines/kit/units.ts';
import type { Verdict } from '#machines/kit/verdict.ts';

import { errorCode } from './error-code.ts';
import type { DriverScope } from './from-driver.ts';
import { type After, byTimer, rounds } from './rounds.ts';

/**
 * How often a device that is not there is probed for: with a loss noticed as fast, it is back within five seconds of
 * its plug.
 */
const PROBE_MS: Milliseconds = 2000;
/** How often a device that is there is read, so that a loss or a change made elsewhere is seen. */
export const POLL_MS: Milliseconds = 2000;

/** A device that is open; it can be pulled out at any moment. */
export interface AttachedDevice {
  /** Lets go of it; a failure in it is of no interest, since the device may be gone. */
  readonly close: () => void | Promise<void>;
}

/** What a probe came to: the open device, or why there is none. */
export type Probe<D> =
  | { readonly device: D; readonly verdict: Verdict }
  | { readonly device: null; readonly verdict: Verdict };

/** How a device is found and worked with; one step at a time, never two at once. */
export interface AttachedPlan<D extends AttachedDevice> {
  /** Opens the device, or says why it cannot; null is no answer yet, and nothing is reported of it. Never rejects. */
  readonly probe: () => Probe<D> | null | Promise<Probe<D> | null>;
  /** Called with each device that was found, and with the verdict of each probe in vain that says something new. */
  readonly report: (probe: Probe<D>) => void;
  /**
   * One step: what is due is written, else the device is read. Answers how long the next one may wait. Throws or
   * rejects when the device no longer answers; it is then lost, and probed for anew.
   */
  readonly step: (device: D) => Milliseconds | Promise<Milliseconds>;
  /** Called with why a step failed, before the device is closed. */
  readonly lost?: (error: unknown) => void;
  /**
   * Calls back when the system says that something changed, so that another step or probe is due before its time, until
   * the returned function is called.
   */
  readonly watch?: (now: () => void) => () => void;
  /** Pause between two probes in vain; two seconds when absent. */
  readonly probeMs?: Milliseconds;
  /** Pause from a loss to the next probe; none when absent, so that the reason is known at once. */
  readonly lossMs?: Milliseconds;
  /** Where the time comes from; the process's own timers when absent. */
  readonly after?: After;
}

/** A device being followed. */
export interface Attached<D extends AttachedDevice> {
  /**
   * Takes the next step (or probe) now, or right after the one under way. A device that was lost a moment after it was
   * found is not probed for before its pause is over.
   */
  readonly now: () => void;
  /** Takes the next step (or probe) after so many milliseconds instead of when it was due. */
  readonly nextIn: (ms: Milliseconds) => void;
  /** Ends: waits for the step under way, does `last` with a device that is there, and lets go of it. */
  readonly stop: (last?: (device: D) => Promise<void>) => Promise<void>;
}

/** Errors that mean the device itself is gone. */
const GONE = new Set(['ENOENT', 'ENODEV', 'ENXIO', 'ENOTDIR']);

/** Whether the error says that the device is gone. */
export const isGone = (error: unknown): boolean => GONE.has(errorCode(error));

/** The error by which a device says that it is gone. */
export const gone = (): Error => Object.assign(new Error('the device is gone'), { code: 'ENODEV' });

async function closeQuietly(device: AttachedDevice): Promise<void> {
  try {
    await device.close();
  } catch {
    // It may be gone already.
  }
}

/**
 * Follows a device that may come and go: probes for it, steps, and probes again when it is lost. sysfs tells nobody of
 * a change, so this polls.
 */
export function attach<D extends AttachedDevice>(
  scope: Pick<DriverScope<never, unknown, never>, 'guard' | 'signal'>,
  { probe, report, step, lost, watch, probeMs = PROBE_MS, lossMs = 0, after = byTimer }: AttachedPlan<D>,
): Attached<D> {
  const { signal } = scope;
  let device: D | null = null;
  let reported = '';
  let foundAt = 0;
  /** Takes back the end of the pause after a quick loss; null while there is no such pause. */
  let cancelRest: (() => void) | null = null;

  const endRest = (): void => {
    cancelRest?.();
    cancelRest = null;
  };
  const lose = async (open: D, error: unknown): Promise<Milliseconds> => {
    if (device === open) device = null;
    lost?.(error);
    // One that was found a moment ago and fails again is not probed without a pause, whoever asks: each find may lead
    // to a command, and each command asks.
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
  // What the system says is no answer to a find.
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
