import { subsystem } from '../subsystem.ts';
import type { EntityFilterActor } from './events.ts';

/** Which entities the dashboards are sent. */
export const entityFilter = subsystem<EntityFilterActor>()({
  ids: ['entity-filter'],
  group: 'view',
  problems: {
    confirmation_required: 409,
    'filter-not-ready': 409,
    'filter-busy': 409,
    'filter-unknown': 404,
    'too-many-entities': 400,
    'traffic-unavailable': 409,
  },
});
