import { capabilitiesOf, ownVerdict } from '../kit/capability.ts';
import { subsystem } from '../subsystem.ts';
import { rows } from './entities.ts';
import { type ScreenActor, screenIds } from './events.ts';
import { history } from './history.ts';
import { screenSettings } from './settings.ts';
import { status } from './status.ts';

export const screen = subsystem<ScreenActor>()({
  ids: screenIds,
  group: 'panel',
  tags: [
    {
      id: 'panel',
      about: 'What the panel does and measures: actions, announcements, pictures, sensors, radios.',
      after: 'status',
    },
  ],
  supervisionGroups: [{ id: 'panel', after: 'link', strategy: 'one_for_one', onGiveUp: 'park' }],
  probe: { type: 'screen.probe' },
  settings: { after: 'dashboard_entity_learning', object: screenSettings },
  settingGroups: [{ id: 'screen', title: 'Screen', icon: 'mdi:brightness-5', after: 'dashboard' }],
  entities: rows,
  capabilities: capabilitiesOf<ScreenActor>(
    screenIds.map((id, index) => ({
      id,
      title: index === 0 ? 'Screen' : `Screen ${index + 1}`,
      actor: id,
      after: 'adb',
      headlines: { '*': index === 0 ? 'Let Sconce reach the screen' : `Let Sconce reach screen ${index + 1}` },
      judge: ownVerdict,
      // The first is always shown, so that its fault is visible; the others once a display was found for them.
      ...(index === 0 ? { urgency: 10 } : { shown: ({ context }) => context.seen }),
    })),
  ),
  status,
  historyKinds: [{ kind: 'screen', about: 'screen', icon: 'mdi:tablet' }],
  history,
  sectionFiles: { panel: 'never', panel_2: 'never', panel_3: 'never', panel_4: 'never' },
});
