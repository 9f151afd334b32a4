import { z } from 'zod';
import { once } from './once.ts';

/** The states of a verdict, as the status document spells them. */
export const verdictWord = once(() =>
  z.enum(['working', 'needs_you', 'off', 'not_here', 'checking']).meta({
    id: 'VerdictWord',
    description:
      'The four words of the product; `checking` until the first look has ended, or while it waits for something that passes: `missing` says for what.',
  }),
);

/**
 * Marks a field that changes by itself, such as an age or the time of the last check: such a field alone is no change
 * for the live stream, but its appearing and disappearing (null, or -1) is. The OpenAPI document shows the mark.
 */
export const ageing = { 'x-ageing': true } as const;

/** The fix of a verdict in the status document. */
export const fix = once(() =>
  z
    .object({
      command: z.string().meta({ description: 'One shell command.' }),
      effect: z.string().meta({ description: 'What it does and changes, one sentence.' }),
    })
    .meta({ description: 'One command to copy, and what it does and changes.' }),
);

/** One capability of the panel with its evidence. */
export const CapabilityRow = once(() =>
  z
    .object({
      id: z.string().meta({ description: 'Stable lower-case id, such as `screen`.' }),
      title: z.string().meta({ description: 'Its name for people.' }),
      state: verdictWord(),
      reason: z.string().meta({ description: 'Stable code of the verdict, such as `no-backlight-device`.' }),
      detail: z.string().meta({ description: 'The verdict in plain words.' }),
      missing: z.string().nullable().meta({ description: 'What is missing; null where nothing is.' }),
      fix: fix().nullable().meta({ description: 'The command that helps; null where none does.' }),
      name: z.string().meta({ description: 'As `title`.' }),
      note: z.string().meta({ description: 'As `detail`.' }),
      color: z
        .enum(['#48c774', '#d9a528', '#d04a3b', '#888'])
        .meta({ description: 'By `state`: working, needs_you, off or not_here, checking.' }),
    })
    .meta({
      id: 'Capability',
      description: 'A capability, proved by trying: what it is, what is missing, and the one command that fixes it.',
    }),
);
export type CapabilityRow = z.infer<ReturnType<typeof CapabilityRow>>;

/** A capability without the fields for clients of panel-assistant. */
export type JudgedRow = Omit<CapabilityRow, 'name' | 'note' | 'color'>;

/** The words and colours of panel-assistant's diagnostics for each state. */
const spellings = {
  working: { word: 'ok', color: '#48c774' },
  needs_you: { word: 'degraded', color: '#d9a528' },
  off: { word: 'none', color: '#d04a3b' },
  not_here: { word: 'none', color: '#d04a3b' },
  checking: { word: 'unknown', color: '#888' },
} as const satisfies Record<CapabilityRow['state'], { readonly word: string; readonly color: CapabilityRow['color'] }>;

/** The word of `/diag` for a verdict: `ok`, `degraded`, `none` or `unknown`. */
export const diagWord = (state: CapabilityRow['state']): string => spellings[state].word;

/** A judged capability as the documents show it. */
export const capabilityRow = (row: JudgedRow): CapabilityRow => ({
  ...row,
  name: row.title,
  note: row.detail,
  color: spellings[row.state].color,
});

/** One supervised part: a group or a worker. */
export const TreeNode = once(() =>
  z
    .object({
      id: z.string().meta({ description: 'Name of the part.' }),
      kind: z.enum(['group', 'worker']).meta({ description: 'A group watches its children.' }),
      phase: z.enum(['waiting', 'running', 'stopping', 'stopped', 'parked', 'restarting']).meta({
        description: '`parked`: it failed again and again, and is tried again later.',
      }),
      off: z.boolean().meta({ description: 'True while the settings do not need it; its phase is then `stopped`.' }),
      restarts: z.int().min(0).meta({ description: 'Restarts since the agent started.' }),
      reason: z
        .string()
        .nullable()
        .meta({ description: 'Stable code of the last failure; null when it never failed.' }),
      since: z.int().nullable().meta({ description: 'When it entered this phase. Milliseconds since the Unix epoch.' }),
      get children() {
        return z.array(TreeNode()).meta({ description: 'What a group watches; empty for a worker.' });
      },
    })
    .meta({ id: 'TreeNode', description: 'The supervision tree: who watches whom, and how each part is.' }),
);
export type TreeNode = z.infer<ReturnType<typeof TreeNode>>;

/** Ids of the parts that are parked, groups among them. */
export const parkedParts = (node: TreeNode): string[] => [
  ...(node.phase === 'parked' ? [node.id] : []),
  ...node.children.flatMap((child) => parkedParts(child)),
];

/** True if a part of this id is supervised, running or not. */
export const isSupervised = (node: TreeNode, id: string): boolean =>
  node.id === id || node.children.some((child) => isSupervised(child, id));
