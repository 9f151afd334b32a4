import type { ActorLogic, EventObject, Snapshot } from 'xstate';

/** Logic that only fails with `error`, for a child whose own logic or input is unavailable. */
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
