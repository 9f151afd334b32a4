import { type Verdict, working } from '../kit/verdict.ts';
import type { DisplayFacts } from './events.ts';

/** What is said of a display that was found and can be written. */
export const foundVerdict = (display: DisplayFacts): Verdict =>
  display.power
    ? working('display-found', `The screen "${display.name}" can be dimmed and switched off.`)
    : working('display-without-power', `The screen "${display.name}" can be dimmed. It has no power switch, so off is its lowest brightness.`);

/** What is said of a display that disappeared while in use. */
export const lostVerdict: Verdict = {
  state: 'not_here',
  reason: 'display-lost',
  detail: 'The screen was here and has gone. Sconce looks for it every ten seconds.',
  missing: 'The screen.',
  fix: null,
};
