import type { SetupContext, Stage } from './events.ts';
import { isReached } from './steps.ts';

/** Where the setup as a whole stands. */
export interface Progress {
  /** Everything that the panel needs is there, or was once. */
  readonly complete: boolean;
  /** A person said that the rest can wait. */
  readonly putOff: boolean;
  /** The first step that waits for a person; null where none does. */
  readonly next: Stage | null;
  /** True if the page `/` begins with the setup. */
  readonly due: boolean;
}

/** True if a step is open that a sign-in leads on to, so that the setup goes on after it. */
export const goesOn = ({ steps, answers }: SetupContext): boolean =>
  answers.setup !== 'later' &&
  steps.some(({ stage, status }) => stage !== 'home_assistant' && (status === 'needs_you' || status === 'blocked'));

/** Where the setup stands; a panel that was set up once is never sent there again, whatever broke since. */
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
