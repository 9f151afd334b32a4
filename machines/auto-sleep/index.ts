import { whileSettings } from '../kit/runs-while.ts';
import { subsystem } from '../subsystem.ts';
import { rows } from './entities.ts';
import type { AutoSleepActor } from './events.ts';
import { restingFacts } from './off.ts';
import { autoSleepSettings, isSleepWanted, sleepGroup, wantedKeys } from './settings.ts';
import { status } from './status.ts';

/** The screen that sleeps while the room is empty, and keeps its hours. */
export const autoSleep = subsystem<AutoSleepActor>()({
  ids: ['auto-sleep'],
  group: 'panel',
  runsWhile: whileSettings(wantedKeys, isSleepWanted, { value: 'off', context: restingFacts }),
  settingGroups: [sleepGroup],
  settings: { after: 'proximity_level', object: autoSleepSettings },
  entities: rows,
  status,
  sectionFiles: { 'auto-sleep': 'never' },
  sections: { 'auto-sleep-sources': 'panel' },
  problems: { 'sources-stale': 409, 'no-sources': 409 },
});
