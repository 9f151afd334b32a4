import { not } from 'xstate';

import { faultIn } from '../kit/fault.ts';
import { crashed, outcomeOf } from '../kit/outcome.ts';
import { withEvent } from '../kit/with-event.ts';
import { initialFacts } from './facts.ts';
import { publisherSetup } from './implementations.ts';

const left = (reason: 'away' | 'silent') => [
  { type: 'replyLeft' as const, params: { reason } },
  'dropWithdrawal' as const,
];

const born = ['noteBirth', 'announceBirth'] as const;

const renamed = {
  guard: withEvent('isAnotherName'),
  target: '#publisher.restarting',
  actions: [withEvent('takePanel'), 'forgetRemoval'],
} as const;

/**
 * Publishes the panel's entities. Rows and commands bypass the machine: it only tells the bridge when to serve them.
 */
export const publisherMachine = publisherSetup.createMachine({
  id: 'publisher',
  options: { maxIterations: 50 },
  context: initialFacts,
  initial: 'loading',
  invoke: { src: 'bridge', id: 'bridge', onError: '.failed' },
  output: outcomeOf,
  on: {
    'panel.changed': [renamed, { actions: withEvent('takePanel') }],
    'link.changed': { guard: withEvent('isAnotherLink'), target: '.restarting', actions: withEvent('takeLink') },
    'owner.changed': { actions: withEvent('takeOwner') },
    'status.changed': { actions: withEvent('takeStatus') },
    'homeAssistant.born': { actions: born },
    'homeAssistant.left': [
      { guard: withEvent('isWill'), actions: ['noteLeave', 'announceWill'] },
      { actions: 'noteLeave' },
    ],
    // Stay silent even if nothing can be withdrawn: a panel that is reset without the broker must not be announced
    // again before it restarts.
    'publisher.withdraw': { target: '.withdrawn', actions: withEvent('refuseWithdrawal') },
  },
  states: {
    loading: {
      initial: 'reading',
      on: {
        'panel.changed': { actions: withEvent('takePanel') },
        'link.changed': { actions: withEvent('takeLink') },
        'publisher.withdraw': { actions: withEvent('refuseWithdrawal') },
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
            onError: { target: 'resting', actions: { type: 'reportFault', params: faultIn('announced-read') } },
          },
        },
        resting: { after: { recallRetry: 'reading' } },
      },
    },
    restarting: { entry: ['silence', 'forgetSession', 'retractAdvice'], always: 'waiting' },
    waiting: { always: { guard: 'isReady', target: 'claiming' } },
    claiming: {
      entry: 'silence',
      initial: 'listening',
      states: {
        listening: {
          entry: ['subscribe', 'sendSyncToken'],
          after: { syncBound: 'judging' },
          on: { 'sync.returned': 'judging' },
        },
        judging: {
          always: [
            { guard: 'isOurs', target: '#publisher.active' },
            { guard: 'isDuplicate', target: '#publisher.duplicate' },
            { target: 'confirming', actions: 'claim' },
          ],
        },
        confirming: {
          entry: 'sendSyncToken',
          after: { syncBound: 'confirmed' },
          on: { 'sync.returned': 'confirmed' },
        },
        // Of two machines that claim at once, the last one is the owner; the other one notices here or a moment later.
        // A broker that withholds the owner topic must not keep the entities from Home Assistant.
        confirmed: {
          always: [{ guard: 'isAnothers', target: '#publisher.duplicate' }, { target: '#publisher.active' }],
        },
      },
    },
    duplicate: {
      entry: ['silence', 'advise', 'withdraw', 'subscribeToOwners'],
      initial: 'watching',
      on: {
        'panel.changed': [renamed, { actions: [withEvent('takePanel'), 'advise'] }],
        'owner.changed': { actions: [withEvent('takeOwner'), withEvent('takeTaken'), 'advise'] },
      },
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
        'owner.changed': [
          { guard: withEvent('isDisputed'), target: 'duplicate', actions: withEvent('takeOwner') },
          { guard: withEvent('isOwnerLost'), target: 'claiming', actions: withEvent('takeOwner') },
          { actions: withEvent('takeOwner') },
        ],
        'own-status.lost': { actions: 'publishOnline' },
        // The current announcement goes on; afterwards the birth is answered like any other.
        'homeAssistant.born': { actions: ['noteUnansweredBirth', 'announceBirth'] },
        'device.removed': { guard: not('isRemovedElsewhere'), target: '.announcing', actions: 'markRemoved' },
        'command.refused': { actions: 'countRefusal' },
        'refusal.reported': { actions: withEvent('noteRefusal') },
        'publisher.withdraw': {
          guard: 'hasAnnounced',
          target: '#publisher.withdrawing',
          actions: withEvent('beginWithdrawal'),
        },
      },
      states: {
        announcing: {
          entry: ['prepare', 'serve'],
          initial: 'remembering',
          on: { 'panel.changed': [renamed, { target: '.reshaping', actions: withEvent('takePanel') }] },
          states: {
            // What will be announced is persisted before it is sent, so that a crash leaves no unknown orphaned entity.
            remembering: {
              always: { guard: 'isPersisted', target: 'planning' },
              invoke: {
                src: 'persistAnnounced',
                id: 'persistAnnounced',
                input: ({ context }) => context.remembered,
                onDone: { target: 'planning', actions: 'notePersisted' },
                onError: {
                  target: 'planning',
                  actions: ['noteNotPersisted', { type: 'reportFault', params: faultIn('announced-persist') }],
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
              always: { guard: 'isPersisted', target: '#publisher.active.live' },
              invoke: {
                src: 'persistAnnounced',
                id: 'persistSettled',
                input: ({ context }) => context.remembered,
                onDone: { target: '#publisher.active.live', actions: 'notePersisted' },
                onError: {
                  target: '#publisher.active.live',
                  actions: ['noteNotPersisted', { type: 'reportFault', params: faultIn('announced-persist') }],
                },
              },
            },
            // Several changes from one save are sent as one payload, at least a second after the last one.
            reshaping: { after: { payloadPause: { target: '#publisher.active.announcing', reenter: true } } },
          },
        },
        live: {
          initial: 'settled',
          on: {
            'panel.changed': [renamed, { target: '.reshaping', actions: withEvent('takePanel') }],
            'publisher.withdraw': {
              guard: 'hasAnnounced',
              target: '#publisher.withdrawing',
              actions: withEvent('beginWithdrawalOfLive'),
            },
          },
          states: {
            settled: {
              always: { guard: 'hasUnansweredBirth', target: 'gathering' },
              on: { 'homeAssistant.born': { target: 'gathering', actions: born } },
            },
            gathering: {
              on: { 'homeAssistant.born': { actions: born } },
              after: { births: '#publisher.active.announcing' },
            },
            reshaping: {
              on: { 'homeAssistant.born': { actions: born } },
              after: { payloadPause: '#publisher.active.announcing' },
            },
          },
        },
      },
    },
    /** Removes everything announced from Home Assistant, until the broker has acknowledged it. */
    withdrawing: {
      entry: 'silence',
      initial: 'publishing',
      on: {
        'panel.changed': { actions: withEvent('takePanel') },
        'link.changed': {
          guard: withEvent('isAnotherLink'),
          target: 'withdrawn',
          actions: [withEvent('takeLink'), ...left('away')],
        },
        'publisher.withdraw': { actions: withEvent('refuseWithdrawal') },
        'publisher.release': { target: 'restarting', actions: left('silent') },
      },
      after: { withdrawalBound: { target: 'withdrawn', actions: left('silent') } },
      states: {
        publishing: {
          entry: ['publishStage', 'dropStage'],
          after: { payloadPause: { target: 'publishing', reenter: true } },
          always: { guard: not('hasMoreStages'), target: 'confirming' },
        },
        confirming: {
          entry: 'sendSyncToken',
          on: { 'sync.returned': { target: '#publisher.withdrawn', actions: ['replyWithdrawn', 'endWithdrawal'] } },
        },
      },
    },
    /** Nothing is published until the panel is released, or `withdrawnBound` has passed. */
    withdrawn: {
      entry: 'silence',
      initial: 'persisting',
      on: {
        'panel.changed': { actions: withEvent('takePanel') },
        'link.changed': { actions: withEvent('takeLink') },
        'publisher.withdraw': { actions: withEvent('refuseWithdrawal') },
        'publisher.release': 'restarting',
      },
      after: { withdrawnBound: 'restarting' },
      states: {
        persisting: {
          always: { guard: 'isPersisted', target: 'resting' },
          invoke: {
            src: 'persistAnnounced',
            id: 'persistWithdrawn',
            input: ({ context }) => context.remembered,
            onDone: { target: 'resting', actions: 'notePersisted' },
            onError: {
              target: 'resting',
              actions: ['noteNotPersisted', { type: 'reportFault', params: faultIn('announced-persist') }],
            },
          },
        },
        resting: {},
      },
    },
    failed: { type: 'final', output: crashed('entity-surface') },
  },
});
