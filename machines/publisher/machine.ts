import { assign, emit, fromPromise, not, sendTo, setup } from 'xstate';

import type { FaultEvent } from '../kit/actor.ts';
import { type Fault, faultEvent, faultIn } from '../kit/fault.ts';
import { crashed, outcomeOf, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import type { PublisherEvent, PublisherPhase, SurfaceCommand, SurfaceFact } from './events.ts';
import { initialFacts, type PublisherFacts } from './facts.ts';
import type { Ledger } from './ledger.ts';
import { DUPLICATE_ADVICE } from './owner.ts';
import {
  aboutOf,
  commandIn,
  isAnotherName,
  isBirth,
  isOwnStatusLost,
  isReady,
  isRemovedElsewhere,
  nameOf,
  ownerIn,
  ownerOf,
  refusalIn,
  verdictOf,
} from './reading.ts';
import * as step from './steps.ts';

/** Longest wait for the echo that says all retained messages have arrived. */
const BARRIER_MS = 1000;
/** Pause between two different discovery payloads (platform-facts 1: "Leave a second between"). */
const PAYLOAD_PAUSE_MS = 1000;
/**
 * How long another machine must be gone before its panel id is taken over: longer than a restart of its agent takes.
 */
const DUPLICATE_GRACE_MS = 5000;
/** Wait before the store is asked again for what was announced earlier. */
const LEDGER_RETRY_MS = 1000;

/** The machine that publishes the panel's entities; its surface and its memory are provided by the wiring. */
export const publisherMachine = setup({
  // The one way XState offers to state these types.
  types: {
    context: {} as PublisherFacts,
    events: {} as PublisherEvent,
    output: {} as WorkerOutcome,
    emitted: {} as FaultEvent,
  },
  actors: {
    surface: placeholder<SurfaceCommand, undefined, SurfaceFact>(),
    readLedger: fromPromise<unknown>(() => Promise.reject(new Error('placeholder-not-provided'))),
    keepLedger: fromPromise<void, Ledger>(() => Promise.reject(new Error('placeholder-not-provided'))),
  },
  delays: {
    barrierBound: BARRIER_MS,
    payloadPause: PAYLOAD_PAUSE_MS,
    duplicateGrace: DUPLICATE_GRACE_MS,
    ledgerRetry: LEDGER_RETRY_MS,
  },
  guards: {
    isReady: ({ context }) => isReady(context),
    isBarrier: ({ context, event }) => aboutOf(context, event).kind === 'barrier',
    isOurs: ({ context }) => verdictOf(context) === 'ours',
    isDuplicate: ({ context }) => verdictOf(context) === 'duplicate',
    isAnothers: ({ context }) => ownerOf(context) !== null && verdictOf(context) !== 'ours',
    isDisputed: ({ context, event }) => ![undefined, '', nameOf(context).installId].includes(ownerIn(context, event)),
    isOwnerLost: ({ context, event }) => ownerIn(context, event) === '',
    isOwnStatusLost: ({ context, event }) => isOwnStatusLost(context, event),
    isBirth: ({ context, event }) => isBirth(context, event),
    isRemovedElsewhere: ({ context, event }) => isRemovedElsewhere(context, event),
    isAnotherName: ({ context, event }) => event.type === 'panel.changed' && isAnotherName(context, event.panel),
    isSameLink: ({ context, event }) =>
      event.type === 'link.changed' &&
      event.connected === context.link.connected &&
      event.session === context.link.session &&
      event.panelId === context.link.panelId,
    isCommand: ({ context, event }) => commandIn(context, event)?.parsed.ok === true,
    isRefusal: ({ context, event }) => refusalIn(context, event) !== null,
    hasMoreStages: ({ context }) => context.stages.length > 0,
    isLedgerKept: ({ context }) =>
      context.kept !== null && JSON.stringify(context.kept) === JSON.stringify(context.ledger),
  },
  actions: {
    setPhase: assign((_, params: { readonly phase: PublisherPhase }) => ({ phase: params.phase })),
    takePanel: assign(({ event }) => (event.type === 'panel.changed' ? { panel: event.panel } : {})),
    takeLink: assign(({ event }) =>
      event.type === 'link.changed'
        ? { link: { connected: event.connected, session: event.session, panelId: event.panelId } }
        : {},
    ),
    takeValue: assign(({ context, event }) => step.takeValue(context, event)),
    takeMessage: assign(({ context, event }) => step.takeMessage(context, event)),
    takeLedger: assign((_, params: { readonly stored: unknown }) => step.takeLedger(params.stored)),
    forgetSession: assign({ owners: {}, statuses: {}, platformSeen: false, stages: [], announced: [] }),
    advise: assign({ advice: DUPLICATE_ADVICE }),
    retractAdvice: assign({ advice: null }),
    subscribe: sendTo('surface', ({ context }): SurfaceCommand => ({
      type: 'surface.subscribe',
      ...step.topicsToHear(context),
    })),
    raiseBarrier: sendTo('surface', ({ context }): SurfaceCommand => ({
      type: 'surface.publish',
      messages: [step.barrierMessage(context)],
    })),
    claim: sendTo('surface', ({ context }): SurfaceCommand => ({
      type: 'surface.publish',
      messages: step.claimMessages(context),
    })),
    withdraw: sendTo('surface', ({ context }): SurfaceCommand => ({
      type: 'surface.publish',
      messages: [step.statusMessage(context, 'offline')],
    })),
    sayOnline: sendTo('surface', ({ context }): SurfaceCommand => ({
      type: 'surface.publish',
      messages: [step.statusMessage(context, 'online')],
    })),
    prepare: assign(({ context }) => step.prepare(context)),
    planStages: assign(({ context }) => step.plan(context)),
    publishStage: sendTo('surface', ({ context }): SurfaceCommand => ({
      type: 'surface.publish',
      messages: step.stageMessages(context),
    })),
    endStage: assign(({ context }) => step.endStage(context)),
    endSweep: assign(({ context }) => step.endSweep(context)),
    publishRow: sendTo('surface', ({ context, event }): SurfaceCommand => ({
      type: 'surface.publish',
      messages: step.valueMessages(context, event),
    })),
    markRemoved: assign({ removedElsewhere: true }),
    // Under another name it is another device, which nobody removed.
    forgetRemoval: assign({ removedElsewhere: false }),
    runCommand: sendTo('surface', ({ context, event }): SurfaceCommand => {
      const command = commandIn(context, event);
      return {
        type: 'surface.command',
        key: command?.key ?? '',
        value: command?.parsed.ok ? command.parsed.value : null,
      };
    }),
    refuse: sendTo('surface', ({ context, event }): SurfaceCommand => ({
      type: 'surface.refuse',
      ...step.refusal(context, event),
    })),
    countRefusal: assign(({ context, event }) => step.countRefusal(context, event)),
    ledgerKept: assign(({ context }) => ({ kept: context.ledger, ledgerFault: null })),
    ledgerFailed: assign({ ledgerFault: 'not-kept' }),
    sayFault: emit((_, fault: Fault) => faultEvent(fault)),
  },
}).createMachine({
  id: 'publisher',
  options: { maxIterations: 50 },
  context: initialFacts,
  initial: 'working',
  invoke: { src: 'surface', id: 'surface', onError: '.failed' },
  on: { 'publisher.stop': '.stopped' },
  output: outcomeOf,
  states: {
    working: {
      initial: 'loading',
      on: {
        'panel.changed': [
          { guard: 'isAnotherName', target: '.restarting', actions: ['takePanel', 'forgetRemoval'] },
          { actions: 'takePanel' },
        ],
        'link.changed': [{ guard: not('isSameLink'), target: '.restarting', actions: 'takeLink' }],
        'row.changed': { actions: 'takeValue' },
        'broker.message': { actions: 'takeMessage' },
      },
      states: {
        loading: {
          initial: 'reading',
          on: { 'panel.changed': { actions: 'takePanel' }, 'link.changed': { actions: 'takeLink' } },
          states: {
            reading: {
              invoke: {
                src: 'readLedger',
                id: 'readLedger',
                onDone: {
                  target: '#publisher.working.waiting',
                  actions: { type: 'takeLedger', params: ({ event }) => ({ stored: event.output }) },
                },
                onError: { target: 'resting', actions: { type: 'sayFault', params: faultIn('ledger-read') } },
              },
            },
            resting: { after: { ledgerRetry: 'reading' } },
          },
        },
        restarting: { entry: ['forgetSession', 'retractAdvice'], always: 'waiting' },
        waiting: {
          entry: { type: 'setPhase', params: { phase: 'waiting' } },
          always: { guard: 'isReady', target: 'claiming' },
        },
        claiming: {
          entry: { type: 'setPhase', params: { phase: 'claiming' } },
          initial: 'looking',
          states: {
            looking: {
              entry: ['subscribe', 'raiseBarrier'],
              after: { barrierBound: 'judging' },
              on: { 'broker.message': [{ guard: 'isBarrier', target: 'judging' }, { actions: 'takeMessage' }] },
            },
            judging: {
              always: [
                { guard: 'isOurs', target: '#publisher.working.active' },
                { guard: 'isDuplicate', target: '#publisher.working.duplicate' },
                { target: 'confirming', actions: 'claim' },
              ],
            },
            confirming: {
              entry: 'raiseBarrier',
              after: { barrierBound: 'confirmed' },
              on: { 'broker.message': [{ guard: 'isBarrier', target: 'confirmed' }, { actions: 'takeMessage' }] },
            },
            // Of two that claim at once the last one is the owner; the other one sees that here or a moment later. A
            // broker that keeps the owner topic from us must not keep the entities from the platform.
            confirmed: {
              always: [
                { guard: 'isAnothers', target: '#publisher.working.duplicate' },
                { target: '#publisher.working.active' },
              ],
            },
          },
        },
        duplicate: {
          entry: [{ type: 'setPhase', params: { phase: 'duplicate' } }, 'advise', 'withdraw'],
          initial: 'watching',
          states: {
            watching: { always: { guard: not('isDuplicate'), target: 'leaving' } },
            leaving: {
              always: { guard: 'isDuplicate', target: 'watching' },
              after: { duplicateGrace: { target: '#publisher.working.claiming', actions: 'retractAdvice' } },
            },
          },
        },
        active: {
          initial: 'announcing',
          on: {
            'panel.changed': [
              {
                guard: 'isAnotherName',
                target: '#publisher.working.restarting',
                actions: ['takePanel', 'forgetRemoval'],
              },
              { target: '.reshaping', actions: 'takePanel' },
            ],
            'row.changed': { actions: ['publishRow', 'takeValue'] },
            'broker.message': [
              { guard: 'isCommand', actions: 'runCommand' },
              { guard: 'isRefusal', actions: ['refuse', 'countRefusal'] },
              { guard: 'isDisputed', target: 'duplicate', actions: 'takeMessage' },
              { guard: 'isOwnerLost', target: 'claiming', actions: 'takeMessage' },
              { guard: 'isOwnStatusLost', actions: 'sayOnline' },
              { guard: 'isBirth', target: '.announcing', actions: 'takeMessage' },
              { guard: 'isRemovedElsewhere', target: '.announcing', actions: 'markRemoved' },
              { actions: 'takeMessage' },
            ],
            'command.refused': { actions: ['refuse', 'countRefusal'] },
          },
          states: {
            announcing: {
              entry: [{ type: 'setPhase', params: { phase: 'announcing' } }, 'prepare'],
              initial: 'remembering',
              states: {
                // What is about to be announced is durable before it leaves, so that a crash leaves no unknown ghost.
                remembering: {
                  always: { guard: 'isLedgerKept', target: 'planning' },
                  invoke: {
                    src: 'keepLedger',
                    id: 'keepLedger',
                    input: ({ context }) => context.ledger,
                    onDone: { target: 'planning', actions: 'ledgerKept' },
                    onError: {
                      target: 'planning',
                      actions: ['ledgerFailed', { type: 'sayFault', params: faultIn('ledger-keep') }],
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
                  always: { guard: 'isLedgerKept', target: '#publisher.working.active.live' },
                  invoke: {
                    src: 'keepLedger',
                    id: 'keepSettled',
                    input: ({ context }) => context.ledger,
                    onDone: { target: '#publisher.working.active.live', actions: 'ledgerKept' },
                    onError: {
                      target: '#publisher.working.active.live',
                      actions: ['ledgerFailed', { type: 'sayFault', params: faultIn('ledger-keep') }],
                    },
                  },
                },
              },
            },
            live: { entry: { type: 'setPhase', params: { phase: 'live' } } },
            // Several changes of one save come as one payload, and never within a second of the last one.
            reshaping: { after: { payloadPause: 'announcing' } },
          },
        },
      },
    },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed('surface') },
  },
});
