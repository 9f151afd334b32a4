import { subsystem } from '../subsystem.ts';
import { diag } from './diag.ts';
import type { SimulatorActor } from './events.ts';

/** The hands on the simulated panel. */
export const simulator = subsystem<SimulatorActor>()({ ids: ['simulator'], group: 'panel', diag });
