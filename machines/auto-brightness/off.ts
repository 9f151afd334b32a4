import type { AutoBrightnessContext, RoomView } from './events.ts';

/** Before anything is known of the room. */
export const unknownRoom: RoomView = {
  state: 'unavailable',
  why: 'starting',
  sourceKind: null,
  sourceAvailable: false,
  sourceRevision: 0,
  latestLux: null,
  expectedLux: null,
  automaticTarget: null,
  heldTo: null,
  appliedTarget: null,
  mode: null,
  brighter: false,
  preference: null,
  ambient: { verdict: null, level: null, changesAt: null },
  coveredDays: 0,
  historyFault: null,
};

/** The facts at the start, and while the part is off. */
export const unknownFacts: AutoBrightnessContext = { room: unknownRoom, decidedAt: null };
