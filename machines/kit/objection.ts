import type { CommandRefused } from './entity.ts';
import type { Verdict } from './verdict.ts';

/** Why a part does not take a command as it is now; the field of the request that it is about, if one is. */
export interface Objection extends CommandRefused {
  readonly reason: 'bad-value' | 'not-here' | 'restarting';
  readonly field?: string;
}

/** A part that is being restarted, or has not looked at its hardware yet: the caller may try again in a moment. */
export const restartingPart = (part: string): Objection => ({
  reason: 'restarting',
  message: `The part "${part}" is being restarted. Try again in a few seconds.`,
});

/** A part that cannot do it now. */
export const notHere = (message: string): Objection => ({ reason: 'not-here', message });

/** Why the hardware of `part` takes no commands; null if it does. */
export function objectionOfPart(part: string, { state, detail }: Pick<Verdict, 'state' | 'detail'>): Objection | null {
  if (state === 'checking') return restartingPart(part);
  return state === 'not_here' || state === 'needs_you' ? notHere(detail) : null;
}
