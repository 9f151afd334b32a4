import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createActor } from 'xstate';
import type { WorkerOutcome } from '#machines/kit/outcome.ts';
import { screenIds } from '#machines/screen/events.ts';
import type { ProfilesBoot, TrialTimes } from '#machines/profiles/asks.ts';
import type { RendererMode } from '#machines/renderer/events.ts';
import type { StatusDocument } from '#machines/status.ts';
import { chartOf } from '#actors/kit/chart.ts';
import { followFaults } from '#actors/kit/faults.ts';
import { createInspector } from '#actors/kit/inspector.ts';
import { createRegistry, type Registry } from '#actors/kit/registry.ts';
import { isGroup, workersOf, type GroupSpec } from '#actors/kit/spec.ts';
import type { SupervisionFact } from '#actors/kit/supervision-fact.ts';
import { createSupervisor } from '#actors/kit/supervisor.ts';
import { treeOf, whenEnded } from '#actors/kit/tree.ts';
import { watchForChanges } from '#actors/stream.ts';
import { superviseAll } from '#actors/tree.ts';
import { cleanupsSettled, onCleanupFailure } from '#drivers/kit/from-driver.ts';
import type { Logger } from '#drivers/log/logger.ts';
import { readServiceEnvironment } from '#drivers/service/environment.ts';
import { DOCUMENT } from '#drivers/store/folder.ts';
import type { ResolvedProfile } from '#profiles/resolved.ts';
import { createApp } from '#routes/app.ts';
import type { Inspection, RouteDeps } from '#routes/kit/deps.ts';
import { readStatus } from '#routes/status/read-status.ts';
import { bundleFolder } from './build-facts.ts';
import { assembleParts } from './parts/all.ts';
import { followProfiles } from './follow-profiles.ts';
import { noteFault, noteRootCrash, noteSupervision } from './part-log.ts';
import { logRenderer } from './renderer-log.ts';

/** What an agent is built from. */
export interface AgentOptions {
  /** The data folder, locked for this process. */
  readonly folder: string;
  /** TCP port; 0 takes a free one. */
  readonly port: number;
  readonly profile: ResolvedProfile;
  readonly log: Logger;
  readonly version: string;
  readonly build: string;
  readonly assets: RouteDeps['assets'];
  /** File of the mDNS responder's program; null for an agent that is neither announced nor browses. */
  readonly responder: string | null;
  /** Whether the agent may be looked into while it runs (`--inspect`). */
  readonly inspect?: boolean;
  /** Path of the script that lights dark screens once the agent is gone. */
  readonly relight?: string;
  /** Credentials handed over in files, by setting; saved once the settings are up. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Only look at the machine: no listener, no link, nothing that lasts. */
  readonly looking?: boolean;
  /** What `--renderer` said, null where it said nothing; left out, no browser is started. */
  readonly renderer?: RendererMode | null;
  /**
   * What was decided about profiles before this; left out, the given profile stands as if the command line had named
   * it.
   */
  readonly boot?: ProfilesBoot;
  /** What `--profile` said; null where it said nothing. */
  readonly askedProfile?: string | null;
  readonly trialTimes?: TrialTimes;
  /** Called once when the agent has to start again with another profile. */
  readonly onRestartDue?: () => void;
  /** Called once when a trial has reached its health point, or there was none. */
  readonly onTrialOver?: () => void;
}

/** A built agent; `start` brings it to life. */
export interface Agent {
  readonly registry: Registry;
  readonly start: () => void;
  readonly status: () => StatusDocument;
  /** Closes admissions, stops every part in order and resolves when the tree has ended. */
  readonly shutdown: () => Promise<void>;
  /** How the tree ended, by order or because the root gave up. */
  readonly ended: Promise<WorkerOutcome>;
  /** The kit's test hook: the worker of that id dies at once, as by Erlang's exit(kill). */
  readonly kill: (id: string) => void;
}

/**
 * How long asynchronous cleanup may go on after the tree has ended, in milliseconds: a browser is given 400 to close in
 * order.
 */
const cleanupMs = 600;

/** Groups that an agent which only looks does without. */
const acting: ReadonlySet<string> = new Set(['edge', 'link', 'view', 'access', 'upkeep']);

const withoutActing = (root: GroupSpec): GroupSpec => ({
  ...root,
  children: root.children.filter((child) => !isGroup(child) || !acting.has(child.id)),
});

const hostFacts = (): RouteDeps['host'] => ({
  node: process.versions.node,
  arch: process.arch,
  platform: process.platform,
  uid: process.getuid?.() === 0 ? 'root' : 'user',
  systemd: process.env['INVOCATION_ID'] === undefined ? 'no' : 'yes',
});

/** Tells the history which part failed or was left down, for the owner who asks later. */
const tellHistory = (registry: Registry, fact: SupervisionFact, at: number): void => {
  const code =
    fact.type === 'ended' && fact.how === 'failed'
      ? 'crashed'
      : fact.type === 'parked' || fact.type === 'cut'
        ? fact.type
        : null;
  if (code !== null) registry.tell('history', { type: 'history.happened', at, kind: 'part', by: fact.id, code });
};

/** Follows what the whole agent follows: the log level, the moment of readiness, credentials handed over in files. */
const followAll = (registry: Registry, options: AgentOptions): (() => void)[] => [
  registry.follow(
    'settings',
    (snapshot) => snapshot?.context.values['log_level'],
    (level) => {
      if (level === 'trace' || level === 'debug' || level === 'info' || level === 'warn' || level === 'error')
        options.log.setLevel(level);
    },
  ),
  registry.follow(
    'http',
    (snapshot) => (snapshot?.context.port ?? -1) > 0,
    (listening) => {
      if (listening) registry.tell('service', { type: 'service.ready' });
    },
  ),
  registry.follow(
    'service',
    (snapshot) => snapshot !== undefined,
    (present) => {
      if (present && (registry.read('http')?.context.port ?? -1) > 0)
        registry.tell('service', { type: 'service.ready' });
    },
  ),
  registry.follow(
    'mqtt',
    // A phase and a code, never an address.
    (snapshot) => {
      const link = snapshot?.context;
      return link === undefined ? null : { phase: link.phase, failure: link.failure };
    },
    (link) => {
      if (link !== null) options.log.info('broker', link);
    },
  ),
  ...logRenderer(registry, options.log),
  ...followProfiles(registry, options),
  ...(Object.keys(options.credentials).length === 0 ? [] : [handOver(registry, options.credentials, options.log)]),
];

/** Lights each dark screen. */
const lightAll = (registry: Registry): void => {
  for (const id of screenIds) {
    if (registry.read(id)?.context.lit === false) registry.tell(id, { type: 'screen.set', on: true, origin: 'stop' });
  }
};

/** Saves credentials from files as soon as the settings are loaded; once. */
const handOver = (registry: Registry, credentials: Readonly<Record<string, string>>, log: Logger): (() => void) => {
  let done = false;
  return registry.follow(
    'settings',
    (snapshot) => (snapshot?.context.revision ?? 0) > 0,
    (loaded) => {
      if (!loaded || done) return;
      done = true;
      void registry.ask('settings', { type: 'settings.merge', patch: credentials }, 10_000).then((asked) => {
        if (!asked.ok || (asked.value.status !== 'saved' && asked.value.status !== 'no-op'))
          log.error('the credentials handed over in files were not saved', { settings: Object.keys(credentials) });
      });
    },
  );
};

/** Builds the root: registry, parts, tree and the handler of every request. */
export const createAgent = (options: AgentOptions): Agent => {
  const { log, profile } = options;
  const now = Date.now;
  const registry = createRegistry({ report: (failure) => log.error('a follower failed', { failure }) });
  const startedAt = now();
  onCleanupFailure((failure) => log.warn('a cleanup failed', { failure }));
  let stopping = false;

  // Attached at boot, or not at all: it costs every event a little (xstate facts 2.9).
  const inspector = options.inspect === true ? createInspector(now) : null;
  const charts: Inspection['charts'][number][] = [];
  const deps: RouteDeps = {
    registry,
    tree: () => treeOf(root),
    revive: (id) => root.send({ type: 'supervisor.revive', id }),
    now,
    startedAt,
    assets: options.assets,
    build: options.build,
    version: options.version,
    simulated: profile.simulated,
    inspection: inspector === null ? null : { charts, records: inspector.records, onNext: inspector.onNext },
    host: hostFacts(),
    report: (failure) => log.error('a request failed inside', { failure }),
    stopping: () => stopping,
    logs: log.tail,
  };
  const parts = assembleParts({
    registry,
    profile,
    log,
    now,
    folder: options.folder,
    document: join(options.folder, DOCUMENT),
    port: options.port,
    version: options.version,
    build: options.build,
    app: createApp(deps),
    service: readServiceEnvironment(process.env, process.pid),
    responder: options.responder,
    inspecting: inspector !== null,
    relight: options.relight ?? null,
    looking: options.looking === true,
    renderer: options.renderer === undefined ? 'none' : options.renderer,
    boot: options.boot ?? { active: null, commandLine: true, issues: [], startedAt },
    askedProfile: options.askedProfile ?? null,
    ...(options.trialTimes === undefined ? {} : { trialTimes: options.trialTimes }),
  });
  const whole = superviseAll(parts);
  const supervised = options.looking === true ? withoutActing(whole) : whole;
  const supervisor = createSupervisor(supervised, {
    now,
    random: Math.random,
    registry,
    bundle: bundleFolder,
    log: (fact) => {
      noteSupervision(log, fact);
      tellHistory(registry, fact, now());
    },
  });
  const root = createActor(supervisor, inspector === null ? {} : { inspect: inspector.inspect });
  if (inspector !== null) charts.push(...workersOf(supervised).map(({ id, logic }) => ({ id, ...chartOf(logic) })));
  registry.attach(root.system);

  const ended = whenEnded(root);
  void ended.then((outcome) => noteRootCrash(log, outcome, bundleFolder));
  let unfollow: (() => void)[] = [];
  return {
    registry,
    start: () => {
      root.start();
      unfollow = [
        ...followAll(registry, options),
        ...followFaults({ registry, now, bundle: bundleFolder }, (fault) => noteFault(log, fault)),
        watchForChanges(registry, registry.ids()),
      ];
    },
    status: () => readStatus(deps),
    shutdown: async () => {
      stopping = true;
      registry.tell('service', { type: 'service.stopping' });
      // Before the other parts stop: on the way out the screen itself has little time for it.
      if (options.looking !== true) lightAll(registry);
      registry.tell('stream', { type: 'stream.touched' });
      registry.tell('history', { type: 'history.happened', at: now(), kind: 'agent', by: null, code: 'stopped' });
      root.send({ type: 'supervisor.shutdown' });
      await ended;
      await Promise.race([cleanupsSettled(), pause(cleanupMs)]);
      for (const end of unfollow) end();
    },
    ended,
    kill: (id) => root.send({ type: 'supervisor.kill', id }),
  };
};
