import type { DriverLogic } from '../kit/placeholder.ts';
import type { Verdict } from '../kit/verdict.ts';
import type { EpochMs } from '../kit/units.ts';

/** Commands of the power driver. */
export type PowerDriverCommand =
  /** Reboot now; answered by `reboot.asked`, then by `reboot.begun` or `reboot.refused`. */
  | { readonly type: 'reboot.do' }
  /** Check, without rebooting, whether it could be done; answered by `reboot.route`. */
  | { readonly type: 'reboot.probe' };

/** Whether this machine can be rebooted, and by which route. */
export interface RouteFact {
  readonly type: 'reboot.route';
  readonly verdict: Verdict;
  readonly route: string | null;
}

/** Progress of a reboot. */
export type RebootFact =
  | { readonly type: 'reboot.asked'; readonly at: EpochMs }
  | { readonly type: 'reboot.begun'; readonly at: EpochMs }
  | { readonly type: 'reboot.refused'; readonly reason: string; readonly at: EpochMs };

/** Reported by the power driver; it sends a `reboot.route` at the start without being asked. */
export type PowerFact = RouteFact | RebootFact;

/** Contract of a driver that reboots. */
export type PowerDriver = DriverLogic<PowerDriverCommand, undefined, PowerFact>;

export type PowerEvent =
  /** Requested again while the context is `busy`, it is the same reboot. */
  | { readonly type: 'power.reboot'; readonly origin: string }
  /** Probe again for a way to reboot. */
  | { readonly type: 'power.probe' }
  | PowerFact;

/** Public facts of rebooting. */
export interface PowerContext {
  readonly verdict: Verdict;
  /** `logind`, `systemctl`, `simulated`; null while there is none. */
  readonly route: string | null;
  readonly lastReboot: {
    readonly origin: string;
    readonly at: EpochMs;
    readonly outcome: 'begun' | 'refused' | 'asked';
  } | null;
  /** True during a reboot: for 60 seconds from its request (5 on the simulated panel), or until it is refused. */
  readonly busy: boolean;
}

export interface PowerActor {
  readonly id: 'power';
  readonly context: PowerContext;
  readonly event: Exclude<PowerEvent, PowerFact>;
}
