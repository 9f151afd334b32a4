import { capabilitiesOf } from '../kit/capability.ts';
import { subsystem } from '../subsystem.ts';
import { rows } from './entities.ts';
import type { StorageHealthActor } from './events.ts';
import { status, warnings } from './status.ts';
import { judgeStorage } from './verdict.ts';

/** Free space and the health of the durable document. */
export const storageHealth = subsystem<StorageHealthActor>()({
  ids: ['storage-health'],
  group: 'upkeep',
  probe: { type: 'storage.check' },
  entities: rows,
  capabilities: capabilitiesOf<StorageHealthActor>([
    {
      id: 'storage',
      title: 'Storage',
      actor: 'storage-health',
      after: 'sign-in',
      urgency: 20,
      headlines: { '*': 'Free up disk space' },
      judge: ({ context }) => judgeStorage(context),
    },
  ]),
  status,
  warnings,
});
