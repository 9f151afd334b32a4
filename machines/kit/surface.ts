import type { EntitySurface } from './entity.ts';

/**
 * The surface over which the entities go. `wanted` is the setting, `inForce` what the native connection says; each null
 * while unknown. They differ during a move. A panel on the broker need not wait for the native connection to be read.
 */
export const surfaceInForce = (wanted: EntitySurface | null, inForce: EntitySurface | null): EntitySurface | null =>
  inForce ?? (wanted === 'mqtt' ? 'mqtt' : null);
