import { assign, sendTo } from 'xstate';

import { crashed, outcomeOf, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import type { Milliseconds } from '../kit/units.ts';
import { checking } from '../kit/verdict.ts';
import { withEvent } from '../kit/with-event.ts';
import { begun, cycleGuards, firstCycle, noWrite, writeCycle, type WriteCycle } from '../kit/write-cycle.ts';
import {
  FULL_LEVEL,
  heldShowing,
  isShown,
  observedAs,
  releasedShowing,
  type Showing,
  showingFor,
  type ShownFacts,
  WHITE,
} from './decide.ts';
import type {
  KeptShowing,
  LightContext,
  LightDriverCommand,
  LightEvent,
  LightFact,
  LightOutput,
  LightStoreCommand,
  LightStoreFact,
} from './events.ts';

/** Longest wait for the answer to one command; the kernel writes and reads a light within milliseconds. */
export const ANSWER_BOUND_MS: Milliseconds = 2000;

/** Input of a light's machine. */
export interface LightInput {
  /** The level of a plain "on". */
  readonly plainOn: 'last' | 'full';
}

/** Full context of a light's machine. */
export interface LightMachineContext extends LightContext, WriteCycle<Showing> {
  readonly plainOn: LightInput['plainOn'];
  /**
   * The last request, shown again when the device returns. Null before the first request, after a refused one and
   * after a change from outside.
   */
  readonly wanted: Showing | null;
  /** While it is held: what requests are interpreted from, and what it shows again if there is none. */
  readonly before: ShownFacts | null;
  /** What an agent that was killed while it held the light would have shown again; null once that is settled. */
  readonly left: KeptShowing | null;
}

type Event<T extends LightEvent['type']> = Extract<LightEvent, { readonly type: T }>;

/** The facts once the last request no longer applies: it was refused, or the light was changed from outside. */
const unwanted = { wanted: null, effect: 'none' } as const;

const shownIn = ({ on, level, lastLevel, rgb, effect }: LightContext): ShownFacts => ({
  on,
  level,
  lastLevel,
  rgb,
  effect,
});

/** The facts after a request; its own are those that it is interpreted from. */
function afterRequest(context: LightMachineContext, request: Event<'light.set'>): Partial<LightMachineContext> {
  const { ability, before } = context;
  if (ability === null) return {};
  const wanted = showingFor({ ...context, ...before, ability }, request);
  const { level, rgb } = wanted.output;
  const shown = {
    effect: wanted.effect,
    ...(rgb === null ? {} : { rgb }),
    ...(level > 0 ? { lastLevel: level } : {}),
  };
  return before === null
    ? { wanted, next: wanted, ...shown, fault: null }
    : { wanted, before: { ...before, ...shown } };
}

/** The facts after a reading of a held light; what it remembers of itself stays. */
function whileHeld(
  { ability, writing, rgb: known }: LightMachineContext,
  output: LightOutput,
): Partial<LightMachineContext> {
  const { on, level, rgb } = observedAs({ lastLevel: FULL_LEVEL, rgb: known }, output);
  const held = ability && heldShowing(ability);
  const holdShown = held !== null && isShown(held.output, output);
  // Changed from outside; the reading of a write under way is no reason to write again.
  return { on, level, rgb, holdShown, ...(holdShown || writing !== null ? {} : { next: held }) };
}

/** The facts after a reading. */
function afterReading(context: LightMachineContext, output: LightOutput): Partial<LightMachineContext> {
  const { heldBy, writing, wanted } = context;
  if (heldBy !== null) return whileHeld(context, output);
  const { on, level, ...remembered } = observedAs(context, output);
  // It shows for a moment still how it was held.
  if (writing?.exact === true) return { on, level };
  const isOurs = writing !== null || (wanted !== null && isShown(wanted.output, output));
  return { on, level, ...remembered, ...(isOurs ? {} : unwanted) };
}

/** The facts of a light that shows what was kept. */
const factsOf = (context: LightMachineContext, { output, effect }: KeptShowing): ShownFacts => ({
  ...observedAs(context, output),
  effect,
});

/** True if the light shows, or showed before a hold, what a killed agent may have left; also if that is unknown. */
function mayBeLeft({ ability, wanted }: LightMachineContext, { on, level, rgb }: ShownFacts): boolean {
  if (wanted !== null) return false;
  return on === null || (ability !== null && isShown(heldShowing(ability).output, { level: level ?? 0, rgb }));
}

/** The facts after the store told what it kept; null if the light is to show that now. */
function afterRecall(
  context: LightMachineContext,
  { showing }: Event<'light.recalled'>,
): Partial<LightMachineContext> | null {
  if (showing === null || !mayBeLeft(context, context.before ?? context)) return {};
  if (context.before !== null) return { before: factsOf(context, showing) };
  return context.on === null ? { left: showing } : null;
}

const keptOf = ({ output, effect }: Showing): KeptShowing => ({ output, effect });

const dark: Showing = { output: { level: 0, rgb: null }, effect: 'none' };

/** One light beside the screen: found by probing, written only on request, and shown as it was read back. */
export const lightMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as LightMachineContext,
    events: {} as LightEvent,
    input: {} as LightInput,
    output: {} as WorkerOutcome,
  },
  actors: {
    light: placeholder<LightDriverCommand, undefined, LightFact>(),
    store: placeholder<LightStoreCommand, undefined, LightStoreFact>(),
  },
  delays: { answerBound: ANSWER_BOUND_MS },
  guards: {
    ...cycleGuards,
    isHere: (_, { ability }: Event<'light.found'>) => ability !== null,
    isBack: ({ context }, { ability }: Event<'light.found'>) =>
      ability !== null && (context.wanted !== null || context.heldBy !== null),
    isFree: ({ context }) => context.heldBy === null,
    isHeld: ({ context }) => context.heldBy !== null,
    // The light was read before its store was.
    isLeft: ({ context }, recalled: Event<'light.recalled'>) => afterRecall(context, recalled) === null,
    isSeenAsLeft: ({ context }, { output }: Event<'light.observed'>) =>
      context.left !== null && mayBeLeft(context, { ...context, ...observedAs(context, output) }),
    hasLeft: ({ context }) => context.left !== null,
  },
  actions: {
    find: assign((_, { ability, verdict }: Event<'light.found'>) => ({ ability, verdict, holdShown: false })),
    showAgain: assign(({ context: { ability, heldBy, wanted } }) => ({
      next: heldBy !== null && ability !== null ? heldShowing(ability) : wanted,
      writing: null,
    })),
    miss: assign((_, { verdict }: Event<'light.found'>) => ({
      ...noWrite,
      verdict,
      on: null,
      level: null,
      holdShown: false,
    })),
    want: assign(({ context }, request: Event<'light.set'>) => afterRequest(context, request)),
    hold: assign(({ context }, { by }: Event<'light.hold'>) => ({
      heldBy: by,
      holdShown: false,
      before: context.left === null ? shownIn(context) : factsOf(context, context.left),
      left: null,
      effect: 'none' as const,
      fault: null,
      next: context.ability && heldShowing(context.ability),
    })),
    release: assign(({ context: { before, wanted, ability } }) => {
      if (before === null) return {};
      const shown = releasedShowing(before, wanted, ability?.colour ?? null);
      const { lastLevel, rgb } = before;
      return {
        heldBy: null,
        holdShown: false,
        before: null,
        wanted: shown,
        next: ability && shown,
        lastLevel,
        rgb,
        effect: shown.effect,
        fault: null,
      };
    }),
    recall: assign(
      ({ context }, recalled: Event<'light.recalled'>) => afterRecall(context, recalled) ?? { left: recalled.showing },
    ),
    putBack: assign(({ context }) => {
      const { left } = context;
      if (left === null) return {};
      const { lastLevel, rgb, effect } = factsOf(context, left);
      return { lastLevel, rgb: left.output.rgb ?? rgb, effect, wanted: left, next: left, left: null };
    }),
    dropLeft: assign({ left: null }),
    keep: sendTo('store', ({ context: { before, left, wanted, ability } }) => ({
      type: 'light.keep' as const,
      showing: before === null ? left : keptOf(releasedShowing(before, wanted, ability?.colour ?? null)),
    })),
    begin: assign(({ context }) => begun(context, context.next ?? dark)),
    write: sendTo('light', ({ context }) => ({
      type: 'light.show' as const,
      generation: context.generation,
      ...(context.writing ?? dark),
    })),
    see: assign(({ context }, { output }: Event<'light.observed'>) => afterReading(context, output)),
    settle: assign({ fault: null, writing: null }),
    refuse: assign(({ context: { next, heldBy } }, { code }: Event<'light.refused'>) => {
      // A newer request is still to be tried.
      if (next !== null) return { writing: null };
      return { writing: null, fault: code, ...(heldBy === null ? unwanted : {}) };
    }),
    noteSilence: assign({ fault: 'no-answer', writing: null }),
    refuseAbsent: assign({ fault: 'gone' }),
  },
}).createMachine({
  id: 'light',
  options: { maxIterations: 10 },
  context: ({ input }) => ({
    ...firstCycle,
    verdict: checking,
    ability: null,
    on: null,
    level: null,
    lastLevel: FULL_LEVEL,
    rgb: WHITE,
    effect: 'none',
    fault: null,
    heldBy: null,
    holdShown: false,
    plainOn: input.plainOn,
    wanted: null,
    before: null,
    left: null,
  }),
  invoke: [
    { id: 'light', src: 'light', onError: '.failed' },
    { id: 'store', src: 'store', onError: '.failed' },
  ],
  output: outcomeOf,
  on: {
    'light.hold': { guard: 'isFree', actions: [withEvent('hold'), 'keep'] },
    'light.release': { guard: 'isHeld', actions: ['release', 'keep'] },
    'light.recalled': [
      { guard: withEvent('isLeft'), actions: [withEvent('recall'), 'putBack', 'keep'] },
      { actions: [withEvent('recall'), 'keep'] },
    ],
  },
  initial: 'away',
  states: {
    away: {
      on: {
        'light.found': [
          { guard: withEvent('isBack'), target: 'here', actions: [withEvent('find'), 'showAgain'] },
          { guard: withEvent('isHere'), target: 'here', actions: withEvent('find') },
          { actions: withEvent('miss') },
        ],
        // A request to a lost device is refused now, rather than carried out later without notice.
        'light.set': { actions: 'refuseAbsent' },
      },
    },
    here: {
      ...writeCycle<LightEvent>()('light.written', 'light.refused'),
      on: {
        // Found again without having been lost: it was disconnected for a moment, and its state is unknown.
        'light.found': [
          { guard: withEvent('isBack'), target: '.idle', actions: [withEvent('find'), 'showAgain'] },
          { guard: withEvent('isHere'), actions: withEvent('find') },
          { target: 'away', actions: withEvent('miss') },
        ],
        'light.set': [{ guard: 'isHeld', actions: [withEvent('want'), 'keep'] }, { actions: withEvent('want') }],
        'light.observed': [
          { guard: withEvent('isSeenAsLeft'), actions: [withEvent('see'), 'putBack', 'keep'] },
          { guard: 'hasLeft', actions: [withEvent('see'), 'dropLeft', 'keep'] },
          { actions: withEvent('see') },
        ],
      },
    },
    failed: { type: 'final', output: crashed('light-driver') },
  },
});
