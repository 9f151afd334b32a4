import { matchesState } from 'xstate';

import type { SnapshotView } from '../kit/snapshot.ts';
import type { MqttContext, MqttPhase } from './events.ts';

type LinkView = SnapshotView<Pick<MqttContext, 'refusedCredentials' | 'attempt' | 'onlyLost'>>;

/** The phase of the link, from its state and the results of its attempts. */
export function phaseOf({ value, context }: LinkView): MqttPhase {
  if (matchesState('ambiguous', value)) return 'ambiguous';
  if (matchesState('unconfirmed', value)) return 'unconfirmed';
  if (matchesState('recalling', value)) return 'connecting';
  if (matchesState('unconfigured', value)) return 'not_configured';
  if (matchesState('discovering', value)) return 'discovering';
  if (matchesState('misconfigured', value)) return 'config_error';
  if (!matchesState('linked', value)) return 'off';
  // It is still connected until it has left gracefully.
  const isConnected = (['connected', 'leaving', 'departing'] as const).some((state) =>
    matchesState({ linked: { attempting: state } }, value),
  );
  if (isConnected) return 'connected';
  if (context.refusedCredentials) return 'auth_failed';
  return context.attempt === 0 || context.onlyLost ? 'connecting' : 'unreachable';
}

/**
 * What a person has to confirm: that the broker moved, or that the found one is the right one; null for nothing. A
 * moved one also while it is connected without the password.
 */
export function confirmOf({ phase, release }: Pick<LinkSnapshot, 'phase' | 'release'>): 'moved' | 'broker' | null {
  if (release === 'ask') return 'moved';
  return phase === 'unconfirmed' ? 'broker' : null;
}

/** The link's public facts with its phase. */
export interface LinkSnapshot extends MqttContext {
  readonly phase: MqttPhase;
}

export const linkSnapshot = ({ value, context }: SnapshotView<MqttContext>): LinkSnapshot => ({
  ...context,
  phase: phaseOf({ value, context }),
});
