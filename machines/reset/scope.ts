import { descriptors } from '../settings.ts';
import type { ResetScope } from './events.ts';

/** Groups of the form whose settings make the connection to Home Assistant. */
const connectionGroups: readonly string[] = ['mqtt', 'home-assistant'];

/**
 * The panel's id stays unless everything goes: Home Assistant finds the entities of automations and dashboards by it,
 * and it says who the panel is, not how it is set.
 */
const PANEL_ID = 'panel_id';

/** True if a reset takes the setting of that key back to its default; one that this version does not know goes too. */
export function isReset(scope: ResetScope, key: string): boolean {
  switch (scope) {
    case 'connection':
      return connectionGroups.includes(descriptors.find((row) => row.key === key)?.group ?? '');
    case 'settings':
      return key !== PANEL_ID;
    case 'everything':
      return true;
  }
}
