import type { Milliseconds } from '#machines/kit/units.ts';
import type { Verdict } from '#machines/kit/verdict.ts';

import type { DriverScope } from './from-driver.ts';

/**
 * How often a device that is not there is looked for: with a loss noticed as fast, it is back within five seconds of
 * its plug.
 */
export const LOOK_MS: Milliseconds = 2000;
/** How often a device that is there is read, so that a loss or a change made elsewhere is seen. */
export const POLL_MS: Milliseconds = 2000;

/** A device that is open; it can be pulled out at any moment. */
export interface AttachedDevice {
  /** Lets go of it; never rejects. */
  readonly close: () => Promise<void>;
}

/** What a look came to: the open device, or why there is none. */
export type Look<D> =
  | { readonly device: D; readonly verdict: Verdict }
  | { readonly device: null; readonly verdict: Verdict };

/** How a device is looked for and worked with; one step at a time, never two at once. */
export interface AttachedPlan<D extends AttachedDevice> {
  readonly look: () => Promise<Look<D>>;
  /** Called with each device that was found, and with the verdict of each look in vain that says something new. */
  readonly report: (look: Look<D>) => void;
  /**
   * One step: what is due is written, else the device is read. Answers how long the next one may wait. Rejects when the
   * device no longer answers; it is then looked for anew.
   */
  readonly step: (device: D) => Promise<Milliseconds>;
  /** Calls back when another step is due before its time, until the returned function is called. */
  readonly watch?: (stir: () => void) => () => void;
  readonly lookMs?: Milliseconds;
}

/** A device being followed. */
export interface Attached<D extends AttachedDevice> {
  /** Takes the next step now, or right after the one under way. */
  readonly stir: () => void;
  /** Ends: waits for the step under way, does `last` with a device that is there, and lets go of it. */
  readonly stop: (last: (device: D) => Promise<void>) => Promise<void>;
}

/** Errors that mean the device itself is gone. */
const GONE = new Set(['ENOENT', 'ENODEV', 'ENXIO', 'ENOTDIR']);

/** POSIX name of a failed call; `unknown` for anything else. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';

/** Whether the error says that the device is gone. */
export const isGone = (error: unknown): boolean => GONE.has(errorCode(error));

/** The error by which a device says that it is gone. */
export const gone = (): Error => Object.assign(new Error('the device is gone'), { code: 'ENODEV' });

/**
 * Follows a device that may come and go: looks for it, steps, and looks again when it is lost. sysfs tells nobody of a
 * change, so this asks.
 */
export const attach = <D extends AttachedDevice>(
  { guard, signal }: Pick<DriverScope<never, unknown, never>, 'guard' | 'signal'>,
  { look, report, step, watch, lookMs = LOOK_MS }: AttachedPlan<D>,
): Attached<D> => {
  let device: D | null = null;
  let told = '';
  let timer: NodeJS.Timeout | undefined;
  let isDue = false;
  let running: Promise<void> | null = null;

  let foundAt = 0;

  const lookOnce = async (): Promise<void> => {
    const found = await look();
    if (signal.aborted) {
      await found.device?.close();
      return;
    }
    device = found.device;
    const news = JSON.stringify(found.verdict);
    if (device === null && news === told) return;
    told = device === null ? news : '';
    foundAt = performance.now();
    report(found);
  };
  const stepOnce = async (open: D): Promise<Milliseconds> => {
    try {
      return await step(open);
    } catch {
      device = null;
      await open.close();
      // Looked for at once, which says why; one that was found a moment ago and fails again is not asked without a
      // pause.
      return performance.now() - foundAt < lookMs ? lookMs : 0;
    }
  };
  const turn = async (): Promise<void> => {
    let pause = lookMs;
    while (isDue && !signal.aborted) {
      isDue = false;
      pause = lookMs;
      if (device === null) await lookOnce();
      if (device !== null && !signal.aborted) pause = await stepOnce(device);
      if (device === null && pause === 0) isDue = true;
    }
    if (!signal.aborted) timer = setTimeout(stir, pause);
  };
  const stir = guard(async () => {
    isDue = true;
    if (running !== null) return;
    clearTimeout(timer);
    running = turn();
    try {
      await running;
    } finally {
      running = null;
    }
  });
  const unwatch = watch?.(stir) ?? (() => {});
  stir();
  return {
    stir,
    stop: async (last) => {
      clearTimeout(timer);
      unwatch();
      await running?.catch(() => {});
      const open = device;
      device = null;
      if (open === null) return;
      await last(open).catch(() => {});
      await open.close();
    },
  };
};
