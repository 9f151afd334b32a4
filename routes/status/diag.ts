import type { StatusDocument, TreeNode } from '#machines/status/document.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import { readStatus } from './read-status.ts';

const uptime = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours >= 24) return `${Math.floor(hours / 24)}d${hours % 24}h`;
  if (hours > 0) return `${hours}h${minutes % 60}m`;
  return minutes > 0 ? `${minutes}m` : `${seconds}s`;
};

const tenth = (value: number | null | undefined): number | null =>
  value === null || value === undefined ? null : Math.round(value * 10) / 10;

type Facts = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** `key=value` pairs in one line; what is not known is written `unknown`, never left out. */
const pairs = (facts: Facts): string =>
  Object.entries(facts)
    .map(([key, value]) => `${key}=${value ?? 'unknown'}`)
    .join(' ');

const line = (head: string, facts: Facts): string => `[${head}] ${pairs(facts)}`;

/** The word of `/diag` for a verdict (api-facts 3.11: ok, degraded, none). */
const diagWord = { working: 'ok', needs_you: 'degraded', off: 'none', not_here: 'none', checking: 'unknown' } as const;

const treeLines = (node: TreeNode, depth: number): string[] => {
  const facts = pairs({ phase: node.phase, restarts: node.restarts, reason: node.reason ?? 'none' });
  return [`${'  '.repeat(depth)}${node.id} ${facts}`, ...node.children.flatMap((child) => treeLines(child, depth + 1))];
};

const panelLines = (status: StatusDocument, deps: RouteDeps): string[] => {
  const readings = deps.registry.read('readings')?.context.reading;
  const store = deps.registry.read('store')?.context;
  return [
    '[panel]',
    `agent=${deps.version}`,
    `system=${status.panel.system === '' ? 'unknown' : status.panel.system}`,
    `profile=${status.panel.profile.id} simulated=${status.panel.profile.simulated}`,
    pairs({
      cpu_percent: tenth(readings?.cpuPercent),
      memory_percent: tenth(readings?.memoryPercent),
      soc_celsius: tenth(readings?.socCelsius),
    }),
    pairs({ security_mode: 'relaxed' }),
    line('database', {
      document_bytes: store?.documentBytes,
      loaded_from: store?.loadedFrom,
      commits: store?.commits,
      last_failure: store?.lastFailure?.reason ?? 'none',
    }),
  ];
};

const linkLines = (status: StatusDocument, deps: RouteDeps): string[] => {
  const mqtt = deps.registry.read('mqtt')?.context;
  const recovery = deps.registry.read('advertiser')?.context.recovery;
  const probe = status.ha_path_probe;
  const net = status.ha_network;
  return [
    line('ha-network', {
      state: net.state,
      measuring: net.measuring,
      ha_net: net.ha_net ?? 'none',
      ha_resp: net.ha_resp ?? 'none',
      probes: net.probes,
      misses: net.network_failures,
      p95_ms: net.p95_ms,
    }),
    line('ha-path-probe', {
      state: probe.state,
      family: probe.family,
      available: probe.available,
      bursts: probe.bursts,
      echoes_sent: probe.echoes_sent,
      echoes_received: probe.echoes_received,
      loss_percent: probe.loss_percent,
      p95_ms: probe.p95_ms,
    }),
    line('mdns', {
      state: status.discovery?.state,
      seen: status.discovery?.seen,
      misses: recovery?.misses,
      rebuilds: recovery?.rebuilds,
      attempts: recovery?.attempts,
      retry_ms: recovery?.pending?.delayMs ?? 'none',
      renamed: status.discovery?.renamed,
      reason: recovery?.code ?? 'none',
    }),
    line('mqtt', {
      phase: mqtt?.phase,
      protocol: status.mqtt?.protocol ?? 'none',
      failure: mqtt?.failure ?? 'none',
      source: mqtt?.source,
      attempt: mqtt?.attempt,
    }),
    line('platform', {
      phase: status.platform?.phase,
      seen: status.platform?.seen,
      entities: status.platform?.announced.length,
      refused: Object.keys(status.platform?.refused ?? {}).length,
      ghosts: status.platform?.ghosts,
    }),
  ];
};

const hardwareLines = (status: StatusDocument, deps: RouteDeps): string[] => {
  const screen = deps.registry.read('screen')?.context;
  const input = deps.registry.read('input')?.context;
  const volume = deps.registry.read('volume')?.context;
  const announcer = deps.registry.read('announcer')?.context;
  const power = deps.registry.read('power')?.context;
  const storage = status.storage_health;
  return [
    line('screen', {
      reason: screen?.verdict.reason,
      lit: screen?.lit,
      brightness: screen?.brightness,
      raw_max: screen?.display?.rawMax,
      power: screen?.display?.power,
      dims_by: screen?.display?.routes?.brightness ?? 'none',
      switches_by: screen?.display?.routes?.power ?? 'none',
      fault: screen?.fault ?? 'none',
    }),
    line('input', {
      reason: input?.verdict.reason,
      touch: input?.counts.touch,
      key: input?.counts.key,
      pointer: input?.counts.pointer,
      wakes: input?.wakes,
      last_wake_ms: input?.lastWakeMs,
      held: input?.grip.held,
      refused: input?.grip.refused,
      buttons: input?.named.length,
      pressed: input?.buttons.sequence,
      dropped: input?.buttons.dropped,
    }),
    line('audio', {
      reason: volume?.verdict.reason,
      route: volume?.route,
      percent: volume?.percent,
      muted: volume?.muted,
      fault: volume?.fault ?? 'none',
    }),
    line('announcement', {
      verdict: announcer?.verdict.reason,
      player: announcer?.player ?? 'none',
      phase: announcer?.phase,
      reason: announcer?.reason ?? 'none',
      generation: announcer?.generation,
    }),
    line('power', { reason: power?.verdict.reason, route: power?.route }),
    line('camera', {
      state: status.camera.state,
      fault_detail: status.camera.fault_detail,
      outcome: status.camera.outcome,
    }),
    line('storage', {
      state: storage.state,
      pressure: storage.pressure_state,
      used_percent: storage.used_percent,
      usable_bytes: storage.usable_bytes,
      check: storage.quick_check,
      failure: storage.failure ?? 'none',
    }),
  ];
};

/** The lines of `/api/v1/diag`: classes and aggregates, never an address, a name or an identifier. */
export const diagLines = (deps: RouteDeps): string[] => {
  const status = readStatus(deps);
  return [
    `Sconce ${deps.version}`,
    `[captured] ${new Date(deps.now()).toISOString()} uptime=${uptime(deps.now() - deps.startedAt)}`,
    `[package] sconce build=${deps.build}`,
    ...panelLines(status, deps),
    line('env', deps.host),
    line('listener', { family: status.listener.family, listening: status.listener.port > 0 }),
    ...linkLines(status, deps),
    ...hardwareLines(status, deps),
    `[capabilities] ${status.capabilities.map((row) => `${row.id}=${diagWord[row.state]}`).join(' | ')}`,
    '[supervision]',
    ...treeLines(status.supervision, 1),
  ];
};
