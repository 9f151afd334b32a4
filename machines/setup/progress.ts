import type { SetupContext, Stage } from './events.ts';
import { isReached } from './steps.ts';

/** Progress of the whole setup. */
export interface Progress {
  /** Everything that the panel needs is set up, or was once. */
  readonly complete: boolean;
  /** A person postponed the rest. */
  readonly putOff: boolean;
  /** The first step that waits for a person; null if none does. */
  readonly next: Stage | null;
  /** True if the page `/` begins with the setup. */
  readonly due: boolean;
}

/** True if a step after the sign-in is open, so that the setup continues after it. */
export const goesOn = ({ steps, answers }: SetupContext): boolean =>
  answers.setup !== 'later' &&
  steps.some(({ stage, status }) => stage !== 'home_assistant' && (status === 'needs_you' || status === 'blocked'));

/** The progress of the setup; once complete, it never becomes due again, whatever breaks. */
export function progressOf({ steps, answers, reachedAt }: SetupContext): Progress {
  const complete = reachedAt !== null || isReached(steps);
  const putOff = answers.setup === 'later';
  const open = steps.filter(({ status }) => status === 'needs_you');
  return {
    complete,
    putOff,
    next: open[0]?.stage ?? null,
    due: !complete && !putOff && open.some(({ blocking }) => blocking),
  };
}
