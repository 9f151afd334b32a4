import { capabilitiesOf, ownVerdict } from '../kit/capability.ts';
import { subsystem } from '../subsystem.ts';
import { rows } from './entities.ts';
import { type RelayActor, relayIds } from './events.ts';
import { status } from './status.ts';

export const relays = subsystem<RelayActor>()({
  ids: relayIds,
  group: 'panel',
  entities: rows,
  capabilities: capabilitiesOf<RelayActor>(
    relayIds.map((id, index) => ({
      id,
      title: `Relay ${index + 1}`,
      actor: id,
      after: 'button_led4',
      judge: ownVerdict,
    })),
  ),
  status,
  sectionFiles: { relay1: 'never', relay2: 'never', relay3: 'never', relay4: 'never' },
});
