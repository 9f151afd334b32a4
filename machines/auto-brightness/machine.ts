import { assign, emit, type EventObject, sendTo } from 'xstate';

import { crashed, outcomeOf, type ReplyEvent, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import { withEvent } from '../kit/with-event.ts';
import type {
  AdjustCommand,
  AutoBrightnessContext,
  AutoBrightnessEvent,
  ChartOutcome,
  ForgetOutcome,
  RoomCommand,
  RoomFact,
  RoomFollowed,
} from './events.ts';
import { unknownFacts } from './off.ts';

type Of<T extends AutoBrightnessEvent['type']> = Extract<AutoBrightnessEvent, { readonly type: T }>;
type DisplaysChanged = Extract<RoomFollowed, { readonly type: 'displays.changed' }>;
type SettingsChosen = Extract<RoomFollowed, { readonly type: 'settings.chosen' }>;
type CeilingChanged = Extract<RoomFollowed, { readonly type: 'ceiling.changed' }>;

/**
 * The automatic brightness. Its driver watches the light and decides; this chart passes on what the displays are to
 * get, and answers.
 */
export const autoBrightnessMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as AutoBrightnessContext,
    events: {} as AutoBrightnessEvent,
    emitted: {} as ReplyEvent<ForgetOutcome | ChartOutcome>,
    output: {} as WorkerOutcome,
  },
  actors: {
    room: placeholder<RoomCommand, undefined, RoomFact>(),
    displays: placeholder<AdjustCommand, undefined, DisplaysChanged>(),
    settings: placeholder<EventObject, undefined, SettingsChosen>(),
    ceiling: placeholder<EventObject, undefined, CeilingChanged>(),
  },
  actions: {
    note: assign((_, { view, at }: Of<'room.decided'>) => ({ room: view, decidedAt: at })),
    adjust: sendTo('displays', (_, { screen, level }: Of<'room.adjust'>) => ({
      type: 'display.adjust' as const,
      screen,
      level,
    })),
    choose: sendTo('room', (_, { settings, entityId }: Of<'settings.chosen'>) => ({
      type: 'room.settings' as const,
      settings,
      entityId,
    })),
    show: sendTo('room', (_, { displays }: Of<'displays.changed'>) => ({ type: 'room.displays' as const, displays })),
    cap: sendTo('room', (_, { level }: CeilingChanged) => ({ type: 'room.ceiling' as const, level })),
    resume: sendTo('room', { type: 'room.resume' }),
    forget: sendTo('room', (_, { requestId }: Of<'auto-brightness.forget'>) => ({
      type: 'room.forget' as const,
      requestId,
    })),
    draw: sendTo('room', (_, { requestId, hours, preview }: Of<'auto-brightness.chart'>) => ({
      type: 'room.chart' as const,
      requestId,
      hours,
      preview,
    })),
    reply: emit((_, { requestId, outcome }: Of<'room.forgotten' | 'room.drawn'>) => ({
      type: 'reply' as const,
      requestId,
      outcome,
    })),
  },
}).createMachine({
  id: 'auto-brightness',
  context: unknownFacts,
  initial: 'watching',
  states: {
    watching: {
      invoke: [
        { id: 'room', src: 'room', onError: 'failed' },
        { id: 'displays', src: 'displays', onError: 'failed' },
        { id: 'settings', src: 'settings', onError: 'failed' },
        { id: 'ceiling', src: 'ceiling', onError: 'failed' },
      ],
      on: {
        'room.decided': { actions: withEvent('note') },
        'room.adjust': { actions: withEvent('adjust') },
        'room.forgotten': { actions: withEvent('reply') },
        'room.drawn': { actions: withEvent('reply') },
        'settings.chosen': { actions: withEvent('choose') },
        'displays.changed': { actions: withEvent('show') },
        'ceiling.changed': { actions: withEvent('cap') },
        'auto-brightness.resume': { actions: 'resume' },
        'auto-brightness.forget': { actions: withEvent('forget') },
        'auto-brightness.chart': { actions: withEvent('draw') },
      },
    },
    failed: {
      type: 'final',
      output: crashed({
        room: 'room-driver',
        displays: 'display-follower',
        settings: 'brightness-settings',
        ceiling: 'ceiling-follower',
      }),
    },
  },
  output: outcomeOf,
});
