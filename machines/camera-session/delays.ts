import type { Milliseconds } from '../kit/units.ts';

/** How long a capture may take to its first frame. As panel-assistant, like the numbers below without a source. */
export const FIRST_FRAME_GRACE_MS: Milliseconds = 5000;

/** How long the exposure of a camera that was just opened may take to settle. */
export const EXPOSURE_BUDGET_MS: Milliseconds = 1200;

/** Rest of a camera that failed three times, before it may be opened again. */
export const DEGRADED_HOLD_MS: Milliseconds = 30_000;

/** How long clients of the stream are refused after the encoder failed. */
export const ENCODER_HOLD_MS: Milliseconds = 30_000;

/** Longest wait for a picture; Home Assistant gives up after 10 s. */
export const PICTURE_BOUND_MS: Milliseconds = 8000;

/** Longest wait of a client for the stream: go2rtc and Home Assistant give up after 5 s. */
export const STREAM_BOUND_MS: Milliseconds = 4500;

/** Longest wait for a capture that closes. */
export const CLOSE_BOUND_MS: Milliseconds = 5000;

/** Longest wait for the indication, whose part answers within 3 s. */
export const INDICATION_BOUND_MS: Milliseconds = 4000;

/** Longest wait for a capture that closes when the session itself ends. */
export const STOP_BOUND_MS: Milliseconds = 800;

/** How long the part may take to stop, so that everything is closed within a second. */
export const STOP_WITHIN_MS: Milliseconds = 900;

/** Least time between two rises of `stillSequence`. */
export const STILL_INTERVAL_MS: Milliseconds = 10_000;
