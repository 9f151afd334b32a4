import { subsystem } from '../subsystem.ts';
import type { ServiceActor } from './events.ts';

/** The link to the service manager; its facts are no news for the live stream, which does not show them. */
export const service = subsystem<ServiceActor>()({ ids: ['service'], group: 'heartbeat' });
