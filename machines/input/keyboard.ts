import { type Verdict, verdictOf, working } from '../kit/verdict.ts';
import type { InputContext } from './events.ts';

/** Letter keys of a keyboard: Q to P, A to L, Z to M. */
const LETTERS = 26;

/** True if a device with this many letter keys is a keyboard: a remote or a box of buttons has a few at most. */
export const isKeyboard = (letterKeys: number): boolean => letterKeys >= LETTERS;

/** How many of the devices are keyboards; `letterKeys` is the number of letter keys on each. */
export const countKeyboards = (letterKeys: readonly number[]): number => letterKeys.filter(isKeyboard).length;

/** The verdict on typing at the panel. */
export function judgeKeyboard({ verdict: own, keyboards }: Pick<InputContext, 'verdict' | 'keyboards'>): Verdict {
  if (keyboards.connected > 0)
    return working('keyboard-connected', 'A keyboard is connected, so you can sign in on this screen too.');
  if (keyboards.onScreen)
    return working(
      'keyboard-on-screen',
      'An on-screen keyboard runs in this session, so you can sign in on this screen too.',
    );
  if (own.state === 'checking') return own;
  return verdictOf(
    'not_here',
    'no-keyboard',
    'There is nothing to type on here, so the screen shows a code for your phone instead. A keyboard that is plugged in is used within seconds.',
    'A keyboard with letter keys, or an on-screen keyboard that runs in this session.',
  );
}
