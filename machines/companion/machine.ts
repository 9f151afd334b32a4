import { not } from 'xstate';

import { crashed, outcomeOf, stopped } from '../kit/outcome.ts';
import { withEvent } from '../kit/with-event.ts';
import { initialFacts } from './facts.ts';
import { companionSetup } from './implementations.ts';
import { transport } from './transport.ts';

/** One pairing at a time: it needs both a person at the panel, and the digits typed into Home Assistant. */
const pairing = companionSetup.createStateConfig({
  initial: 'none',
  on: {
    'pairing.wanted': { actions: withEvent('refusePairing') },
    'pairing.confirmed': { guard: withEvent('isOfPairing'), actions: 'confirmPairing' },
  },
  states: {
    none: {
      entry: 'forgetPairing',
      on: {
        'pairing.wanted': [
          {
            guard: withEvent('mayPair'),
            target: 'asking',
            actions: [withEvent('beginPairing'), withEvent('holdKey'), withEvent('countPairing')],
          },
          { actions: withEvent('refusePairing') },
        ],
      },
    },
    asking: {
      invoke: {
        id: 'question',
        src: 'question',
        input: ({ context }) => context.asked,
        onError: '#companion.failed',
      },
      on: {
        'question.answered': [
          { guard: withEvent('isApprovedLast'), target: 'storing' },
          { guard: withEvent('isApproved'), target: 'awaiting' },
          { target: 'none', actions: [withEvent('endAnswered'), 'dropKey'] },
        ],
        'pairing.left': { guard: withEvent('isOfPairing'), target: 'none', actions: 'dropKey' },
      },
    },
    /** Approved at the panel before Home Assistant accepted the digits. */
    awaiting: {
      always: { guard: 'isConfirmed', target: 'storing' },
      after: {
        digits: { target: 'none', actions: [{ type: 'endPairing', params: 'expired' as const }, 'dropKey'] },
      },
      on: { 'pairing.left': { guard: withEvent('isOfPairing'), target: 'none', actions: 'dropKey' } },
    },
    storing: {
      entry: 'keepKey',
      on: {
        'keys.kept': {
          guard: withEvent('isOfPairing'),
          target: 'none',
          actions: [{ type: 'endPairing', params: 'paired' as const }, withEvent('notePaired')],
        },
        'keys.unkept': {
          guard: withEvent('isOfPairing'),
          target: 'none',
          actions: [{ type: 'endPairing', params: 'busy' as const }, withEvent('noteUnkept')],
        },
        'pairing.left': { guard: withEvent('isOfPairing'), target: 'undoing' },
      },
    },
    undoing: {
      on: {
        'keys.kept': { guard: withEvent('isOfPairing'), target: 'none', actions: withEvent('revokeKept') },
        'keys.unkept': { guard: withEvent('isOfPairing'), target: 'none', actions: withEvent('noteUnkept') },
      },
    },
  },
});

/** The rows are served while there is a session. */
const rows = companionSetup.createStateConfig({
  initial: 'idle',
  states: {
    idle: { always: { guard: 'hasBridgeWork', target: 'served' } },
    served: {
      entry: 'passSurface',
      invoke: { id: 'bridge', src: 'bridge', onError: '#companion.failed' },
      always: { guard: not('hasSession'), target: 'idle' },
      on: {
        'surface.moved': { actions: 'passSurface' },
        'command.ended': { actions: withEvent('countCommand') },
        'catalogue.sent': [
          { guard: withEvent('hasAll'), actions: withEvent('noteCatalogue') },
          { actions: [withEvent('noteCatalogue'), { type: 'keepMemory', params: false }] },
        ],
      },
    },
  },
});

/** Keys of long sessions are replaced too. */
const renewal = companionSetup.createStateConfig({
  initial: 'idle',
  states: {
    idle: { always: { guard: 'hasSession', target: 'used' } },
    used: {
      always: { guard: not('hasSession'), target: 'idle' },
      after: { review: { target: 'used', reenter: true, actions: 'reviewKeys' } },
    },
  },
});

/** A reload is over within seconds: until then the life of Home Assistant stays as it was. */
const life = companionSetup.createStateConfig({
  initial: 'known',
  states: {
    known: { always: { guard: 'isHeld', target: 'held' } },
    held: {
      always: { guard: not('isHeld'), target: 'known' },
      after: { reload: { target: 'known', actions: 'loseHome' } },
    },
  },
});

/** The native connection: who is paired, who is connected, and how Home Assistant fares. */
export const companionMachine = companionSetup.createMachine({
  id: 'companion',
  context: initialFacts,
  options: { maxIterations: 50 },
  invoke: [
    { id: 'sessions', src: 'sessions', onError: '.failed' },
    { id: 'keys', src: 'keys', onError: '.failed' },
    { id: 'follower', src: 'follower', onError: '.failed' },
  ],
  initial: 'running',
  output: outcomeOf,
  on: {
    'session.closed': { actions: [withEvent('noteEndOfUse'), withEvent('revokeRemoved'), withEvent('closeSession')] },
  },
  states: {
    running: {
      type: 'parallel',
      on: {
        'keys.known': { actions: [withEvent('leaveLast'), withEvent('takeKeys'), withEvent('passKeys')] },
        'key.prepared': { actions: withEvent('renewKey') },
        'keys.answered': { actions: [withEvent('noteRemoved'), withEvent('reply')] },
        'surface.changed': { actions: withEvent('takeWanted') },
        'memory.known': { actions: withEvent('takeMemory') },
        'panel.named': { actions: ['noteNamed', withEvent('passName')] },
        'session.opened': {
          actions: [
            withEvent('openSession'),
            withEvent('promoteOpened'),
            withEvent('noteUse'),
            'reviewKeys',
            withEvent('catchUp'),
          ],
        },
        'session.phase': { actions: withEvent('notePhase') },
        'session.rekeyed': { actions: [withEvent('noteRenewed'), withEvent('promoteKey')] },
        'session.refused': { actions: { type: 'countRefused', params: 'connections' as const } },
        'pairing.aged': { actions: withEvent('dropOld') },
        'companion.revoke': { actions: withEvent('revoke') },
        'companion.follow': { actions: withEvent('choose') },
        'companion.forget': {
          actions: ['noteForgotten', { type: 'endSessions', params: 'reset' as const }, withEvent('forget')],
        },
        'companion.stop': { target: 'leaving', actions: { type: 'endSessions', params: 'stopping' as const } },
      },
      states: { pairing, rows, renewal, life, transport },
    },
    /** Each session is told that the panel goes, and closed in order. */
    leaving: {
      always: { guard: not('hasSession'), target: 'stopped' },
      after: { farewell: 'stopped' },
      on: {
        'companion.revoke': { actions: withEvent('refuseStopping') },
        'companion.follow': { actions: withEvent('refuseStopping') },
        'companion.forget': { actions: withEvent('refuseStopping') },
        'companion.move': {
          actions: {
            type: 'refuseMove',
            params: ({ event: { requestId } }) => ({ requestId, code: 'stopping' as const }),
          },
        },
      },
    },
    stopped: { type: 'final', output: stopped },
    failed: {
      type: 'final',
      output: crashed({
        sessions: 'companion-sessions',
        keys: 'companion-keys',
        follower: 'companion-follower',
        question: 'companion-question',
        bridge: 'companion-bridge',
      }),
    },
  },
});
