import type { OwnDevice } from '../home-assistant/events.ts';
import type { EntityLookup } from './events.ts';

/** The screen's entity first: it is the easiest to recognise. */
const rank = (entityId: string): number => (/^light\..*screen/.test(entityId) ? 0 : 1);

/** The entity to name to the owner, `light.hall_screen`; null while Home Assistant lists none. */
export const firstEntity = (entityIds: readonly string[]): string | null =>
  entityIds.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))[0] ?? null;

/**
 * What Home Assistant shows of this panel. Listed is not shown: without its broker the integration keeps every entity
 * as `unavailable`. Null if the announcement may not have been processed yet.
 */
export function lookupOf({ state, integration }: OwnDevice, isCertain: boolean): EntityLookup | null {
  if (state === 'live') return 'shown';
  if (integration === 'disabled') return 'integration-disabled';
  if (integration === 'waits-for-password') return 'waits-for-password';
  if (state === 'disabled') return 'device-disabled';
  if (!isCertain) return null;
  return integration === 'absent' ? 'no-integration' : 'missing';
}
