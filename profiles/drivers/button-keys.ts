import { ownField } from '#machines/kit/own-field.ts';

import type { OptionFault } from '../driver-entry.ts';
import { keyCodes, switchCodes, typingCodes } from './key-codes.ts';

interface WrittenButton {
  readonly code: number | string;
  readonly kind: 'key' | 'switch';
}

const allCodes: readonly Readonly<Record<string, number>>[] = [keyCodes, switchCodes, typingCodes];
const readKeys: ReadonlySet<number> = new Set(Object.values(keyCodes));
const readSwitches: ReadonlySet<number> = new Set(Object.values(switchCodes));
const typingKeys: ReadonlySet<number> = new Set(Object.values(typingCodes));

/** The code of a key or switch in a profile, given as a number or a name; 0 for an unknown name. */
export const codeOf = (code: number | string): number =>
  typeof code === 'number'
    ? code
    : (allCodes.map((codes) => ownField(codes, code)).find((one) => one !== undefined) ?? 0);

/** The name of a key or switch, even if the profile gives its number; the code itself if it has no known name. */
export function keyName({ code, kind }: WrittenButton): string {
  const found = Object.entries(kind === 'switch' ? switchCodes : keyCodes).find(([, number]) => number === code);
  return found?.[0] ?? String(code);
}

const isSwitchName = (code: number | string): boolean => typeof code === 'string' && Object.hasOwn(switchCodes, code);

const instead = 'Use a key of the panel such as KEY_POWER, KEY_PROG1 or BTN_0, or remove the button.';

/**
 * Why a button is not read; null if it is. Presses are published by name, so a typing key would reveal what people
 * type. Only keys of a closed list are read.
 */
export function buttonFault({ code, kind }: WrittenButton): OptionFault | null {
  if (typeof code === 'string' && isSwitchName(code) !== (kind === 'switch')) {
    const right = kind === 'switch' ? 'key' : 'switch';
    return { path: ['kind'], reason: 'wrong-kind', words: `is ${kind}, but ${code} is a ${right}. Write ${right}.` };
  }
  const number = codeOf(code);
  if ((kind === 'switch' ? readSwitches : readKeys).has(number)) return null;
  return kind === 'key' && typingKeys.has(number)
    ? {
        path: ['code'],
        reason: 'typing-key',
        words: `is ${code}, a key that people type with: its presses would reveal what they type. ${instead}`,
      }
    : {
        path: ['code'],
        reason: 'unknown-key',
        words: `is ${code}, which is not a ${kind} that panels have. ${instead}`,
      };
}
