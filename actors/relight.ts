import type { AnyActorLogic } from 'xstate';

import { relightMachine } from '#machines/relight/machine.ts';

import type { ChildSpec } from './kit/spec.ts';

/**
 * The keeper of the light: permanent; asked to stop, it ends at once, and what it watched with lights what is still
 * dark.
 */
export const relightSpec = ({ driver }: { readonly driver: AnyActorLogic }): ChildSpec => ({
  id: 'relight',
  logic: relightMachine.provide({ actors: { watcher: driver } }),
  restart: 'permanent',
  stop: { event: { type: 'relight.stop' }, withinMs: 20 },
});
