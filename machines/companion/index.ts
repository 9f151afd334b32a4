import { capabilitiesOf, onPage } from '../kit/capability.ts';
import { subsystem } from '../subsystem.ts';
import type { CompanionActor } from './events.ts';
import { history } from './history.ts';
import { companionSettings } from './settings.ts';
import { status, warnings } from './status.ts';
import { judgeCompanion } from './verdict.ts';

/** The connection of the Sconce integration in Home Assistant: who is paired, and what they say of themselves. */
export const companion = subsystem<CompanionActor>()({
  ids: ['companion'],
  group: 'link',
  tags: [{ id: 'companion', about: 'The Sconce integration in Home Assistant, and who is paired.', after: 'sign-in' }],
  settings: { after: 'mqtt_discovery_prefix', object: companionSettings },
  capabilities: capabilitiesOf<CompanionActor>([
    {
      id: 'companion',
      title: 'Sconce integration',
      actor: 'companion',
      after: 'mqtt',
      urgency: 45,
      pages: onPage('/companion', ['no-pairing', 'no-session']),
      headlines: {
        'no-pairing': 'Pair this panel with Home Assistant',
        'no-session': 'Home Assistant is not connected',
      },
      judge: ({ context }) => judgeCompanion(context),
      shown: ({ context }) => context.surface === 'native' || (context.clients?.length ?? 0) > 0,
    },
  ]),
  status,
  warnings,
  historyKinds: [{ kind: 'companion', about: 'home', icon: 'mdi:home-assistant' }],
  history,
  // Its own file: the last use of a key changes without the owner.
  sectionFiles: { companion: 'never' },
  problems: {
    'not-paired': 404,
    moving: 409,
    'no-session': 409,
    'not-prepared': 409,
    'not-released': 409,
    'broker-away': 409,
    'broker-silent': 409,
    'publisher-busy': 409,
    'no-broker': 409,
    'move-denied': 409,
  },
  operations: {
    COMPANION_PAIR: {
      in: 'every',
      title: 'Pair Home Assistant',
      consequence: 'Approve only once Home Assistant has accepted these digits. It can then operate this panel.',
      withoutPlace: 'On a panel without a screen, run sconce companion pair in a terminal on it.',
    },
    TRANSPORT_RELEASE: { in: 'hardened', title: 'Change how Home Assistant reaches this panel' },
  },
});
