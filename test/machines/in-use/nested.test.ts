import { afterEach, expect, it, vi } from 'vitest';
import { createActor, createMachine, fromTransition } from 'xstate';

import { inUseMachine } from '#machines/in-use/machine.ts';

afterEach(() => vi.restoreAllMocks());

it('takes an event that an action of another machine sends, and XState warns of nothing', () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  // Takes all that is sent, and reports nothing.
  const silent = fromTransition((state: null) => state, null);
  const room = createActor(inUseMachine.provide({ actors: { mark: silent as never, surroundings: silent as never } }));
  room.start();
  const other = createActor(
    createMachine({ on: { go: { actions: () => room.send({ type: 'screens.changed', lit: false }) } } }),
  );
  other.start().send({ type: 'go' });
  expect(room.getSnapshot().context.lit).toBe(false);
  expect(warned).not.toHaveBeenCalled();
});
