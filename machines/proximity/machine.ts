import { assign, type EventObject, sendTo, setup } from 'xstate';

import { crashed, outcomeOf, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { withCalibration, withoutSource } from './calibration.ts';
import { calibrationOf, garbledVerdict, isCalibrating, judgeAction, lostVerdict } from './decide.ts';
import type {
  CalibrationAction,
  ProximityContext,
  ProximityDriverCommand,
  ProximityEvent,
  ProximityFact,
  ProximityMemoryCommand,
  ProximityMemoryFact,
  SourceCalibration,
  WaveCommand,
} from './events.ts';

const wanted = (context: ProximityContext, event: ProximityEvent, action: CalibrationAction): boolean =>
  event.type === 'calibration.asked' && event.action === action && judgeAction(context, action, event.sessionId).ok;

/** The calibrations as they will be once the disk has them. */
const changed = ({ source, session, calibrations, keeping }: ProximityContext): readonly SourceCalibration[] => {
  if (source === null) return calibrations;
  if (keeping === 'reset') return withoutSource(calibrations, source);
  return session?.candidate == null
    ? calibrations
    : withCalibration(calibrations, { source, calibration: session.candidate });
};

/**
 * The proximity sensor: its driver judges the samples, this keeps what a person calibrated and says what may be
 * believed.
 */
export const proximityMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as ProximityContext,
    events: {} as ProximityEvent,
    output: {} as WorkerOutcome,
  },
  actors: {
    sensor: placeholder<ProximityDriverCommand, undefined, ProximityFact>(),
    memory: placeholder<ProximityMemoryCommand, undefined, ProximityMemoryFact>(),
    choice: placeholder<EventObject, undefined, Extract<ProximityEvent, { type: 'wake.chosen' }>>(),
    wake: placeholder<WaveCommand, undefined, never>(),
  },
  guards: {
    maySave: ({ context, event }) => wanted(context, event, 'save'),
    mayReset: ({ context, event }) => wanted(context, event, 'reset'),
    mayStep: ({ context, event }) =>
      event.type === 'calibration.asked' &&
      event.action !== 'save' &&
      event.action !== 'reset' &&
      wanted(context, event, event.action),
    wakes: ({ context }) =>
      context.wakeOnWave && context.source !== null && !isCalibrating(context) && calibrationOf(context)?.wave != null,
    saved: ({ context }) => context.keeping === 'save',
  },
  actions: {
    find: assign(({ event }) =>
      event.type === 'source.found' ? { source: event.source, absence: null, shown: true } : {},
    ),
    miss: assign(({ context, event }) =>
      event.type === 'source.missing'
        ? { source: null, absence: event.verdict, near: null, level: null, shown: context.shown || !event.optional }
        : {},
    ),
    lose: assign(({ event }) => ({
      source: null,
      absence: event.type === 'source.lost' && event.reason === 'bad-reading' ? garbledVerdict : lostVerdict,
      near: null,
      level: null,
    })),
    take: assign(({ event }) => (event.type === 'reading.changed' ? { near: event.near, level: event.level } : {})),
    follow: assign(({ event }) => (event.type === 'session.changed' ? { session: event.session } : {})),
    recall: assign(({ event }) =>
      event.type === 'calibrations.recalled' ? { calibrations: event.calibrations, recalled: true } : {},
    ),
    choose: assign(({ event }) => (event.type === 'wake.chosen' ? { wakeOnWave: event.on } : {})),
    count: assign(({ context }) => ({ waves: context.waves + 1 })),
    wantSave: assign({ keeping: 'save' as const, fault: null }),
    wantReset: assign({ keeping: 'reset' as const, fault: null }),
    settle: assign(({ event }) =>
      event.type === 'calibrations.kept' ? { calibrations: event.calibrations, keeping: null } : {},
    ),
    refuse: assign(({ event }) => (event.type === 'calibrations.unkept' ? { fault: event.reason, keeping: null } : {})),
    keep: sendTo('memory', ({ context }) => ({ type: 'calibrations.keep' as const, calibrations: changed(context) })),
    adopt: sendTo('sensor', ({ context }) => ({
      type: 'proximity.adopt' as const,
      source: context.source ?? { driver: '', name: '' },
      calibration: calibrationOf(context),
    })),
    step: sendTo('sensor', ({ event }) => ({
      type: 'session.command' as const,
      command:
        event.type === 'calibration.asked' && event.action !== 'save' && event.action !== 'reset'
          ? event.action
          : 'heartbeat',
    })),
    endSaved: sendTo('sensor', { type: 'session.command', command: 'saved' }),
    endCancelled: sendTo('sensor', { type: 'session.command', command: 'cancel' }),
    look: sendTo('sensor', { type: 'proximity.look' }),
    light: sendTo('wake', { type: 'wave.light' }),
  },
}).createMachine({
  id: 'proximity',
  context: {
    shown: false,
    absence: null,
    source: null,
    near: null,
    level: null,
    session: null,
    recalled: false,
    calibrations: [],
    keeping: null,
    fault: null,
    wakeOnWave: false,
    waves: 0,
  },
  initial: 'watching',
  states: {
    watching: {
      invoke: [
        { id: 'memory', src: 'memory', onError: 'failed' },
        { id: 'choice', src: 'choice', onError: 'failed' },
        { id: 'wake', src: 'wake', onError: 'failed' },
        { id: 'sensor', src: 'sensor', onError: 'failed' },
      ],
      on: {
        'source.found': { actions: ['find', 'adopt'] },
        'source.missing': { actions: 'miss' },
        'source.lost': { actions: 'lose' },
        'reading.changed': { actions: 'take' },
        'session.changed': { actions: 'follow' },
        'wave.seen': [{ guard: 'wakes', actions: ['light', 'count'] }, { actions: 'count' }],
        'wake.chosen': { actions: 'choose' },
        'calibrations.recalled': { actions: ['recall', 'adopt'] },
        'calibrations.kept': [
          { guard: 'saved', actions: ['settle', 'endSaved', 'adopt'] },
          { actions: ['settle', 'adopt'] },
        ],
        'calibrations.unkept': { actions: 'refuse' },
        'calibration.asked': [
          { guard: 'maySave', actions: ['wantSave', 'keep'] },
          { guard: 'mayReset', actions: ['wantReset', 'endCancelled', 'keep'] },
          { guard: 'mayStep', actions: 'step' },
        ],
        'proximity.probe': { actions: 'look' },
        'proximity.stop': 'stopped',
      },
    },
    stopped: { type: 'final', output: stopped },
    failed: {
      type: 'final',
      output: crashed({
        sensor: 'proximity-driver',
        memory: 'proximity-memory',
        choice: 'setting-follower',
        wake: 'wake',
      }),
    },
  },
  output: outcomeOf,
});
