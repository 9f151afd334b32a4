import { assign, sendTo, setup } from 'xstate';

import { crashed, outcomeOf, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { checking } from '../kit/verdict.ts';
import { FULL_LEVEL, isShown, seenAs, type Showing, showingFor, WHITE } from './decide.ts';
import type { LightContext, LightDriverCommand, LightEvent, LightFact } from './events.ts';

/** What a light's machine is started with. */
export interface LightInput {
  /** The level of a plain "on". */
  readonly plainOn: 'last' | 'full';
}

/** Everything a light's machine remembers. */
export interface LightMachineContext extends LightContext {
  readonly plainOn: LightInput['plainOn'];
  /**
   * What it was last told to show; shown again when its device comes back. Null before the first wish, and after
   * somebody else changed it.
   */
  readonly wanted: Showing | null;
}

/** One light beside the screen: found by trying, written only when somebody asks, and shown as it was read back. */
export const lightMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as LightMachineContext,
    events: {} as LightEvent,
    input: {} as LightInput,
    output: {} as WorkerOutcome,
  },
  actors: { lamp: placeholder<LightDriverCommand, undefined, LightFact>() },
  guards: {
    isHere: ({ event }) => event.type === 'light.found' && event.ability !== null,
    isBack: ({ context, event }) => event.type === 'light.found' && event.ability !== null && context.wanted !== null,
  },
  actions: {
    find: assign(({ event }) =>
      event.type === 'light.found' && event.ability !== null
        ? { ability: event.ability, verdict: event.verdict, here: true }
        : {},
    ),
    miss: assign(({ event }) =>
      event.type === 'light.found' ? { verdict: event.verdict, here: false, on: null, level: null } : {},
    ),
    want: assign(({ context, event }) => {
      if (event.type !== 'light.set' || context.ability === null) return {};
      const wanted = showingFor({ ...context, ability: context.ability }, event);
      return {
        wanted,
        effect: wanted.effect,
        ...(wanted.output.rgb === null ? {} : { rgb: wanted.output.rgb }),
        ...(wanted.output.level > 0 ? { lastLevel: wanted.output.level } : {}),
        fault: null,
      };
    }),
    show: sendTo('lamp', ({ context }) => ({
      type: 'light.show' as const,
      output: context.wanted?.output ?? { level: 0, rgb: null },
      effect: context.wanted?.effect ?? 'none',
    })),
    see: assign(({ context, event }) => {
      if (event.type !== 'light.seen') return {};
      const isOurs = context.wanted !== null && isShown(context.wanted.output, event.output);
      return { ...seenAs(context, event.output), ...(isOurs ? {} : { wanted: null, effect: 'none' as const }) };
    }),
    refuse: assign(({ event }) =>
      event.type === 'light.refused' ? { fault: event.code, wanted: null, effect: 'none' as const } : {},
    ),
    refuseAbsent: assign({ fault: 'gone' }),
  },
}).createMachine({
  id: 'light',
  context: ({ input }) => ({
    verdict: checking,
    ability: null,
    here: false,
    on: null,
    level: null,
    lastLevel: FULL_LEVEL,
    rgb: WHITE,
    effect: 'none',
    fault: null,
    plainOn: input.plainOn,
    wanted: null,
  }),
  invoke: { id: 'lamp', src: 'lamp', onError: '.failed' },
  output: outcomeOf,
  initial: 'away',
  on: { 'light.stop': '.stopped' },
  states: {
    away: {
      on: {
        'light.found': [
          { guard: 'isBack', target: 'here', actions: ['find', 'show'] },
          { guard: 'isHere', target: 'here', actions: 'find' },
          { actions: 'miss' },
        ],
        // Nothing is done later without a word: what was asked of a lost device is refused now.
        'light.set': { actions: 'refuseAbsent' },
      },
    },
    here: {
      on: {
        // Found anew without having been missed: it was out for a moment, and shows what it likes.
        'light.found': [
          { guard: 'isBack', actions: ['find', 'show'] },
          { guard: 'isHere', actions: 'find' },
          { target: 'away', actions: 'miss' },
        ],
        'light.set': { actions: ['want', 'show'] },
        'light.seen': { actions: 'see' },
        'light.refused': { actions: 'refuse' },
      },
    },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed('light-driver') },
  },
});
