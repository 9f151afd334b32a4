import { type Fields, fieldsOf, textOf } from '#drivers/kit/json-fields.ts';
import type { Reading } from '#machines/home-assistant/events.ts';

import type { Ask } from './bounded.ts';

/** Longest configuration of a dashboard that is taken, in characters of its JSON. */
const CONFIGURATION_LENGTH = 4_000_000;
/** Panels of Home Assistant's own that are dashboards and have no configuration. */
const GENERATED: ReadonlySet<string> = new Set(['home', 'light', 'security', 'climate', 'maintenance']);
/** The dashboard that every account is shown which chose no other, and that of before there was it (2025). */
const DEFAULTS = ['home', 'lovelace'];

/** By which path Home Assistant knows the configuration of a dashboard: the first one has none. */
export const lovelacePath = (path: string): string | null => (path === 'lovelace' ? null : path);

type DashboardReading = Extract<Reading, { readonly kind: 'dashboard' }>;

const componentOf = (panels: Fields, path: string): string | null => textOf(fieldsOf(panels[path])['component_name']);

/** Whether the page takes a panel for its start: not for the first dashboard while nothing is kept of it. */
const isStart = (panels: Fields, path: string): boolean =>
  componentOf(panels, path) !== null && (path !== 'lovelace' || Boolean(fieldsOf(panels[path])['config']));

/**
 * The panel that Home Assistant's start page leads this account to, as its page finds it (seen with 2026.11): the
 * user's choice, else the house's, else the first that is there. Null where that is not told in time.
 */
async function startOf(panels: Fields, ask: Ask): Promise<string | null> {
  let chosen: string | null = null;
  for (const type of ['frontend/get_user_data', 'frontend/get_system_data']) {
    if (chosen !== null) break;
    const answer = await ask({ type, key: 'core' });
    if (!answer.ok && answer.code === null) return null;
    chosen = answer.ok ? textOf(fieldsOf(fieldsOf(answer.value)['value'])['default_panel']) : null;
  }
  if (chosen !== null && isStart(panels, chosen)) return chosen;
  return DEFAULTS.find((path) => componentOf(panels, path) !== null) ?? null;
}

/** Whether a configuration is as long as is taken, and not nested deeper than can be written. */
function isWithin(configuration: unknown): boolean {
  try {
    return (JSON.stringify(configuration) ?? '').length <= CONFIGURATION_LENGTH;
  } catch {
    return false;
  }
}

/**
 * What a dashboard is made of; of "" the one that the start page leads to, by its own path. Null where this account is
 * shown no panel of that path, though Home Assistant would tell it the configuration; where that is longer than
 * 4,000,000 characters, or too deep to be written; or where it is refused or not told in time.
 */
export async function readDashboard(wanted: string, ask: Ask): Promise<DashboardReading | null> {
  const told = await ask({ type: 'get_panels' });
  if (!told.ok) return null;
  const panels = fieldsOf(told.value);
  const path = wanted === '' ? await startOf(panels, ask) : wanted;
  if (path === null) return null;
  const component = componentOf(panels, path);
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
  return isWithin(configuration)
    ? { kind: 'dashboard', path, origin: 'stored', configuration: configuration ?? null }
    : null;
}
