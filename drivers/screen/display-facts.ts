import type { DisplayFacts, DisplayReading } from '#machines/screen/events.ts';

import type { ChosenDisplay, Refusals } from './find-display.ts';
import type { RouteReading } from './route.ts';

/** Says what is worth knowing beside a display: what it cannot do, and the one command for it. */
export type RemarkOf = (
  display: DisplayFacts,
  refusals: Refusals,
  connected: readonly string[],
) => DisplayFacts['remark'];

/** What a display can do by the routes that were chosen for it. */
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

/** A whole reading: what a route does not say stays as it was, since a display that is off still holds its level. */
export const completed = (
  reading: RouteReading,
  before: DisplayReading | null,
  { rawMax }: Pick<DisplayFacts, 'rawMax'>,
): DisplayReading => ({ raw: reading.raw ?? before?.raw ?? rawMax, powered: reading.powered ?? true });
