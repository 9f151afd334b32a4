import { assign, cancel, type EventObject, raise, sendTo } from 'xstate';

import { crashed, outcomeOf, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import type { Milliseconds } from '../kit/units.ts';
import { checking } from '../kit/verdict.ts';
import { withEvent } from '../kit/with-event.ts';
import type {
  AnnouncerContext,
  AnnouncerEvent,
  PlayerCommand,
  PlayerFact,
  ProbedFact,
  ProgressFact,
} from './events.ts';
import { afterProgress, isAnnouncing, isReplying, type Lane, replaced } from './progress.ts';
import { DEFAULT_DUCK_PERCENT } from './settings.ts';
import { judgePlayers } from './verdict.ts';

/**
 * How often a missing player or sound system is probed for, in milliseconds: a sound server may start after the
 * agent.
 */
export const PROBE_INTERVAL_MS = 10_000;

/**
 * Longest that other streams stay lowered for a turn without a further word of voice: a turn takes 120 s at most, and
 * its part ends it in order within the rest. Only a crash of that part leaves it to this bound.
 */
export const HOLD_MS: Milliseconds = 150_000;

/** Full context of the announcer: the public facts, what is in the lane, and the volume of other streams. */
export interface AnnouncerMachineContext extends AnnouncerContext, Lane {
  readonly duckPercent: number;
}

type Play = Extract<AnnouncerEvent, { type: 'announcement.play' }>;
type Test = Extract<AnnouncerEvent, { type: 'announcement.test' }>;
type Reply = Extract<AnnouncerEvent, { type: 'announcement.reply' }>;
type StopReply = Extract<AnnouncerEvent, { type: 'announcement.stop-reply' }>;
type Duck = Extract<AnnouncerEvent, { type: 'announcer.duck' }>;

/**
 * One sound at a time: the newest accepted announcement is fetched and played, and replaces any other. The answer of a
 * turn takes the same lane while no announcement is in it.
 */
export const announcerMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as AnnouncerMachineContext,
    events: {} as AnnouncerEvent,
    output: {} as WorkerOutcome,
  },
  actors: {
    player: placeholder<PlayerCommand, undefined, PlayerFact>(),
    duck: placeholder<EventObject, undefined, Duck>(),
  },
  delays: { probeInterval: PROBE_INTERVAL_MS, holdBound: HOLD_MS },
  guards: {
    canBeHeard: (_, { players, sound }: ProbedFact) => judgePlayers(players, sound).state === 'working',
    isAnnouncing: ({ context }) => isAnnouncing(context),
    isReplying: ({ context }, { turn }: StopReply) => isReplying(context, turn),
  },
  actions: {
    judge: assign((_, { players, sound }: ProbedFact) => ({
      verdict: judgePlayers(players, sound),
      player: players[0] ?? null,
    })),
    takeDuck: assign((_, { percent }: Duck) => ({ duckPercent: percent })),
    accept: assign(({ context }, { at }: Play | Test) => ({
      generation: context.generation + 1,
      startedAt: at,
      phase: 'queued' as const,
      reason: null,
      play: context.play + 1,
      isReply: false,
      reply: replaced(context.reply),
    })),
    acceptReply: assign(({ context }, { turn }: Reply) => ({
      play: context.play + 1,
      isReply: true,
      reply: { turn, phase: 'queued' as const, reason: null },
    })),
    skipReply: assign((_, { turn }: Reply) => ({ reply: { turn, phase: 'ended' as const, reason: null } })),
    // The address is passed to the player with this one event and is not kept here (it may be signed).
    hand: sendTo('player', ({ context }, { url }: Play) => ({
      type: 'player.play' as const,
      generation: context.play,
      url,
      duckPercent: context.duckPercent,
    })),
    handReply: sendTo('player', ({ context }, { url }: Reply) => ({
      type: 'player.play' as const,
      generation: context.play,
      url,
      duckPercent: context.duckPercent,
      isPrompt: true as const,
    })),
    stopReply: sendTo('player', ({ context }) => ({ type: 'player.stop' as const, generation: context.play })),
    handTest: sendTo('player', ({ context }) => ({
      type: 'player.play' as const,
      generation: context.play,
      url: null,
      duckPercent: context.duckPercent,
    })),
    holdDuck: sendTo('player', ({ context }) => ({
      type: 'player.hold-duck' as const,
      duckPercent: context.duckPercent,
    })),
    releaseDuck: sendTo('player', { type: 'player.release-duck' }),
    beginBound: raise({ type: 'announcer.duck-overdue' }, { id: 'hold', delay: 'holdBound' }),
    endBound: cancel('hold'),
    note: assign(({ context }, fact: ProgressFact) => afterProgress(context, fact)),
    probe: sendTo('player', { type: 'player.probe' }),
  },
}).createMachine({
  id: 'announcer',
  context: {
    verdict: checking,
    player: null,
    phase: 'idle',
    reason: null,
    generation: 0,
    startedAt: null,
    reply: null,
    play: 0,
    isReply: false,
    duckPercent: DEFAULT_DUCK_PERCENT,
  },
  invoke: [
    { id: 'player', src: 'player', onError: '.failed' },
    { id: 'duck', src: 'duck', onError: '.failed' },
  ],
  output: outcomeOf,
  initial: 'probing',
  on: {
    'announcer.duck': { actions: withEvent('takeDuck') },
    'announcer.probe': { actions: 'probe' },
    'announcement.play': { actions: [withEvent('accept'), withEvent('hand')] },
    'announcement.test': { actions: [withEvent('accept'), 'handTest'] },
    'announcement.reply': [
      { guard: 'isAnnouncing', actions: withEvent('skipReply') },
      { actions: [withEvent('acceptReply'), withEvent('handReply'), 'endBound', 'beginBound'] },
    ],
    'announcement.stop-reply': { guard: withEvent('isReplying'), actions: 'stopReply' },
    'announcer.hold-duck': { actions: ['holdDuck', 'endBound', 'beginBound'] },
    'announcer.release-duck': { actions: ['endBound', 'releaseDuck'] },
    'announcer.duck-overdue': { actions: 'releaseDuck' },
    'player.probed': [
      { guard: withEvent('canBeHeard'), target: '.audible', actions: withEvent('judge') },
      { target: '.inaudible', actions: withEvent('judge') },
    ],
    'player.downloading': { actions: withEvent('note') },
    'player.playing': { actions: withEvent('note') },
    'player.finished': { actions: withEvent('note') },
    'player.refused': { actions: withEvent('note') },
  },
  states: {
    probing: {},
    audible: {},
    inaudible: { after: { probeInterval: { target: 'inaudible', reenter: true, actions: 'probe' } } },
    // The status document's name for a crashed player.
    failed: { type: 'final', output: crashed({ player: 'lane', duck: 'settings' }) },
  },
});
