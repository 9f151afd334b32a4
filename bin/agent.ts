import { join } from 'node:path';
import { createActor } from 'xstate';
import { createAdmission } from '#actors/approvals/admission.ts';
import { followBase } from '#actors/kit/base-facts.ts';
import { chartOf } from '#actors/kit/chart.ts';
import { followFaults } from '#actors/kit/faults.ts';
import { createInspector } from '#actors/kit/inspector.ts';
import { followLight } from '#actors/kit/lit-screens.ts';
import { createRegistry } from '#actors/kit/registry.ts';
import { type GroupSpec, isGroup, workersOf } from '#actors/kit/spec.ts';
import { createSupervisor } from '#actors/kit/supervisor.ts';
import { treeOf, whenEnded } from '#actors/kit/tree.ts';
import { watchForChanges } from '#actors/stream.ts';
import { awaitingGroups, superviseAll } from '#actors/tree.ts';
import { chunk } from '#machines/kit/chunk.ts';
import { once } from '#machines/kit/once.ts';
import { cleanupsOf } from '#drivers/kit/cleanups.ts';
import { createQuestionTab } from '#drivers/renderer/question-tab.ts';
import { createUseMark } from '#drivers/renderer/use-mark.ts';
import { createUseOverlay } from '#drivers/renderer/use-overlay.ts';
import { readServiceEnvironment } from '#drivers/service/environment.ts';
import { DOCUMENT } from '#drivers/store/folder.ts';
import { createCompanionExchange } from '#drivers/companion/exchange.ts';
import { createTurnChannel } from '#drivers/voice/turn-channel.ts';
import { earlyHealth } from '#routes/health.ts';
import type { Inspection, RouteDeps } from '#routes/kit/deps.ts';
import { createNetworkTaps } from '#routes/kit/network-taps.ts';
import type { Agent, AgentOptions } from './agent-options.ts';
import { bundleFolder } from './build-facts.ts';
import { handOver, handOverLogin } from './credentials.ts';
import { followProfiles } from './follow-profiles.ts';
import { followRestarts } from './follow-restarts.ts';
import { createHistoryReports } from './history-policy.ts';
import { keepHostFacts } from './host-facts.ts';
import { openLogStoreIn } from './open-log-store.ts';
import { lazyApp } from './lazy-app.ts';
import { createLateGroups } from './late-groups.ts';
import { followForLog } from './log-policy.ts';
import { readOwnNames } from './own-names.ts';
import { logFault, logRootCrash, logSupervision } from './part-log.ts';
import { firstParts, laterParts, loadGroup } from './parts/all.ts';
import type { PartDeps } from './parts/deps.ts';
import { createSwitchedParts } from './parts/switched.ts';
import { reachableOrigin } from './reachable-address.ts';
import { followReadiness } from './readiness.ts';
import { stopInOrder } from './shutdown.ts';
import { defaultStreamPort } from './usage.ts';

/** Groups that act on the panel, the network or the data folder. */
const acting: ReadonlySet<string> = new Set(['edge', 'link', 'view', 'access', 'upkeep']);

/** The tree of an agent that only probes the machine. */
const withoutActing = (root: GroupSpec): GroupSpec => ({
  ...root,
  children: root.children.filter((child) => !isGroup(child) || !acting.has(child.id)),
});

const statusReaders = chunk(() => import('#routes/status/status-reader.ts'));

/** Builds the root: registry, parts, tree and the handler of every request. */
export function createAgent(options: AgentOptions): Agent {
  const { log, profile, readOnly = false } = options;
  const now = Date.now;
  const registry = createRegistry({
    report: (failure) => log.error('Something that follows the parts failed.', { failure }),
  });
  const startedAt = now();
  const base = followBase(registry);
  const admission = createAdmission({ registry, elapsed: () => performance.now() });
  const channel = createTurnChannel(() => performance.now());
  let stopping = false;
  const late = createLateGroups();

  // Attached at the start or not at all: it costs every event a little (measured with XState 5.33.3).
  const inspector = options.inspect === true ? createInspector(now) : null;
  const charts: Inspection['charts'][number][] = [];
  const sources: Omit<RouteDeps, 'status'> = {
    registry,
    admission,
    base,
    parts: late,
    tree: () => treeOf(root),
    revive: (id) => root.send({ type: 'supervisor.revive', id }),
    now,
    elapsed: () => performance.now(),
    startedAt,
    networkTaps: createNetworkTaps(() => performance.now()),
    assets: options.assets,
    bundles: options.bundles,
    build: options.build,
    version: options.version,
    simulated: profile.simulated,
    inspection: inspector === null ? null : { charts, records: inspector.records, onNext: inspector.onNext },
    host: keepHostFacts(),
    verifyAnswers: options.verifyAnswers ?? false,
    report: (failure) => log.error('A request was not answered because of a fault in Sconce.', { failure }),
    stopping: () => stopping,
    logs: log.tail,
    scrub: log.scrub,
    rootShell: options.rootShell ?? false,
    ownNames: readOwnNames,
  };
  const statusReader = once(async () => (await statusReaders()).createStatusReader(sources));
  const app = lazyApp(sources, statusReader);
  const switched = createSwitchedParts(registry);
  const wiring: PartDeps = {
    registry,
    admission,
    questions: createQuestionTab({ elapsed: () => performance.now() }),
    mark: createUseMark({ elapsed: () => performance.now() }),
    channel,
    overlay: createUseOverlay({
      elapsed: () => performance.now(),
      now,
      followLight: (onLight) => followLight(registry, onLight),
      channel,
    }),
    companion: createCompanionExchange(),
    tree: sources.tree,
    rootShell: sources.rootShell,
    switched,
    profile,
    log,
    logStore: options.logStore ?? openLogStoreIn(options.folder, log),
    now,
    folder: options.folder,
    document: join(options.folder, DOCUMENT),
    port: options.port,
    streamPort: options.streamPort ?? defaultStreamPort,
    version: options.version,
    build: options.build,
    app,
    early: earlyHealth(sources),
    service: readServiceEnvironment(process.env, process.pid),
    responder: options.responder,
    inspecting: inspector !== null,
    relight: options.relight ?? null,
    readOnly,
    renderer: options.renderer === undefined ? 'none' : options.renderer,
    boot: options.boot ?? { active: null, commandLine: true, issues: [], startedAt },
    openFiles: options.openFiles ?? [],
    askedProfile: options.askedProfile ?? null,
    comesBack: options.comesBack ?? [],
    resetFailure: options.resetFailure ?? null,
    machineRoot: options.machineRoot ?? '/',
    restoreFailure: options.restoreFailure ?? null,
    defaultProfile: options.defaultProfile ?? null,
    ...(options.trialTimes === undefined ? {} : { trialTimes: options.trialTimes }),
  };
  const whole = awaitingGroups(superviseAll([...firstParts(wiring), ...laterParts(wiring)]), late.loaded);
  const supervised = readOnly ? withoutActing(whole) : whole;
  const lateIds = supervised.children.filter((child) => isGroup(child) && child.adopted !== undefined);
  const history = createHistoryReports(registry);
  const supervisor = createSupervisor(supervised, {
    now,
    random: Math.random,
    registry,
    bundle: bundleFolder,
    log: (fact) => {
      logSupervision(log, fact);
      history.note(fact, now());
    },
  });
  const root = createActor(supervisor, inspector === null ? {} : { inspect: inspector.inspect });
  const chart = (spec: GroupSpec['children'][number]): void => {
    if (inspector === null) return;
    for (const { id, logic } of workersOf(spec)) {
      const known = charts.findIndex((one) => one.id === id);
      charts.splice(known === -1 ? charts.length : known, known === -1 ? 0 : 1, { id, ...chartOf(logic) });
    }
  };
  for (const child of supervised.children) if (!lateIds.includes(child)) chart(child);
  registry.attach(root.system);
  const cleanups = cleanupsOf(root.system);
  cleanups.onFailure((failure) => log.warn('Cleaning up after a part failed.', { failure }));

  // Only the listener knows which free port it took.
  const ownOrigin = (): string =>
    reachableOrigin(Math.max(registry.read('http')?.context.port ?? 0, 0) || options.port);

  const ended = whenEnded(root);
  void ended.then((outcome) => logRootCrash(log, outcome, bundleFolder));
  let unfollow: readonly (() => void)[] = [];
  let whenWhole: Promise<void> = Promise.resolve();
  return {
    registry,
    start: () => {
      root.start();
      const endSwitching = switched.begin({
        adopt: (id) => root.send({ type: 'supervisor.adopt', id }),
        dismiss: (id) => root.send({ type: 'supervisor.dismiss', id }),
        onLoaded: chart,
        isStopping: () => stopping,
      });
      whenWhole = late.bring(
        lateIds.map(({ id }) => id),
        {
          registry,
          base,
          pages: readOnly ? null : app.load,
          load: (group) => loadGroup(group, wiring),
          adopt: (group) => {
            for (const child of late.loaded(group) ?? []) chart(child);
            root.send({ type: 'supervisor.adopt', id: group });
          },
          isStopping: () => stopping,
        },
      );
      const handing = new AbortController();
      unfollow = [
        ...followForLog(registry, log),
        ...followReadiness(registry, base),
        ...followProfiles(registry, options),
        ...followRestarts(registry, (reason) => options.onRestartDue?.(reason)),
        ...followFaults({ registry, now, bundle: bundleFolder }, (fault) => logFault(log, fault)),
        watchForChanges(registry, registry.ids()),
        endSwitching,
        () => handing.abort(),
        base.end,
        admission.end,
        history.end,
      ];
      const { settings, credentials, takeLogin, onProvisioned, onSignedIn } = options;
      // In this order, so that a given token makes a password unnecessary.
      const handed = handOver(registry, { ...settings, ...credentials }, log, handing.signal);
      void handed.then((isDone) => (isDone ? onProvisioned?.() : undefined));
      if (takeLogin !== undefined)
        void handed.then(() => handOverLogin(registry, takeLogin, ownOrigin, handing.signal, onSignedIn));
    },
    whole: () => whenWhole,
    tree: sources.tree,
    status: async () => (await statusReader()).document(),
    shutdown: async () => {
      stopping = true;
      await stopInOrder({
        registry,
        now,
        readOnly,
        cleanups,
        stopTree: () => root.send({ type: 'supervisor.shutdown' }),
        ended,
      });
      for (const end of unfollow) end();
    },
    ended,
    kill: (id) => root.send({ type: 'supervisor.kill', id }),
  };
}
