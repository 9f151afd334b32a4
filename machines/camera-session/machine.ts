import { crashed, outcomeOf, stopped } from '../kit/outcome.ts';
import { withEvent } from '../kit/with-event.ts';
import { live, opening } from './capturing.ts';
import { initialFacts } from './facts.ts';
import { cameraSessionSetup } from './implementations.ts';
import { acquired, refuseAll } from './transition-parts.ts';

/**
 * The session of the camera while it is turned on. It opens for leases alone: clients of the stream, and pictures. The
 * room is shown first that the camera is in use, then one capture runs for all of them. After the last lease it is
 * closed, and only then the indication is released. Frames stay in the drivers.
 */
export const cameraSessionMachine = cameraSessionSetup.createMachine({
  id: 'camera-session',
  context: ({ input }) => ({ ...initialFacts, port: input.port }),
  invoke: [
    { id: 'stream', src: 'stream', input: ({ context }) => ({ port: context.port }), onError: '.failed' },
    { id: 'stills', src: 'stills', onError: '.failed' },
    { id: 'indication', src: 'indication', onError: '.failed' },
    { id: 'surroundings', src: 'surroundings', onError: '.failed' },
  ],
  output: outcomeOf,
  initial: 'idle',
  on: {
    'stream.listening': { actions: withEvent('takeListening') },
    'stream.blocked': { actions: withEvent('takeBlocked') },
    'stream.watched': { actions: withEvent('takeWatchers') },
    'stream.left': { actions: withEvent('leaveStream') },
    'stream.expired': { actions: withEvent('expireStream') },
    'picture.expired': { actions: withEvent('expirePicture') },
    'still.taken': { actions: withEvent('deliver') },
    'encoding.changed': { actions: withEvent('takeEncoding') },
    'scan.changed': { actions: withEvent('takeScan') },
    'capture.closed': { guard: withEvent('ofThisAttempt'), actions: 'releaseCapture' },
    'camera-session.stop': '.stopping',
  },
  states: {
    idle: { on: acquired('idle', { target: 'opening', actions: ['begin', 'hold'] }) },
    degraded: { on: acquired('degraded', { target: 'opening', actions: ['rest', 'begin', 'hold'] }) },
    opening,
    live,
    /** The last lease left before the indication was confirmed, whose answer must not be taken for that of another. */
    withdrawing: {
      on: {
        ...acquired('opening', { target: 'opening', actions: ['begin'] }),
        'indication.confirmed': 'closing',
        'indication.refused': 'closing',
      },
      after: { indicationBound: 'closing' },
    },
    /** Until the process is gone; leases that come meanwhile wait for that. */
    closing: {
      entry: 'closeCapture',
      on: {
        ...acquired('closing', {}),
        'indication.refused': { actions: 'loseIndication' },
      },
      always: [
        { guard: 'canGoOn', target: 'opening.starting', actions: 'begin' },
        { guard: 'mustAskAgain', target: 'opening', actions: ['release', 'begin', 'hold'] },
        { guard: 'restsDegraded', target: 'degraded', actions: ['release', 'end'] },
        { guard: 'isClosed', target: 'idle', actions: ['release', 'end'] },
      ],
      after: { closeBound: { actions: refuseAll('camera-stopping') } },
    },
    stopping: {
      entry: [...refuseAll('camera-disabled'), 'closeCapture'],
      on: { ...acquired('stopping', {}), 'camera-session.stop': {} },
      always: { guard: 'isClosed', target: 'stopped', actions: ['release', 'end'] },
      // The indication is released by the end of its driver, once the process is gone.
      after: { stopBound: { target: 'stopped', actions: 'releaseCapture' } },
    },
    stopped: { type: 'final', output: stopped },
    failed: {
      type: 'final',
      output: crashed({
        stream: 'camera-stream',
        stills: 'camera-stills',
        indication: 'camera-indication',
        surroundings: 'camera-surroundings',
      }),
    },
  },
  options: { maxIterations: 100 },
});
