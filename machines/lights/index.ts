import { capabilitiesOf, ownVerdict } from '../kit/capability.ts';
import { subsystem } from '../subsystem.ts';
import { rows } from './entities.ts';
import { type LightActor, lightCapabilities, type LightId, lightIds } from './events.ts';
import { status } from './status.ts';

const titles: Readonly<Record<LightId, string>> = {
  led: 'LED',
  buttons: 'Button backlight',
  button_led1: 'Button LED 1',
  button_led2: 'Button LED 2',
  button_led3: 'Button LED 3',
  button_led4: 'Button LED 4',
};

export const lights = subsystem<LightActor>()({
  ids: lightIds,
  group: 'panel',
  entities: rows,
  capabilities: capabilitiesOf<LightActor>(
    lightIds.map((id) => ({
      id: lightCapabilities[id],
      title: titles[id],
      actor: id,
      after: 'dashboard',
      judge: ownVerdict,
    })),
  ),
  status,
  sectionFiles: { led: 'never' },
});
