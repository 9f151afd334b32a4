import { assign, type EventObject, sendTo } from 'xstate';

import { crashed, outcomeOf, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
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
import { afterProgress } from './progress.ts';
import { DEFAULT_DUCK_PERCENT } from './settings.ts';
import { judgePlayers } from './verdict.ts';

/**
 * How often a missing player or sound system is probed for, in milliseconds: a sound server may start after the
 * agent.
 */
export const PROBE_INTERVAL_MS = 10_000;

/** Full context of the announcer: the public facts, and the volume of other streams. */
export interface AnnouncerMachineContext extends AnnouncerContext {
  readonly duckPercent: number;
}

type Play = Extract<AnnouncerEvent, { type: 'announcement.play' }>;
type Test = Extract<AnnouncerEvent, { type: 'announcement.test' }>;
type Duck = Extract<AnnouncerEvent, { type: 'announcer.duck' }>;

/** One announcement at a time: the newest accepted one is fetched and played, and replaces any other. */
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
  delays: { probeInterval: PROBE_INTERVAL_MS },
  guards: { canBeHeard: (_, { players, sound }: ProbedFact) => judgePlayers(players, sound).state === 'working' },
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
    })),
    // The address is passed to the player with this one event and is not kept here (it may be signed).
    hand: sendTo('player', ({ context }, { url }: Play) => ({
      type: 'player.play' as const,
      generation: context.generation,
      url,
      duckPercent: context.duckPercent,
    })),
    handTest: sendTo('player', ({ context }) => ({
      type: 'player.play' as const,
      generation: context.generation,
      url: null,
      duckPercent: context.duckPercent,
    })),
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
