import type { EpochMs } from '../../kit/units.ts';
import { withEvent } from '../../kit/with-event.ts';
import type { CallbackOutcome } from '../events.ts';
import { unkeptEnds, unreachableOutcome } from '../judge-exchange.ts';
import { unaddressedStart } from '../judge-start.ts';
import { requestSetup } from './implementations.ts';
import type { RequestFacts } from './steps.ts';

const begun = ({ input }: { readonly input: Pick<RequestFacts, 'requestId'> }): RequestFacts => ({
  requestId: input.requestId,
  isAddressed: false,
  isNamed: false,
});

const done = requestSetup.createStateConfig({ type: 'final', entry: 'end' });

/** Begins an attempt to sign in. Several may run at once; the newest that opens its attempt has it. */
export const startMachine = requestSetup.createMachine({
  id: 'start',
  context: begun,
  initial: 'judging',
  on: {
    'start.refused': {
      target: '.done',
      actions: { type: 'answer', params: ({ event }) => ({ outcome: event.refusal }) },
    },
  },
  states: {
    judging: {
      on: {
        'start.judged': [
          { guard: withEvent('namesHome'), target: 'looking', actions: withEvent('noteStart') },
          // An address that is none: saving it says why.
          { guard: withEvent('namesAddress'), target: 'saving', actions: withEvent('noteStart') },
          { target: 'done', actions: { type: 'answer', params: { outcome: unaddressedStart } } },
        ],
      },
    },
    looking: {
      entry: { type: 'take', params: { step: 'start.look' } },
      on: { 'start.looked': [{ guard: 'isNamed', target: 'saving' }, { target: 'opening' }] },
    },
    saving: {
      entry: { type: 'take', params: { step: 'start.save' } },
      on: {
        'start.saved': [
          { guard: 'isAddressed', target: 'opening' },
          { target: 'done', actions: { type: 'answer', params: { outcome: unaddressedStart } } },
        ],
      },
    },
    opening: {
      entry: { type: 'take', params: { step: 'start.open' } },
      on: {
        'start.opened': {
          target: 'done',
          actions: { type: 'answer', params: ({ event }) => ({ outcome: event.outcome }) },
        },
      },
    },
    done,
  },
});

const closed = (outcome: CallbackOutcome, at: EpochMs) => ({ outcome, at });
const answered = (outcome: CallbackOutcome) => ({ outcome: { outcome } });

/** A person came back: their code is exchanged, the credential saved and taken up. */
export const callbackMachine = requestSetup.createMachine({
  id: 'callback',
  context: begun,
  initial: 'judging',
  states: {
    judging: {
      on: {
        'callback.accepted': 'exchanging',
        'callback.refused': [
          {
            guard: withEvent('keepsAttempt'),
            target: 'done',
            actions: { type: 'answer', params: ({ event }) => answered(event.outcome) },
          },
          {
            target: 'done',
            actions: [withEvent('closeAttempt'), { type: 'answer', params: ({ event }) => answered(event.outcome) }],
          },
        ],
      },
    },
    exchanging: {
      entry: { type: 'take', params: { step: 'code.exchange' } },
      on: {
        'code.exchanged': 'saving',
        'code.rejected': {
          target: 'done',
          actions: [
            { type: 'closeAttempt', params: ({ event }) => closed('rejected', event.at) },
            { type: 'answer', params: answered('rejected') },
          ],
        },
        'code.unreachable': {
          target: 'done',
          actions: [
            { type: 'closeAttempt', params: ({ event }) => closed(unreachableOutcome(event.code), event.at) },
            { type: 'answer', params: ({ event }) => answered(unreachableOutcome(event.code)) },
          ],
        },
      },
    },
    saving: {
      entry: { type: 'take', params: { step: 'credential.save' } },
      on: {
        'credential.kept': {
          target: 'reading',
          actions: { type: 'closeAttempt', params: ({ event }) => closed('signed-in', event.at) },
        },
        'credential.unkept': {
          target: 'done',
          actions: [
            { type: 'closeAttempt', params: ({ event }) => closed(unkeptEnds[event.status].callback, event.at) },
            { type: 'answer', params: ({ event }) => answered(unkeptEnds[event.status].callback) },
          ],
        },
      },
    },
    reading: {
      entry: { type: 'take', params: { step: 'credential.read' } },
      on: { 'credential.read': { target: 'done', actions: { type: 'answer', params: answered('signed-in') } } },
    },
    done,
  },
});

/** Signs out: drops the open attempt, removes every credential, and takes up what is in force then. */
export const signOutMachine = requestSetup.createMachine({
  id: 'sign-out',
  context: begun,
  initial: 'removing',
  states: {
    removing: {
      entry: ['dropAttempt', { type: 'take', params: { step: 'credential.remove' } }],
      on: {
        'credential.removed': 'reading',
        'credential.left': {
          target: 'done',
          actions: { type: 'answer', params: ({ event }) => ({ outcome: { status: event.status } }) },
        },
      },
    },
    reading: {
      entry: { type: 'take', params: { step: 'credential.read' } },
      on: {
        'credential.read': {
          target: 'done',
          actions: { type: 'answer', params: { outcome: { status: 'signed-out' } } },
        },
      },
    },
    done,
  },
});

/** One attempt with the password; ends without a word once the password is forgotten or replaced. */
export const passwordMachine = requestSetup.createMachine({
  id: 'password',
  context: begun,
  initial: 'asking',
  on: { 'request.outdated': '.done' },
  states: {
    asking: {
      entry: { type: 'take', params: { step: 'password.try' } },
      on: {
        'password.taken': 'exchanging',
        'password.refused': { target: 'done', actions: ['forgetPassword', withEvent('endPassword')] },
        'password.lost': { target: 'done', actions: withEvent('losePassword') },
      },
    },
    exchanging: {
      entry: { type: 'take', params: { step: 'code.exchange' } },
      on: {
        'code.exchanged': 'saving',
        'code.rejected': {
          target: 'done',
          actions: [
            'forgetPassword',
            { type: 'endPassword', params: ({ event }) => ({ outcome: 'password-rejected' as const, at: event.at }) },
          ],
        },
        'code.unreachable': {
          target: 'done',
          actions: { type: 'losePassword', params: ({ event: { code, at } }) => ({ sent: true, code, at }) },
        },
      },
    },
    saving: {
      entry: { type: 'take', params: { step: 'credential.save' } },
      on: {
        'credential.kept': {
          target: 'reading',
          actions: [
            'forgetPassword',
            { type: 'endPassword', params: ({ event }) => ({ outcome: 'signed-in' as const, at: event.at }) },
          ],
        },
        'credential.unkept': {
          target: 'done',
          actions: [
            'forgetPassword',
            {
              type: 'endPassword',
              params: ({ event: { status, at } }) => ({ outcome: unkeptEnds[status].password, at }),
            },
          ],
        },
      },
    },
    reading: {
      entry: { type: 'take', params: { step: 'credential.read' } },
      on: { 'credential.read': 'done' },
    },
    done,
  },
});
