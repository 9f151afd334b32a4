import { z } from 'zod';

/** The four words of the product, as the status document spells them. */
export const verdictWord = z.enum(['working', 'needs_you', 'off', 'not_here', 'checking']).meta({
  description: 'The four words of the product; `checking` only until the first look has ended.',
});

/** What a person can do, as the status document has it. */
export const fix = z
  .object({ command: z.string(), effect: z.string() })
  .meta({ description: 'One command to copy, and what it does and changes.' });

/** One capability of the panel with its evidence. */
export const CapabilityRow = z
  .object({
    id: z.string(),
    title: z.string(),
    state: verdictWord,
    reason: z.string(),
    detail: z.string(),
    missing: z.string().nullable(),
    fix: fix.nullable(),
  })
  .meta({
    id: 'Capability',
    description: 'A capability, proved by trying: what it is, what is missing, and the one command that fixes it.',
  });
export type CapabilityRow = z.infer<typeof CapabilityRow>;

/** One supervised part: a group or a worker. */
export const TreeNode = z
  .object({
    id: z.string(),
    kind: z.enum(['group', 'worker']),
    phase: z.enum(['waiting', 'running', 'stopping', 'stopped', 'parked', 'restarting']),
    restarts: z.number().int().min(0).meta({ description: 'Restarts since the agent started.' }),
    reason: z.string().nullable().meta({ description: 'Stable code of the last failure; null when it never failed.' }),
    since: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'When it entered this phase, milliseconds since the Unix epoch.' }),
    get children() {
      return z.array(TreeNode);
    },
  })
  .meta({ id: 'TreeNode', description: 'The supervision tree: who watches whom, and how each part is.' });
export type TreeNode = z.infer<typeof TreeNode>;

/** Ids of the parts that are parked, groups among them. */
export const parkedParts = (node: TreeNode): string[] => [
  ...(node.phase === 'parked' ? [node.id] : []),
  ...node.children.flatMap((child) => parkedParts(child)),
];
