import { whileSetting } from '../kit/runs-while.ts';
import { subsystem } from '../subsystem.ts';
import type { AutoBrightnessActor } from './events.ts';
import { unknownFacts } from './off.ts';
import { rangeRule } from './rules.ts';
import { autoBrightnessSettings } from './settings.ts';

/** The brightness that follows the light of the room. */
export const autoBrightness = subsystem<AutoBrightnessActor>()({
  ids: ['auto-brightness'],
  group: 'panel',
  runsWhile: whileSetting('auto_brightness', { value: 'off', context: unknownFacts }),
  settings: { after: 'screen_minimum_percent', object: autoBrightnessSettings },
  settingRules: [rangeRule],
  sectionFiles: ['auto-brightness'],
});
