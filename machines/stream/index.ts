import { subsystem } from '../subsystem.ts';
import { diag } from './diag.ts';
import type { StreamActor } from './events.ts';

/** The live stream; its facts are no news for it, or it would answer its own echo. */
export const stream = subsystem<StreamActor>()({ ids: ['stream'], group: 'edge', streamed: false, diag });
