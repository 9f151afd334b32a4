import type { RetryTrigger } from './failure-streak.ts';

/**
 * Tells the follower of Home Assistant which dashboard's changes to report while a fallback replaces home: the first
 * segment of its path ("" for the start page), or null for none. Repeating it changes nothing.
 */
export interface ChangeCommand {
  readonly type: 'changes.watch';
  readonly dashboard: string | null;
}

/** Something changed that makes another try of home worthwhile. */
export interface ChangeEvent {
  readonly type: 'changes.observed';
  readonly trigger: Exclude<RetryTrigger, 'asked'>;
}
