import { matchesState } from 'xstate';

import type { SnapshotView } from '../kit/snapshot.ts';
import type { MqttContext, MqttPhase } from './events.ts';

/** What the phase of the link is derived from. */
type LinkView = SnapshotView<Pick<MqttContext, 'refusedCredentials' | 'attempt' | 'onlyLost'>>;

/** Where the link to the broker stands, by its state and by what its attempts came to. */
export function phaseOf({ value, context }: LinkView): MqttPhase {
  if (matchesState('ambiguous', value)) return 'ambiguous';
  if (matchesState('unconfirmed', value)) return 'unconfirmed';
  if (matchesState('recalling', value)) return 'connecting';
  if (matchesState('unconfigured', value)) return 'not_configured';
  if (matchesState('discovering', value)) return 'discovering';
  if (matchesState('misconfigured', value)) return 'config_error';
  if (!matchesState('linked', value)) return 'off';
  // Until it has left in order, it is still connected.
  const isConnected = (['connected', 'leaving'] as const).some((state) =>
    matchesState({ linked: { attempting: state } }, value),
  );
  if (isConnected) return 'connected';
  if (context.refusedCredentials) return 'auth_failed';
  return context.attempt === 0 || context.onlyLost ? 'connecting' : 'unreachable';
}

/**
 * What a person has to confirm: that the broker moved, or that the found one is the right one; null while there is
 * nothing. Also while a moved one is connected without the password.
 */
export function confirmOf({ phase, release }: Pick<LinkSnapshot, 'phase' | 'release'>): 'moved' | 'broker' | null {
  if (release === 'ask') return 'moved';
  return phase === 'unconfirmed' ? 'broker' : null;
}

/** The link's facts as they are shown. */
export interface LinkSnapshot extends MqttContext {
  readonly phase: MqttPhase;
}

/** The link's facts with its phase. */
export const linkSnapshot = ({ value, context }: SnapshotView<MqttContext>): LinkSnapshot => ({
  ...context,
  phase: phaseOf({ value, context }),
});
