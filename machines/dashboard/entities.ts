import { rowsOf, STATE_LENGTH } from '../kit/entity.ts';
import { refuse } from '../kit/result.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import { mergeOf } from '../kit/merge-settings.ts';
import type { SettingsContext, SettingsActor } from '../settings/events.ts';
import { canonicalHomePath } from '../kit/home-path.ts';

function homeOf(snapshot: SnapshotView<SettingsContext>): string | null {
  const value = snapshot.context.values['home_dashboard'];
  // An earlier version accepted longer paths; a truncated path would name another page.
  return typeof value === 'string' && value.length <= STATE_LENGTH ? value : null;
}

/** The path of the home dashboard as a text. */
export const rows = rowsOf<SettingsActor>([
  {
    entityKind: 'text',
    key: 'home_dashboard',
    name: 'Home dashboard',
    icon: 'mdi:view-dashboard',
    category: 'config',
    maxLength: STATE_LENGTH,
    actor: 'settings',
    available: (snapshot) => homeOf(snapshot) !== null,
    read: homeOf,
    protects: null,
    write: (text) => {
      const path = canonicalHomePath(text);
      if (!path.ok) return refuse(path.reason, `The path ${path.message}.`);
      return mergeOf({ home_dashboard: path.value });
    },
  },
]);
