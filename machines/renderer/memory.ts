import type { EpochMs } from '../kit/units.ts';

/** Memory of the browser, in bytes of proportional set size. */
export interface MemoryFacts {
  /** Time of the last load of the dashboard; null before the first. */
  readonly loadedAt: EpochMs | null;
  /** Measured `SETTLE_MS` after that load; null until then. */
  readonly baseBytes: number | null;
}

/** Facts before the first load. */
export const unloaded: MemoryFacts = { loadedAt: null, baseBytes: null };

/** How long after a load the base is measured, in milliseconds: 10 minutes (seen with Home Assistant 2026.11). */
export const SETTLE_MS = 600_000;
/** Growth over the base at which the page is reloaded while the screen is dark. */
const DARK_GROWTH = 1.6;
/** Growth over the base at which the page is reloaded at once. */
const ANY_GROWTH = 2.5;

/** Records the base once it is due; it then stays until the next load. */
export const takeMemory = (facts: MemoryFacts, pssBytes: number, at: EpochMs): MemoryFacts =>
  facts.loadedAt !== null && facts.baseBytes === null && at - facts.loadedAt >= SETTLE_MS && pssBytes > 0
    ? { ...facts, baseBytes: pssBytes }
    : facts;

/** The reason to reload a page that has grown too much; null while it has not. */
export function judgeMemory(
  { baseBytes }: MemoryFacts,
  pssBytes: number,
  dark: boolean,
): 'memory' | 'memory-dark' | null {
  if (baseBytes === null || pssBytes <= 0) return null;
  if (pssBytes >= baseBytes * ANY_GROWTH) return dark ? 'memory-dark' : 'memory';
  return dark && pssBytes >= baseBytes * DARK_GROWTH ? 'memory-dark' : null;
}
