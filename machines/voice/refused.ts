import { ownField } from '../kit/own-field.ts';
import type { TriggerRefusal } from './events.ts';
import { faultWords } from './words.ts';

/** Why a trigger begins no turn, where that is no fault. */
const words: Readonly<Record<'off' | 'busy' | 'checking', string>> = {
  off: 'Voice is off. Turn it on on the page Voice of this panel.',
  busy: 'The panel is listening or answering. Wait until it is done, or cancel it.',
  checking: 'The microphone is being checked. Wait a few seconds.',
};

/** Why a trigger begins no turn, and what helps, for people. */
export function refusedWords(reason: TriggerRefusal): string {
  const own = ownField<string>(words, reason);
  if (own !== undefined) return own;
  const { summary, action } = faultWords(reason);
  return `${summary} ${action}`;
}

/** Why a press began nothing, by its refusal or by what the microphone says itself, for the screen. */
export function noticeWords(code: string): string {
  if (code === 'checking') return words.checking;
  const { summary, action } = faultWords(code);
  return `${summary} ${action}`;
}

/** Code of that refusal on the routes. */
export type VoiceProblem = `voice-${TriggerRefusal}`;
