import { z } from 'zod';

import type { Merged } from './kit/actor.ts';
import { once } from './kit/once.ts';
import { inPlaces } from './kit/places.ts';
import type { ActorId } from './actors.ts';
import { ageing, CapabilityRow, fix, TreeNode, verdictWord } from './kit/status.ts';
import type { Manifest } from './subsystem.ts';
import { subsystems } from './subsystems.ts';

const manifests: readonly Manifest[] = subsystems;

type OwnFields = Merged<
  ReturnType<Extract<(typeof subsystems)[number], { readonly status: unknown }>['status']['shape']>
>;

/** The status sections of all subsystems. */
export const statusSections = manifests.flatMap(({ status }) => status ?? []);

/** Sentences for the owner beside the verdicts of the capabilities, most serious first. */
export const statusWarnings = inPlaces(
  'warning',
  manifests.flatMap(({ warnings }) => warnings ?? []),
  ({ key, after }) => ({ keys: [key], after }),
);

/** The status document of `GET /api/v1/status`, also pushed by `GET /api/v1/events`. */
export const StatusDocument = once(() =>
  z
    .object({
      state: verdictWord(),
      sentence: z.string().meta({ description: 'One sentence on the state of the panel.' }),
      next: z
        .object({
          title: z.string().meta({ description: 'What to do, as a headline.' }),
          sentence: z.string().meta({ description: 'What to do, and why.' }),
          fix: fix().nullable().meta({ description: 'The command that does it; null if none does.' }),
          href: z.string().nullable().meta({
            description:
              'Page of the panel on which it is done, otherwise the page with its evidence; null beside a command.',
          }),
        })
        .nullable()
        .meta({ description: 'The single next step when something needs a person.' }),
      inspecting: z.boolean().meta({ description: 'Whether the agent was started with `--inspect`.' }),
      warnings: z.array(z.string()).meta({ description: 'Sentences of plain text, most serious first.' }),
      capabilities: z
        .array(CapabilityRow())
        .meta({ description: 'What the panel can do, without what its profile declares absent.' }),
      // Each section declares its own fields, and no two share a name (a test).
      ...(Object.assign({}, ...statusSections.map(({ shape }) => shape())) as OwnFields),
      panel_assistant_update: z
        .object({ state: z.enum(['none', 'available']).meta({ description: 'Always `none` here.' }) })
        .meta({ description: 'Kept for older clients: updates are offered elsewhere.' }),
      happened: z
        .array(
          z.object({
            at: z.int().meta({ description: 'Milliseconds since the Unix epoch.' }),
            sentence: z.string().meta({ description: 'What happened.' }),
            times: z.int().min(1).meta({ description: 'How often; `at` is the last time.' }),
          }),
        )
        .meta({ description: 'The newest entries of the history, newest first; all are at `/api/v1/history`.' }),
      supervision: TreeNode(),
      taken_at: z.int().meta({ description: 'When this was read. Milliseconds since the Unix epoch.', ...ageing }),
    })
    .meta({
      id: 'Status',
      description: 'Everything the panel knows about itself, without addresses, credentials or install identifiers.',
    }),
);
export type StatusDocument = z.infer<ReturnType<typeof StatusDocument>>;

/**
 * The actors whose facts the document shows beyond their capabilities' verdicts: those that sections and warnings
 * read, the profile (for absent capabilities), and the newest entries of the history.
 */
export const statusReads: ReadonlySet<ActorId> = new Set<ActorId>([
  ...statusSections.flatMap(({ reads }) => reads),
  ...statusWarnings.flatMap(({ reads }) => reads),
  'active-profile',
  'history',
]);

/** The update notice of panel-assistant; Sconce never reports one here. */
export const updateNotice = { panel_assistant_update: { state: 'none' } } as const;
