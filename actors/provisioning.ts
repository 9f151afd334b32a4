import type { AnyActorLogic } from 'xstate';

import type { ProvisioningWish } from '#machines/provisioning/events.ts';
import { provisioningMachine } from '#machines/provisioning/machine.ts';

import type { ChildSpec } from './kit/spec.ts';

/** What the provisioning actor is wired to. */
export interface ProvisioningDeps {
  /** What the active profile wants. */
  readonly wishes: readonly ProvisioningWish[];
  /** What looks at the machine. */
  readonly eyes: AnyActorLogic;
}

/**
 * What the active profile wants of the machine, held against what is there: permanent; asked to stop, it ends at once.
 */
export const provisioningSpec = ({ wishes, eyes }: ProvisioningDeps): ChildSpec => ({
  id: 'provisioning',
  logic: provisioningMachine.provide({ actors: { eyes } }),
  input: () => ({ wishes }),
  restart: 'permanent',
  stop: { event: { type: 'provisioning.stop' }, withinMs: 5 },
});
