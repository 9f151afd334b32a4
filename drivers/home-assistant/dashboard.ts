import { type Fields, fieldsOf, textOf } from '#drivers/kit/json-fields.ts';
import type { Reading } from '#machines/home-assistant/events.ts';

import type { Ask } from './bounded.ts';

/** Longest configuration of a dashboard that is taken, in characters of its JSON. */
const CONFIGURATION_LENGTH = 4_000_000;
/** Panels of Home Assistant's own that are dashboards and have no configuration. */
const GENERATED: ReadonlySet<string> = new Set(['home', 'light', 'security', 'climate', 'maintenance']);

/** By which path Home Assistant knows the configuration of a dashboard: the first one has none. */
export const lovelacePath = (path: string): string | null => (path === 'lovelace' ? null : path);

type DashboardReading = Extract<Reading, { readonly kind: 'dashboard' }>;

/** Keys of the user's and the administrator's choice of the start page; the user's comes first. */
const STARTS = ['frontend/get_user_data', 'frontend/get_system_data'] as const;
/** The dashboard that Home Assistant makes where nothing was chosen, or what was chosen is not there. */
const OVERVIEW = 'home';

/** Whether the first dashboard has a configuration of its own: without one the overview is shown in its place. */
const isStored = async (ask: Ask): Promise<boolean> => (await ask({ type: 'lovelace/config', url_path: null })).ok;

/** First part of the path that the start page leads to; null where that is not told. */
const readStart = async (panels: Fields, ask: Ask): Promise<string | null> => {
  for (const type of STARTS) {
    const told = await ask({ type, key: 'core' });
    if (!told.ok && told.code !== 'unknown_command') return null;
    const chosen = told.ok ? textOf(fieldsOf(fieldsOf(told.value)['value'])['default_panel']) : null;
    if (chosen === null) continue;
    if (panels[chosen] === undefined) return OVERVIEW;
    return chosen !== 'lovelace' || (await isStored(ask)) ? chosen : OVERVIEW;
  }
  return OVERVIEW;
};

/**
 * What a dashboard is made of, by the first part of its path; "" is the one that the start page leads to. Null where this account is shown no panel of that path, though Home Assistant would tell
 * it the configuration; where that is longer than 4,000,000 characters; or where it is refused or not told in time.
 */
export const readDashboard = async (asked: string, ask: Ask): Promise<DashboardReading | null> => {
  const panels = await ask({ type: 'get_panels' });
  if (!panels.ok) return null;
  const path = asked === '' ? await readStart(fieldsOf(panels.value), ask) : asked;
  if (path === null) return null;
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
