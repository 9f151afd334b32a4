import { z } from 'zod';
import { setting } from '../kit/fields.ts';

export const entityFilterSettings = z.object({
  dashboard_entity_learning: setting(z.boolean(), false, {
    title: 'Load only what the dashboard shows',
    help: 'Home Assistant sends the panel only the states of entities that its dashboard shows, instead of all. The panel learns which ones; the Entities page lists them.',
    group: 'dashboard',
    tier: 'basic',
    scope: 'portable',
  }),
});
