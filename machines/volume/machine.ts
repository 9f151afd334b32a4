import { assign, type EventObject, sendTo, setup } from 'xstate';

import type { WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { checking } from '../kit/verdict.ts';
import { percentToWrite, published } from './decide.ts';
import type { VolumeContext, VolumeDriverCommand, VolumeEvent } from './events.ts';
import { foundVerdict, lostVerdict } from './verdict.ts';

/** Longest wait for the answer to one write in milliseconds: up to three bounded calls of a mixer tool. */
export const ANSWER_BOUND_MS = 7000;
/** How often an absent sound route is looked for, in milliseconds. */
export const PROBE_INTERVAL_MS = 10_000;

/** Everything the volume's machine remembers: the public facts and the write under way. */
export interface VolumeMachineContext extends VolumeContext {
  /** Raised by one with every write; an answer with another generation is late and dropped. */
  readonly generation: number;
  /** Newest percent asked for while a write is under way. */
  readonly next: number | null;
  readonly outcome: WorkerOutcome;
}

const volumeSetup = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as VolumeMachineContext,
    events: {} as VolumeEvent,
    output: {} as WorkerOutcome,
  },
  actors: { mixer: placeholder<VolumeDriverCommand>(), limits: placeholder<EventObject>() },
  delays: { answerBound: ANSWER_BOUND_MS, probeInterval: PROBE_INTERVAL_MS },
  guards: {
    answersLast: ({ context, event }) => 'generation' in event && event.generation === context.generation && context.next === null,
    answersWithMore: ({ context, event }) => 'generation' in event && event.generation === context.generation && context.next !== null,
    hasNext: ({ context }) => context.next !== null,
  },
  actions: {
    find: assign(({ event }) =>
      event.type === 'mixer.found' ? { ...published(event), route: event.route, verdict: foundVerdict(event.route), fault: null } : {},
    ),
    miss: assign(({ event }) => (event.type === 'mixer.missing' ? { verdict: event.verdict } : {})),
    lose: assign(({ event }) =>
      event.type === 'mixer.lost' ? { verdict: lostVerdict, route: null, percent: null, muted: null, next: null, fault: event.reason } : {},
    ),
    limit: assign(({ event }) => (event.type === 'volume.limits' ? { limitPercent: event.limitPercent } : {})),
    observe: assign(({ event }) => (event.type === 'mixer.observed' ? published(event) : {})),
    queue: assign(({ event }) => (event.type === 'volume.set' ? { next: event.percent } : {})),
    begin: assign(({ context }) => ({ generation: context.generation + 1 })),
    write: sendTo('mixer', ({ context }) => ({
      type: 'mixer.write' as const,
      generation: context.generation,
      percent: percentToWrite(context.next ?? 0, context.limitPercent),
    })),
    takeNext: assign({ next: null }),
    settle: assign(({ event }) => (event.type === 'mixer.written' ? { ...published(event), fault: null } : {})),
    refuse: assign(({ event }) => (event.type === 'mixer.refused' ? { fault: event.reason } : {})),
    noteSilence: assign({ fault: 'no-answer' }),
    probe: sendTo('mixer', { type: 'mixer.probe' }),
    refuseAbsent: assign({ fault: 'no-sound' }),
    fail: assign((_, params: { readonly reason: string }) => ({ outcome: { ended: 'failed' as const, reason: params.reason } })),
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
    limitPercent: 100,
    fault: null,
    generation: 0,
    next: null,
    outcome: { ended: 'stopped' },
  },
  invoke: [
    { id: 'mixer', src: 'mixer', onError: { target: '.failed', actions: { type: 'fail', params: { reason: 'mixer-driver-crashed' } } } },
    { id: 'limits', src: 'limits', onError: { target: '.failed', actions: { type: 'fail', params: { reason: 'limits-crashed' } } } },
  ],
  output: ({ context }) => context.outcome,
  initial: 'probing',
  on: { 'volume.stop': '.stopped', 'volume.limits': { actions: 'limit' } },
  states: {
    probing: {
      on: {
        'mixer.found': { target: 'ready', actions: 'find' },
        'mixer.missing': { target: 'absent', actions: 'miss' },
        'volume.set': { actions: 'refuseAbsent' },
      },
    },
    absent: {
      on: {
        'mixer.found': { target: 'ready', actions: 'find' },
        'mixer.missing': { actions: 'miss' },
        'volume.set': { actions: 'refuseAbsent' },
        'volume.probe': { actions: 'probe' },
      },
      after: { probeInterval: { target: 'absent', reenter: true, actions: 'probe' } },
    },
    ready: {
      initial: 'idle',
      on: { 'mixer.lost': { target: 'absent', actions: ['lose', 'probe'] } },
      states: {
        idle: {
          on: { 'volume.set': { target: 'writing', actions: 'queue' }, 'mixer.observed': { actions: 'observe' } },
        },
        writing: {
          entry: ['begin', 'write', 'takeNext'],
          on: {
            'volume.set': { actions: 'queue' },
            'mixer.written': [
              { guard: 'answersLast', target: 'idle', actions: 'settle' },
              { guard: 'answersWithMore', target: 'writing', reenter: true, actions: 'settle' },
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
    stopped: { type: 'final' },
    failed: { type: 'final' },
  },
});
