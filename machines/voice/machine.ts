import { crashed, outcomeOf, stopped } from '../kit/outcome.ts';
import { withEvent } from '../kit/with-event.ts';
import { initialFacts } from './facts.ts';
import { voiceSetup } from './implementations.ts';
import {
  dismissed,
  earEnded,
  earFailed,
  ended,
  failedAs,
  failedWith,
  linkLost,
  markRefused,
  quietlyDone,
  replaced,
  stagesOfRun,
  stagesWhileListening,
} from './transition-parts.ts';

const showing = (phase: 'idle' | 'listening' | 'processing' | 'responding' | 'error') =>
  ({ type: 'show', params: { phase } }) as const;

/** What comes while nothing runs takes effect at once. */
const taken = (phase: 'idle' | 'error') =>
  ({
    'options.changed': { actions: [withEvent('takeOptions'), 'probe', showing(phase)] },
    'pipelines.changed': { actions: [withEvent('takePipelines'), showing(phase)] },
    'notice.expired': { actions: ['endNotice', showing(phase)] },
  }) as const;

/**
 * One turn of Assist at a time: a person presses and speaks, Home Assistant acts and answers, the panel plays the
 * answer. Everything that a turn needs is begun at once; sound waits in the ear until the mark is confirmed. Samples
 * and words stay in the drivers.
 */
export const voiceMachine = voiceSetup.createMachine({
  id: 'voice',
  context: initialFacts,
  invoke: [
    { id: 'ear', src: 'ear', onError: '.failed' },
    { id: 'assist', src: 'assist', onError: '.failed' },
    { id: 'reply', src: 'reply', onError: '.failed' },
    { id: 'indication', src: 'indication', onError: '.failed' },
    { id: 'overlay', src: 'overlay', onError: '.failed' },
    { id: 'panel', src: 'panel', onError: '.failed' },
    { id: 'surroundings', src: 'surroundings', onError: '.failed' },
  ],
  output: outcomeOf,
  initial: 'ready',
  on: {
    'voice.trigger': { actions: withEvent('refuseTrigger') },
    'voice.check': { actions: withEvent('refuseCheck') },
    'voice.probe': { actions: ['unpark', 'probe'] },
    'voice.stop': { target: '.stopping', actions: [ended('cancelled'), 'stopCheck'] },
    'ear.sources': { actions: withEvent('takeSources') },
    'ear.measured': { actions: withEvent('takeMeasured') },
    'ear.closed': { guard: withEvent('ofEar'), actions: ['noteClosed', 'unmark'] },
    'look.due': { actions: 'lookAgain' },
    'rest.expired': { actions: ['unpark', 'probe'] },
    'notice.expired': { actions: 'endNotice' },
    'options.changed': { actions: withEvent('keepOptions') },
    'pipelines.changed': { actions: withEvent('keepPipelines') },
    'device.changed': { actions: withEvent('takeDevice') },
    'link.changed': { actions: withEvent('takeLink') },
    'clock.read': { actions: withEvent('takeClock') },
  },
  states: {
    ready: {
      initial: 'idle',
      on: {
        'voice.trigger': [
          {
            guard: withEvent('admits'),
            target: 'turn',
            actions: [withEvent('begin'), 'open', withEvent('answerTrigger')],
          },
          { actions: withEvent('refuseTrigger') },
        ],
        'overlay.pressed': [
          { guard: withEvent('admits'), target: 'turn', actions: [withEvent('begin'), 'open'] },
          { target: '.error', actions: withEvent('complain') },
        ],
        'overlay.asked': [
          { guard: withEvent('admits'), target: 'turn', actions: [withEvent('begin'), 'open'] },
          { target: '.error', actions: withEvent('complain') },
        ],
        'button.pressed': [
          { guard: withEvent('admits'), target: 'turn', actions: [withEvent('begin'), 'open'] },
          { target: '.error', actions: [withEvent('complain'), 'lightNotice'] },
        ],
        'voice.check': [
          { guard: 'admitsCheck', target: 'checking', actions: withEvent('askForCheck') },
          { actions: withEvent('refuseCheck') },
        ],
      },
      states: {
        idle: {
          entry: showing('idle'),
          on: taken('idle'),
          always: { guard: 'hasNoSource', target: 'error', actions: 'takeEarError' },
        },
        /** Kept until the next turn; that of the microphone ends with it. */
        error: {
          entry: showing('error'),
          on: taken('error'),
          always: { guard: 'isMended', target: 'idle', actions: 'forgetError' },
        },
      },
    },
    checking: {
      entry: showing('idle'),
      initial: 'showing',
      on: {
        ...taken('idle'),
        'check.playing': { guard: withEvent('ofCheck'), actions: 'notePlaying' },
        'check.ended': {
          guard: withEvent('ofCheck'),
          target: 'ready',
          actions: [withEvent('takeCheck'), 'afterCheck'],
        },
        'overlay.pressed': { actions: [withEvent('complain'), showing('idle')] },
        'overlay.asked': { actions: [withEvent('complain'), showing('idle')] },
        'button.pressed': { actions: [withEvent('complain'), 'lightNotice', showing('idle')] },
      },
      states: {
        /** Nothing is opened before the room is shown it. */
        showing: {
          on: {
            'indication.confirmed': { target: 'open', actions: 'openCheck' },
            'indication.refused': { target: '#voice.ready', actions: [withEvent('refuseUnmarked'), 'afterCheck'] },
            'voice.cancel': { target: '#voice.ready', actions: ['cutCheck', 'afterCheck'] },
          },
          after: { markBound: { target: '#voice.ready', actions: ['refuseUnshown', 'afterCheck'] } },
        },
        open: {
          on: {
            'indication.refused': { guard: 'isRecording', actions: [withEvent('noteUnmarked'), 'endCheck'] },
            'voice.cancel': { actions: 'endCheck' },
          },
          after: { checkBound: 'closing' },
        },
        closing: { entry: 'endCheck', after: { closeBound: '#voice.stuck' } },
      },
    },
    turn: {
      initial: 'listening',
      on: {
        ...stagesOfRun,
        'voice.cancel': dismissed,
        'overlay.dismissed': dismissed,
        'overlay.pressed': dismissed,
        'button.pressed': dismissed,
        'lane.taken': { target: 'ending', actions: replaced },
        'overlay.released': [
          { guard: withEvent('endsHold'), target: '.processing', actions: [withEvent('dropPress'), 'finish'] },
          { actions: withEvent('dropPress') },
        ],
        'button.released': [
          { guard: withEvent('endsHold'), target: '.processing', actions: [withEvent('dropPress'), 'finish'] },
          { actions: withEvent('dropPress') },
        ],
        'ear.opened': [
          { guard: withEvent('opens'), actions: [withEvent('stage'), 'openedInTime', 'awaitEnd'] },
          { guard: withEvent('ofTurn'), actions: withEvent('stage') },
        ],
        'ear.failed': { guard: withEvent('breaksOff'), target: 'ending', actions: earFailed },
        'ear.closed': [
          { guard: withEvent('closedEarly'), target: 'ending', actions: earEnded },
          { guard: withEvent('ofEar'), actions: ['noteClosed', 'unmark'] },
        ],
        'ear.measured': [
          {
            guard: withEvent('isMuted'),
            target: 'ending',
            actions: [withEvent('takeMeasured'), failedAs('microphone-muted'), 'probe'],
          },
          { actions: withEvent('takeMeasured') },
        ],
        'indication.confirmed': { actions: 'confirm' },
        'indication.refused': { guard: 'sends', target: 'ending', actions: markRefused },
        'assist.failed': [
          { guard: withEvent('isSilentEnd'), target: 'ending', actions: quietlyDone },
          { guard: withEvent('ofTurn'), target: 'ending', actions: failedWith },
        ],
        'link.changed': [
          { guard: withEvent('losesRun'), target: 'ending', actions: [withEvent('takeLink'), linkLost] },
          { actions: withEvent('takeLink') },
        ],
        'reply.playing': { guard: withEvent('ofTurn'), actions: withEvent('stage') },
        'reply.ended': [
          { guard: withEvent('isReplaced'), target: 'ending', actions: replaced },
          { guard: withEvent('isUnplayed'), target: 'ending', actions: failedWith },
          { guard: withEvent('ofTurn'), actions: [withEvent('stage'), 'endReply'] },
        ],
        'speech.expired': { guard: 'isOpen', target: '.processing', actions: 'finish' },
        'opening.expired': { guard: 'isUnopened', target: 'ending', actions: failedAs('stalled') },
        'mark.expired': { guard: 'isUnmarked', target: 'ending', actions: failedAs('indication') },
        'turn.expired': { target: 'ending', actions: failedAs('timeout') },
      },
      states: {
        listening: { entry: showing('listening'), on: stagesWhileListening },
        processing: {
          entry: showing('processing'),
          initial: 'deciding',
          states: {
            deciding: { always: { guard: 'isComplete', target: 'pausing' } },
            /** The error of a run may follow its end. */
            pausing: {
              after: {
                pause: [
                  { guard: 'isCutShort', target: '#voice.ending', actions: failedAs('no-answer') },
                  { target: '#voice.ending', actions: ended('done') },
                ],
              },
            },
          },
        },
        responding: {
          entry: showing('responding'),
          initial: 'playing',
          states: {
            playing: { always: { guard: 'isComplete', target: 'pausing' } },
            pausing: {
              after: {
                pause: [
                  { guard: 'goesOn', target: '#voice.turn.listening', actions: ['goOn', 'open'] },
                  { target: '#voice.ending', actions: ended('done') },
                ],
              },
            },
          },
        },
      },
    },
    /** Until the microphone of the turn is closed: nothing else may open it before. */
    ending: {
      entry: ['unmark', 'showEnding'],
      always: [
        { guard: 'isFailed', target: 'ready.error', actions: ['unmark', 'catchUp', 'takeError'] },
        { guard: 'isClosed', target: 'ready', actions: ['unmark', 'catchUp'] },
      ],
      after: { closeBound: 'stuck' },
    },
    /** Its process does not end: until it does, the mark stays, and nothing else opens the microphone. */
    stuck: {
      entry: ['noteStuck', showing('error')],
      on: {
        'check.ended': {
          guard: withEvent('ofCheck'),
          target: 'ready',
          actions: [withEvent('takeCheck'), 'afterCheck', 'catchUp', 'forgetError'],
        },
        'overlay.pressed': { actions: [withEvent('complain'), showing('error')] },
        'overlay.asked': { actions: [withEvent('complain'), showing('error')] },
        'button.pressed': { actions: [withEvent('complain'), 'lightNotice', showing('error')] },
        'notice.expired': { actions: ['endNotice', showing('error')] },
      },
      always: { guard: 'isClosed', target: 'ending', actions: 'forgetError' },
    },
    stopping: {
      entry: 'unmark',
      on: {
        'voice.trigger': { actions: withEvent('refuseStopping') },
        'voice.check': { actions: withEvent('refuseStopping') },
        'check.ended': { guard: withEvent('ofCheck'), actions: [withEvent('takeCheck'), 'unmark'] },
        'voice.stop': {},
      },
      always: { guard: 'isClosed', target: 'stopped', actions: 'unmark' },
      // A mark that is still held then is released by its driver, once the microphone is closed.
      after: { stopBound: 'stopped' },
    },
    stopped: { type: 'final', output: stopped },
    failed: {
      type: 'final',
      output: crashed({
        ear: 'voice-ear',
        assist: 'voice-assist',
        reply: 'voice-reply',
        indication: 'voice-indication',
        overlay: 'voice-overlay',
        panel: 'voice-panel',
        surroundings: 'voice-surroundings',
      }),
    },
  },
  options: { maxIterations: 100 },
});
