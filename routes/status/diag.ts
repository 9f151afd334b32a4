import { statusLines } from '#machines/diag.ts';
import { diagLine, pairs } from '#machines/kit/diag.ts';
import { diagWord, type TreeNode } from '#machines/kit/status.ts';
import { hostSections } from '#machines/status/host.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';

function uptime(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours >= 24) return `${Math.floor(hours / 24)}d${hours % 24}h`;
  if (hours > 0) return `${hours}h${minutes % 60}m`;
  return minutes > 0 ? `${minutes}m` : `${seconds}s`;
}

const treeLines = ({ id, phase, restarts, reason, children }: TreeNode, depth: number): string[] => [
  `${'  '.repeat(depth)}${id} ${pairs({ phase, restarts, reason: reason ?? 'none' })}`,
  ...children.flatMap((child) => treeLines(child, depth + 1)),
];

const tenth = (value: number | null | undefined): number | null =>
  value === null || value === undefined ? null : Math.round(value * 10) / 10;

/** Facts that the status document lacks: the condition of the machine, and the tools that the agent relies on. */
function furtherLines({ registry }: RouteDeps): readonly string[] {
  const reading = registry.read('readings')?.context.reading;
  const finder = (registry.read('finder') ?? registry.off('finder'))?.context;
  const service = registry.read('service')?.context;
  const files = registry.read('log-files')?.context;
  return [
    diagLine('load', {
      cpu_percent: tenth(reading?.cpuPercent),
      memory_percent: tenth(reading?.memoryPercent),
      soc_celsius: tenth(reading?.socCelsius),
    }),
    diagLine('finder', { state: finder?.outcome, count: finder?.count, failure: finder?.failure ?? 'none' }),
    diagLine('service', { ready: service?.ready, failure: service?.failure ?? 'none' }),
    diagLine('log-files', { failure: files === undefined ? null : (files.failure ?? 'none') }),
  ];
}

/** The lines of `/api/v1/diag`: classes and aggregates, never an address, a name or an identifier. */
export function diagLines(deps: RouteDeps): string[] {
  const host = deps.host();
  const document = deps.status.document();
  const now = document.taken_at;
  const { capabilities, supervision } = document;
  const profile = deps.registry.read('active-profile')?.context;
  return [
    `Sconce ${deps.version}`,
    `[captured] ${new Date(now).toISOString()} uptime=${uptime(now - deps.startedAt)}`,
    `[package] sconce build=${deps.build} security_mode=${document.security.mode ?? 'unknown'}`,
    diagLine('profile', { id: profile?.id, version: profile?.version, origin: profile?.origin }),
    ...furtherLines(deps),
    ...hostSections.map((head) => diagLine(head, host[head])),
    ...statusLines(document),
    `[capabilities] ${capabilities.map((row) => `${row.id}=${diagWord(row.state)}`).join(' | ')}`,
    `[verdicts] ${capabilities.map((row) => `${row.id}=${row.reason}`).join(' | ')}`,
    '[supervision]',
    ...treeLines(supervision, 1),
  ];
}
