import { assign, sendTo } from 'xstate';

import { crashed, outcomeOf, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import type { Milliseconds } from '../kit/units.ts';
import { checking } from '../kit/verdict.ts';
import { withEvent } from '../kit/with-event.ts';
import { begun, cycleGuards, firstCycle, noWrite, writeCycle, type WriteCycle } from '../kit/write-cycle.ts';
import { FULL_LEVEL, isShown, observedAs, type Showing, showingFor, WHITE } from './decide.ts';
import type { LightContext, LightDriverCommand, LightEvent, LightFact } from './events.ts';

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
}

type Event<T extends LightEvent['type']> = Extract<LightEvent, { readonly type: T }>;

/** The facts once the last request no longer applies: it was refused, or the light was changed from outside. */
const unwanted = { wanted: null, effect: 'none' } as const;

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
  actors: { light: placeholder<LightDriverCommand, undefined, LightFact>() },
  delays: { answerBound: ANSWER_BOUND_MS },
  guards: {
    ...cycleGuards,
    isHere: (_, { ability }: Event<'light.found'>) => ability !== null,
    isBack: ({ context }, { ability }: Event<'light.found'>) => ability !== null && context.wanted !== null,
  },
  actions: {
    find: assign((_, { ability, verdict }: Event<'light.found'>) => ({ ability, verdict })),
    showAgain: assign(({ context }) => ({ next: context.wanted, writing: null })),
    miss: assign((_, { verdict }: Event<'light.found'>) => ({ ...noWrite, verdict, on: null, level: null })),
    want: assign(({ context }, request: Event<'light.set'>) => {
      if (context.ability === null) return {};
      const wanted = showingFor({ ...context, ability: context.ability }, request);
      const { level, rgb } = wanted.output;
      return {
        wanted,
        next: wanted,
        effect: wanted.effect,
        ...(rgb === null ? {} : { rgb }),
        ...(level > 0 ? { lastLevel: level } : {}),
        fault: null,
      };
    }),
    begin: assign(({ context }) => begun(context, context.next ?? dark)),
    write: sendTo('light', ({ context }) => ({
      type: 'light.show' as const,
      generation: context.generation,
      ...(context.writing ?? dark),
    })),
    see: assign(({ context }, { output }: Event<'light.observed'>) => {
      const { writing, wanted } = context;
      const isOurs = writing !== null || (wanted !== null && isShown(wanted.output, output));
      return { ...observedAs(context, output), ...(isOurs ? {} : unwanted) };
    }),
    settle: assign({ fault: null, writing: null }),
    // A newer request is still to be tried.
    refuse: assign(({ context }, { code }: Event<'light.refused'>) => ({
      writing: null,
      ...(context.next === null ? { ...unwanted, fault: code } : {}),
    })),
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
    plainOn: input.plainOn,
    wanted: null,
  }),
  invoke: { id: 'light', src: 'light', onError: '.failed' },
  output: outcomeOf,
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
        'light.set': { actions: withEvent('want') },
        'light.observed': { actions: withEvent('see') },
      },
    },
    failed: { type: 'final', output: crashed('light-driver') },
  },
});
