import { whileSettings } from '../kit/runs-while.ts';
import { subsystem } from '../subsystem.ts';
import type { InUseActor } from './events.ts';
import { unused } from './facts.ts';
import { status } from './status.ts';

/** Shows the room that the camera or the microphone is in use (contract, "States"). */
export const inUse = subsystem<InUseActor>()({
  ids: ['in-use'],
  group: 'media',
  runsOn: 'indicating',
  runsWhile: whileSettings(
    ['camera_enabled', 'voice_enabled', 'microphone_access'],
    ({ camera_enabled: films, voice_enabled: listens, microphone_access: isAllowed }) =>
      films === true || (listens === true && isAllowed === true),
    { value: { shown: { camera: 'unused', microphone: 'unused' } }, context: unused },
  ),
  status,
});
