import { assign, type EventObject, sendTo, setup } from 'xstate';

import { crashed, outcomeOf, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import type { Milliseconds } from '../kit/units.ts';
import { checking } from '../kit/verdict.ts';
import { afterReading } from './decide.ts';
import type { OffsetFact, SensorContext, SensorDriverCommand, SensorEvent, SensorFact, SensorId } from './events.ts';
import { withPoint } from './trace.ts';
import { lostVerdict, silentVerdict } from './verdict.ts';

/** How often a sensor that is not there is looked for: a sensor that was put back counts again within five seconds. */
export const LOOK_INTERVAL_MS: Milliseconds = 2000;
/** A sensor that was found and gives nothing for this long, or for three of its rounds, is not trusted. */
export const LEAST_SILENCE_MS: Milliseconds = 15_000;

/** What a sensor's machine is started with. */
export interface SensorInput {
  readonly kind: SensorId;
}

/**
 * One sensor of the room: found by trying, trusted while its readings can be true, and looked for again when it is
 * gone.
 */
export const sensorMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as SensorContext,
    events: {} as SensorEvent,
    input: {} as SensorInput,
    output: {} as WorkerOutcome,
  },
  actors: {
    probe: placeholder<SensorDriverCommand, undefined, SensorFact>(),
    offset: placeholder<EventObject, undefined, OffsetFact>(),
  },
  delays: {
    lookInterval: LOOK_INTERVAL_MS,
    silence: ({ context }) => Math.max(LEAST_SILENCE_MS, 3 * context.everyMs),
  },
  actions: {
    look: sendTo('probe', { type: 'sensor.look' }),
    find: assign(({ event }) =>
      event.type === 'sensor.found'
        ? { device: event.device, everyMs: event.everyMs, verdict: event.verdict, shown: true, doubts: 0 }
        : {},
    ),
    miss: assign(({ context, event }) =>
      event.type === 'sensor.missing' ? { verdict: event.verdict, shown: context.shown || !event.optional } : {},
    ),
    take: assign(({ context, event }) => (event.type === 'sensor.sampled' ? afterReading(context, event) : {})),
    lose: assign(({ context, event }) =>
      event.type === 'sensor.lost'
        ? {
            verdict: lostVerdict(context.kind),
            device: null,
            measured: null,
            published: null,
            trace: withPoint(context.trace, { at: event.at, value: null }),
          }
        : {},
    ),
    doubt: assign(({ context }) => ({ verdict: silentVerdict(context.kind), measured: null, published: null })),
    correct: assign(({ event }) => (event.type === 'sensor.correct' ? { offset: event.offset } : {})),
  },
}).createMachine({
  id: 'sensor',
  context: ({ input }) => ({
    kind: input.kind,
    verdict: checking,
    shown: false,
    device: null,
    everyMs: LEAST_SILENCE_MS,
    offset: 0,
    measured: null,
    at: null,
    published: null,
    doubts: 0,
    trace: [],
  }),
  initial: 'watching',
  states: {
    watching: {
      invoke: [
        { id: 'probe', src: 'probe', onError: 'failed' },
        { id: 'offset', src: 'offset', onError: 'failed' },
      ],
      on: {
        'sensor.correct': { actions: 'correct' },
        'sensor.stop': 'stopped',
        'sensor.found': { target: '.reading', actions: 'find' },
      },
      initial: 'absent',
      states: {
        absent: {
          on: { 'sensor.missing': { actions: 'miss' } },
          after: { lookInterval: { target: 'absent', reenter: true, actions: 'look' } },
        },
        reading: {
          on: {
            'sensor.sampled': { target: 'reading', reenter: true, actions: 'take' },
            'sensor.lost': { target: 'absent', actions: ['lose', 'look'] },
          },
          after: { silence: 'silent' },
        },
        silent: {
          entry: 'doubt',
          on: {
            'sensor.sampled': { target: 'reading', actions: 'take' },
            'sensor.lost': { target: 'absent', actions: ['lose', 'look'] },
          },
        },
      },
    },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed('sensor-driver') },
  },
  output: outcomeOf,
});
