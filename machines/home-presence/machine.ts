import { assign, type EventObject } from 'xstate';

import { crashed, outcomeOf, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import type { Milliseconds } from '../kit/units.ts';
import { withEvent } from '../kit/with-event.ts';
import type { FoundEntity, HomePresenceContext, PresenceFact, PresenceFacts } from './events.ts';
import { evidenceOf, isLive, type Moment, momentOf, stateAfter } from './presence.ts';
import { firstEntity, lookupOf } from './lookup.ts';
import { judgePresence } from './verdict.ts';

type Fact<T extends PresenceFact['type']> = Extract<PresenceFact, { readonly type: T }>;

/** A connection that is back sooner does not count as gone; a page gets the same time. */
const LOST_MS: Milliseconds = 5_000;
/** A restart takes 8 s in a small house (seen with Home Assistant 2026.11); a longer one is reported. */
const RESTART_MS: Milliseconds = 9_000;

/** Public facts with their inputs. */
interface PresenceState extends HomePresenceContext {
  readonly facts: PresenceFacts;
  readonly moment: Moment;
}

const nothing: PresenceFacts = {
  socket: 'absent',
  failure: null,
  lifecycle: null,
  page: null,
  signedIn: false,
  answers: null,
  path: null,
  broker: null,
  publishing: null,
};

/** Everything that follows from the inputs and the previous state. */
function judge(now: PresenceState, isGivenUp = false): PresenceState {
  const { facts } = now;
  const moment = momentOf(evidenceOf(facts, now.lookup));
  const state = isGivenUp ? 'gone' : stateAfter(now.judged.state, moment, isLive(facts));
  // A lookup from before Home Assistant went says nothing about now.
  const { lookup, foundEntity } = state === 'gone' ? { lookup: null, foundEntity: null } : now;
  return {
    facts,
    moment,
    lookup,
    foundEntity,
    path: facts.path,
    judged: { state, evidence: evidenceOf(facts, lookup) },
    verdict: judgePresence({ state }, lookup, facts),
  };
}

/** The entity to name; it stays the same as long as the panel is shown. */
const named = (before: FoundEntity | null, now: FoundEntity): FoundEntity =>
  before?.panelId === now.panelId ? { ...before, deviceId: now.deviceId } : now;

const unknown = { state: 'unknown', evidence: [] } as const;

/** Decides whether Home Assistant is there, from the facts of the other parts, and what it shows of this panel. */
export const homePresenceMachine = setup({
  // Type carriers of the library's own design; their values are never read.
  types: {
    context: {} as PresenceState,
    events: {} as PresenceFact,
    output: {} as WorkerOutcome,
  },
  actors: {
    followed: placeholder<EventObject, undefined, Fact<'presence.observed'>>(),
    lookup: placeholder<EventObject, undefined, Fact<'presence.found' | 'presence.forgotten'>>(),
  },
  delays: { lost: LOST_MS, restart: RESTART_MS },
  guards: {
    isLost: ({ context: { moment, judged } }) => moment === 'lost' && judged.state !== 'gone',
    isRestarting: ({ context: { moment, judged, facts } }) =>
      moment === 'restarting' && judged.state !== 'gone' && !isLive(facts),
    /** True if neither of the other two holds. */
    isSettled: ({ context: { moment, judged, facts } }) =>
      judged.state === 'gone' || (moment !== 'lost' && !(moment === 'restarting' && !isLive(facts))),
  },
  actions: {
    observe: assign(({ context }, { facts }: Fact<'presence.observed'>) => judge({ ...context, facts })),
    noteLookup: assign(({ context }, { device, isCertain, panelId }: Fact<'presence.found'>) => {
      const entityId = firstEntity(device.entityIds);
      const lookup = lookupOf(device, isCertain);
      const foundEntity =
        lookup === 'shown' && entityId !== null
          ? named(context.foundEntity, { entityId, panelId, deviceId: device.deviceId })
          : null;
      return judge({ ...context, lookup, foundEntity });
    }),
    forgetLookup: assign(({ context }) => judge({ ...context, lookup: null, foundEntity: null })),
    giveUp: assign(({ context }) => judge(context, true)),
  },
}).createMachine({
  id: 'home-presence',
  options: { maxIterations: 50 },
  context: {
    facts: nothing,
    moment: 'unknown',
    judged: unknown,
    verdict: judgePresence(unknown, null, nothing),
    lookup: null,
    foundEntity: null,
    path: null,
  },
  invoke: [
    { src: 'followed', id: 'followed', onError: '.failed' },
    { src: 'lookup', id: 'lookup', onError: '.failed' },
  ],
  on: {
    'presence.observed': { actions: withEvent('observe') },
    'presence.found': { actions: withEvent('noteLookup') },
    'presence.forgotten': { actions: 'forgetLookup' },
  },
  initial: 'settled',
  states: {
    settled: {
      always: [
        { guard: 'isLost', target: 'lost' },
        { guard: 'isRestarting', target: 'restarting' },
      ],
    },
    lost: {
      always: [
        { guard: 'isRestarting', target: 'restarting' },
        { guard: 'isSettled', target: 'settled' },
      ],
      after: { lost: { target: 'settled', actions: 'giveUp' } },
    },
    restarting: {
      // A loss during a restart was announced by it.
      always: { guard: 'isSettled', target: 'settled' },
      after: { restart: { target: 'settled', actions: 'giveUp' } },
    },
    failed: { type: 'final', output: crashed({ followed: 'home-presence-facts', lookup: 'home-presence-lookup' }) },
  },
  output: outcomeOf,
});
