import { assign, emit, type EventObject, sendTo } from 'xstate';

import { crashed, outcomeOf, type ReplyEvent, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import { withEvent } from '../kit/with-event.ts';
import type {
  AutoSleepActor,
  AutoSleepContext,
  AutoSleepEvent,
  SleepCommand,
  SleepFact,
  SleepFollowed,
  SleepRequest,
  SleepSet,
} from './events.ts';
import { restingFacts } from './off.ts';

type Of<T extends AutoSleepEvent['type']> = Extract<AutoSleepEvent, { readonly type: T }>;
type Outcome = AutoSleepActor['asks'][keyof AutoSleepActor['asks']];
type DisplaysChanged = Extract<SleepFollowed, { readonly type: 'displays.changed' }>;
type SettingsChosen = Extract<SleepFollowed, { readonly type: 'settings.chosen' }>;

/**
 * When the screen sleeps and wakes. Its driver watches and decides; this chart passes on what the displays are to get,
 * and answers.
 */
export const autoSleepMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as AutoSleepContext,
    events: {} as AutoSleepEvent,
    emitted: {} as ReplyEvent<Outcome>,
    output: {} as WorkerOutcome,
  },
  actors: {
    sleep: placeholder<SleepCommand, undefined, SleepFact>(),
    displays: placeholder<SleepSet, undefined, DisplaysChanged>(),
    settings: placeholder<EventObject, undefined, SettingsChosen>(),
  },
  actions: {
    note: assign((_, { view, ceiling, at, offHoursClock }: Of<'sleep.decided'>) => ({
      view,
      ceiling,
      decidedAt: at,
      offHoursClock,
    })),
    count: assign((_, { count }: Of<'sources.discovered'>) => ({ discoveredCount: count })),
    remember: assign((_, { settings }: Of<'settings.chosen'>) => ({
      source: settings.enabled ? settings.source : null,
    })),
    choose: sendTo('sleep', (_, { settings }: Of<'settings.chosen'>) => ({
      type: 'sleep.settings' as const,
      settings,
    })),
    show: sendTo('sleep', (_, { displays }: Of<'displays.changed'>) => ({ type: 'sleep.displays' as const, displays })),
    switch: sendTo('displays', (_, event: SleepSet) => event),
    ask: sendTo('sleep', (_, event: SleepRequest) => event),
    reply: emit((_, { requestId, outcome }: Of<'sleep.answered'>) => ({
      type: 'reply' as const,
      requestId,
      outcome,
    })),
  },
}).createMachine({
  id: 'auto-sleep',
  context: restingFacts,
  initial: 'watching',
  states: {
    watching: {
      invoke: [
        { id: 'sleep', src: 'sleep', onError: 'failed' },
        { id: 'displays', src: 'displays', onError: 'failed' },
        { id: 'settings', src: 'settings', onError: 'failed' },
      ],
      on: {
        'sleep.decided': { actions: withEvent('note') },
        'sleep.set': { actions: withEvent('switch') },
        'sources.discovered': { actions: withEvent('count') },
        'sleep.answered': { actions: withEvent('reply') },
        'settings.chosen': { actions: [withEvent('remember'), withEvent('choose')] },
        'displays.changed': { actions: withEvent('show') },
        'auto-sleep.sources': { actions: withEvent('ask') },
        'auto-sleep.include': { actions: withEvent('ask') },
        'auto-sleep.replay': { actions: withEvent('ask') },
      },
    },
    failed: {
      type: 'final',
      output: crashed({ sleep: 'sleep-driver', displays: 'display-follower', settings: 'sleep-settings' }),
    },
  },
  output: outcomeOf,
});
