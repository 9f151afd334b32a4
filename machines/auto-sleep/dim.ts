import { levelOfPercent } from '../kit/level.ts';
import type { ScreenId } from '../screen/events.ts';
import type { SleepDisplay } from './events.ts';

/** What night's level did to one display. */
interface Row {
  /** The level to give back, 1 to 255; null if it was dim enough. */
  readonly restore: number | null;
  /** True once its level was judged since it was last lit. */
  readonly isJudged: boolean;
  /** A hand chose its level within these hours, so that it is left alone until they end. */
  readonly isReleased: boolean;
}

/** What night's level changed, for its end. */
export interface Dim {
  /** Night's level that the rows go by, 1 to 255; null outside the hours. */
  readonly level: number | null;
  readonly rows: Readonly<Partial<Record<ScreenId, Row>>>;
}

export const notDimmed: Dim = { level: null, rows: {} };

interface DimNow {
  readonly isActive: boolean;
  /** `night_dim_percent`. */
  readonly percent: number;
  /** True while the automatic brightness sets the level: it has a source, and is not `unavailable`. */
  readonly isAutomatic: boolean;
  readonly displays: readonly SleepDisplay[];
  /** Displays whose level a hand has set since the last call. */
  readonly handChanged: readonly ScreenId[];
}

interface DimSet {
  readonly screen: ScreenId;
  readonly brightness: number;
}

interface Judged {
  readonly row: Row | null;
  readonly brightness: number | null;
}

const untouched: Row = { restore: null, isJudged: false, isReleased: false };

/** A display within the hours: it is lowered once when it is, or gets, lit; never raised. */
function lowered(row: Row, { lit, level, dims }: SleepDisplay, night: number): Judged {
  if (lit !== true) return { row: lit === false ? { ...row, isJudged: false } : row, brightness: null };
  if (!dims || row.isReleased || row.isJudged) return { row, brightness: null };
  if (level <= night) return { row: { ...row, isJudged: true }, brightness: null };
  return { row: { ...row, isJudged: true, restore: row.restore ?? level }, brightness: night };
}

/** After the hours: a lit display gets its level back; a dark one, once it is lit. */
function restored({ restore, isReleased }: Row, { lit }: SleepDisplay): Judged {
  if (restore === null || isReleased) return { row: null, brightness: null };
  return lit === true ? { row: null, brightness: restore } : { row: { ...untouched, restore }, brightness: null };
}

/** Night's level was set otherwise: what it lowered before rises as far as it may. */
function raised(row: Row, { lit, level }: SleepDisplay, before: number, night: number): Judged {
  const again = { ...row, isJudged: false };
  if (row.restore === null || row.isReleased || lit !== true || level !== before || night <= before)
    return { row: again, brightness: null };
  return { row: { ...row, isJudged: true }, brightness: Math.min(row.restore, night) };
}

function judged(before: Dim, display: SleepDisplay, now: DimNow): Judged {
  const isHand = now.handChanged.includes(display.id);
  const known = before.rows[display.id];
  if (!now.isActive) {
    if (known === undefined || now.isAutomatic || isHand) return { row: null, brightness: null };
    return restored(known, display);
  }
  const night = levelOfPercent(now.percent);
  const isBegun = before.level !== null;
  const row: Row = { ...(known ?? untouched), ...(!isBegun && { isJudged: false, isReleased: false }) };
  if (isHand || row.isReleased) return { row: { restore: null, isJudged: true, isReleased: true }, brightness: null };
  if (now.isAutomatic) return { row: null, brightness: null };
  if (before.level === null || before.level === night) return lowered(row, display, night);
  const step = raised(row, display, before.level, night);
  return step.brightness === null && step.row !== null ? lowered(step.row, display, night) : step;
}

/**
 * Night's level, one step further. While the automatic brightness works it is only a ceiling for it, which counts for
 * the whole of the hours. Otherwise lit displays are lowered at the beginning, or when they are lit later, and get
 * their level back at the end, unless a hand changed it meanwhile. A dark display is never set, as that would light it.
 */
export function dimAfter(
  before: Dim,
  now: DimNow,
): { readonly dim: Dim; readonly sets: readonly DimSet[]; readonly ceiling: number | null } {
  const steps = now.displays.map((display) => ({ screen: display.id, ...judged(before, display, now) }));
  // A display that is away for a moment keeps what it is owed.
  const away = rowsOf(before).filter(([id]) => !now.displays.some((one) => one.id === id));
  const own = steps.flatMap(({ screen, row }) => (row === null ? [] : [[screen, row] as const]));
  const rows = Object.fromEntries([...away, ...own]);
  const sets = steps.flatMap(({ screen, brightness }) => (brightness === null ? [] : [{ screen, brightness }]));
  const level = now.isActive ? levelOfPercent(now.percent) : null;
  return { dim: { level, rows }, sets, ceiling: level };
}

/** The rows by display; `Object.entries` loses the type of the keys. */
const rowsOf = ({ rows }: Dim): readonly (readonly [ScreenId, Row])[] =>
  Object.entries(rows) as unknown as readonly (readonly [ScreenId, Row])[];

/** The levels to give back at the end, for the stored section; empty for none. */
export const dimmedLevels = (dim: Dim): Readonly<Partial<Record<ScreenId, number>>> =>
  Object.fromEntries(rowsOf(dim).flatMap(([id, { restore }]) => (restore === null ? [] : [[id, restore]])));

/** After a restart: what an earlier run lowered gets its level back as if this one had. */
export const dimRecalled = (levels: Readonly<Partial<Record<ScreenId, number>>>): Dim => ({
  level: null,
  rows: Object.fromEntries(Object.entries(levels).map(([id, restore]) => [id, { ...untouched, restore }])),
});
