import { adviceOf, type HomeOutcome } from '../kit/home-advice.ts';
import type { MergeOutcome } from '../settings/events.ts';
import type { SignInEvent, StartOutcome } from './events.ts';
import { homeAssistantOrigin } from './home-assistant-address.ts';
import { foreseeRefusal } from './panel-origin.ts';

type Start = Extract<SignInEvent, { readonly type: 'sign-in.start' }>;

/** A start that was refused, with the reason. */
export type StartRefused = Extract<StartOutcome, { readonly status: 'refused' }>;

const refused = (code: StartRefused['code'], message: string): StartRefused => ({ status: 'refused', code, message });

/** A start that gave way to a newer one while the panel looked at the address. */
export const replacedStart = refused('probe-replaced', 'Another sign-in was begun meanwhile. Begin again.');

/** A start while no address of Home Assistant is set. */
export const unaddressedStart = refused(
  'no-address',
  'There is no address of Home Assistant yet. Enter it here or under Configure.',
);

/**
 * At which Home Assistant a start begins, null where none is named and set, or is understood; and why it is refused
 * before an address is saved: what cannot be done must not cost the sign-in in force.
 */
export function judgeStart(
  { haUrl, panelOrigin }: Pick<Start, 'haUrl' | 'panelOrigin'>,
  address: string | null,
): { readonly homeAssistant: string | null; readonly refusal: StartRefused | null } {
  const named = haUrl === null ? null : homeAssistantOrigin(haUrl);
  const homeAssistant = named === null ? address : named.ok ? named.value : null;
  const foreseen = homeAssistant === null ? null : foreseeRefusal(panelOrigin, homeAssistant);
  return { homeAssistant, refusal: foreseen === null ? null : refused(foreseen.code, foreseen.message) };
}

/**
 * Why no person is sent to an address after a look at it; null where they are. Nothing is told of the panel itself
 * before it is saved, so there the sign-in begins without an answer.
 */
export const refusalOfLook = (outcome: HomeOutcome, address: string): StartRefused | null =>
  outcome.status === 'answered' || outcome.error === 'local-address'
    ? null
    : refused('bad-address', adviceOf(outcome, address));

/** Why a start ends with the save of its address; null where that is kept. */
export function refusalOfSave(
  saved: { readonly status: 'kept' } | Extract<MergeOutcome, { readonly status: 'refused' | 'commit-failed' }>,
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
  }
}
