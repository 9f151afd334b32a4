import { type Verdict, verdictOf, working } from '../kit/verdict.ts';
import type { InputContext, NamedButton } from './events.ts';

function refusedOnes(named: InputContext['named'], reason: NamedButton['refused'], words: string): string {
  const names = named.filter(({ refused }) => refused === reason).map(({ name }) => name);
  return names.length === 0 ? '' : ` Never read, since ${words}: ${names.join(', ')}.`;
}

/** Buttons of the profile that are never read, and why; empty if there are none. */
const neverRead = (named: InputContext['named']): string =>
  refusedOnes(named, 'typing-key', 'people type with that key') +
  refusedOnes(named, 'typing-device', 'the device has letter keys');

/** The verdict on the buttons that the profile names. */
export function judgeButtons({ verdict: own, named }: Pick<InputContext, 'verdict' | 'named'>): Verdict {
  const refused = neverRead(named);
  const open = named.filter((button) => button.refused === undefined);
  const away = open.filter(({ here }) => !here).map(({ name }) => name);
  if (own.state === 'needs_you' || own.state === 'checking' || own.state === 'off') return own;
  if (open.length > 0 && away.length === 0)
    return working('buttons-read', `Listening to ${open.map(({ name }) => name).join(', ')}.${refused}`);
  if (open.length === 0 && refused !== '')
    return verdictOf(
      'not_here',
      'buttons-on-keyboard',
      `None of the buttons that the profile names is read.${refused}`,
      'A profile that names keys which panels have, on a device without letter keys.',
    );
  const missing = 'An input device with the name and the key that the profile gives.';
  return away.length === open.length
    ? verdictOf(
        'not_here',
        'no-button',
        `None of the buttons that the profile names is connected now. Once plugged in, it is used within seconds.${refused}`,
        missing,
      )
    : verdictOf(
        'working',
        'buttons-in-part',
        `Listening to the connected buttons; not connected: ${away.join(', ')}.${refused}`,
        missing,
      );
}
