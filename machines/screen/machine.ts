import { assign, type EventObject, sendTo } from 'xstate';

import { crashed, outcomeOf, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import { checking } from '../kit/verdict.ts';
import { withEvent } from '../kit/with-event.ts';
import { cycleGuards, firstCycle } from '../kit/write-cycle.ts';
import { isDarkByOrder, sameReading, turnedItselfOn } from './decide.ts';
import type {
  Choice,
  ScreenDriverCommand,
  ScreenEvent,
  ScreenFact,
  ScreenStoreCommand,
  ScreenStoreFact,
} from './events.ts';
import {
  adjusted,
  begin,
  isRepeated,
  planAnew,
  queued,
  reread,
  type ScreenMachineContext,
  settled,
  underWay,
  writeCommand,
} from './facts.ts';
import { isOverruled, isRoomLevelDue } from './room-level.ts';
import { DEFAULT_MINIMUM_PERCENT } from './scale.ts';
import { foundVerdict, lostVerdict } from './verdict.ts';

/** Longest wait for the answer to one write, in milliseconds. */
export const ANSWER_BOUND_MS = 2000;
/** Longest wait for the light during shutdown, in milliseconds; less than the time the screen's part has to stop. */
export const RELIGHT_BOUND_MS = 80;
/**
 * When a display that was switched off is read again, in milliseconds: displays that wake by themselves do so within
 * seconds.
 */
export const RECHECK_MS = 5000;
/** How often an absent display is probed for, in milliseconds. */
export const PROBE_INTERVAL_MS = 10_000;

type Event<T extends ScreenEvent['type']> = Extract<ScreenEvent, { readonly type: T }>;

const noRoutes: Choice = { brightness: null, power: null };

const screenSetup = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as ScreenMachineContext,
    events: {} as ScreenEvent,
    output: {} as WorkerOutcome,
  },
  actors: {
    display: placeholder<ScreenDriverCommand, undefined, ScreenFact>(),
    limits: placeholder<EventObject, undefined, Event<'screen.limits'>>(),
    store: placeholder<ScreenStoreCommand, undefined, ScreenStoreFact>(),
  },
  delays: {
    answerBound: ({ context }) => (context.display?.answerMs ?? ANSWER_BOUND_MS) + (context.writing?.fadeMs ?? 0),
    recheck: RECHECK_MS,
    probeInterval: PROBE_INTERVAL_MS,
    relightBound: RELIGHT_BOUND_MS,
  },
  guards: {
    ...cycleGuards,
    // Also while the light is being switched on: ending now would interrupt that write.
    leavesDark: ({ context }) => context.lit === false || context.wanted === false,
    // These two hold for whichever write found them: from then on the driver does without the switch, or uses another
    // route.
    powerDidNothing: ({ context }, { reason }: Event<'display.refused'>) =>
      reason === 'power-not-honoured' && context.display?.power === true,
    routeChanged: ({ context }, { reason }: Event<'display.refused'>) =>
      reason === 'route-changed' && (context.writing ?? context.next) !== null,
    // Also a display that was to go dark and is still lit: some fade for longer than it takes to read a write back.
    wasOrderedDark: ({ context }) => isDarkByOrder(context) || context.fault === 'still-lit',
    turnedItselfOn: ({ context }, event: Event<'display.observed'>) => turnedItselfOn(context, event),
    differs: ({ context }, { reading }: Event<'display.observed'>) =>
      context.reading === null || !sameReading(reading, context.reading),
    notLearned: ({ context }) => !context.learned,
    roomLevelDue: ({ context }) => isRoomLevelDue(context),
    isFading: ({ context }) => (context.writing?.fadeMs ?? 0) > 0,
    // Also for a level that is being written already.
    needsNoAdjusting: ({ context }, { level }: Event<'screen.adjust'>) =>
      isOverruled(context.wanted, context.writing, context.next) || isRepeated(context, level),
    // The store keeps no level of the room: it would wear the disk all day, and the room asks again after a start.
    answersRoom: ({ context }, { generation }: Event<'display.written'>) =>
      generation === context.generation && context.writing?.want.ifLit === true,
  },
  actions: {
    find: assign(({ context }, { display, reading }: Event<'display.found'>) => ({
      ...reread(context, { display, reading, fault: null }),
      verdict: foundVerdict(display),
      seen: true,
    })),
    miss: assign((_, { verdict }: Event<'display.missing'>) => ({ verdict })),
    lose: assign((_, { reason }: Event<'display.lost'>) => ({
      ...underWay(null, null),
      verdict: lostVerdict,
      display: null,
      reading: null,
      lit: null,
      brightness: null,
      fault: reason,
    })),
    recall: assign(({ context }, { level }: Event<'level.recalled'>) => reread(context, { lastBrightness: level })),
    limit: assign(({ context }, { minimumPercent }: Event<'screen.limits'>) => reread(context, { minimumPercent })),
    observe: assign(({ context }, { reading, at }: Event<'display.observed'>) => ({
      ...reread(context, { reading, changed: { by: 'elsewhere', at } }),
      learned: true,
    })),
    noteSelfWake: assign(({ context }, { reading, at }: Event<'display.observed'>) => ({
      ...reread(context, { reading, changed: { by: 'itself', at }, fault: 'turned-itself-on' }),
    })),
    takeReading: assign(({ context }, { reading }: Event<'display.written'>) => ({
      ...reread(context, { reading }),
      learned: true,
    })),
    queue: assign(({ context }, event: Event<'screen.set'>) => queued(context, event)),
    adjust: assign(({ context }, { level }: Event<'screen.adjust'>) => adjusted(context, level)),
    wantLight: assign(underWay(null, { on: true, origin: 'stop' })),
    begin: assign(({ context }) => begin(context)),
    write: sendTo('display', ({ context }) => writeCommand(context)),
    cut: sendTo('display', ({ context }) => ({ type: 'display.cut' as const, generation: context.generation })),
    settle: assign(({ context }, event: Event<'display.written'>) => settled(context, event)),
    refuse: assign(({ context }, { reason }: Event<'display.refused'>) => ({
      ...underWay(null, context.next),
      fault: reason,
    })),
    planAnew: assign(({ context }) => planAnew(context)),
    giveUpPower: assign(({ context }) => {
      if (!context.display) return {};
      const display = { ...context.display, power: false };
      return { ...planAnew(context), display, verdict: foundVerdict(display) };
    }),
    // The write stays known, so that a late answer can still be matched to it.
    noteSilence: assign({ fault: 'no-answer' }),
    read: sendTo('display', { type: 'display.read' }),
    keepRoutes: sendTo('store', ({ context }) => ({
      type: 'routes.keep' as const,
      display: context.display?.name ?? '',
      choice: context.display?.routes ?? noRoutes,
    })),
    prefer: sendTo('display', (_, { display, choice }: Event<'routes.recalled'>) => ({
      type: 'display.prefer' as const,
      display,
      choice,
    })),
    keepLevel: sendTo('store', ({ context }) => ({ type: 'level.keep' as const, level: context.lastBrightness })),
    probe: sendTo('display', { type: 'display.probe' }),
    refuseAbsent: assign({ fault: 'no-display' }),
  },
});

/** Where a refused write leads: it is planned again if the driver learned from it, otherwise it is over. */
const refusals = [
  { guard: withEvent('routeChanged'), target: 'idle', actions: 'planAnew' },
  { guard: withEvent('powerDidNothing'), target: 'idle', actions: 'giveUpPower' },
  { guard: withEvent('isNewest'), target: 'idle', actions: withEvent('refuse') },
] as const;

/** Where the answer to the newest write leads. */
const answers = [
  { guard: withEvent('answersRoom'), target: 'idle', actions: withEvent('settle') },
  { guard: withEvent('isNewest'), target: 'idle', actions: [withEvent('settle'), 'keepLevel'] },
] as const;

/** The screen: found by probing, one write at a time (the newest request wins), never written to at the start. */
export const screenMachine = screenSetup.createMachine({
  id: 'screen',
  options: { maxIterations: 10 },
  context: {
    ...firstCycle,
    verdict: checking,
    display: null,
    lit: null,
    wanted: null,
    brightness: null,
    lastBrightness: 255,
    changed: null,
    fault: null,
    minimumPercent: DEFAULT_MINIMUM_PERCENT,
    reading: null,
    learned: false,
    seen: false,
    roomLevel: null,
  },
  invoke: [
    { id: 'display', src: 'display', onError: '.failed' },
    { id: 'limits', src: 'limits', onError: '.failed' },
    { id: 'store', src: 'store', onError: '.failed' },
  ],
  output: outcomeOf,
  initial: 'probing',
  on: {
    'screen.stop': [{ guard: 'leavesDark', target: '.relighting', actions: 'wantLight' }, { target: '.stopped' }],
    'screen.leave': '.stopped',
    'screen.limits': { actions: withEvent('limit') },
    'routes.recalled': { actions: withEvent('prefer') },
    'level.recalled': { guard: 'notLearned', actions: withEvent('recall') },
  },
  states: {
    probing: {
      on: {
        'display.found': { target: 'ready', actions: [withEvent('find'), 'keepRoutes'] },
        'display.missing': { target: 'absent', actions: withEvent('miss') },
        'screen.set': { actions: 'refuseAbsent' },
      },
    },
    absent: {
      on: {
        'display.found': { target: 'ready', actions: [withEvent('find'), 'keepRoutes'] },
        'display.missing': { actions: withEvent('miss') },
        'screen.set': { actions: 'refuseAbsent' },
        'screen.probe': { actions: 'probe' },
      },
      after: { probeInterval: { target: 'absent', reenter: true, actions: 'probe' } },
    },
    // The chart of kit/write-cycle.ts written out: an answer also keeps the level, and a refusal may plan the write
    // again.
    ready: {
      initial: 'idle',
      on: {
        'screen.set': { actions: withEvent('queue') },
        'screen.adjust': { actions: withEvent('adjust') },
        'display.lost': { target: 'absent', actions: [withEvent('lose'), 'probe'] },
        // The routes to the display changed.
        'display.found': { actions: [withEvent('find'), 'keepRoutes'] },
        'display.observed': { guard: withEvent('differs'), actions: [withEvent('observe'), 'keepLevel'] },
        // The late answer to an older write: its reading is still true.
        'display.written': { actions: [withEvent('takeReading'), 'keepLevel'] },
      },
      states: {
        idle: {
          always: [
            { guard: 'hasNext', target: 'writing' },
            { guard: 'roomLevelDue', target: 'writing' },
          ],
          on: {
            'display.observed': {
              guard: withEvent('turnedItselfOn'),
              actions: [withEvent('noteSelfWake'), 'keepLevel'],
            },
            'display.written': answers,
            'display.refused': refusals,
          },
          after: { recheck: { guard: 'wasOrderedDark', actions: 'read' } },
        },
        writing: {
          entry: ['begin', 'write'],
          on: {
            'screen.set': { guard: 'isFading', actions: [withEvent('queue'), 'cut'] },
            'screen.adjust': [
              { guard: withEvent('needsNoAdjusting') },
              { guard: 'isFading', actions: [withEvent('adjust'), 'cut'] },
              { actions: withEvent('adjust') },
            ],
            'display.written': answers,
            'display.refused': refusals,
          },
          after: { answerBound: { target: 'idle', actions: 'noteSilence' } },
        },
      },
    },
    relighting: {
      entry: ['begin', 'write'],
      on: {
        // A second request changes nothing: the screen is being lit already.
        'screen.stop': {},
        'display.written': {
          guard: withEvent('isNewest'),
          target: 'stopped',
          actions: [withEvent('settle'), 'keepLevel'],
        },
        'display.found': { actions: withEvent('find') },
        'display.refused': [
          { guard: withEvent('routeChanged'), target: 'relighting', reenter: true, actions: 'planAnew' },
          { guard: withEvent('powerDidNothing'), target: 'relighting', reenter: true, actions: 'giveUpPower' },
          { guard: withEvent('isNewest'), target: 'stopped' },
        ],
        'display.lost': 'stopped',
      },
      after: { relightBound: 'stopped' },
    },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed({ display: 'display-driver', limits: 'limits', store: 'store' }) },
  },
});
