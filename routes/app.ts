import { Hono } from 'hono';
import { actionRoutes } from './action.ts';
import { androidRoutes } from './android.ts';
import { approvalRoutes } from './approvals.ts';
import { autoBrightnessChanges } from './auto-brightness/changes.ts';
import { autoBrightnessDocuments } from './auto-brightness/documents.ts';
import { autoSleepChanges } from './auto-sleep/changes.ts';
import { autoSleepDocuments } from './auto-sleep/documents.ts';
import { backupRoutes } from './backup.ts';
import { brokerRoutes } from './broker.ts';
import { cameraRoutes } from './camera.ts';
import { companionRoutes } from './companion.ts';
import { configCheckRoutes } from './config-check.ts';
import { configCopyChanges } from './config-copies/changes.ts';
import { configCopyDocuments } from './config-copies/documents.ts';
import { configRoutes } from './config.ts';
import { dashboardStorageRoutes } from './dashboard-storage.ts';
import { entityChanges } from './entities/changes.ts';
import { entityDocuments } from './entities/documents.ts';
import { entityFilterRoutes } from './entities/filter.ts';
import { eventRoutes } from './events.ts';
import { offlineRoutes } from './offline.tsx';
import { homeDashboardRoutes } from './home-dashboards.ts';
import { inputRoutes } from './input.ts';
import { inspectorRoutes } from './inspector.ts';
import { installStatusRoutes } from './install-status.ts';
import { declareIn } from './kit/declare.ts';
import type { RouteDeps } from './kit/deps.ts';
import type { Family } from './kit/family.ts';
import { pathMatcher } from './kit/path-pattern.ts';
import { problem } from './kit/problem.ts';
import type { Env, RouteSpec } from './kit/route-spec.ts';
import { canonicalPaths, legacyRoutes } from './legacy.ts';
import { historyRoutes } from './history.ts';
import { logRoutes } from './logs.ts';
import { openapiRoutes } from './openapi.ts';
import { pagePaths, pageRoutes } from './pages.tsx';
import { panelRoutes } from './panel.ts';
import { playRoutes } from './play.ts';
import { profileChanges, profileImports } from './profiles/changes.ts';
import { profileDocuments } from './profiles/documents.ts';
import { provisioningRoutes } from './provisioning.ts';
import { proximityRoutes } from './proximity.ts';
import { signInRoutes } from './sign-in.tsx';
import { setupRoutes } from './setup.ts';
import { radioRoutes } from './radio.ts';
import { resetRoutes } from './reset.ts';
import { sensorTraceRoutes } from './sensor-trace.ts';
import { simulatedDayRoutes } from './simulated-day.ts';
import { simulatorRoutes } from './simulator.ts';
import { statusRoutes } from './status/routes.ts';
import { supportRoutes } from './support.ts';
import { updatesRoutes } from './updates.ts';
import { voiceRoutes } from './voice.ts';

/** The application and the table of its machine routes. */
export interface App {
  readonly fetch: (request: Request, env: Env['Bindings']) => Response | Promise<Response>;
  readonly table: readonly RouteSpec[];
  /** Largest body that a path takes, in bytes, for the listener's bound. */
  readonly maxBodyBytes: (method: string, path: string) => number;
  /** True if the bodies of a path are received into files. */
  readonly takesFile: (method: string, path: string) => boolean;
  /** True if a GET starts real work and is guarded like a write (contract, "Active GETs"). */
  readonly isActiveGet: (path: string, query: string) => boolean;
}

/** How much of a body is read, in bytes, if its path does not exist, so that the caller gets its 404. */
const unknownBodyBytes = 16_384;

const families: readonly Family[] = [
  statusRoutes,
  cameraRoutes,
  voiceRoutes,
  panelRoutes,
  radioRoutes,
  sensorTraceRoutes,
  configRoutes,
  configCheckRoutes,
  configCopyDocuments,
  configCopyChanges,
  homeDashboardRoutes,
  resetRoutes,
  backupRoutes,
  installStatusRoutes,
  setupRoutes,
  dashboardStorageRoutes,
  brokerRoutes,
  companionRoutes,
  actionRoutes,
  playRoutes,
  eventRoutes,
  signInRoutes,
  approvalRoutes,
  simulatorRoutes,
  simulatedDayRoutes,
  logRoutes,
  historyRoutes,
  inspectorRoutes,
  profileDocuments,
  profileImports,
  profileChanges,
  offlineRoutes,
  provisioningRoutes,
  supportRoutes,
  updatesRoutes,
  inputRoutes,
  androidRoutes,
  proximityRoutes,
  autoBrightnessDocuments,
  autoBrightnessChanges,
  autoSleepDocuments,
  autoSleepChanges,
  entityFilterRoutes,
  entityDocuments,
  entityChanges,
];

/** Builds the application: every family, the legacy redirects, the pages, and one answer for everything else. */
export function createApp(deps: RouteDeps): App {
  const app = new Hono<Env>();
  const table: RouteSpec[] = [];
  const scope = { deps, declare: declareIn(app, table, deps) };
  for (const family of families) family(scope);
  const pages = pagePaths(deps);
  openapiRoutes(table, scope, pages);
  legacyRoutes(app, table, pages);
  pageRoutes(app, deps, table);

  app.onError((failure, c) => {
    deps.report(failure);
    return problem(c, {
      ok: false,
      reason: 'internal',
      message: 'Something went wrong inside the agent. It was logged; try again.',
    });
  });

  const canonicalPath = canonicalPaths(table);
  const routes = table.map((spec) => ({ spec, isAsked: pathMatcher(spec.path) }));
  const find = (method: string, path: string): RouteSpec | undefined =>
    routes.find(
      ({ spec, isAsked }) =>
        (spec.method === method.toLowerCase() || (method === 'HEAD' && spec.method === 'get')) && isAsked(path),
    )?.spec;
  return {
    fetch: (request, env) => app.fetch(request, env),
    table,
    maxBodyBytes: (method, path) => find(method, canonicalPath(path))?.maxBodyBytes ?? unknownBodyBytes,
    takesFile: (method, path) => find(method, canonicalPath(path))?.body?.reads === 'file',
    isActiveGet: (path, query) => {
      const spec = find('GET', canonicalPath(path));
      if (spec === undefined) return false;
      if (spec.guard === 'active') return true;
      return spec.activeQuery !== undefined && new URLSearchParams(query).has(spec.activeQuery);
    },
  };
}
