import { adviceOf, type HomeOutcome } from '../kit/home-advice.ts';
import type { MergeOutcome } from '../settings/events.ts';
import type { SignInEvent, StartOutcome } from './events.ts';
import { homeAssistantOrigin } from './home-assistant-address.ts';
import { foreseeRefusal } from './panel-origin.ts';

type Start = Extract<SignInEvent, { readonly type: 'sign-in.start' }>;

export type StartRefused = Extract<StartOutcome, { readonly status: 'refused' }>;

const refused = (code: StartRefused['code'], message: string): StartRefused => ({ status: 'refused', code, message });

/** The answer to a start that a newer one replaced. */
export const replacedStart = refused('probe-replaced', 'Another sign-in was started in the meantime. Start again.');

/** The answer to a start without an address of Home Assistant. */
export const unaddressedStart = refused(
  'no-address',
  'There is no address of Home Assistant yet. Enter it here or under Configure.',
);

const ownAddress = refused(
  'bad-address',
  'This is the address of Sconce itself. Enter that of Home Assistant, which usually ends with :8123.',
);

/**
 * At which Home Assistant a start begins, null if none is named or set, or the name is malformed; and why it is refused
 * before an address is saved: a start that cannot succeed must not cost the sign-in in force.
 */
export function judgeStart(
  { haUrl, panelOrigin }: Pick<Start, 'haUrl' | 'panelOrigin'>,
  address: string | null,
): { readonly homeAssistant: string | null; readonly refusal: StartRefused | null } {
  const named = haUrl === null ? null : homeAssistantOrigin(haUrl);
  const homeAssistant = named === null ? address : named.ok ? named.value : null;
  if (homeAssistant !== null && homeAssistant === panelOrigin) return { homeAssistant, refusal: ownAddress };
  const foreseen = homeAssistant === null ? null : foreseeRefusal(panelOrigin, homeAssistant);
  return { homeAssistant, refusal: foreseen === null ? null : refused(foreseen.code, foreseen.message) };
}

/**
 * Why a start ends after the look at its address; null if it goes on. The panel's own addresses are not probed before
 * they are saved, so a sign-in there begins without an answer.
 */
export const refusalOfLook = (outcome: HomeOutcome, address: string): StartRefused | null =>
  outcome.status === 'answered' || outcome.error === 'local-address'
    ? null
    : refused('bad-address', adviceOf(outcome, address));

/** Why a start ends after the save of its address; null if the address was saved. */
export function refusalOfSave(
  saved: { readonly status: 'kept' } | Extract<MergeOutcome, { readonly status: 'refused' | 'commit-failed' | 'busy' }>,
): StartRefused | null {
  switch (saved.status) {
    case 'kept':
      return null;
    case 'refused':
      return refused('bad-address', Object.values(saved.reasons)[0] ?? 'The address of Home Assistant was refused.');
    case 'commit-failed':
      return refused(
        'commit-failed',
        'The address of Home Assistant could not be saved. Free or repair the disk and try again.',
      );
    case 'busy':
      return refused(
        'operation-busy',
        'The address of Home Assistant was not saved: another operation, such as a restore, is under way. Try again once it has ended.',
      );
  }
}
