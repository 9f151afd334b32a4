import type { StateValue } from 'xstate';

/** States of the actors from which something shown is derived, as they are on a panel where all is well. */
export const settledStates: Readonly<Record<string, StateValue>> = {
  mqtt: { linked: { attempting: 'connected' } },
  renderer: { up: { showing: 'live' } },
  voice: { ready: 'idle' },
  publisher: { active: { live: 'settled' } },
};
