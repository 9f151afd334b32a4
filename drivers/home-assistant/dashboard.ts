import { type Fields, fieldsOf, textOf } from '#drivers/kit/json-fields.ts';
import type { Reading } from '#machines/home-assistant/events.ts';

import type { Ask } from './bounded.ts';

/** Longest accepted configuration of a dashboard, in characters of its JSON. */
const CONFIGURATION_LENGTH = 4_000_000;
/** Built-in panels that are dashboards without a configuration. */
const GENERATED: ReadonlySet<string> = new Set(['home', 'light', 'security', 'climate', 'maintenance']);
/** The default dashboard of accounts that chose no other, and the default before 2025. */
const DEFAULTS = ['home', 'lovelace'];

/** `url_path` of a dashboard's configuration: the first dashboard has none. */
export const lovelacePath = (path: string): string | null => (path === 'lovelace' ? null : path);

type DashboardReading = Extract<Reading, { readonly kind: 'dashboard' }>;

const componentOf = (panels: Fields, path: string): string | null => textOf(fieldsOf(panels[path])['component_name']);

/** True if the page can start at a panel: not at the first dashboard while that has no configuration. */
const isStart = (panels: Fields, path: string): boolean =>
  componentOf(panels, path) !== null && (path !== 'lovelace' || Boolean(fieldsOf(panels[path])['config']));

/**
 * The panel that Home Assistant's start page leads this account to, found as its page does (seen with 2026.11): the
 * user's choice, else the house's, else the first default that exists. Null without an answer in time.
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

/** True if a configuration is not too long, and not too deep to be serialized. */
function isWithin(configuration: unknown): boolean {
  try {
    return (JSON.stringify(configuration) ?? '').length <= CONFIGURATION_LENGTH;
  } catch {
    return false;
  }
}

/**
 * A dashboard's configuration; for "" that of the dashboard which the start page leads to, with its path. Null if this
 * account has no panel at that path, although Home Assistant would send it the configuration; if that is longer than
 * 4,000,000 characters or too deep to be serialized; or if it is refused or does not arrive in time.
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
