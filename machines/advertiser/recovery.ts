import type { ProbeResult, Recovery, RecoveryCode } from './events.ts';

/** Unanswered queries before the responder is rebuilt (as panel-assistant). */
const MISSES_BEFORE_REBUILD = 3;
/** Waits before the first, second and third rebuild, in milliseconds; then it gives up (as panel-assistant). */
const REBUILD_DELAYS_MS: readonly number[] = [0, 60_000, 300_000];

/** Events that recovery depends on. */
export type RecoveryEvent =
  | { readonly type: 'probed'; readonly result: ProbeResult }
  /** The responder ended unexpectedly, or could not be torn down or recreated. */
  | { readonly type: 'failed'; readonly code: RecoveryCode }
  /** The scheduled rebuild with this token begins. */
  | { readonly type: 'begun'; readonly token: number }
  /** A new address, or "Check again": everything starts over. */
  | { readonly type: 'renewed' };

export const healthyRecovery: Recovery = {
  phase: 'healthy',
  misses: 0,
  attempts: 0,
  rebuilds: 0,
  pending: null,
  token: 0,
  code: null,
};

const fresh = (state: Recovery): Recovery =>
  state.phase === 'healthy' &&
  state.misses === 0 &&
  state.attempts === 0 &&
  state.pending === null &&
  state.code === null
    ? state
    : { ...healthyRecovery, rebuilds: state.rebuilds, token: state.token };

function reserved(state: Recovery, code: RecoveryCode): Recovery {
  // One rebuild per failure, whatever else goes wrong before it begins.
  if (state.pending !== null || state.phase === 'exhausted') return state;
  const delayMs = REBUILD_DELAYS_MS[state.attempts];
  if (delayMs === undefined) return { ...state, phase: 'exhausted', code };
  const token = state.token + 1;
  return { ...state, phase: 'recovering', attempts: state.attempts + 1, token, pending: { token, delayMs }, code };
}

function missed(state: Recovery): Recovery {
  if (state.pending !== null || state.phase === 'exhausted') return state;
  const counted = { ...state, misses: state.misses + 1 };
  return counted.misses >= MISSES_BEFORE_REBUILD ? reserved(counted, 'no-response') : counted;
}

/** The next state of recovery; the same object if nothing changes. */
export function recover(state: Recovery, event: RecoveryEvent): Recovery {
  switch (event.type) {
    case 'probed':
      if (event.result === 'visible') return fresh(state);
      return event.result === 'missing' ? missed(state) : state;
    case 'failed':
      return reserved(state, event.code);
    case 'begun':
      return state.pending?.token === event.token
        ? { ...state, pending: null, misses: 0, rebuilds: state.rebuilds + 1 }
        : state;
    case 'renewed':
      return fresh(state);
  }
}
