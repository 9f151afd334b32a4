import type { Context } from 'hono';
import { refuse } from '#machines/kit/result.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { StartedParts } from './deps.ts';
import type { Env } from './route-spec.ts';

/** How long a request waits for a start: a start takes half a second, and a caller may wait no more than 3 s. */
export const startMs: Milliseconds = 2000;

/** The answer if it took longer. */
export const starting = refuse(
  'restarting',
  'The agent is starting and does not know its settings yet. Try again in a few seconds.',
);

/**
 * Waits for the parts to be started, at most `startMs`, and for what else is needed, if anything. Meanwhile the
 * listener serves other requests of the same peer.
 */
export function whenPartsStarted<T>(c: Context<Env>, parts: StartedParts | null, needed: Promise<T>): Promise<T> {
  const wait = parts === null || parts.areStarted() ? needed : parts.whenStarted(startMs).then(() => needed);
  return c.env.aside?.(wait) ?? wait;
}
