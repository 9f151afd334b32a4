import { subsystem } from '../subsystem.ts';
import type { RelightActor } from './events.ts';

/** Lights a dark screen once the agent is gone. */
export const relight = subsystem<RelightActor>()({ ids: ['relight'], group: 'panel', runsOn: 'unattended' });
