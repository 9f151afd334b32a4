import { subsystem } from '../subsystem.ts';
import type { EntityFilterActor } from './events.ts';
import { entityFilterSettings } from './settings.ts';
import { status } from './status.ts';

/** Manifest of the entity filter. */
export const entityFilter = subsystem<EntityFilterActor>()({
  ids: ['entity-filter'],
  group: 'view',
  tags: [
    { id: 'dashboard', about: 'The dashboard: which entities of Home Assistant it receives.', after: 'configuration' },
  ],
  settings: { after: 'dashboard_zoom', object: entityFilterSettings },
  status,
  problems: {
    confirmation_required: 409,
    'not-ready': 409,
    'filter-busy': 409,
    'unknown-entity': 400,
    'unknown-issue': 400,
    'unknown-dashboard': 404,
    'too-many-entities': 400,
    'filter-not-saved': 500,
    'traffic-unavailable': 409,
  },
});
