import { z } from 'zod';

import { once } from '../kit/once.ts';
import { jobKinds, jobStatuses, type MaintenanceContext, type PartResult } from './events.ts';
import { componentNames } from './words.ts';

const PartStatus = once(() =>
  z
    .object({
      status: z.enum(jobStatuses).meta({ description: 'How this part of it ended.' }),
      items: z.int().min(0).optional().meta({ description: 'How many settings, revisions or entries were changed.' }),
      detail: z.string().optional().meta({ description: 'One plain sentence.' }),
    })
    .meta({ id: 'OperationPart', description: 'The outcome for one part of what an operation changes.' }),
);

/** The running operation, or the last one. */
export const InstallStatus = once(() =>
  z
    .object({
      running: z.boolean().meta({ description: 'An operation runs; while it does, no other one begins.' }),
      component: z.string().meta({ description: 'What it is about, such as `Backup`; empty before the first.' }),
      message: z.string().meta({ description: 'What it does, or how it ended; empty before the first.' }),
      kind: z.enum(jobKinds).nullable().meta({ description: 'Which operation; null before the first.' }),
      ordered: z.boolean().meta({ description: 'The agent restarts, or has restarted, to carry it out.' }),
      started_at: z.int().optional().meta({ description: 'Milliseconds since the Unix epoch.' }),
      ended_at: z.int().optional().meta({ description: 'Milliseconds since the Unix epoch; absent while it runs.' }),
      result: z
        .object({
          status: z.enum(jobStatuses).meta({ description: 'How the whole of it ended.' }),
          config: PartStatus().optional().meta({ description: 'The settings.' }),
          filter: PartStatus().optional().meta({ description: 'What is known of the entities of dashboards.' }),
          panel: PartStatus().optional().meta({ description: 'The state of this hardware.' }),
          profiles: PartStatus().optional().meta({ description: 'Saved profiles and the selection.' }),
          companion: PartStatus().optional().meta({ description: 'The sign-in to Home Assistant.' }),
        })
        .optional()
        .meta({ description: 'How it ended; absent while it runs.' }),
    })
    .meta({ id: 'InstallStatus', description: 'The running operation, or the last one, also of an earlier run.' }),
);
type InstallStatus = z.infer<ReturnType<typeof InstallStatus>>;

type Part = z.infer<ReturnType<typeof PartStatus>>;

const partOf = ({ status, items, detail }: PartResult): Part => ({
  status,
  ...(items !== undefined && { items }),
  ...(detail !== undefined && { detail }),
});

/** The document as `GET /api/v1/install/status` serves it. */
export function installStatus({ running, last }: MaintenanceContext): InstallStatus {
  if (running !== null)
    return {
      running: true,
      component: componentNames[running.kind],
      message: running.message,
      kind: running.kind,
      ordered: running.isOrdered,
      started_at: running.since,
    };
  if (last === null) return { running: false, component: '', message: '', kind: null, ordered: false };
  const { status, ...parts } = last.result;
  return {
    running: false,
    component: componentNames[last.kind],
    message: last.message,
    kind: last.kind,
    ordered: false,
    started_at: last.since,
    ended_at: last.endedAt,
    result: { status, ...Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, partOf(part)])) },
  };
}
