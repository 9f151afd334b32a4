import { capabilitiesOf, ownVerdict } from '../kit/capability.ts';
import { subsystem } from '../subsystem.ts';
import type { AdbActor } from './events.ts';
import { adbSettings } from './settings.ts';

export const adb = subsystem<AdbActor>()({
  ids: ['adb'],
  group: 'panel',
  runsOn: 'android',
  settings: { after: 'log_level', object: adbSettings },
  capabilities: capabilitiesOf<AdbActor>([
    { id: 'adb', title: 'Android panel', actor: 'adb', after: null, judge: ownVerdict },
  ]),
  problems: { 'panel-unavailable': 503 },
});
