import type { Verdict } from '../kit/verdict.ts';
import type { EpochMs } from '../kit/units.ts';

export type PowerFact =
  | { readonly type: 'reboot.route'; readonly verdict: Verdict; readonly route: string | null }
  | { readonly type: 'reboot.begun' }
  | { readonly type: 'reboot.refused'; readonly reason: string };

export type PowerEvent =
  | { readonly type: 'power.reboot'; readonly origin: string }
  /** Look again for a way to reboot. */
  | { readonly type: 'power.probe' }
  | { readonly type: 'power.stop' }
  | PowerFact;

/** Public facts of rebooting. */
export interface PowerContext {
  readonly verdict: Verdict;
  /** `logind`, `systemctl`, `simulated`; null while there is none. */
  readonly route: string | null;
  readonly lastReboot: { readonly origin: string; readonly at: EpochMs; readonly outcome: 'begun' | 'refused' | 'asked' } | null;
}
