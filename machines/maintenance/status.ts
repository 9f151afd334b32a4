import { z } from 'zod';

import { once } from '../kit/once.ts';
import { statusSection } from '../subsystem.ts';
import { jobKinds } from './events.ts';

const Maintenance = once(() =>
  z
    .object({
      running: z
        .enum(jobKinds)
        .nullable()
        .meta({ description: 'The operation that runs; `/api/v1/install/status` says more. Null without one.' }),
      last_backup_at: z.int().nullable().meta({
        description: 'When the last backup was made, in milliseconds since the Unix epoch; null if none was.',
      }),
    })
    .meta({ id: 'Maintenance', description: 'Operations that run one at a time, such as backups and resets.' }),
);

export const status = statusSection({
  reads: ['maintenance'],
  shape: () => ({ maintenance: Maintenance().nullable().meta({ description: 'Null while its part restarts.' }) }),
  view: ({ read }) => {
    const facts = read('maintenance');
    return {
      maintenance:
        facts === undefined ? null : { running: facts.running?.kind ?? null, last_backup_at: facts.lastBackupAt },
    };
  },
});
