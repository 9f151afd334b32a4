import type { RelightDriver } from '#machines/relight/events.ts';
import { relight } from '#machines/relight/index.ts';
import { relightMachine } from '#machines/relight/machine.ts';

import { part, type Part } from './kit/part.ts';

/** Lights a dark screen once the agent is gone: when the agent stops, its watcher lights what is still dark. */
export const relightSpec = ({ driver }: { readonly driver: RelightDriver }): Part =>
  part(relight, relightMachine.provide({ actors: { source: driver } }));
