import type { Milliseconds } from '../kit/units.ts';
import { reopenDelay } from './backoff.ts';
import { DEGRADED_HOLD_MS, ENCODER_HOLD_MS } from './delays.ts';
import type { CameraFault } from './events.ts';

/** Failures in a row after which the camera rests. */
export const MAX_FAILURES = 3;

/** A capture that did not open, or broke. */
export interface CaptureEnd {
  /** Failures in a row before this one. */
  readonly failures: number;
  readonly fault: CameraFault;
  /** Leases that outlast it: clients that were admitted; while live, pictures too. */
  readonly leases: number;
  readonly at: Milliseconds;
}

/** `reopen` after a pause; `degrade` ends the session for the time of the hold; `rest` ends it: no lease is left. */
export interface AfterCapture {
  readonly next: 'reopen' | 'degrade' | 'rest';
  readonly failures: number;
  readonly pauseMs: Milliseconds;
  readonly retryAt: Milliseconds;
  /** Null if the encoder is not to blame. */
  readonly encoderHoldUntil: Milliseconds | null;
}

/** What follows a failure. */
export function afterCaptureEnded({ failures: before, fault, leases, at }: CaptureEnd): AfterCapture {
  const failures = before + 1;
  const isDegraded = failures >= MAX_FAILURES;
  const pauseMs = isDegraded ? DEGRADED_HOLD_MS : reopenDelay(failures);
  const next = isDegraded ? 'degrade' : leases > 0 ? 'reopen' : 'rest';
  const isEncoder = fault === 'encode' || fault === 'stream_encoder';
  return { next, failures, pauseMs, retryAt: at + pauseMs, encoderHoldUntil: isEncoder ? at + ENCODER_HOLD_MS : null };
}
