import { subsystem } from '../subsystem.ts';
import type { ProvisioningActor } from './events.ts';

/** What the active profile requires of the machine. */
export const provisioning = subsystem<ProvisioningActor>()({ ids: ['provisioning'], group: 'panel' });
