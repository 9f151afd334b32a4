import { type EventObject, fromTransition } from 'xstate';

import type { ActiveProfileContext } from '#machines/active-profile/events.ts';
import { activeProfile } from '#machines/active-profile/index.ts';

import { part, type Part } from './kit/part.ts';

/** Holds the facts of the profile, which was resolved before the tree started: only a new start changes them. */
export const activeProfileSpec = (facts: ActiveProfileContext): Part =>
  part(
    activeProfile,
    fromTransition<ActiveProfileContext, EventObject, never, undefined>((same) => same, facts),
  );
