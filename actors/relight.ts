import type { RelightDriver } from '#machines/relight/events.ts';
import { relight } from '#machines/relight/index.ts';
import { relightMachine } from '#machines/relight/machine.ts';

import { part, type Part } from './kit/part.ts';

/**
 * The keeper of the light: asked to stop, it ends at once, and what it watched with lights what is still
 * dark.
 */
export const relightSpec = ({ driver }: { readonly driver: RelightDriver }): Part =>
  part(relight, relightMachine.provide({ actors: { watcher: driver } }), {
    stop: { event: { type: 'relight.stop' }, withinMs: 20 },
  });
