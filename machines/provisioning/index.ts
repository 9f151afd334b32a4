import { subsystem } from '../subsystem.ts';
import type { ProvisioningActor } from './events.ts';

/** What the active profile wants of the machine. */
export const provisioning = subsystem<ProvisioningActor>()({ ids: ['provisioning'], group: 'panel' });
