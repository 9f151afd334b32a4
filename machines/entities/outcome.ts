import type { CommandEnd, CommandOutcome, CommandRefused } from '../kit/entity.ts';

/** Outcomes that say nothing of the command itself, or that were known at once. */
const early: readonly string[] = ['refused', 'kept', 'dropped'];

const refusedWith = ({ outcome, refusal, message }: CommandOutcome): CommandRefused => ({
  reason: refusal ?? outcome,
  message: message ?? 'The command was not carried out.',
});

/** The end of a command whose place a newer one of the same entity took. */
export const superseded: CommandRefused = {
  reason: 'superseded',
  message: 'A newer command for this entity took its place.',
};

/** Why an actor refused a command at once, from its last command before and after; null if it did not. */
export const refusalAtOnce = (before: CommandOutcome | null, after: CommandOutcome | null): CommandRefused | null =>
  after !== null && after !== before && after.outcome === 'refused' ? refusedWith(after) : null;

/**
 * How the last command of Home Assistant (`origin`) ended later; null while that is not known, or another one is the
 * last.
 */
export const laterOutcome = (last: CommandOutcome | null, origin: string): CommandEnd | null =>
  last === null || last.origin !== origin || early.includes(last.outcome)
    ? null
    : { refused: last.outcome === 'shown' ? null : refusedWith(last) };

/** The end of a command that its actor notes as its last one (`before` and `now`); null while it is not that. */
export function endOfNoted(
  before: CommandOutcome | null,
  now: CommandOutcome | null,
  origin: string,
): CommandEnd | null {
  if (now === null || now === before) return null;
  if (now.origin !== origin) return { refused: superseded };
  // What is kept is carried out by itself as soon as it can be.
  return { refused: now.outcome === 'shown' || now.outcome === 'kept' ? null : refusedWith(now) };
}

/** Ends of commands that reached no actor, or that none answered. */
export const unanswered: Readonly<Record<'absent' | 'ended' | 'timeout', CommandRefused>> = {
  absent: { reason: 'absent', message: 'This part of the panel is not running now.' },
  ended: { reason: 'ended', message: 'This part of the panel ended before it answered.' },
  timeout: { reason: 'timeout', message: 'This part of the panel did not answer in time.' },
};

/** The end of a command that a person at the panel did not allow. */
export const denied: CommandRefused = { reason: 'denied', message: 'A person at the panel did not allow it.' };

/** The end of a command whose end the panel does not live to see. */
export const stopping: CommandRefused = { reason: 'stopping', message: 'Sconce is being stopped or restarted.' };
