import { type Verdict, verdictOf, working } from '../kit/verdict.ts';
import type { InputContext } from './events.ts';

/** Whether the buttons that the profile names are here. */
export const judgeButtons = ({ verdict: own, named }: Pick<InputContext, 'verdict' | 'named'>): Verdict => {
  const away = named.filter(({ here }) => !here).map(({ name }) => name);
  if (own.state === 'needs_you' || own.state === 'checking' || own.state === 'off') return own;
  if (named.length > 0 && away.length === 0)
    return working('buttons-read', `Listening to ${named.map(({ name }) => name).join(', ')}.`);
  const missing = 'An input device with the name and the key that the profile gives.';
  return away.length === named.length
    ? verdictOf(
        'not_here',
        'no-button',
        'None of the buttons that the profile names is on this machine now. One that is plugged in is used within seconds.',
        missing,
      )
    : verdictOf(
        'working',
        'buttons-in-part',
        `Listening to the buttons that are here; not here: ${away.join(', ')}.`,
        missing,
      );
};
