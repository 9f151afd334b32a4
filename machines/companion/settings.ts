import { z } from 'zod';

import { setting } from '../kit/fields.ts';
import type { Surface } from './move.ts';

/** How the entities reach Home Assistant. */
const surfaces = ['mqtt', 'native'] as const satisfies readonly Surface[];

export const companionSettings = z.object({
  entity_surface: setting(z.enum(surfaces), 'mqtt', {
    title: 'Way to Home Assistant',
    help: 'How the entities of this panel reach Home Assistant: through your MQTT broker, or through the Sconce integration there, which needs no broker.',
    group: 'home-assistant',
    tier: 'advanced',
    scope: 'device',
    local: true,
    protects: { operation: 'TRANSPORT_RELEASE' },
    aliases: { broker: 'mqtt', integration: 'native' },
  }),
});

/** The surface in force, from the values of the settings; null while they are unknown. */
export const surfaceOf = (value: unknown): Surface | null => surfaces.find((one) => one === value) ?? null;
