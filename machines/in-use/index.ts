import { whileSetting } from '../kit/runs-while.ts';
import { subsystem } from '../subsystem.ts';
import type { InUseActor } from './events.ts';
import { unused } from './facts.ts';
import { status } from './status.ts';

/** Shows the room that the camera is in use (contract, "States"). */
export const inUse = subsystem<InUseActor>()({
  ids: ['in-use'],
  group: 'media',
  runsOn: 'filming',
  runsWhile: whileSetting('camera_enabled', { value: 'unused', context: unused }),
  status,
});
