import { assign, type EventObject, sendTo, setup } from 'xstate';

import { crashed, outcomeOf, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { checking } from '../kit/verdict.ts';
import { DEFAULT_LIMIT_PERCENT, percentToWrite, published } from './decide.ts';
import type { VolumeContext, VolumeDriverCommand, VolumeEvent, VolumeFact } from './events.ts';
import { foundVerdict, lostVerdict } from './verdict.ts';

/**
 * Most calls of a mixer tool before an answer: a look under way (three with pactl), the write (two) and its read-back
 * (three).
 */
export const MOST_TOOL_CALLS = 8;
/**
 * Longest wait for the answer to one write in milliseconds: all those calls at their bound of two seconds, and a second
 * to spare.
 */
export const ANSWER_BOUND_MS = MOST_TOOL_CALLS * 2000 + 1000;
/** How often an absent sound route is looked for, in milliseconds. */
export const PROBE_INTERVAL_MS = 10_000;

/** Everything the volume's machine remembers: the public facts and the write under way. */
export interface VolumeMachineContext extends VolumeContext {
  /**
   * Raised by one with every write; an answer with another generation is late: its reading counts, and it ends no
   * write.
   */
  readonly generation: number;
  /** Newest percent asked for while a write is under way. */
  readonly next: number | null;
  /** Percent of the write under way. */
  readonly writing: number | null;
}

const volumeSetup = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as VolumeMachineContext,
    events: {} as VolumeEvent,
    output: {} as WorkerOutcome,
  },
  actors: {
    mixer: placeholder<VolumeDriverCommand, undefined, VolumeFact>(),
    limits: placeholder<EventObject, undefined, Extract<VolumeEvent, { type: 'volume.limits' }>>(),
  },
  delays: { answerBound: ANSWER_BOUND_MS, probeInterval: PROBE_INTERVAL_MS },
  guards: {
    answersLast: ({ context, event }) =>
      'generation' in event && event.generation === context.generation && context.next === null,
    answersWithMore: ({ context, event }) =>
      'generation' in event && event.generation === context.generation && context.next !== null,
    isNewest: ({ context, event }) => 'generation' in event && event.generation === context.generation,
    hasNext: ({ context }) => context.next !== null,
  },
  actions: {
    find: assign(({ event }) =>
      event.type === 'mixer.found'
        ? { ...published(event), route: event.route, verdict: foundVerdict(event.route), fault: null }
        : {},
    ),
    miss: assign(({ event }) => (event.type === 'mixer.missing' ? { verdict: event.verdict } : {})),
    lose: assign(({ event }) =>
      event.type === 'mixer.lost'
        ? {
            verdict: lostVerdict,
            route: null,
            percent: null,
            muted: null,
            next: null,
            writing: null,
            fault: event.reason,
          }
        : {},
    ),
    limit: assign(({ event }) => (event.type === 'volume.limits' ? { limitPercent: event.limitPercent } : {})),
    observe: assign(({ event }) => (event.type === 'mixer.observed' ? published(event) : {})),
    queue: assign(({ event }) => (event.type === 'volume.set' ? { next: event.percent } : {})),
    step: assign(({ context, event }) => {
      if (event.type !== 'volume.step') return {};
      const from = context.next ?? context.writing ?? context.percent ?? 0;
      return { next: percentToWrite(percentToWrite(from, context.limitPercent) + event.by, context.limitPercent) };
    }),
    begin: assign(({ context }) => ({
      generation: context.generation + 1,
      writing: percentToWrite(context.next ?? 0, context.limitPercent),
      next: null,
    })),
    write: sendTo('mixer', ({ context }) => ({
      type: 'mixer.write' as const,
      generation: context.generation,
      percent: context.writing ?? 0,
    })),
    settle: assign(({ event }) =>
      event.type === 'mixer.written' ? { ...published(event), fault: null, writing: null } : {},
    ),
    takeReading: assign(({ event }) => (event.type === 'mixer.written' ? published(event) : {})),
    refuse: assign(({ event }) => (event.type === 'mixer.refused' ? { fault: event.reason, writing: null } : {})),
    noteSilence: assign({ fault: 'no-answer', writing: null }),
    probe: sendTo('mixer', { type: 'mixer.probe' }),
    refuseAbsent: assign({ fault: 'no-sound' }),
  },
});

/** The music stream's volume: found by trying, written one wish at a time (the newest wins), never written at start. */
export const volumeMachine = volumeSetup.createMachine({
  id: 'volume',
  context: {
    verdict: checking,
    route: null,
    percent: null,
    muted: null,
    limitPercent: DEFAULT_LIMIT_PERCENT,
    fault: null,
    generation: 0,
    next: null,
    writing: null,
  },
  invoke: [
    { id: 'mixer', src: 'mixer', onError: '.failed' },
    { id: 'limits', src: 'limits', onError: '.failed' },
  ],
  output: outcomeOf,
  initial: 'probing',
  on: { 'volume.stop': '.stopped', 'volume.limits': { actions: 'limit' } },
  states: {
    probing: {
      on: {
        'mixer.found': { target: 'ready', actions: 'find' },
        'mixer.missing': { target: 'absent', actions: 'miss' },
        'volume.set': { actions: 'refuseAbsent' },
        'volume.step': { actions: 'refuseAbsent' },
      },
    },
    absent: {
      on: {
        'mixer.found': { target: 'ready', actions: 'find' },
        'mixer.missing': { actions: 'miss' },
        'volume.set': { actions: 'refuseAbsent' },
        'volume.step': { actions: 'refuseAbsent' },
        'volume.probe': { actions: 'probe' },
      },
      after: { probeInterval: { target: 'absent', reenter: true, actions: 'probe' } },
    },
    ready: {
      initial: 'idle',
      on: { 'mixer.lost': { target: 'absent', actions: ['lose', 'probe'] } },
      states: {
        idle: {
          on: {
            'volume.set': { target: 'writing', actions: 'queue' },
            'volume.step': { target: 'writing', actions: 'step' },
            'mixer.observed': { actions: 'observe' },
            // The answer to a write that was given up: what it says is true all the same.
            'mixer.written': [{ guard: 'isNewest', actions: 'settle' }, { actions: 'takeReading' }],
            'mixer.refused': { guard: 'isNewest', actions: 'refuse' },
          },
        },
        writing: {
          entry: ['begin', 'write'],
          on: {
            'volume.set': { actions: 'queue' },
            'volume.step': { actions: 'step' },
            'mixer.observed': { actions: 'observe' },
            'mixer.written': [
              { guard: 'answersLast', target: 'idle', actions: 'settle' },
              { guard: 'answersWithMore', target: 'writing', reenter: true, actions: 'settle' },
              { actions: 'takeReading' },
            ],
            'mixer.refused': [
              { guard: 'answersLast', target: 'idle', actions: 'refuse' },
              { guard: 'answersWithMore', target: 'writing', reenter: true, actions: 'refuse' },
            ],
          },
          after: {
            answerBound: [
              { guard: 'hasNext', target: 'writing', reenter: true, actions: 'noteSilence' },
              { target: 'idle', actions: 'noteSilence' },
            ],
          },
        },
      },
    },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed({ mixer: 'mixer-driver', limits: 'limits' }) },
  },
});
