import type { DriverLogic } from '#drivers/kit/from-driver.ts';

import type { ProvisioningDriverCommand, ProvisioningFact, Requirement } from '#machines/provisioning/events.ts';
import { provisioning } from '#machines/provisioning/index.ts';
import { provisioningMachine } from '#machines/provisioning/machine.ts';

import { part, type Part } from './kit/part.ts';

export interface ProvisioningDeps {
  /** What the active profile requires. */
  readonly requirements: readonly Requirement[];
  readonly observer: DriverLogic<ProvisioningDriverCommand, undefined, ProvisioningFact>;
}

/** Compares what the active profile requires of the machine with what is there. */
export const provisioningSpec = ({ requirements, observer }: ProvisioningDeps): Part =>
  part(provisioning, provisioningMachine.provide({ actors: { observer } }), {
    input: () => ({ requirements }),
  });
