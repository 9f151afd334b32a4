import type { RetryTrigger } from './failure-streak.ts';

/**
 * Tells the follower of Home Assistant what to report. Dashboards are named by the first segment of their path.
 * Repeating it changes nothing.
 */
export interface ChangeCommand {
  readonly type: 'changes.watch';
  /** Its changes, while a fallback replaces home; "" for the start page, null for none. */
  readonly dashboard: string | null;
  /** Whether Home Assistant has it; null if no home dashboard is set. */
  readonly home: string | null;
  /** Origin of the Home Assistant that both are on; null for none. */
  readonly origin: string | null;
}

/** Something changed that makes another try of home worthwhile. */
interface ChangeObserved {
  readonly type: 'changes.observed';
  readonly trigger: Exclude<RetryTrigger, 'asked'>;
}

/** Home Assistant has the home dashboard, and this user may open it, or not. */
interface HomeListed {
  readonly type: 'home.listed';
  readonly isListed: boolean;
}

export type ChangeEvent = ChangeObserved | HomeListed;
