import type { Hono } from 'hono';
import type { Context } from 'hono';
import { offeredAbouts } from '#machines/history.ts';
import { chunk } from '#machines/kit/chunk.ts';
import { refuse } from '#machines/kit/result.ts';
import { showCatalog } from '#machines/profile-catalog/show-catalog.ts';
import { settingPages } from '#machines/setting-groups.ts';
import { NotFoundPage } from '#ui/pages/not-found-page.tsx';
import { StatusPage } from '#ui/pages/status-page.tsx';
import { eachPage, pageTable } from '#ui/page-table.ts';
import { assetRoutes } from './assets.ts';
import { roomPageOf } from './auto-brightness/page.ts';
import { entitiesPageOf } from './entities/page.ts';
import { companionPageOf } from './companion-page.ts';
import { AskPage } from '#ui/pages/ask-page.tsx';
import { configurePages } from './configure.tsx';
import { installPageOf } from './install-page.ts';
import { readMachines } from './inspector.ts';
import type { Env, RouteSpec } from './kit/route-spec.ts';
import type { RouteDeps } from './kit/deps.ts';
import { isLoopback } from '#machines/sign-in/panel-origin.ts';
import { addressOf, originOf, reachableOrigin } from './kit/panel-address.ts';
import { problem, restarting } from './kit/problem.ts';
import { whenPartsStarted } from './kit/starting.ts';
import { offlinePage } from './offline.tsx';
import { pageOf } from './kit/on-device.tsx';
import { brokerBesideHome } from './kit/broker-beside-home.ts';
import { returnChosen } from './kit/return-chosen.ts';
import { isIdFree } from './kit/free-id.ts';
import { proximityOf } from './proximity.ts';
import { readReset } from './reset.ts';
import { signInPage } from './sign-in.tsx';
import { voicePageOf } from './voice.ts';
import { readHistory } from './status/read-history.ts';
import { readStatus } from './status/read-status.ts';
import { daysOf } from '#ui/parts/history-days.ts';
import { noStore } from '#routes/kit/no-store.ts';

/** The pages that are loaded when they are first opened. */
const views = {
  about: chunk(() => import('#ui/pages/about-page.tsx')),
  companion: chunk(() => import('#ui/pages/companion-page.tsx')),
  entities: chunk(() => import('#ui/pages/entities-page.tsx')),
  explorer: chunk(() => import('#ui/pages/explorer-page.tsx')),
  history: chunk(() => import('#ui/pages/history-page.tsx')),
  inspector: chunk(() => import('#ui/pages/inspector-page.tsx')),
  install: chunk(() => import('#ui/pages/install-page.tsx')),
  logs: chunk(() => import('#ui/pages/logs-page.tsx')),
  more: chunk(() => import('#ui/pages/more-page.tsx')),
  parts: chunk(() => import('#ui/pages/parts-page.tsx')),
  profiles: chunk(() => import('#ui/pages/profiles-page.tsx')),
  proximity: chunk(() => import('#ui/pages/proximity-page.tsx')),
  reset: chunk(() => import('#ui/pages/reset-page.tsx')),
  room: chunk(() => import('#ui/pages/room-page.tsx')),
  security: chunk(() => import('#ui/pages/security-page.tsx')),
  setup: chunk(() => import('#ui/pages/setup-page.tsx')),
  simulator: chunk(() => import('#ui/pages/simulator-page.tsx')),
  snippets: chunk(() => import('#ui/pages/snippets-page.tsx')),
  voice: chunk(() => import('#ui/pages/voice-page.tsx')),
};

/** Entries of the history on one page of it. */
const drawnEntries = 75;
/** Highest page number that may be requested: the history has fewer pages. */
const mostPages = 100;
/** Entries of the log in the page itself, for reading without scripts. */
const drawnLines = 40;

/** True if the caller prefers a page to JSON. */
const wantsPage = (c: Context): boolean =>
  c.req.method === 'GET' && (c.req.header('accept') ?? '').includes('text/html') && !c.req.path.startsWith('/api/v1/');

/** Pages that are drawn once: opened during a start, they wait for what they show. The others follow changes. */
const awaitingPaths: readonly string[] = [
  ...eachPage.flatMap(({ page, path = null }) =>
    path === null || page === 'status' || page === 'glass' || page === 'ask' ? [] : [path],
  ),
  `${pageTable.configure.path}/:group`,
];

/** The paths of the pages and their assets; a GET there is a page, even if a machine route has the same name. */
export const pagePaths = (deps: RouteDeps): ReadonlySet<string> =>
  new Set([
    ...eachPage.flatMap(({ path, exists }) => {
      if (path === undefined || (exists === 'simulated' && !deps.simulated)) return [];
      return exists === 'inspecting' && deps.inspection === null ? [] : [path];
    }),
    ...settingPages.map((id) => `${pageTable.configure.path}/${id}`),
    ...[...deps.assets.keys()].map((name) => `/assets/${name}`),
  ]);

/** The pages, their assets, and the answer for unknown paths. */
export function pageRoutes(app: Hono<Env>, deps: RouteDeps, table: readonly RouteSpec[]): void {
  for (const path of awaitingPaths)
    app.get(path, async (c, next) => {
      if (!deps.parts.areStarted()) await whenPartsStarted(c, deps.parts, Promise.resolve());
      await next();
    });
  app.get(pageTable.status.path, (c) =>
    pageOf(c, deps, <StatusPage status={readStatus(deps)} address={addressOf(c, deps)} />, 200, noStore),
  );
  configurePages(app, deps);
  app.get(pageTable.api.path, async (c) => {
    const { ExplorerPage } = await views.explorer();
    return pageOf(c, deps, <ExplorerPage status={readStatus(deps)} />, 200, noStore);
  });
  app.get(pageTable.more.path, async (c) => {
    const { MorePage } = await views.more();
    return pageOf(c, deps, <MorePage status={readStatus(deps)} />, 200, noStore);
  });
  app.get(pageTable.about.path, async (c) => {
    const { AboutPage } = await views.about();
    const profile = deps.registry.read('active-profile')?.context;
    const textOf = (name: string): string | null => (deps.assets.has(name) ? name : null);
    const facts = {
      build: deps.build,
      node: String(deps.host().env['node'] ?? ''),
      profile: profile === undefined ? null : { id: profile.id, version: profile.version, origin: profile.origin },
      licence: textOf('licence.txt'),
      notices: textOf('notices.txt'),
    };
    return pageOf(c, deps, <AboutPage status={readStatus(deps)} facts={facts} />, 200, noStore);
  });
  app.get(pageTable.history.path, async (c) => {
    const { HistoryPage } = await views.history();
    const about = offeredAbouts.find((one) => one === c.req.query('about')) ?? null;
    const asked = /^[1-9]\d{0,2}$/.test(c.req.query('page') ?? '') ? Number(c.req.query('page')) : 1;
    const page = Math.min(asked, mostPages);
    // One more than is drawn tells if there are older ones.
    const rows = readHistory(deps, about, (page - 1) * drawnEntries, drawnEntries + 1);
    const days = daysOf(rows.slice(0, drawnEntries), deps.now());
    const more = rows.length > drawnEntries;
    return pageOf(
      c,
      deps,
      <HistoryPage
        status={readStatus(deps)}
        days={days}
        about={about}
        offered={offeredAbouts}
        page={page}
        more={more}
      />,
      200,
      noStore,
    );
  });
  app.get(pageTable.install.path, async (c) => {
    const { InstallPage } = await views.install();
    const facts = installPageOf(deps);
    return facts.ok
      ? pageOf(c, deps, <InstallPage status={readStatus(deps)} {...facts.props} />, 200, noStore)
      : problem(c, facts);
  });
  app.get(pageTable.parts.path, async (c) => {
    const { PartsPage } = await views.parts();
    return pageOf(c, deps, <PartsPage status={readStatus(deps)} />, 200, noStore);
  });
  app.get(pageTable.snippets.path, async (c) => {
    const { SnippetsPage } = await views.snippets();
    const own = originOf(c, deps);
    // An unusable address is not replaced by another one: the visitor is told.
    const origin = own === null ? null : (reachableOrigin(c, deps) ?? own);
    const identity = deps.registry.read('identity')?.context;
    if (identity === undefined || identity.panelId === '') return problem(c, restarting('identity'));
    const homeAssistant = String(deps.registry.read('settings')?.context.values['ha_url'] ?? '').replace(/\/+$/, '');
    const facts = {
      origin,
      panelId: identity.panelId,
      name: identity.friendlyName,
      homeAssistant,
    };
    return pageOf(
      c,
      deps,
      <SnippetsPage
        status={readStatus(deps)}
        facts={facts}
        loopback={origin !== null && isLoopback(origin)}
        elsewhere={origin !== own}
      />,
      200,
      noStore,
    );
  });
  app.get(pageTable.profiles.path, async (c) => {
    const { ProfilesPage } = await views.profiles();
    const profiles = deps.registry.read('profile-catalog')?.context;
    const catalog = profiles === undefined ? null : showCatalog(profiles, deps.now());
    return pageOf(c, deps, <ProfilesPage status={readStatus(deps)} catalog={catalog} />, 200, noStore);
  });
  app.get(pageTable.logs.path, async (c) => {
    const { LogsPage } = await views.logs();
    const entries = deps.logs.kept(drawnLines);
    return pageOf(c, deps, <LogsPage status={readStatus(deps)} entries={entries} />, 200, noStore);
  });
  app.get(pageTable.proximity.path, async (c) => {
    const { ProximityPage } = await views.proximity();
    const doc = proximityOf(deps);
    return doc === undefined
      ? problem(c, restarting('proximity'))
      : pageOf(c, deps, <ProximityPage status={readStatus(deps)} doc={doc} />, 200, noStore);
  });
  app.get(pageTable.room.path, async (c) => {
    const { RoomPage } = await views.room();
    const facts = await roomPageOf(deps);
    return facts.ok
      ? pageOf(c, deps, <RoomPage status={readStatus(deps)} {...facts.props} />, 200, noStore)
      : problem(c, facts);
  });
  app.get(pageTable.voice.path, async (c) => {
    const { VoicePage } = await views.voice();
    const facts = voicePageOf(deps);
    return facts.ok
      ? pageOf(c, deps, <VoicePage status={readStatus(deps)} voice={facts.voice} />, 200, noStore)
      : problem(c, facts);
  });
  app.get(pageTable.entities.path, async (c) => {
    const { EntitiesPage } = await views.entities();
    const facts = entitiesPageOf(deps, new URL(c.req.url).searchParams);
    return facts.ok
      ? pageOf(c, deps, <EntitiesPage status={readStatus(deps)} {...facts.props} />, 200, noStore)
      : problem(c, facts);
  });
  app.get(pageTable.security.path, async (c) => {
    const { SecurityPage } = await views.security();
    return pageOf(c, deps, <SecurityPage status={readStatus(deps)} />, 200, noStore);
  });
  app.get(pageTable.companion.path, async (c) => {
    const { CompanionPage } = await views.companion();
    const facts = companionPageOf(c, deps);
    return facts.ok
      ? pageOf(c, deps, <CompanionPage status={readStatus(deps)} {...facts.props} />, 200, noStore)
      : problem(c, facts);
  });
  app.get(pageTable.reset.path, async (c) => {
    const { ResetPage } = await views.reset();
    const doc = readReset(deps);
    return doc === undefined
      ? problem(c, restarting('reset'))
      : pageOf(c, deps, <ResetPage status={readStatus(deps)} doc={doc} />, 200, noStore);
  });
  // For people who type it from memory.
  app.get('/reset', (c) => c.body(null, 308, { Location: pageTable.reset.path, ...noStore }));
  app.get(pageTable.ask.path, (c) => pageOf(c, deps, <AskPage version={deps.version} />, 200, noStore));
  app.get(pageTable.glass.path, (c) => offlinePage(c, deps));
  app.get(pageTable['sign-in'].path, (c) => signInPage(c, deps, null));
  app.get(pageTable.setup.path, async (c) => {
    const { SetupPage } = await views.setup();
    const { values, secrets } = deps.registry.read('settings')?.context ?? {};
    const identity = deps.registry.read('identity')?.context;
    if (values === undefined || identity === undefined || identity.panelId === '')
      return problem(c, restarting('identity'));
    const origin = reachableOrigin(c, deps);
    const facts = {
      name: identity.friendlyName,
      panelId: identity.panelId,
      isIdFree: isIdFree(values),
      homeAssistant: String(values['ha_url'] ?? ''),
      broker: String(values['mqtt_broker'] ?? ''),
      brokerUser: String(values['mqtt_user'] ?? ''),
      dashboard: String(values['home_dashboard'] ?? ''),
      isFiltered: values['dashboard_entity_learning'] === true,
      returnMin: returnChosen(deps),
      brokerBeside: brokerBesideHome(deps),
      hasPassword: secrets?.['mqtt_password'] === true,
      user: deps.registry.read('sign-in')?.context.displayName ?? null,
      link: origin === null ? null : `${origin}/setup`,
    };
    return pageOf(c, deps, <SetupPage status={readStatus(deps)} facts={facts} />, 200, noStore);
  });
  if (deps.simulated) {
    app.get(pageTable.simulator.path, async (c) => {
      const { SimulatorPage } = await views.simulator();
      const simulator = deps.registry.read('simulator');
      return simulator === undefined
        ? problem(c, restarting('simulator'))
        : pageOf(c, deps, <SimulatorPage status={readStatus(deps)} panel={simulator.context.panel} />, 200, noStore);
    });
  }
  const { inspection } = deps;
  if (inspection !== null) {
    app.get(pageTable.inspector.path, async (c) => {
      const { InspectorPage } = await views.inspector();
      const machines = readMachines(deps, inspection);
      const chosen = c.req.query('part') ?? '';
      return pageOf(
        c,
        deps,
        <InspectorPage status={readStatus(deps)} machines={machines} chosen={chosen} />,
        200,
        noStore,
      );
    });
  }
  assetRoutes(app, deps);
  const pages = pagePaths(deps);
  const methodsOf = (path: string): string[] => {
    const declared = table.filter((spec) => spec.path === path).map((spec) => spec.method.toUpperCase());
    const reading = declared.includes('GET') || pages.has(path);
    return [...(reading ? ['GET', 'HEAD'] : []), ...declared.filter((method) => method !== 'GET')];
  };
  app.notFound((c) => {
    const allowed = methodsOf(c.req.path);
    if (allowed.length > 0 && !allowed.includes(c.req.method)) {
      c.header('Allow', allowed.join(', '));
      return problem(
        c,
        refuse(
          'method-not-allowed',
          `This path takes ${allowed.join(', ')} only. The explorer at /api lists what there is.`,
        ),
      );
    }
    if (wantsPage(c)) {
      const settings = c.req.path.startsWith('/configure/');
      return pageOf(c, deps, <NotFoundPage status={readStatus(deps)} settings={settings} />, 404, noStore);
    }
    return problem(c, refuse('not-found', 'There is nothing at this path. The explorer at /api lists what there is.'));
  });
}
