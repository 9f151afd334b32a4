import { capabilitiesOf, inField } from '../kit/capability.ts';
import { subsystem } from '../subsystem.ts';
import type { PublisherActor } from './events.ts';
import { history } from './history.ts';
import { shownPublisher } from './phase.ts';
import { diag, status, warnings } from './status.ts';
import { judgePublisher } from './verdict.ts';

/** The publisher of entities. */
export const publisher = subsystem<PublisherActor>()({
  ids: ['publisher'],
  group: 'broker',
  capabilities: capabilitiesOf<PublisherActor>([
    {
      id: 'platform',
      title: 'Home Assistant',
      actor: 'publisher',
      order: 150,
      urgency: 50,
      pages: inField('panel_id', ['panel-id-taken']),
      headlines: { 'panel-id-taken': 'Give this panel another id', '*': 'Bring this panel back' },
      judge: (snapshot) => judgePublisher(shownPublisher(snapshot)),
    },
  ]),
  status,
  diag,
  warnings,
  history,
  sections: ['ledger'],
});
