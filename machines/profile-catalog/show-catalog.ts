import { clamp, type EpochMs } from '../kit/units.ts';
import type { ProfileCatalogContext } from './events.ts';
import type { ShownCatalog } from './listing.ts';

/** The catalogue with the progress of a trial at `now`; null until it was read. */
export function showCatalog(
  { catalog, wellSince, times: { holdMs } }: Pick<ProfileCatalogContext, 'catalog' | 'wellSince' | 'times'>,
  now: EpochMs,
): ShownCatalog | null {
  if (catalog === null) return null;
  const { state, since, reason } = catalog.activation;
  if (state !== 'trial') return { ...catalog, trial: null };
  // Until the restart, the health is that of the previous profile.
  const held = wellSince === null || reason === 'restart-due' ? 0 : now - wellSince;
  return {
    ...catalog,
    trial: { elapsed_ms: Math.max(0, now - since), held_ms: clamp(held, 0, holdMs), hold_ms: holdMs },
  };
}
