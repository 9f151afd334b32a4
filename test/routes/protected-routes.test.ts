import { describe, expect, it } from 'vitest';

import { descriptors } from '#machines/settings.ts';
import { createApp } from '#routes/app.ts';
import { operationsOf } from '#routes/kit/admission-of.ts';
import type { RouteSpec } from '#routes/kit/route-spec.ts';
import { fakeDeps } from '#test/fakes/route-deps.ts';

const { table } = createApp(fakeDeps());

/** What a route may ask for; `closed` if it is refused in Hardened mode; nothing if it is open. */
function protectionOf(spec: RouteSpec): readonly string[] {
  const { protects } = spec;
  return protects !== null && typeof protects === 'object' && 'closed' in protects ? ['closed'] : operationsOf(spec);
}

/**
 * Which operation protects which route in Hardened mode, below `/api/v1`; `*` is any path below. It names routes that
 * this build lacks too, so that none of them can be added open. `now`: the route exists.
 */
const protectedRoutes: readonly (readonly [operation: string, method: 'get' | 'post', path: string, now?: 'now'])[] = [
  // Software of the panel.
  ['APK_INSTALL', 'post', '/install/component'],
  ['APK_INSTALL', 'post', '/install/apk/commit'],
  ['APK_FETCH', 'post', '/install/apk/from-url'],
  ['PACKAGE_UNINSTALL', 'post', '/uninstall'],
  ['PACKAGE_TAME', 'post', '/tame'],
  ['PACKAGE_TAME', 'post', '/tame/record'],
  ['HOME_ROLE_HAND_BACK', 'post', '/hand-back-home'],
  ['COMPANION_REPAIR', 'post', '/companion/repair-url'],
  ['TRANSPORT_RELEASE', 'post', '/companion/revoke', 'now'],
  ['TRANSPORT_RELEASE', 'post', '/companion/move', 'now'],
  ['TRANSPORT_RELEASE', 'post', '/panel-assistant/transport/release'],
  // What it keeps.
  ['BACKUP_EXPORT', 'post', '/backup', 'now'],
  ['BACKUP_RESTORE', 'post', '/restore', 'now'],
  ['IDENTITY_REPLACE', 'post', '/restore', 'now'],
  ['CONFIG_SECRET_EXPORT', 'get', '/config/export', 'now'],
  ['CONFIG_IMPORT', 'post', '/config/import', 'now'],
  ['CONFIG_IMPORT', 'post', '/config/revisions/{id}/restore', 'now'],
  ['GUARD_DB_MAINTENANCE', 'post', '/guard-db/*'],
  ['PANEL_RESET', 'post', '/setup/reset', 'now'],
  // Its hardware.
  ['PROFILE_ACTIVATE', 'post', '/profiles/select', 'now'],
  ['PROFILE_ACTIVATE', 'post', '/profiles/activate', 'now'],
  ['PROFILE_ACTIVATE', 'post', '/profiles/rollback', 'now'],
  ['DEVICE_REBOOT', 'post', '/action', 'now'],
  ['POWER_CONFIGURATION', 'post', '/power-safety/repair'],
  ['POWER_SAFETY_ACKNOWLEDGEMENT', 'post', '/power-safety/acknowledge'],
  // What it shows and plays.
  ['REMOTE_MEDIA', 'post', '/play', 'now'],
  ['DASHBOARD_RELOAD', 'post', '/action', 'now'],
  ['DASHBOARD_STORAGE_CLEAR', 'post', '/dashboard/clear-storage', 'now'],
  ['DISPLAY_CONFIGURATION', 'post', '/display/density'],
  // With another address of Home Assistant, whose page then comes to the screen.
  ['DISPLAY_CONFIGURATION', 'post', '/ha/oauth/start', 'now'],
  // Never approved.
  ['closed', 'post', '/input', 'now'],
  ['closed', 'post', '/inspect/start'],
];

const matches = (pattern: string, path: string): boolean =>
  pattern.endsWith('*')
    ? path.startsWith(pattern.slice(0, -1))
    : pattern.replaceAll(/\{\w+\}/g, '{}') === path.replaceAll(/\{\w+\}/g, '{}');

/** The operations that the table demands of a route; the routes at the root are those of their versioned twins. */
const demanded = ({ method, path }: Pick<RouteSpec, 'method' | 'path'>): readonly string[] =>
  protectedRoutes
    .filter(([, verb, pattern]) => verb === method && matches(pattern, path.replace(/^\/api\/v1/, '')))
    .map(([operation]) => operation);

/** Settings that only a person at the panel may change in Hardened mode; `POST /config` has to ask for them. */
const protectedSettings: Readonly<Record<string, string>> = {
  tame_vendor_packages: 'PACKAGE_TAME',
  keep_awake: 'POWER_CONFIGURATION',
  prevent_idle_dim: 'POWER_CONFIGURATION',
};

describe('the operation of a protected route', () => {
  it.each(
    table.filter((spec) => demanded(spec).length > 0).map((spec) => [`${spec.method} ${spec.path}`, spec] as const),
  )('%s', (_, spec) => {
    expect(protectionOf(spec).toSorted()).toEqual([...demanded(spec)].toSorted());
  });

  it('is that of every route that is not in the table: none', () => {
    const others = table.filter((spec) => demanded(spec).length === 0 && protectionOf(spec).length > 0);
    // Settings bring their own operations.
    expect(others.map(({ operationId }) => operationId).filter((id) => id !== 'changeConfig')).toEqual([]);
  });

  it('is asked for by each route that the table says is there', () => {
    for (const [operation, method, path, now] of protectedRoutes)
      if (now !== undefined)
        expect(
          table.some((spec) => spec.method === method && spec.path === `/api/v1${path}`),
          `${operation} ${path}`,
        ).toBe(true);
    expect(table.filter(({ path }) => path === '/play')).toHaveLength(1);
  });

  it('is demanded of a route that is added later', () => {
    expect(demanded({ method: 'post', path: '/api/v1/guard-db/vacuum' })).toEqual(['GUARD_DB_MAINTENANCE']);
    expect(demanded({ method: 'post', path: '/api/v1/config/revisions/{revision}/restore' })).toEqual([
      'CONFIG_IMPORT',
    ]);
    expect(demanded({ method: 'post', path: '/play' })).toEqual(['REMOTE_MEDIA']);
    expect(demanded({ method: 'get', path: '/api/v1/status' })).toEqual([]);
  });

  it('covers settings too', () => {
    const config = table.find(({ operationId }) => operationId === 'changeConfig');
    for (const [key, operation] of Object.entries(protectedSettings))
      if (descriptors.some((row) => row.key === key))
        expect(config === undefined ? [] : operationsOf(config), key).toContain(operation);
  });
});

it('each route that may change something says what protects it', () => {
  const silent = table.filter((spec) => spec.method !== 'get' && spec.protects === undefined);
  expect(silent.map(({ operationId }) => operationId)).toEqual([]);
});

it('a function that decides it names what it may ask for', () => {
  const deciding = table.filter(({ protects }) => typeof protects === 'function');
  expect(deciding.length).toBeGreaterThan(5);
  for (const spec of deciding) expect(operationsOf(spec).length, spec.operationId).toBeGreaterThan(0);
});
