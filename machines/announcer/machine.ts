import { assign, type EventObject, sendTo, setup } from 'xstate';

import { crashed, outcomeOf, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { checking } from '../kit/verdict.ts';
import type { AnnouncementPhase, AnnouncerContext, AnnouncerEvent, LaneCommand, LaneFact } from './events.ts';
import { DEFAULT_DUCK_PERCENT } from './settings.ts';
import { judgeLane } from './verdict.ts';

/**
 * How often a missing player or sound system is looked for, in milliseconds: a sound server may start after the agent.
 */
export const LOOK_INTERVAL_MS = 10_000;

/** Everything the announcer remembers: the public facts, and how loud other streams go on. */
export interface AnnouncerMachineContext extends AnnouncerContext {
  readonly duckPercent: number;
}

const announcerSetup = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as AnnouncerMachineContext,
    events: {} as AnnouncerEvent,
    output: {} as WorkerOutcome,
  },
  actors: {
    lane: placeholder<LaneCommand, undefined, LaneFact>(),
    duck: placeholder<EventObject, undefined, Extract<AnnouncerEvent, { type: 'announcer.duck' }>>(),
  },
  delays: { lookInterval: LOOK_INTERVAL_MS },
  guards: {
    isCurrent: ({ context, event }) => 'generation' in event && event.generation === context.generation,
    hears: ({ event }) => event.type === 'lane.looked' && judgeLane(event.players, event.sound).state === 'working',
  },
  actions: {
    judge: assign(({ event }) =>
      event.type === 'lane.looked'
        ? { verdict: judgeLane(event.players, event.sound), player: event.players[0] ?? null }
        : {},
    ),
    takeDuck: assign(({ event }) => (event.type === 'announcer.duck' ? { duckPercent: event.percent } : {})),
    accept: assign(({ context, event }) =>
      event.type === 'announcement.play'
        ? { generation: context.generation + 1, startedAt: event.at, phase: 'queued' as const, reason: null }
        : {},
    ),
    // The address goes on to the lane with this one event and is kept nowhere here (it may be signed).
    hand: sendTo('lane', ({ context, event }) => ({
      type: 'lane.play' as const,
      generation: context.generation,
      url: event.type === 'announcement.play' ? event.url : '',
      duckPercent: context.duckPercent,
    })),
    look: sendTo('lane', { type: 'lane.look' }),
    enter: assign((_, params: { readonly phase: AnnouncementPhase }) => ({ phase: params.phase })),
    noteRefusal: assign(({ event }) =>
      event.type === 'lane.refused' ? { phase: 'failed' as const, reason: event.reason } : {},
    ),
  },
});

/** One announcement at a time: the newest that was accepted is fetched and played, whatever went on before. */
export const announcerMachine = announcerSetup.createMachine({
  id: 'announcer',
  context: {
    verdict: checking,
    player: null,
    phase: 'idle',
    reason: null,
    generation: 0,
    startedAt: null,
    duckPercent: DEFAULT_DUCK_PERCENT,
  },
  invoke: [
    { id: 'lane', src: 'lane', onError: '.failed' },
    { id: 'duck', src: 'duck', onError: '.failed' },
  ],
  output: outcomeOf,
  initial: 'running',
  on: { 'announcer.stop': '.stopped', 'announcer.duck': { actions: 'takeDuck' } },
  states: {
    running: {
      type: 'parallel',
      states: {
        hearing: {
          initial: 'looking',
          on: {
            'lane.looked': [
              { guard: 'hears', target: '.heard', actions: 'judge' },
              { target: '.unheard', actions: 'judge' },
            ],
            'announcer.look': { actions: 'look' },
          },
          states: {
            looking: {},
            heard: {},
            unheard: { after: { lookInterval: { target: 'unheard', reenter: true, actions: 'look' } } },
          },
        },
        lane: {
          initial: 'resting',
          on: {
            'announcement.play': { target: '.busy', actions: ['accept', 'hand'] },
          },
          states: {
            resting: {},
            busy: {
              on: {
                'lane.downloading': {
                  guard: 'isCurrent',
                  actions: { type: 'enter', params: { phase: 'downloading' } },
                },
                'lane.playing': { guard: 'isCurrent', actions: { type: 'enter', params: { phase: 'playing' } } },
                'lane.finished': {
                  guard: 'isCurrent',
                  target: 'resting',
                  actions: { type: 'enter', params: { phase: 'idle' } },
                },
                'lane.refused': { guard: 'isCurrent', target: 'resting', actions: 'noteRefusal' },
              },
            },
          },
        },
      },
    },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed({ lane: 'lane', duck: 'settings' }) },
  },
});
