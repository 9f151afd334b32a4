import type { ProbeResult, Recovery, RecoveryCode } from './events.ts';

/** Questions without an answer before the responder is rebuilt (as panel-assistant). */
const MISSES_BEFORE_REBUILD = 3;
/** Waits before the first, second and third rebuild, in milliseconds; after them trying ends (as panel-assistant). */
const REBUILD_DELAYS_MS: readonly number[] = [0, 60_000, 300_000];

/** What recovery is decided from. */
export type RecoveryEvent =
  | { readonly type: 'probed'; readonly result: ProbeResult }
  /** The responder ended by itself, or could not be torn down or made again. */
  | { readonly type: 'failed'; readonly code: RecoveryCode }
  /** The reserved rebuild of this token begins. */
  | { readonly type: 'begun'; readonly token: number }
  /** Another address, or a person who asks: everything starts over. */
  | { readonly type: 'renewed' };

/** Before anything went wrong. */
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
  // One failure is answered by one rebuild, whatever else goes wrong before it begins.
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

/** The next state of recovery; the same object where nothing changes. */
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
