import { assign, type EventObject, sendTo } from 'xstate';

import { crashed, outcomeOf, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import { checking } from '../kit/verdict.ts';
import { withEvent } from '../kit/with-event.ts';
import { begun, cycleGuards, firstCycle, noWrite, writeCycle, type WriteCycle } from '../kit/write-cycle.ts';
import { DEFAULT_LIMIT_PERCENT, percentAfterStep, percentToWrite, published } from './decide.ts';
import type { MixerReading, VolumeContext, VolumeDriverCommand, VolumeEvent, VolumeFact } from './events.ts';
import { foundVerdict, lostVerdict } from './verdict.ts';

/**
 * Most calls of a mixer tool before an answer: a reading in progress (three with pactl), the write (two) and its
 * read-back (three).
 */
export const MOST_TOOL_CALLS = 8;
/**
 * Longest wait for the answer to one write in milliseconds: all those calls at their limit of two seconds, plus one
 * second.
 */
export const ANSWER_BOUND_MS = MOST_TOOL_CALLS * 2000 + 1000;
/** How often an absent sound route is probed for, in milliseconds. */
export const PROBE_INTERVAL_MS = 10_000;

/** Full context of the volume's machine: the public facts and the write in progress, both in percent. */
interface VolumeMachineContext extends VolumeContext, WriteCycle<number> {}

type Event<T extends VolumeEvent['type']> = Extract<VolumeEvent, { readonly type: T }>;

const volumeSetup = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as VolumeMachineContext,
    events: {} as VolumeEvent,
    output: {} as WorkerOutcome,
  },
  actors: {
    mixer: placeholder<VolumeDriverCommand, undefined, VolumeFact>(),
    limits: placeholder<EventObject, undefined, Event<'volume.limits'>>(),
  },
  delays: { answerBound: ANSWER_BOUND_MS, probeInterval: PROBE_INTERVAL_MS },
  guards: cycleGuards,
  actions: {
    find: assign((_, event: Event<'mixer.found'>) => ({
      ...published(event),
      route: event.route,
      verdict: foundVerdict(event.route),
      fault: null,
    })),
    miss: assign((_, { verdict }: Event<'mixer.missing'>) => ({ verdict })),
    lose: assign((_, { reason }: Event<'mixer.lost'>) => ({
      ...noWrite,
      verdict: lostVerdict,
      route: null,
      percent: null,
      muted: null,
      fault: reason,
    })),
    limit: assign((_, { limitPercent }: Event<'volume.limits'>) => ({ limitPercent })),
    takeReading: assign((_, reading: MixerReading) => published(reading)),
    queue: assign((_, { percent }: Event<'volume.set'>) => ({ next: percent })),
    step: assign(({ context }, { by }: Event<'volume.step'>) => ({ next: percentAfterStep(context, by) })),
    begin: assign(({ context }) => begun(context, percentToWrite(context.next ?? 0, context.limitPercent))),
    write: sendTo('mixer', ({ context }) => ({
      type: 'mixer.write' as const,
      generation: context.generation,
      percent: context.writing ?? 0,
    })),
    settle: assign((_, reading: MixerReading) => ({ ...published(reading), fault: null, writing: null })),
    refuse: assign((_, { reason }: Event<'mixer.refused'>) => ({ fault: reason, writing: null })),
    noteSilence: assign({ fault: 'no-answer', writing: null }),
    probe: sendTo('mixer', { type: 'mixer.probe' }),
    refuseAbsent: assign({ fault: 'no-sound' }),
  },
});

/** The music stream's volume: found by probing, written one request at a time, never written at the start. */
export const volumeMachine = volumeSetup.createMachine({
  id: 'volume',
  options: { maxIterations: 10 },
  context: {
    ...firstCycle,
    verdict: checking,
    route: null,
    percent: null,
    muted: null,
    limitPercent: DEFAULT_LIMIT_PERCENT,
    fault: null,
  },
  invoke: [
    { id: 'mixer', src: 'mixer', onError: '.failed' },
    { id: 'limits', src: 'limits', onError: '.failed' },
  ],
  output: outcomeOf,
  initial: 'probing',
  on: { 'volume.limits': { actions: withEvent('limit') } },
  states: {
    probing: {
      on: {
        'mixer.found': { target: 'ready', actions: withEvent('find') },
        'mixer.missing': { target: 'absent', actions: withEvent('miss') },
        'volume.set': { actions: 'refuseAbsent' },
        'volume.step': { actions: 'refuseAbsent' },
      },
    },
    absent: {
      on: {
        'mixer.found': { target: 'ready', actions: withEvent('find') },
        'mixer.missing': { actions: withEvent('miss') },
        'volume.set': { actions: 'refuseAbsent' },
        'volume.step': { actions: 'refuseAbsent' },
        'volume.probe': { actions: 'probe' },
      },
      after: { probeInterval: { target: 'absent', reenter: true, actions: 'probe' } },
    },
    ready: {
      ...writeCycle<VolumeEvent>()('mixer.written', 'mixer.refused'),
      on: {
        'volume.set': { actions: withEvent('queue') },
        'volume.step': { actions: withEvent('step') },
        'mixer.observed': { actions: withEvent('takeReading') },
        // The late answer to an older write: its reading is still true.
        'mixer.written': { actions: withEvent('takeReading') },
        'mixer.lost': { target: 'absent', actions: [withEvent('lose'), 'probe'] },
      },
    },
    failed: { type: 'final', output: crashed({ mixer: 'mixer-driver', limits: 'limits' }) },
  },
});
