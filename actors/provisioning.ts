import type { DriverLogic } from '#drivers/kit/from-driver.ts';

import type { ProvisioningDriverCommand, ProvisioningFact, Requirement } from '#machines/provisioning/events.ts';
import { provisioning } from '#machines/provisioning/index.ts';
import { provisioningMachine } from '#machines/provisioning/machine.ts';

import { part, type Part } from './kit/part.ts';

/** What the provisioning actor is wired to. */
export interface ProvisioningDeps {
  /** What the active profile wants. */
  readonly requirements: readonly Requirement[];
  /** What scans the machine. */
  readonly observer: DriverLogic<ProvisioningDriverCommand, undefined, ProvisioningFact>;
}

/**
 * What the active profile wants of the machine, held against what is there.
 */
export const provisioningSpec = ({ requirements, observer }: ProvisioningDeps): Part =>
  part(provisioning, provisioningMachine.provide({ actors: { observer } }), {
    input: () => ({ requirements }),
  });
