import { capabilitiesOf } from '../kit/capability.ts';
import { subsystem } from '../subsystem.ts';
import type { AdvertiserActor } from './events.ts';
import { advertiserView } from './responder-state.ts';
import { status, warnings } from './status.ts';
import { judgeAdvertiser } from './verdict.ts';

/** The advertisement of the panel on its network. */
export const advertiser = subsystem<AdvertiserActor>()({
  ids: ['advertiser'],
  group: 'link',
  supervisionGroups: [{ id: 'link', after: 'edge', strategy: 'one_for_one', onGiveUp: 'park' }],
  runsOn: 'announced',
  probe: { type: 'advertiser.probe' },
  capabilities: capabilitiesOf<AdvertiserActor>([
    {
      id: 'discovery',
      title: 'Discovery',
      actor: 'advertiser',
      after: 'platform',
      judge: (snapshot) => judgeAdvertiser(advertiserView(snapshot)),
    },
  ]),
  status,
  warnings,
});
