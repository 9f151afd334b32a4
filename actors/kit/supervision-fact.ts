import type { Milliseconds } from '#machines/kit/units.ts';

import type { CrashFacts } from './crash-facts.ts';

/** Why a child is down: a code, and what may be published of the error behind it, if any. */
export interface Failure {
  /** `zigbee-driver/EMFILE`. */
  readonly reason: string;
  readonly error?: CrashFacts;
}

/** Something worth a line in the log: ids, codes and frames only. */
export type SupervisionFact =
  | { readonly type: 'started'; readonly id: string; readonly restarts: number }
  | ({ readonly type: 'ended'; readonly id: string; readonly how: 'stopped' | 'failed' } & Failure)
  | { readonly type: 'killed'; readonly id: string }
  /** It is off, since the settings no longer ask for it. */
  | { readonly type: 'dismissed'; readonly id: string }
  | { readonly type: 'restarting'; readonly id: string; readonly reason: string; readonly delayMs: Milliseconds }
  | ({ readonly type: 'parked'; readonly id: string; readonly retryMs: Milliseconds } & Failure)
  | ({ readonly type: 'gave-up'; readonly id: string } & Failure);
