import type { CommandOutcome, CommandRefused } from '../kit/entity.ts';

/** Outcomes that say nothing of the command itself, or that were known at once. */
const early: readonly string[] = ['refused', 'kept', 'dropped'];

const refusedWith = ({ outcome, refusal, message }: CommandOutcome): CommandRefused => ({
  reason: refusal ?? outcome,
  message: message ?? 'The command was not carried out.',
});

/** Why an actor refused a command at once, from its last command before and after; null if it did not. */
export const refusalAtOnce = (before: CommandOutcome | null, after: CommandOutcome | null): CommandRefused | null =>
  after !== null && after !== before && after.outcome === 'refused' ? refusedWith(after) : null;

/** How the last command of Home Assistant ended later; null while that is not known, or another one is the last. */
export const laterOutcome = (last: CommandOutcome | null): { readonly refused: CommandRefused | null } | null =>
  last === null || last.origin !== 'home-assistant' || early.includes(last.outcome)
    ? null
    : { refused: last.outcome === 'shown' ? null : refusedWith(last) };
