import type { Milliseconds } from '#machines/kit/units.ts';
import type { EarChoice, EarFact, EarFailure } from '#machines/voice/events.ts';

import { createMeter, type JudgeHealth } from './meter.ts';
import { type Recorder, survey, type Surveying } from './recorder.ts';

/** The decisions that the ear carries out; `machines/voice` makes them. */
export interface EarRules {
  readonly choose: Surveying['choose'];
  readonly judgeHealth: JudgeHealth;
  /** As `judgeHealth`, for the whole of a check. */
  readonly judgeCheck: JudgeHealth;
}

/** Times, shorter in tests. */
export interface EarBounds {
  /** Longest time from the start of the recorder to its first sound. An idle sink of PulseAudio takes up to 2 s. */
  readonly openMs: Milliseconds;
  /** An open microphone that delivers nothing for so long has stalled. */
  readonly stalledMs: Milliseconds;
  /** Most sound that is kept before it may leave the panel; the newest is. */
  readonly heldMs: Milliseconds;
  /** Length of a check. */
  readonly checkMs: Milliseconds;
  /** The room sounds on for a while after the chime, and what is heard arrives late. */
  readonly echoMs: Milliseconds;
  /** Between two reports of the health. */
  readonly reportMs: Milliseconds;
  /** After a mute what is still in the pipe was heard before. */
  readonly drainMs: Milliseconds;
}

export const EAR_BOUNDS: EarBounds = {
  openMs: 4000,
  stalledMs: 2000,
  heldMs: 4000,
  checkMs: 3000,
  echoMs: 150,
  reportMs: 1000,
  drainMs: 200,
};

export interface EarWork extends Surveying {
  readonly rules: EarRules;
  readonly bounds: EarBounds;
  readonly elapsed: () => Milliseconds;
  readonly send: (fact: EarFact) => void;
  /** Makes a callback end with the driver, and its error a crash of the driver. */
  readonly guard: <A extends unknown[]>(fn: (...args: A) => void) => (...args: A) => void;
}

export interface ListenHooks {
  /** Called once there is a source, before it is opened. */
  readonly onFound?: (recorder: Recorder) => void;
  readonly onData: (pcm: Buffer) => void;
  /** The recorded source is the chosen one. */
  readonly onSure: () => void;
}

/** An open microphone. */
export interface Listening {
  /** Ends it; no hook is called after this. */
  readonly close: () => void;
  readonly isMuted: () => boolean;
  /** Why it ended by itself, or was not opened at all; null if it was closed. Resolves once the process is gone. */
  readonly gone: Promise<EarFailure | null>;
}

/** Chooses a source, records it and reports its health each second. */
export function listen(choice: EarChoice, { onFound, onData, onSure }: ListenHooks, work: EarWork): Listening {
  const { bounds, elapsed, guard, rules, send } = work;
  const over = new AbortController();
  let failure: EarFailure | null = null;
  let isMuted = false;

  const run = async (): Promise<EarFailure | null> => {
    const { found, failure: refusal } = await survey(work, choice, over.signal);
    if (over.signal.aborted) return null;
    if (found === null || refusal !== null) return refusal ?? 'no-device';
    const { recorder, source } = found;
    ({ isMuted } = source);
    onFound?.(recorder);
    const meter = createMeter(elapsed);
    const report = guard(() => {
      if (over.signal.aborted) return;
      const measured = meter.measure(isMuted, rules.judgeHealth);
      send({ type: 'ear.measured', ...measured, at: elapsed() });
    });
    let reports: NodeJS.Timeout | undefined;
    let draining: NodeJS.Timeout | undefined;
    const stall = guard(() => {
      failure = 'stalled';
      over.abort();
    });
    let stalled = setTimeout(stall, bounds.openMs);
    let hasBegun = false;
    const measureAgain = (): void => {
      if (!hasBegun || over.signal.aborted) return;
      meter.restart();
      clearInterval(reports);
      // After what already waits in the pipe, if this process was held up.
      reports = setInterval(() => setImmediate(report), bounds.reportMs);
    };
    const delivered = (): void => {
      if (hasBegun) return void stalled.refresh();
      hasBegun = true;
      clearTimeout(stalled);
      stalled = setTimeout(stall, bounds.stalledMs);
      measureAgain();
    };
    const recording = recorder.record(source, {
      onData: guard((pcm) => {
        if (over.signal.aborted) return;
        delivered();
        meter.take(pcm);
        onData(pcm);
      }),
      onSure: guard(() => {
        if (!over.signal.aborted) onSure();
      }),
      onMuted: (now) => {
        // A second that began before the mute would be judged by what was heard then.
        clearTimeout(draining);
        if (now && !isMuted) draining = setTimeout(measureAgain, bounds.drainMs);
        isMuted = now;
      },
    });
    over.signal.addEventListener('abort', recording.close, { once: true });
    if (over.signal.aborted) recording.close();
    const why = await recording.gone;
    clearInterval(reports);
    clearTimeout(draining);
    clearTimeout(stalled);
    return failure ?? why;
  };
  return { close: () => over.abort(), isMuted: () => isMuted, gone: run() };
}
