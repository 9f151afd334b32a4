import { assign, type EventObject, sendTo, stateIn } from 'xstate';

import { crashed, outcomeOf, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import { newestPerSecond } from '../kit/trace.ts';
import { withEvent } from '../kit/with-event.ts';
import { withCalibration, withoutSource } from './calibration.ts';
import { calibrationOf, garbledVerdict, isOfSession, lostVerdict } from './decide.ts';
import type {
  ProximityContext,
  ProximityDriverCommand,
  ProximityEvent,
  ProximityFact,
  ProximityStoreCommand,
  ProximityStoreFact,
  SourceCalibration,
  WaveCommand,
} from './events.ts';
import { isRunning } from './session.ts';

type Of<T extends ProximityEvent['type']> = Extract<ProximityEvent, { readonly type: T }>;
type Asked = Of<'calibration.asked'>;

/** The calibrations including the one that the session's review shows. */
const withReviewed = ({ source, session, calibrations }: ProximityContext): readonly SourceCalibration[] =>
  source === null || session?.candidate == null
    ? calibrations
    : withCalibration(calibrations, { source, calibration: session.candidate });

/**
 * The proximity sensor. Its driver judges the samples; this chart keeps the calibrations and says what may be
 * trusted. The sensor and the store are two regions, so that a save continues when the sensor is unplugged.
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
    store: placeholder<ProximityStoreCommand, undefined, ProximityStoreFact>(),
    choice: placeholder<EventObject, undefined, Of<'wake.chosen'>>(),
    wake: placeholder<WaveCommand, undefined, never>(),
  },
  guards: {
    isSaving: stateIn({ watching: { store: 'saving' } }),
    isResetting: stateIn({ watching: { store: 'resetting' } }),
    isStart: (_, { action }: Asked) => action === 'start',
    isBegin: ({ context }, asked: Asked) =>
      asked.action === 'begin' && isOfSession(context, asked) && context.session?.stage === 'intro',
    isStep: ({ context }, asked: Asked) =>
      (asked.action === 'cancel' || asked.action === 'heartbeat') && isOfSession(context, asked),
    maySave: ({ context }, asked: Asked) =>
      asked.action === 'save' &&
      context.source !== null &&
      isOfSession(context, asked) &&
      context.session?.candidate != null,
    mayReset: ({ context }, { action }: Asked) => action === 'reset' && context.source !== null,
    isRunning: (_, { session }: Of<'session.changed'>) => isRunning(session.stage),
    wakes: ({ context }) => context.wakeOnWave && calibrationOf(context)?.wave != null,
  },
  actions: {
    find: assign((_, { source }: Of<'source.found'>) => ({ source, absence: null, shown: true })),
    miss: assign(({ context }, { verdict, optional }: Of<'source.missing'>) => ({
      source: null,
      absence: verdict,
      near: null,
      level: null,
      shown: context.shown || !optional,
    })),
    lose: assign((_, { reason }: Of<'source.lost'>) => ({
      source: null,
      absence: reason === 'bad-reading' ? garbledVerdict : lostVerdict,
      near: null,
      level: null,
    })),
    take: assign(({ context }, { near, level, at }: Of<'reading.changed'>) => ({
      near,
      level,
      trace: newestPerSecond(context.trace, { at, value: level }),
    })),
    follow: assign((_, { session }: Of<'session.changed'>) => ({ session })),
    recall: assign((_, { calibrations }: Of<'calibrations.recalled' | 'calibrations.kept'>) => ({ calibrations })),
    choose: assign((_, { on }: Of<'wake.chosen'>) => ({ wakeOnWave: on })),
    count: assign(({ context }) => ({ waves: context.waves + 1 })),
    forgive: assign({ fault: null }),
    refuse: assign((_, { reason }: Of<'calibrations.unkept'>) => ({ fault: reason })),
    save: sendTo('store', ({ context }) => ({
      type: 'calibrations.keep' as const,
      calibrations: withReviewed(context),
    })),
    forget: sendTo('store', ({ context: { source, calibrations } }) => ({
      type: 'calibrations.keep' as const,
      calibrations: source === null ? calibrations : withoutSource(calibrations, source),
    })),
    adopt: sendTo('sensor', ({ context }) => ({
      type: 'proximity.adopt' as const,
      source: context.source ?? { driver: '', name: '' },
      calibration: calibrationOf(context),
    })),
    start: sendTo('sensor', { type: 'session.command', command: 'start' }),
    begin: sendTo('sensor', { type: 'session.command', command: 'begin' }),
    step: sendTo('sensor', (_, { action }: Asked) => ({
      type: 'session.command' as const,
      command: action === 'cancel' ? ('cancel' as const) : ('heartbeat' as const),
    })),
    endSaved: sendTo('sensor', { type: 'session.command', command: 'saved' }),
    endCancelled: sendTo('sensor', { type: 'session.command', command: 'cancel' }),
    probe: sendTo('sensor', { type: 'proximity.probe' }),
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
    trace: [],
    session: null,
    calibrations: [],
    fault: null,
    wakeOnWave: false,
    waves: 0,
  },
  initial: 'watching',
  states: {
    watching: {
      invoke: [
        { id: 'store', src: 'store', onError: 'failed' },
        { id: 'choice', src: 'choice', onError: 'failed' },
        { id: 'wake', src: 'wake', onError: 'failed' },
        { id: 'sensor', src: 'sensor', onError: 'failed' },
      ],
      on: {
        'reading.changed': { actions: withEvent('take') },
        'wave.detected': { actions: 'count' },
        'wake.chosen': { actions: withEvent('choose') },
        'proximity.probe': { actions: 'probe' },
      },
      type: 'parallel',
      states: {
        sensor: {
          initial: 'absent',
          on: {
            'source.found': { target: '.present', actions: [withEvent('find'), 'adopt'] },
            'source.missing': { target: '.absent', actions: withEvent('miss') },
            'source.lost': { target: '.absent', actions: withEvent('lose') },
          },
          states: {
            absent: { on: { 'session.changed': { actions: withEvent('follow') } } },
            present: {
              initial: 'idle',
              on: {
                'session.changed': [
                  { guard: withEvent('isRunning'), target: '.calibrating', actions: withEvent('follow') },
                  { target: '.idle', actions: withEvent('follow') },
                ],
              },
              states: {
                idle: {
                  on: {
                    'calibration.asked': [
                      { guard: 'isSaving' },
                      { guard: 'isResetting' },
                      { guard: withEvent('isStart'), actions: 'start' },
                    ],
                    'wave.detected': { guard: 'wakes', actions: ['light', 'count'] },
                  },
                },
                calibrating: {
                  on: {
                    'calibration.asked': [
                      { guard: withEvent('isBegin'), actions: 'begin' },
                      { guard: withEvent('isStep'), actions: withEvent('step') },
                    ],
                  },
                },
              },
            },
          },
        },
        store: {
          initial: 'recalling',
          states: {
            recalling: {
              on: { 'calibrations.recalled': { target: 'settled', actions: [withEvent('recall'), 'adopt'] } },
            },
            settled: {
              on: {
                'calibration.asked': [
                  { guard: withEvent('maySave'), target: 'saving', actions: ['forgive', 'save'] },
                  {
                    guard: withEvent('mayReset'),
                    target: 'resetting',
                    actions: ['forgive', 'endCancelled', 'forget'],
                  },
                ],
              },
            },
            saving: {
              on: {
                'calibrations.kept': { target: 'settled', actions: [withEvent('recall'), 'endSaved', 'adopt'] },
                'calibrations.unkept': { target: 'settled', actions: withEvent('refuse') },
              },
            },
            resetting: {
              on: {
                'calibrations.kept': { target: 'settled', actions: [withEvent('recall'), 'adopt'] },
                'calibrations.unkept': { target: 'settled', actions: withEvent('refuse') },
              },
            },
          },
        },
      },
    },
    failed: {
      type: 'final',
      output: crashed({
        sensor: 'proximity-driver',
        store: 'proximity-store',
        choice: 'setting-follower',
        wake: 'wake',
      }),
    },
  },
  output: outcomeOf,
});
