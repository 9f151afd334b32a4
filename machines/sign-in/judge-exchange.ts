import { certificateFaultOf } from '../kit/certificate.ts';
import type { CallbackOutcome } from './events.ts';
import { foreseeRefusal } from './panel-origin.ts';
import type { PasswordEnd } from './password.ts';

/** The outcome of a callback if Home Assistant was not reached; `code` is the system's or Node's. */
export const unreachableOutcome = (code: string): CallbackOutcome => certificateFaultOf(code) ?? 'unreachable';

/**
 * How a callback and a password end if the credential was not saved, by the result of the save. A save is refused if
 * the address has changed.
 */
export const unkeptEnds = {
  refused: { callback: 'stale', password: 'password-stale' },
  'commit-failed': { callback: 'commit-failed', password: 'password-not-kept' },
  busy: { callback: 'commit-failed', password: 'password-not-kept' },
} as const satisfies Readonly<
  Record<'refused' | 'commit-failed' | 'busy', { readonly callback: CallbackOutcome; readonly password: PasswordEnd }>
>;

/** The client that a password signs in as. Home Assistant accepts itself as one, whatever the panel's address. */
export const passwordClientOf = (panelOrigin: string, homeAssistant: string): string =>
  foreseeRefusal(panelOrigin, homeAssistant)?.code === 'origin-refused-by-platform' ? homeAssistant : panelOrigin;
