import type { Milliseconds } from '../kit/units.ts';

type Verdict = 'dark' | 'light';

/** The theme that the light of the room asks for, and another that may follow. */
export interface AmbientTheme {
  /** Null until the room was clearly dark or light for the first time. */
  readonly verdict: Verdict | null;
  /** Another verdict, and since when on a monotonic clock; null if there is none. */
  readonly pending: { readonly verdict: Verdict; readonly since: Milliseconds } | null;
}

/** Shares of full brightness, before minimum and maximum; between them the verdict stays. */
const DARK_UP_TO = 0.4;
const LIGHT_FROM = 0.55;

/** How long another verdict has to last: clouds and lamps do not flip a dashboard. */
export const THEME_MS: Milliseconds = 60_000;

function verdictOf(level: number | null): Verdict | null {
  if (level === null) return null;
  if (level <= DARK_UP_TO) return 'dark';
  return level >= LIGHT_FROM ? 'light' : null;
}

/** After one decision; the first verdict counts at once. `level` is 0.04 to 1, or null while it is unknown. */
export function themeAfter(before: AmbientTheme, level: number | null, elapsed: Milliseconds): AmbientTheme {
  const verdict = verdictOf(level);
  if (verdict === null || verdict === before.verdict)
    return before.pending === null ? before : { verdict: before.verdict, pending: null };
  if (before.verdict === null) return { verdict, pending: null };
  if (before.pending === null) return { verdict: before.verdict, pending: { verdict, since: elapsed } };
  return elapsed - before.pending.since >= THEME_MS ? { verdict, pending: null } : before;
}
