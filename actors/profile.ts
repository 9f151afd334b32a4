import { type EventObject, fromTransition } from 'xstate';

import type { ProfileContext } from '#machines/profile/events.ts';
import { profile } from '#machines/profile/index.ts';

import { part, type Part } from './kit/part.ts';

/** Holds the facts of the profile that was resolved before the tree started: they change only with a new start. */
export const profileSpec = (facts: ProfileContext): Part =>
  part(
    profile,
    fromTransition<ProfileContext, EventObject, never, undefined>((same) => same, facts),
  );
