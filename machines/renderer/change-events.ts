import type { RetryTrigger } from './failure-streak.ts';

/**
 * What the follower of Home Assistant is told while another page stands for home: the dashboard, by the first part of
 * its path ("" for the start page), whose changes are reported; null ends that. The same again changes nothing.
 */
export interface ChangeCommand {
  readonly type: 'changes.watch';
  readonly dashboard: string | null;
}

/** Something happened for which home is worth another try. */
export interface ChangeEvent {
  readonly type: 'changes.observed';
  readonly trigger: Exclude<RetryTrigger, 'asked'>;
}
