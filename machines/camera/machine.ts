import { assign, sendTo, setup } from 'xstate';

import { crashed, outcomeOf, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import type { CameraContext, CameraDriverCommand, CameraEvent, CameraFact, VideoDevice } from './events.ts';
import { judgeDevices } from './judge-devices.ts';
import { projectCamera } from './project-camera.ts';

const suppressedLook = judgeDevices(null, true);

/**
 * Says whether this panel has a camera, by looking at the system's video devices again and again without opening any.
 */
export const cameraMachine = setup({
  types: {
    context: {} as CameraContext,
    events: {} as CameraEvent,
    input: {} as { readonly suppressed: boolean },
    output: {} as WorkerOutcome,
  },
  actors: { devices: placeholder<CameraDriverCommand, undefined, CameraFact>() },
  guards: {
    isSuppressed: ({ context }) => context.look?.found === 'none' && context.look.detail === 'suppressed_by_profile',
  },
  actions: {
    judge: assign((_, params: { devices: readonly VideoDevice[] | null; user: string | null }) => {
      const look = judgeDevices(params.devices, false);
      return { look, camera: projectCamera(look), user: params.user };
    }),
    look: sendTo('devices', { type: 'camera.enumerate' }),
  },
}).createMachine({
  id: 'camera',
  context: ({ input }) => {
    const look = input.suppressed ? suppressedLook : null;
    return { look, camera: projectCamera(look) };
  },
  initial: 'deciding',
  on: { 'camera.stop': '.stopped' },
  states: {
    deciding: { always: [{ guard: 'isSuppressed', target: 'suppressed' }, { target: 'watching' }] },
    suppressed: {},
    watching: {
      invoke: { id: 'devices', src: 'devices', onError: 'failed' },
      on: {
        'camera.enumerated': {
          actions: { type: 'judge', params: ({ event }) => ({ devices: event.devices, user: event.user ?? null }) },
        },
        'camera.look': { actions: 'look' },
      },
    },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed('camera-driver') },
  },
  output: outcomeOf,
  options: { maxIterations: 10 },
});
