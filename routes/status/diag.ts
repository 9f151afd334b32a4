import { projectDiag } from '#machines/diag.ts';
import { diagLine, pairs } from '#machines/kit/diag.ts';
import { diagWord, type TreeNode } from '#machines/kit/status.ts';
import { hostHeads } from '#machines/status/host.ts';
import { textLines } from '#machines/subsystem.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import { projectionInput } from './projection-input.ts';
import { readCapabilities } from './read-status.ts';

const uptime = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours >= 24) return `${Math.floor(hours / 24)}d${hours % 24}h`;
  if (hours > 0) return `${hours}h${minutes % 60}m`;
  return minutes > 0 ? `${minutes}m` : `${seconds}s`;
};

const treeLines = ({ id, phase, restarts, reason, children }: TreeNode, depth: number): string[] => [
  `${'  '.repeat(depth)}${id} ${pairs({ phase, restarts, reason: reason ?? 'none' })}`,
  ...children.flatMap((child) => treeLines(child, depth + 1)),
];

/** The lines of `/api/v1/diag`: classes and aggregates, never an address, a name or an identifier. */
export const diagLines = (deps: RouteDeps): string[] => {
  const input = projectionInput(deps);
  const host = deps.host();
  return [
    `Sconce ${deps.version}`,
    `[captured] ${new Date(input.now).toISOString()} uptime=${uptime(input.now - deps.startedAt)}`,
    `[package] sconce build=${deps.build}`,
    ...projectDiag(input, [
      textLines({ order: 20, reads: [], lines: () => hostHeads.map((head) => diagLine(head, host[head])) }),
    ]),
    `[capabilities] ${readCapabilities(deps)
      .map((row) => `${row.id}=${diagWord(row.state)}`)
      .join(' | ')}`,
    '[supervision]',
    ...treeLines(input.tree, 1),
  ];
};
