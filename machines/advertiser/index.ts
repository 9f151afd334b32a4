import { capabilitiesOf } from '../kit/capability.ts';
import { subsystem } from '../subsystem.ts';
import type { AdvertiserActor } from './events.ts';
import { diag, status, warnings } from './status.ts';
import { judgeAdvertiser } from './verdict.ts';

/** The advertisement of the panel on its network. */
export const advertiser = subsystem<AdvertiserActor>()({
  ids: ['advertiser'],
  group: 'link',
  probe: { type: 'advertiser.look' },
  capabilities: capabilitiesOf<AdvertiserActor>([
    {
      id: 'discovery',
      title: 'Discovery',
      actor: 'advertiser',
      place: 160,
      judge: ({ context }) => judgeAdvertiser(context),
    },
  ]),
  status,
  diag,
  warnings,
});
