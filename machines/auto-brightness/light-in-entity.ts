import type { Reading } from '../home-assistant/events.ts';
import { luxInState } from '../kit/lux.ts';
import type { Unavailable } from './events.ts';

type EntityReading = Extract<Reading, { readonly kind: 'entity' }>;

/** States of an entity that exists and has no value now. */
const valueless: ReadonlySet<string> = new Set(['unavailable', 'unknown']);

/** What the state of an entity means: its light, 0 to 100,000 lx, or why there is none. */
export function lightInEntity({ state, unit }: Pick<EntityReading, 'state' | 'unit'>): number | Unavailable {
  if (state === null || valueless.has(state)) return 'source-away';
  if (unit !== 'lx') return 'not-lux';
  return luxInState(state) ?? 'not-a-number';
}
