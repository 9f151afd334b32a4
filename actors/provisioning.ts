import type { DriverLogic } from '#drivers/kit/from-driver.ts';

import type { ProvisioningDriverCommand, ProvisioningFact, ProvisioningWish } from '#machines/provisioning/events.ts';
import { provisioning } from '#machines/provisioning/index.ts';
import { provisioningMachine } from '#machines/provisioning/machine.ts';

import { part, type Part } from './kit/part.ts';

/** What the provisioning actor is wired to. */
export interface ProvisioningDeps {
  /** What the active profile wants. */
  readonly wishes: readonly ProvisioningWish[];
  /** What looks at the machine. */
  readonly eyes: DriverLogic<ProvisioningDriverCommand, undefined, ProvisioningFact>;
}

/**
 * What the active profile wants of the machine, held against what is there.
 */
export const provisioningSpec = ({ wishes, eyes }: ProvisioningDeps): Part =>
  part(provisioning, provisioningMachine.provide({ actors: { eyes } }), {
    input: () => ({ wishes }),
    stop: { event: { type: 'provisioning.stop' }, withinMs: 5 },
  });
