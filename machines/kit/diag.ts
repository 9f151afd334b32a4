import type { TreeNode } from './status.ts';
import type { Verdict } from './verdict.ts';

/** Facts of one line by their names. */
export type DiagFacts = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** `key=value` pairs in one line; what is not known is written `unknown`, never left out. */
export const pairs = (facts: DiagFacts): string =>
  Object.entries(facts)
    .map(([key, value]) => `${key}=${value ?? 'unknown'}`)
    .join(' ');

/** A line of `/api/v1/diag`: its bracketed head and what it says. */
export const diagLine = (head: string, facts: DiagFacts): string => `[${head}] ${pairs(facts)}`;

/** A verdict as the first facts of a part's line. */
export const verdictFacts = ({ state, reason }: Verdict): DiagFacts => ({ state, reason });

const workerIn = (node: TreeNode, id: string): TreeNode | undefined =>
  node.kind === 'worker' && node.id === id
    ? node
    : node.children.map((child) => workerIn(child, id)).find((found) => found !== undefined);

/**
 * The line of one part: its facts while it runs. Else how the supervisor has it, or `absent` where this panel has no
 * such part, so that a part that is away is never mistaken for one that was never there.
 */
export const partLine = (head: string, tree: TreeNode, id: string, facts: DiagFacts | undefined): string => {
  if (facts !== undefined) return diagLine(head, { state: 'running', ...facts });
  const phase = workerIn(tree, id)?.phase ?? 'absent';
  return diagLine(head, { state: phase === 'running' ? 'starting' : phase });
};
