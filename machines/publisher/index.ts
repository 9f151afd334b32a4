import { capabilitiesOf } from '../kit/capability.ts';
import { subsystem } from '../subsystem.ts';
import type { PublisherActor } from './events.ts';
import { history } from './history.ts';
import { diag, status, warnings } from './status.ts';
import { judgePlatform } from './verdict.ts';

/** The publisher of entities. */
export const publisher = subsystem<PublisherActor>()({
  ids: ['publisher'],
  group: 'broker',
  capabilities: capabilitiesOf<PublisherActor>([
    {
      id: 'platform',
      title: 'Home Assistant',
      actor: 'publisher',
      place: 150,
      urgency: 50,
      href: '/configure',
      judge: ({ context }) => judgePlatform(context),
    },
  ]),
  status,
  diag,
  warnings,
  history,
  sections: ['ledger'],
});
