import { refuse } from '#machines/kit/result.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

/** How long a request waits for a start: a start takes half a second, and a caller may have no more than 3 s. */
export const startMs: Milliseconds = 2000;

/** What is said where it took longer. */
export const starting = refuse(
  'restarting',
  'The agent is starting and does not know its settings yet. Try again in a few seconds.',
);
