import { withEvent } from '../kit/with-event.ts';
import { cameraSessionSetup } from './implementations.ts';
import {
  acquired,
  broken,
  ended,
  failing,
  indicated,
  neverOpened,
  refuseAll,
  starved,
  unindicated,
} from './transition-parts.ts';

/** Facts of a capture that was closed since are dropped. */
const ofAnother = { guard: withEvent('ofAnotherAttempt') } as const;

const joined = acquired('opening', {});

/** The same while a capture runs: the first client of the stream may need another one. */
const rebound = {
  guard: withEvent('restarts'),
  target: '#camera-session.opening.reclosing',
  actions: withEvent('joinStream'),
} as const;

const [refusedStream, joinedStream] = joined['stream.wanted'];
const unused = { guard: 'isUnused', target: '#camera-session.closing' } as const;

/** Until the first frame: the room is shown that the camera is in use, and then a capture starts. */
export const opening = cameraSessionSetup.createStateConfig({
  initial: 'indicating',
  on: { ...joined, ...unindicated, ...indicated },
  states: {
    indicating: {
      on: { 'indication.confirmed': { target: 'starting', actions: withEvent('takeIndication') } },
      always: { guard: 'isUnused', target: '#camera-session.withdrawing' },
      after: {
        indicationBound: {
          target: '#camera-session.closing',
          actions: [
            { type: 'noteUnindicated', params: { reason: 'unconfirmed' } },
            ...refuseAll('camera-indication-unavailable'),
          ],
        },
      },
    },
    starting: {
      entry: 'startCapture',
      on: {
        'stream.wanted': [refusedStream, rebound, joinedStream],
        'capture.opened': {
          guard: withEvent('ofThisAttempt'),
          target: '#camera-session.live',
          actions: [withEvent('open'), 'admitWaiting'],
        },
        'capture.measured': { guard: withEvent('ofThisAttempt'), actions: withEvent('noteTime') },
        'capture.failed': [ofAnother, ...failing(broken, 'answered')],
        'capture.closed': [ofAnother, ...failing(ended, 'answered', ['releaseCapture'])],
      },
      always: unused,
      after: { firstFrameGrace: failing(neverOpened, 'answered') },
    },
    /** The capture before must be gone first: two cannot have the device. */
    reclosing: {
      entry: 'closeCapture',
      always: [unused, { guard: 'pauses', target: 'pausing' }, { guard: 'isClosed', target: 'starting' }],
      after: { closeBound: { target: '#camera-session.closing', actions: refuseAll('camera-stopping') } },
    },
    pausing: { always: unused, after: { pause: 'starting' } },
  },
});

/** Frames arrive. */
export const live = cameraSessionSetup.createStateConfig({
  on: {
    ...unindicated,
    ...indicated,
    'camera.snapshot': [
      acquired('live', {})['camera.snapshot'][0],
      {
        guard: withEvent('isExposed'),
        actions: [withEvent('joinPicture'), { type: 'takeStills', params: { exposure: 'converged' } }],
      },
      { actions: withEvent('joinPicture') },
    ],
    'stream.wanted': [acquired('live', {})['stream.wanted'][0], rebound, { actions: withEvent('joinStream') }],
    'capture.measured': [
      ofAnother,
      { guard: withEvent('delivers'), actions: withEvent('measure') },
      ...failing(starved, 'kept'),
    ],
    'capture.failed': [ofAnother, ...failing(broken, 'kept')],
    'capture.closed': [ofAnother, ...failing(ended, 'kept', ['releaseCapture'])],
  },
  always: unused,
  after: { exposureBudget: { actions: { type: 'takeStills', params: { exposure: 'budget' } } } },
});
