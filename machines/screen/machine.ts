import { assign, cancel, type EventObject, raise, sendTo, setup } from 'xstate';

import { crashed, outcomeOf, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { checking } from '../kit/verdict.ts';
import {
  interpret,
  merge,
  type Plan,
  planWrite,
  sameReading,
  settle,
  type Situation,
  turnedItselfOn,
  underWay,
  type Want,
} from './decide.ts';
import type {
  Choice,
  DisplayReading,
  ScreenContext,
  ScreenDriverCommand,
  ScreenEvent,
  ScreenFact,
  ScreenMemoryCommand,
  ScreenMemoryFact,
} from './events.ts';
import { DEFAULT_MINIMUM_PERCENT } from './scale.ts';
import { foundVerdict, lostVerdict } from './verdict.ts';

/** Longest wait for the answer to one write, in milliseconds. */
export const ANSWER_BOUND_MS = 2000;
/** Longest wait for the light on the way out, in milliseconds; less than what the screen's part is given to stop. */
export const RELIGHT_BOUND_MS = 80;
/**
 * When a display that was switched off is read once more, in milliseconds: the ones that wake by themselves do it
 * within seconds.
 */
export const RECHECK_MS = 5000;
/** How often an absent display is looked for, in milliseconds. */
export const PROBE_INTERVAL_MS = 10_000;

/** Everything the screen's machine remembers: the public facts and the write under way. */
export interface ScreenMachineContext extends ScreenContext {
  readonly minimumPercent: number;
  readonly reading: DisplayReading | null;
  /**
   * Raised by one with every write; an answer with another generation is late: its reading counts, and it ends no
   * write.
   */
  readonly generation: number;
  /** The write under way, or the last one while it is unanswered. */
  readonly writing: { readonly want: Want; readonly plan: Plan } | null;
  readonly next: Want | null;
  /** True once a write or a change made elsewhere has taught the level, so that a recalled one comes too late. */
  readonly learned: boolean;
}

const noRoutes: Choice = { brightness: null, power: null };

const situation = (context: ScreenMachineContext): Situation | null =>
  context.display && context.reading
    ? {
        display: context.display,
        reading: context.reading,
        lit: context.lit === true,
        lastBrightness: context.lastBrightness,
        minimumPercent: context.minimumPercent,
      }
    : null;

const reread = (
  context: ScreenMachineContext,
  changes: Partial<ScreenMachineContext>,
): Partial<ScreenMachineContext> => {
  const { display, reading, minimumPercent, brightness, lastBrightness } = { ...context, ...changes };
  if (!display || !reading) return changes;
  const hint = changes.lastBrightness ?? brightness ?? lastBrightness;
  return { ...changes, ...interpret(reading, display, minimumPercent, hint) };
};

const begin = (context: ScreenMachineContext, want: Want | null): Partial<ScreenMachineContext> => {
  const now = situation(context);
  if (!want || !now) return { next: null, writing: null };
  return { next: null, generation: context.generation + 1, writing: { want, plan: planWrite(want, now) } };
};

const command = (context: ScreenMachineContext): ScreenDriverCommand => ({
  type: 'display.write',
  generation: context.generation,
  raw: context.writing?.plan.raw ?? null,
  powered: context.writing?.plan.powered ?? null,
});

const accept = (
  context: ScreenMachineContext,
  event: Extract<ScreenEvent, { type: 'display.written' }>,
): Partial<ScreenMachineContext> => {
  const now = situation(context);
  if (!now || !context.writing) return {};
  const { lit, brightness, lastBrightness, fault } = settle(context.writing.plan, event.reading, now);
  return {
    lit,
    brightness,
    lastBrightness,
    fault,
    reading: event.reading,
    changed: { by: context.writing.want.origin, at: event.at },
    writing: null,
    learned: true,
  };
};

const screenSetup = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as ScreenMachineContext,
    events: {} as ScreenEvent,
    output: {} as WorkerOutcome,
  },
  actors: {
    display: placeholder<ScreenDriverCommand, undefined, ScreenFact>(),
    limits: placeholder<EventObject, undefined, Extract<ScreenEvent, { type: 'screen.limits' }>>(),
    memory: placeholder<ScreenMemoryCommand, undefined, ScreenMemoryFact>(),
  },
  delays: {
    answerBound: ({ context }) => context.display?.answerMs ?? ANSWER_BOUND_MS,
    recheck: RECHECK_MS,
    probeInterval: PROBE_INTERVAL_MS,
    relightBound: RELIGHT_BOUND_MS,
  },
  guards: {
    // Also while the light is on its way: ending now would cut it off.
    leavesDark: ({ context }) => context.lit === false || underWay(context) === false,
    answers: ({ context, event }) => 'generation' in event && event.generation === context.generation,
    answersLast: ({ context, event }) =>
      'generation' in event && event.generation === context.generation && context.next === null,
    answersWithMore: ({ context, event }) =>
      'generation' in event && event.generation === context.generation && context.next !== null,
    answersAfterAll: ({ context, event }) =>
      'generation' in event && event.generation === context.generation && context.writing !== null,
    // Whichever write found it out: the driver leaves the switch alone from then on.
    powerDidNothing: ({ context, event }) =>
      event.type === 'display.refused' && event.reason === 'power-not-honoured' && context.display?.power === true,
    powerDidNothingAfterAll: ({ context, event }) =>
      event.type === 'display.refused' &&
      event.reason === 'power-not-honoured' &&
      context.display?.power === true &&
      context.writing !== null,
    routeChanged: ({ context, event }) =>
      event.type === 'display.refused' &&
      event.reason === 'route-changed' &&
      (context.writing ?? context.next) !== null,
    wentDark: ({ context, event }) =>
      event.type === 'display.written' &&
      event.generation === context.generation &&
      context.next === null &&
      context.writing?.plan.lit === false,
    turnedItselfOn: ({ context, event }) => event.type === 'display.observed' && turnedItselfOn(context, event),
    hasNext: ({ context }) => context.next !== null,
    differs: ({ context, event }) =>
      event.type === 'display.observed' && (context.reading === null || !sameReading(event.reading, context.reading)),
    notLearned: ({ context }) => !context.learned,
  },
  actions: {
    find: assign(({ context, event }) => {
      if (event.type !== 'display.found') return {};
      return {
        ...reread(context, { display: event.display, reading: event.reading }),
        verdict: foundVerdict(event.display),
        fault: null,
        seen: true,
      };
    }),
    miss: assign(({ event }) => (event.type === 'display.missing' ? { verdict: event.verdict } : {})),
    lose: assign(({ event }) =>
      event.type === 'display.lost'
        ? {
            verdict: lostVerdict,
            display: null,
            reading: null,
            lit: null,
            brightness: null,
            writing: null,
            next: null,
            fault: event.reason,
          }
        : {},
    ),
    recall: assign(({ context, event }) =>
      event.type === 'level.recalled' ? reread(context, { lastBrightness: event.level }) : {},
    ),
    limit: assign(({ context, event }) =>
      event.type === 'screen.limits' ? reread(context, { minimumPercent: event.minimumPercent }) : {},
    ),
    observe: assign(({ context, event }) => {
      if (event.type !== 'display.observed') return {};
      return {
        ...reread(context, { reading: event.reading }),
        changed: { by: 'elsewhere', at: event.at },
        learned: true,
      };
    }),
    takeReading: assign(({ context, event }) =>
      event.type === 'display.written' ? { ...reread(context, { reading: event.reading }), learned: true } : {},
    ),
    queue: assign(({ context, event }) => (event.type === 'screen.set' ? { next: merge(context.next, event) } : {})),
    wantLight: assign(({ context }) => begin(context, { on: true, origin: 'stop' })),
    begin: assign(({ context }) => begin(context, context.next)),
    take: assign(({ context, event }) => (event.type === 'screen.set' ? begin(context, event) : {})),
    write: sendTo('display', ({ context }) => command(context)),
    settle: assign(({ context, event }) => (event.type === 'display.written' ? accept(context, event) : {})),
    refuse: assign(({ event }) => (event.type === 'display.refused' ? { fault: event.reason, writing: null } : {})),
    planAnew: assign(({ context }) => ({ next: context.next ?? context.writing?.want ?? null, writing: null })),
    lookSoon: raise({ type: 'screen.recheck' }, { id: 'recheck', delay: 'recheck' }),
    forgetLook: cancel('recheck'),
    look: sendTo('display', { type: 'display.look' }),
    noteSelfWake: assign(({ context, event }) => {
      if (event.type !== 'display.observed') return {};
      return {
        ...reread(context, { reading: event.reading }),
        changed: { by: 'itself', at: event.at },
        fault: 'turned-itself-on',
      };
    }),
    keepRoutes: sendTo('memory', ({ context }) => ({
      type: 'routes.keep' as const,
      display: context.display?.name ?? '',
      choice: context.display?.routes ?? noRoutes,
    })),
    prefer: sendTo('display', ({ event }) =>
      event.type === 'routes.recalled'
        ? { type: 'display.prefer' as const, display: event.display, choice: event.choice }
        : { type: 'display.look' as const },
    ),
    giveUpPower: assign(({ context }) => {
      if (!context.display) return {};
      const display = { ...context.display, power: false };
      return {
        display,
        verdict: foundVerdict(display),
        next: context.next ?? context.writing?.want ?? null,
        writing: null,
      };
    }),
    noteSilence: assign({ fault: 'no-answer' }),
    keepLevel: sendTo('memory', ({ context }) => ({ type: 'level.keep' as const, level: context.lastBrightness })),
    probe: sendTo('display', { type: 'display.probe' }),
    refuseAbsent: assign({ fault: 'no-display' }),
  },
});

/** The screen: found by trying, written one want at a time (the newest wins), never written at start. */
export const screenMachine = screenSetup.createMachine({
  id: 'screen',
  context: {
    verdict: checking,
    display: null,
    lit: null,
    brightness: null,
    lastBrightness: 255,
    changed: null,
    fault: null,
    minimumPercent: DEFAULT_MINIMUM_PERCENT,
    reading: null,
    generation: 0,
    writing: null,
    next: null,
    learned: false,
    seen: false,
  },
  invoke: [
    { id: 'display', src: 'display', onError: '.failed' },
    { id: 'limits', src: 'limits', onError: '.failed' },
    { id: 'memory', src: 'memory', onError: '.failed' },
  ],
  output: outcomeOf,
  initial: 'probing',
  on: {
    'screen.stop': [{ guard: 'leavesDark', target: '.relighting', actions: 'wantLight' }, { target: '.stopped' }],
    'screen.leave': '.stopped',
    'screen.limits': { actions: 'limit' },
    'routes.recalled': { actions: 'prefer' },
    'level.recalled': { guard: 'notLearned', actions: 'recall' },
  },
  states: {
    probing: {
      on: {
        'display.found': { target: 'ready', actions: ['find', 'keepRoutes'] },
        'display.missing': { target: 'absent', actions: 'miss' },
        'screen.set': { actions: 'refuseAbsent' },
      },
    },
    absent: {
      on: {
        'display.found': { target: 'ready', actions: ['find', 'keepRoutes'] },
        'display.missing': { actions: 'miss' },
        'screen.set': { actions: 'refuseAbsent' },
        'screen.probe': { actions: 'probe' },
      },
      after: { probeInterval: { target: 'absent', reenter: true, actions: 'probe' } },
    },
    ready: {
      initial: 'idle',
      on: {
        'display.lost': { target: 'absent', actions: ['forgetLook', 'lose', 'probe'] },
        // The routes to the display changed.
        'display.found': { actions: ['find', 'keepRoutes'] },
        'screen.recheck': { actions: 'look' },
      },
      states: {
        idle: {
          on: {
            'screen.set': { target: 'writing', actions: 'take' },
            'display.observed': [
              { guard: 'turnedItselfOn', actions: ['noteSelfWake', 'keepLevel'] },
              { guard: 'differs', actions: ['observe', 'keepLevel'] },
            ],
            // The answer to a write that was given up: what it says is true all the same.
            'display.written': [
              { guard: 'answersAfterAll', actions: ['settle', 'keepLevel'] },
              { actions: ['takeReading', 'keepLevel'] },
            ],
            'display.refused': [
              { guard: 'routeChanged', target: 'writing', actions: ['planAnew', 'begin'] },
              { guard: 'powerDidNothingAfterAll', target: 'writing', actions: ['giveUpPower', 'begin'] },
              { guard: 'powerDidNothing', actions: 'giveUpPower' },
              { guard: 'answersAfterAll', actions: 'refuse' },
            ],
          },
        },
        writing: {
          // What leads here has begun the write that is due.
          entry: 'write',
          on: {
            'screen.set': { actions: 'queue' },
            'display.observed': { guard: 'differs', actions: ['observe', 'keepLevel'] },
            'display.written': [
              { guard: 'wentDark', target: 'idle', actions: ['settle', 'keepLevel', 'forgetLook', 'lookSoon'] },
              { guard: 'answersLast', target: 'idle', actions: ['settle', 'keepLevel'] },
              { guard: 'answersWithMore', target: 'writing', reenter: true, actions: ['settle', 'keepLevel', 'begin'] },
              { actions: ['takeReading', 'keepLevel'] },
            ],
            'display.refused': [
              { guard: 'routeChanged', target: 'writing', reenter: true, actions: ['planAnew', 'begin'] },
              { guard: 'powerDidNothing', target: 'writing', reenter: true, actions: ['giveUpPower', 'begin'] },
              { guard: 'answersLast', target: 'idle', actions: 'refuse' },
              { guard: 'answersWithMore', target: 'writing', reenter: true, actions: ['refuse', 'begin'] },
            ],
          },
          after: {
            answerBound: [
              { guard: 'hasNext', target: 'writing', reenter: true, actions: ['noteSilence', 'begin'] },
              { target: 'idle', actions: 'noteSilence' },
            ],
          },
        },
      },
    },
    relighting: {
      entry: 'write',
      on: {
        // A second request changes nothing: the light is under way.
        'screen.stop': {},
        'display.written': { guard: 'answers', target: 'stopped', actions: ['settle', 'keepLevel'] },
        'display.found': { actions: 'find' },
        'display.refused': [
          { guard: 'routeChanged', target: 'relighting', reenter: true, actions: ['planAnew', 'begin'] },
          { guard: 'powerDidNothing', target: 'relighting', reenter: true, actions: ['giveUpPower', 'begin'] },
          { guard: 'answers', target: 'stopped' },
        ],
        'display.lost': 'stopped',
      },
      after: { relightBound: 'stopped' },
    },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed({ display: 'display-driver', limits: 'limits', memory: 'memory' }) },
  },
});
