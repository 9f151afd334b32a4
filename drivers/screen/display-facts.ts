import type { DisplayFacts, DisplayReading } from '#machines/screen/events.ts';

import type { ChosenDisplay, Refusals } from './find-display.ts';
import type { RouteReading } from './route.ts';

/** Returns what a display cannot do, and the command that helps; undefined if it can do everything. */
export type RemarkOf = (
  display: DisplayFacts,
  refusals: Refusals,
  connected: readonly string[],
) => DisplayFacts['remark'];

/** The abilities of a display through its chosen routes. */
export function displayFacts(display: ChosenDisplay, remarkOf?: RemarkOf): DisplayFacts {
  const { brightness, power, choice } = display;
  const facts: DisplayFacts = {
    name: display.name,
    rawMax: brightness?.rawMax ?? 1,
    rawMin: brightness?.rawMin ?? 1,
    power: power !== null,
    routes: choice,
    answerMs: Math.max(brightness?.answerMs ?? 0, power?.answerMs ?? 0),
  };
  const remark = remarkOf?.(facts, display.refusals, display.connected) ?? null;
  return remark === null ? facts : { ...facts, remark };
}

/** Completes a reading: a missing part keeps its previous value, since a display that is off still has its level. */
export const completed = (
  reading: RouteReading,
  before: DisplayReading | null,
  { rawMax }: Pick<DisplayFacts, 'rawMax'>,
): DisplayReading => ({ raw: reading.raw ?? before?.raw ?? rawMax, powered: reading.powered ?? true });
