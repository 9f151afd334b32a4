import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { ScreenId } from '../screen/events.ts';
import { type SleepChange, type SleepDisplay, sleepOrigins } from './events.ts';
import type { DisplayRow } from './follow-state.ts';

/** How long what a display was told may take effect, by itself and without a cause. */
export const EFFECT_MS: Milliseconds = 60_000;
/** Changes of several displays this close to each other are one. */
const TOGETHER_MS: Milliseconds = 5000;
const CHANGES_MAX = 10;

/** What a person does; a display that changed `elsewhere` was changed past the agent. */
const handOrigins: readonly string[] = ['home-assistant', 'http', 'touch', 'wave', 'elsewhere'];

/** What a person did to a display. */
export interface Hand {
  readonly screen: ScreenId;
  readonly by: string;
  readonly isOff: boolean;
  readonly isLevel: boolean;
  readonly at: EpochMs;
}

/** A display before and after. */
interface Step {
  readonly before: SleepDisplay;
  readonly after: SleepDisplay;
  readonly row: DisplayRow;
  readonly elapsed: Milliseconds;
}

/** True if a person changed it last. */
export const isByHand = ({ changed }: SleepDisplay): boolean => changed !== null && handOrigins.includes(changed.by);

const isChanged = ({ before, after }: Step): boolean =>
  after.changed !== null && (before.changed?.at !== after.changed.at || before.changed.by !== after.changed.by);

const isOurs = (by: string): boolean => sleepOrigins.some((origin) => origin === by);

/** A display that fades, or is slow: it reads as before right after a switch, and is found switched later. */
function isLateEffect({ before, after, row, elapsed }: Step): boolean {
  const { told } = row;
  if (told === null || after.changed?.by !== 'elsewhere' || after.lit === row.lit) return false;
  // Something else has changed it since.
  if (!isOurs(before.changed?.by ?? '')) return false;
  return told.on === after.lit && elapsed - told.at < EFFECT_MS;
}

/** It was told to go dark while a hand's level was being written: that is the change, and the dark is still ahead. */
const isLevelBeforeDark = ({ before, after, row }: Step): boolean =>
  row.told?.on === false && !row.told.isAnswered && after.level !== before.level && after.changed?.by !== 'elsewhere';

/** The hand that changed this display; null if none did. */
export function handOf(step: Step): Hand | null {
  const { before, after, row } = step;
  if (!isChanged(step) || after.changed === null || after.lit === null) return null;
  if (!isByHand(after) || isLateEffect(step)) return null;
  // A dark display may read otherwise without a person.
  if (after.changed.by === 'elsewhere' && !after.lit && row.lit === false) return null;
  const isOff = !after.lit && !isLevelBeforeDark(step);
  const { by, at } = after.changed;
  return { screen: after.id, by, isOff, isLevel: after.level !== before.level, at };
}

/** A state without a cause is that of a request under way. */
function pendingSince({ before, after, row, elapsed }: Step): Milliseconds | null {
  if (before.lit === after.lit) return row.pendingSince;
  return after.lit === row.lit ? null : (row.pendingSince ?? elapsed);
}

function toldAfter(step: Step, hand: Hand | null): DisplayRow['told'] {
  const { told } = step.row;
  if (told === null) return null;
  if (hand !== null) return { ...told, on: null, isAnswered: true };
  return isOurs(step.after.changed?.by ?? '') || isLateEffect(step) ? { ...told, isAnswered: true } : told;
}

/** What is known of the display after the step. */
export function rowAfter(step: Step, hand: Hand | null): DisplayRow {
  const { row, after } = step;
  if (!isChanged(step)) return { ...row, pendingSince: pendingSince(step) };
  const lit = after.lit ?? row.lit;
  const told = toldAfter(step, hand);
  const next = { ...row, told, lit, pendingSince: null };
  return hand === null ? next : { ...next, borrowed: null, isReleased: false, adoptedAt: null };
}

/** The switch that this step is; null if it is none. */
export function switchOf(step: Step): SleepChange | null {
  const { after, row } = step;
  if (!isChanged(step) || after.changed === null || after.lit === null || after.lit === row.lit) return null;
  const { by: cause, at } = after.changed;
  const isOwn = isOurs(cause) || isLateEffect(step);
  const told = isOwn ? row.told : null;
  return { at, lit: after.lit, by: cause, reason: told?.reason ?? null, sourceKey: told?.sourceKey ?? null };
}

/** The newest ten, the newest first; several displays that switch together are one. */
export function changesWith(changes: readonly SleepChange[], one: SleepChange): readonly SleepChange[] {
  const isKnown = changes.some(
    ({ at, lit, by }) => lit === one.lit && by === one.by && Math.abs(at - one.at) < TOGETHER_MS,
  );
  // Not by time: the clock may have been set.
  return isKnown ? changes : [one, ...changes].slice(0, CHANGES_MAX);
}
