import { descriptors } from '../settings.ts';
import type { ResetScope } from './events.ts';

/** Groups of settings that form the connection to Home Assistant. */
const connectionGroups: readonly string[] = ['mqtt', 'home-assistant'];

/**
 * The panel id stays unless everything is reset: automations and dashboards in Home Assistant depend on it, and it is
 * identity, not configuration.
 */
const PANEL_ID = 'panel_id';

/** True if a reset restores the default of this setting: unknown keys too, and what needs a consent in any scope. */
export function isReset(scope: ResetScope, key: string): boolean {
  switch (scope) {
    case 'connection': {
      const row = descriptors.find((one) => one.key === key);
      return row !== undefined && (row.consent !== null || connectionGroups.includes(row.group));
    }
    case 'settings':
      return key !== PANEL_ID;
    case 'everything':
      return true;
  }
}
