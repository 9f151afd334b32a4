import { assign, type EventObject } from 'xstate';

import { crashed, outcomeOf, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import type { Milliseconds } from '../kit/units.ts';
import { checking } from '../kit/verdict.ts';
import { withEvent } from '../kit/with-event.ts';
import { afterReading } from './decide.ts';
import type { OffsetFact, SensorContext, SensorEvent, SensorFact, SensorId } from './events.ts';
import { withPoint } from '../kit/trace.ts';
import { lostVerdict, silentVerdict } from './verdict.ts';

/** A sensor without a reading for this long, and for three of its intervals, is not trusted. */
export const LEAST_SILENCE_MS: Milliseconds = 15_000;

export interface SensorInput {
  readonly kind: SensorId;
}

type Fact<T extends SensorFact['type']> = Extract<SensorFact, { readonly type: T }>;

/**
 * One of the room's sensors: trusted while its readings are plausible and on time; its driver finds it by probing,
 * and again after it was lost.
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
    device: placeholder<EventObject, undefined, SensorFact>(),
    offset: placeholder<EventObject, undefined, OffsetFact>(),
  },
  delays: {
    silence: ({ context }) => Math.max(LEAST_SILENCE_MS, 3 * context.everyMs),
  },
  actions: {
    find: assign((_, { device, everyMs, verdict }: Fact<'sensor.found'>) => ({
      device,
      everyMs,
      verdict,
      shown: true,
      doubts: 0,
    })),
    miss: assign(({ context }, { verdict, optional }: Fact<'sensor.missing'>) => ({
      verdict,
      shown: context.shown || !optional,
    })),
    take: assign(({ context }, reading: Fact<'sensor.sampled'>) => afterReading(context, reading)),
    lose: assign(({ context }, { at }: Fact<'sensor.lost'>) => ({
      verdict: lostVerdict(context.kind),
      device: null,
      measured: null,
      published: null,
      trace: withPoint(context.trace, { at, value: null }),
    })),
    doubt: assign(({ context }) => ({ verdict: silentVerdict(context.kind), measured: null, published: null })),
    correct: assign((_, { offset }: OffsetFact) => ({ offset })),
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
        { id: 'device', src: 'device', onError: 'failed' },
        { id: 'offset', src: 'offset', onError: 'failed' },
      ],
      on: {
        'sensor.correct': { actions: withEvent('correct') },
        'sensor.found': { target: '.reading', actions: withEvent('find') },
      },
      initial: 'absent',
      states: {
        absent: {
          on: { 'sensor.missing': { actions: withEvent('miss') } },
        },
        reading: {
          on: {
            'sensor.sampled': { target: 'reading', reenter: true, actions: withEvent('take') },
            'sensor.lost': { target: 'absent', actions: withEvent('lose') },
          },
          after: { silence: { target: 'silent', actions: 'doubt' } },
        },
        silent: {
          on: {
            'sensor.sampled': { target: 'reading', actions: withEvent('take') },
            'sensor.lost': { target: 'absent', actions: withEvent('lose') },
          },
        },
      },
    },
    failed: { type: 'final', output: crashed('sensor-driver') },
  },
  output: outcomeOf,
});
