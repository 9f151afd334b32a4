import type { ActorLogic, EventObject, Snapshot } from 'xstate';

/** Logic that only fails with `error`: what a child is started as whose own logic or input is not to be had. */
export function failing(error: unknown): ActorLogic<Snapshot<undefined>, EventObject> {
  return {
    start: () => {
      throw error;
    },
    transition: (snapshot) => snapshot,
    getInitialSnapshot: () => ({ status: 'active', output: undefined, error: undefined }),
    getPersistedSnapshot: (snapshot) => snapshot,
  };
}
