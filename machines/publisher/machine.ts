import { assign, emit, fromPromise, not, sendTo, setup } from 'xstate';

import type { FaultEvent } from '../kit/actor.ts';
import { type Fault, faultEvent, faultIn } from '../kit/fault.ts';
import { crashed, outcomeOf, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { withEvent } from '../kit/with-event.ts';
import type { AnnouncedEntities } from './announced.ts';
import type {
  GatewayCommand,
  GatewayFact,
  IncomingEvent,
  LinkState,
  PublishedPanel,
  PublisherEvent,
  RowChanged,
} from './events.ts';
import { initialFacts, type PublisherFacts } from './facts.ts';
import { DUPLICATE_ADVICE } from './owner.ts';
import { claimIn, isAnotherName, isReady, ownerOf, shapeOfKey, verdictOf } from './reading.ts';
import * as step from './steps.ts';

/** Longest wait for the echo that says all retained messages have arrived. */
const BARRIER_MS = 1000;
/**
 * Pause between two different discovery payloads (seen with Home Assistant 2026.11: back to back, payloads get lost).
 */
const PAYLOAD_PAUSE_MS = 1000;
/**
 * How long births of Home Assistant are gathered from the first one on: one discovery answers all of them, so that
 * nobody on the broker can have everything published again and again (Home Assistant itself is born once in 5 s at
 * most, as seen with Home Assistant 2026.11).
 */
const BIRTHS_MS = 2000;
/**
 * How long another machine must be gone before its panel id is taken over: longer than a restart of its agent takes.
 */
const DUPLICATE_GRACE_MS = 5000;
/** Wait before the store is asked again for what was announced earlier. */
const RECALL_RETRY_MS = 1000;

type OwnerChanged = Extract<IncomingEvent, { readonly type: 'owner.changed' }>;
type StatusChanged = Extract<IncomingEvent, { readonly type: 'status.changed' }>;
type Received = Extract<IncomingEvent, { readonly type: 'command.received' }>;
type PanelChanged = { readonly panel: PublishedPanel };

const publish = (
  messages: Extract<GatewayCommand, { readonly type: 'gateway.publish' }>['messages'],
): GatewayCommand => ({
  type: 'gateway.publish',
  messages,
});

const renamed = {
  guard: withEvent('isAnotherName'),
  target: '#publisher.restarting',
  actions: [withEvent('takePanel'), 'forgetRemoval'],
} as const;

/** The machine that publishes the panel's entities; its gateway and its memory are provided by the wiring. */
export const publisherMachine = setup({
  // The one way XState offers to state these types.
  types: {
    context: {} as PublisherFacts,
    events: {} as PublisherEvent,
    output: {} as WorkerOutcome,
    emitted: {} as FaultEvent,
  },
  actors: {
    gateway: placeholder<GatewayCommand, undefined, GatewayFact>(),
    readAnnounced: fromPromise<unknown>(() => Promise.reject(new Error('placeholder-not-provided'))),
    keepAnnounced: fromPromise<void, AnnouncedEntities>(() => Promise.reject(new Error('placeholder-not-provided'))),
  },
  delays: {
    barrierBound: BARRIER_MS,
    payloadPause: PAYLOAD_PAUSE_MS,
    births: BIRTHS_MS,
    duplicateGrace: DUPLICATE_GRACE_MS,
    recallRetry: RECALL_RETRY_MS,
  },
  guards: {
    isReady: ({ context }) => isReady(context),
    isOurs: ({ context }) => verdictOf(context) === 'ours',
    isDuplicate: ({ context }) => verdictOf(context) === 'duplicate',
    isAnothers: ({ context }) => ownerOf(context) !== null && verdictOf(context) !== 'ours',
    isDisputed: ({ context }, event: OwnerChanged) => claimIn(context, event) === 'disputed',
    isOwnerLost: ({ context }, event: OwnerChanged) => claimIn(context, event) === 'lost',
    isRemovedElsewhere: ({ context }) => context.removedElsewhere,
    isAnotherName: ({ context }, { panel }: PanelChanged) => isAnotherName(context, panel),
    isAnotherLink: ({ context: { link } }, { connected, session, panelId }: LinkState) =>
      connected !== link.connected || session !== link.session || panelId !== link.panelId,
    isAnnounced: ({ context }, { key }: { readonly key: string }) => shapeOfKey(context, key) !== undefined,
    hasUnansweredBirth: ({ context }) => context.unansweredBirth,
    hasMoreStages: ({ context }) => context.stages.length > 0,
    isKept: ({ context }) =>
      context.kept !== null && JSON.stringify(context.kept) === JSON.stringify(context.remembered),
  },
  actions: {
    takePanel: assign((_, { panel }: PanelChanged) => ({ panel })),
    takeLink: assign((_, { connected, session, panelId }: LinkState) => ({ link: { connected, session, panelId } })),
    takeValue: assign(({ context }, event: RowChanged) => step.takeValue(context, event)),
    takeOwner: assign(({ context }, event: OwnerChanged) => step.takeOwner(context, event)),
    takeStatus: assign(({ context }, event: StatusChanged) => step.takeStatus(context, event)),
    recall: assign((_, params: { readonly stored: unknown }) => step.recall(params.stored)),
    noteBirth: assign({ homeAssistantSeen: true }),
    noteUnansweredBirth: assign({ homeAssistantSeen: true, unansweredBirth: true }),
    noteLeave: assign({ homeAssistantSeen: false }),
    forgetSession: assign({
      owners: {},
      statuses: {},
      homeAssistantSeen: false,
      unansweredBirth: false,
      stages: [],
      announced: [],
    }),
    advise: assign({ advice: DUPLICATE_ADVICE }),
    retractAdvice: assign({ advice: null }),
    subscribe: sendTo('gateway', ({ context }): GatewayCommand => ({
      type: 'gateway.subscribe',
      ...step.topicsToHear(context),
    })),
    raiseBarrier: sendTo('gateway', ({ context }) => publish([step.barrierMessage(context)])),
    claim: sendTo('gateway', ({ context }) => publish(step.claimMessages(context))),
    withdraw: sendTo('gateway', ({ context }) => publish([step.statusMessage(context, 'offline')])),
    publishOnline: sendTo('gateway', ({ context }) => publish([step.statusMessage(context, 'online')])),
    prepare: assign(({ context }) => step.prepare(context)),
    planStages: assign(({ context }) => step.plan(context)),
    publishStage: sendTo('gateway', ({ context }) => publish(step.stageMessages(context))),
    endStage: assign(({ context }) => step.endStage(context)),
    endSweep: assign(({ context }) => step.endSweep(context)),
    publishRow: sendTo('gateway', ({ context }, event: RowChanged) => publish(step.valueMessages(context, event))),
    markRemoved: assign({ removedElsewhere: true }),
    // Under another name it is another device, which nobody removed.
    forgetRemoval: assign({ removedElsewhere: false }),
    run: sendTo('gateway', (_, { key, value }: Received): GatewayCommand => ({ type: 'gateway.run', key, value })),
    refuse: sendTo('gateway', ({ context }, event: step.Refusal): GatewayCommand => ({
      type: 'gateway.refuse',
      ...step.refusal(context, event),
    })),
    countRefusal: assign(({ context }, event: step.Refusal) => step.countRefusal(context, event)),
    noteKept: assign(({ context }) => ({ kept: context.remembered, storeFault: null })),
    noteNotKept: assign({ storeFault: 'not-kept' }),
    reportFault: emit((_, fault: Fault) => faultEvent(fault)),
  },
}).createMachine({
  id: 'publisher',
  options: { maxIterations: 50 },
  context: initialFacts,
  initial: 'loading',
  invoke: { src: 'gateway', id: 'gateway', onError: '.failed' },
  output: outcomeOf,
  on: {
    'panel.changed': [renamed, { actions: withEvent('takePanel') }],
    'link.changed': { guard: withEvent('isAnotherLink'), target: '.restarting', actions: withEvent('takeLink') },
    'row.changed': { actions: withEvent('takeValue') },
    'owner.changed': { actions: withEvent('takeOwner') },
    'status.changed': { actions: withEvent('takeStatus') },
    'homeAssistant.born': { actions: 'noteBirth' },
    'homeAssistant.left': { actions: 'noteLeave' },
  },
  states: {
    loading: {
      initial: 'reading',
      on: {
        'panel.changed': { actions: withEvent('takePanel') },
        'link.changed': { actions: withEvent('takeLink') },
      },
      states: {
        reading: {
          invoke: {
            src: 'readAnnounced',
            id: 'readAnnounced',
            onDone: {
              target: '#publisher.waiting',
              actions: { type: 'recall', params: ({ event }) => ({ stored: event.output }) },
            },
            onError: { target: 'resting', actions: { type: 'reportFault', params: faultIn('ledger-read') } },
          },
        },
        resting: { after: { recallRetry: 'reading' } },
      },
    },
    restarting: { entry: ['forgetSession', 'retractAdvice'], always: 'waiting' },
    waiting: { always: { guard: 'isReady', target: 'claiming' } },
    claiming: {
      initial: 'listening',
      states: {
        listening: {
          entry: ['subscribe', 'raiseBarrier'],
          after: { barrierBound: 'judging' },
          on: { 'barrier.reached': 'judging' },
        },
        judging: {
          always: [
            { guard: 'isOurs', target: '#publisher.active' },
            { guard: 'isDuplicate', target: '#publisher.duplicate' },
            { target: 'confirming', actions: 'claim' },
          ],
        },
        confirming: {
          entry: 'raiseBarrier',
          after: { barrierBound: 'confirmed' },
          on: { 'barrier.reached': 'confirmed' },
        },
        // Of two that claim at once the last one is the owner; the other one sees that here or a moment later. A
        // broker that keeps the owner topic from us must not keep the entities from Home Assistant.
        confirmed: {
          always: [{ guard: 'isAnothers', target: '#publisher.duplicate' }, { target: '#publisher.active' }],
        },
      },
    },
    duplicate: {
      entry: ['advise', 'withdraw'],
      initial: 'watching',
      states: {
        watching: { always: { guard: not('isDuplicate'), target: 'leaving' } },
        leaving: {
          always: { guard: 'isDuplicate', target: 'watching' },
          after: { duplicateGrace: { target: '#publisher.claiming', actions: 'retractAdvice' } },
        },
      },
    },
    active: {
      initial: 'announcing',
      on: {
        'row.changed': { actions: [withEvent('publishRow'), withEvent('takeValue')] },
        'owner.changed': [
          { guard: withEvent('isDisputed'), target: 'duplicate', actions: withEvent('takeOwner') },
          { guard: withEvent('isOwnerLost'), target: 'claiming', actions: withEvent('takeOwner') },
          { actions: withEvent('takeOwner') },
        ],
        'own-status.lost': { actions: 'publishOnline' },
        // What is being announced goes on; once it is over, the birth is answered like any other.
        'homeAssistant.born': { actions: 'noteUnansweredBirth' },
        'device.removed': { guard: not('isRemovedElsewhere'), target: '.announcing', actions: 'markRemoved' },
        'command.received': { guard: withEvent('isAnnounced'), actions: withEvent('run') },
        'command.malformed': {
          guard: withEvent('isAnnounced'),
          actions: [withEvent('refuse'), withEvent('countRefusal')],
        },
        'command.refused': { actions: [withEvent('refuse'), withEvent('countRefusal')] },
      },
      states: {
        announcing: {
          entry: 'prepare',
          initial: 'remembering',
          on: { 'panel.changed': [renamed, { target: '.reshaping', actions: withEvent('takePanel') }] },
          states: {
            // What is about to be announced is durable before it leaves, so that a crash leaves no unknown ghost.
            remembering: {
              always: { guard: 'isKept', target: 'planning' },
              invoke: {
                src: 'keepAnnounced',
                id: 'keepAnnounced',
                input: ({ context }) => context.remembered,
                onDone: { target: 'planning', actions: 'noteKept' },
                onError: {
                  target: 'planning',
                  actions: ['noteNotKept', { type: 'reportFault', params: faultIn('ledger-keep') }],
                },
              },
            },
            planning: { entry: 'planStages', always: 'publishing' },
            publishing: {
              entry: ['publishStage', 'endStage'],
              always: { guard: not('hasMoreStages'), target: 'settling' },
              after: { payloadPause: { target: 'publishing', reenter: true } },
            },
            settling: {
              entry: 'endSweep',
              always: { guard: 'isKept', target: '#publisher.active.live' },
              invoke: {
                src: 'keepAnnounced',
                id: 'keepSettled',
                input: ({ context }) => context.remembered,
                onDone: { target: '#publisher.active.live', actions: 'noteKept' },
                onError: {
                  target: '#publisher.active.live',
                  actions: ['noteNotKept', { type: 'reportFault', params: faultIn('ledger-keep') }],
                },
              },
            },
            // Several changes of one save come as one payload, and never within a second of the last one.
            reshaping: { after: { payloadPause: { target: '#publisher.active.announcing', reenter: true } } },
          },
        },
        live: {
          initial: 'settled',
          on: { 'panel.changed': [renamed, { target: '.reshaping', actions: withEvent('takePanel') }] },
          states: {
            settled: {
              always: { guard: 'hasUnansweredBirth', target: 'gathering' },
              on: { 'homeAssistant.born': { target: 'gathering', actions: 'noteBirth' } },
            },
            gathering: {
              on: { 'homeAssistant.born': { actions: 'noteBirth' } },
              after: { births: '#publisher.active.announcing' },
            },
            reshaping: {
              on: { 'homeAssistant.born': { actions: 'noteBirth' } },
              after: { payloadPause: '#publisher.active.announcing' },
            },
          },
        },
      },
    },
    // The code stands in the records of supervision that owners already have.
    failed: { type: 'final', output: crashed('surface') },
  },
});
