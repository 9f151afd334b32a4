import { certificateFaultOf } from '../kit/certificate.ts';
import type { CallbackOutcome } from './events.ts';
import { foreseeRefusal } from './panel-origin.ts';
import type { PasswordEnd } from './password.ts';

/** The result of the exchange of a code; one that was no longer wanted is `stale`. */
export type Exchanged = Extract<CallbackOutcome, 'signed-in' | 'rejected' | 'unreachable' | 'stale' | 'commit-failed'>;

/** The result of the exchange once the save of its credential ended; a save is refused where the address changed. */
export const exchangedBySave = (status: 'kept' | 'refused' | 'commit-failed'): Exchanged =>
  status === 'kept' ? 'signed-in' : status === 'refused' ? 'stale' : 'commit-failed';

/** What a person who came back is told of the exchange; `code` is why Home Assistant was not reached. */
export const callbackOutcomeOf = (exchanged: Exchanged, code: string): CallbackOutcome =>
  exchanged === 'unreachable' ? (certificateFaultOf(code) ?? 'unreachable') : exchanged;

const passwordEnds = {
  'signed-in': 'signed-in',
  rejected: 'password-rejected',
  stale: 'password-stale',
  'commit-failed': 'password-not-kept',
} as const satisfies Readonly<Record<Exclude<Exchanged, 'unreachable'>, PasswordEnd | 'signed-in'>>;

/** How the sign-in with a password ends after the exchange of its code; null where it is tried again. */
export const passwordEndOf = (exchanged: Exchanged): PasswordEnd | 'signed-in' | null =>
  exchanged === 'unreachable' ? null : passwordEnds[exchanged];

/** The client that a password signs in as. Home Assistant takes itself as one whatever the address of the panel. */
export const passwordClientOf = (panelOrigin: string, homeAssistant: string): string =>
  foreseeRefusal(panelOrigin, homeAssistant)?.code === 'origin-refused-by-platform' ? homeAssistant : panelOrigin;
