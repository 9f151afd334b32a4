import type { EpochMs } from '../kit/units.ts';

/** What is known of the browser's memory, in bytes of proportional set size. */
export interface MemoryFacts {
  /** When the dashboard was loaded last; null before. */
  readonly loadedAt: EpochMs | null;
  /** Measured ten minutes after that; null until then. */
  readonly baseBytes: number | null;
}

/** Before it was loaded. */
export const unloaded: MemoryFacts = { loadedAt: null, baseBytes: null };

/** How long after a load the base is measured, in milliseconds (seen with Home Assistant 2026.11). */
export const SETTLE_MS = 600_000;
/** Growth over the base at which the page is loaded anew while nobody sees it. */
const DARK_GROWTH = 1.6;
/** Growth over the base at which it is loaded anew at once. */
const ANY_GROWTH = 2.5;

/** The base once it is due; a base that was measured stays until the next load. */
export const takeMemory = (facts: MemoryFacts, pssBytes: number, at: EpochMs): MemoryFacts =>
  facts.loadedAt !== null && facts.baseBytes === null && at - facts.loadedAt >= SETTLE_MS && pssBytes > 0
    ? { ...facts, baseBytes: pssBytes }
    : facts;

/** Whether the page should be loaded anew for what it has grown to. */
export function judgeMemory(
  { baseBytes }: MemoryFacts,
  pssBytes: number,
  dark: boolean,
): 'memory' | 'memory-dark' | null {
  if (baseBytes === null || pssBytes <= 0) return null;
  if (pssBytes >= baseBytes * ANY_GROWTH) return dark ? 'memory-dark' : 'memory';
  return dark && pssBytes >= baseBytes * DARK_GROWTH ? 'memory-dark' : null;
}
