import { fieldsOf, textOf } from '#drivers/kit/json-fields.ts';
import type { Reading } from '#machines/home-assistant/events.ts';

import type { Ask } from './bounded.ts';

/** Longest configuration of a dashboard that is taken, in characters of its JSON. */
const CONFIGURATION_LENGTH = 4_000_000;
/** Panels of Home Assistant's own that are dashboards and have no configuration. */
const GENERATED: ReadonlySet<string> = new Set(['home', 'light', 'security', 'climate', 'maintenance']);

/** By which path Home Assistant knows the configuration of a dashboard: the first one has none. */
export const lovelacePath = (path: string): string | null => (path === 'lovelace' ? null : path);

type DashboardReading = Extract<Reading, { readonly kind: 'dashboard' }>;

/**
 * What a dashboard is made of. Null where this account is shown no panel of that path, though Home Assistant would tell
 * it the configuration; where that is longer than 4,000,000 characters; or where it is refused or not told in time.
 */
export const readDashboard = async (path: string, ask: Ask): Promise<DashboardReading | null> => {
  const panels = await ask({ type: 'get_panels' });
  if (!panels.ok) return null;
  const component = textOf(fieldsOf(fieldsOf(panels.value)[path])['component_name']);
  if (component === null) return null;
  const without = (origin: 'generated' | 'other'): DashboardReading => ({
    kind: 'dashboard',
    path,
    origin,
    configuration: null,
  });
  if (component !== 'lovelace') return without(GENERATED.has(component) ? 'generated' : 'other');
  const stored = await ask({ type: 'lovelace/config', url_path: lovelacePath(path) });
  if (!stored.ok) return stored.code === 'config_not_found' ? without('generated') : null;
  const { value: configuration } = stored;
  const isWithin = (JSON.stringify(configuration) ?? '').length <= CONFIGURATION_LENGTH;
  return isWithin ? { kind: 'dashboard', path, origin: 'stored', configuration: configuration ?? null } : null;
};
