import { whileSetting } from '../kit/runs-while.ts';
import { subsystem } from '../subsystem.ts';
import type { AutoBrightnessActor } from './events.ts';
import { history } from './history.ts';
import { unknownFacts } from './off.ts';
import { rangeRule } from './rules.ts';
import { autoBrightnessSettings } from './settings.ts';
import { status } from './status.ts';

/** The brightness that follows the light of the room. */
export const autoBrightness = subsystem<AutoBrightnessActor>()({
  ids: ['auto-brightness'],
  group: 'panel',
  runsWhile: whileSetting('auto_brightness', { value: 'off', context: unknownFacts }),
  settings: { after: 'screen_minimum_percent', object: autoBrightnessSettings },
  settingRules: [rangeRule],
  status,
  historyKinds: [{ kind: 'auto-brightness', about: 'screen', icon: 'mdi:brightness-5' }],
  history,
  sectionFiles: { 'auto-brightness': 'never' },
  problems: {
    'not-running': 503,
    'no-source': 409,
    'chart-busy': 503,
    'not-kept': 503,
    'not-a-light-sensor': 422,
    'source-changed': 409,
    'home-assistant-away': 503,
    'signed-out': 503,
  },
});
