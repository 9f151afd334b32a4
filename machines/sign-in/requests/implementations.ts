import { assign, sendParent } from 'xstate';

import { setup } from '../../kit/setup.ts';
import type { EpochMs } from '../../kit/units.ts';
import type { AnsweredFact, CallbackOutcome, VaultFact } from '../events.ts';
import type { PasswordEnd } from '../password.ts';
import type { RequestFact, RequestFacts, StepCommand, StepResult } from './steps.ts';

type ResultOf<T extends StepResult['type']> = Extract<StepResult, { readonly type: T }>;
type FactOf<T extends VaultFact['type']> = Extract<VaultFact, { readonly type: T }>;

const issue = (command: Extract<RequestFact, { readonly type: 'command.issued' }>['command']): RequestFact => ({
  type: 'command.issued',
  command,
});

/** The guards and actions of all requests. What they send goes to the sign-in, which passes commands to the vault. */
export const requestSetup = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as RequestFacts,
    events: {} as StepResult,
    input: {} as Pick<RequestFacts, 'requestId'>,
  },
  guards: {
    isAddressed: ({ context }) => context.isAddressed,
    isNamed: ({ context }) => context.isNamed,
    namesHome: (_, { isAddressed }: ResultOf<'start.judged'>) => isAddressed,
    namesAddress: (_, { isNamed }: ResultOf<'start.judged'>) => isNamed,
    keepsAttempt: (_, { keepsAttempt }: ResultOf<'callback.refused'>) => keepsAttempt,
  },
  actions: {
    noteStart: assign((_, { isAddressed, isNamed }: ResultOf<'start.judged'>) => ({ isAddressed, isNamed })),
    take: sendParent(({ context: { requestId } }, { step }: { readonly step: StepCommand['type'] }) =>
      issue({ type: step, requestId }),
    ),
    dropAttempt: sendParent(issue({ type: 'attempt.drop' })),
    answer: sendParent(({ context: { requestId } }, { outcome }: Pick<AnsweredFact, 'outcome'>): AnsweredFact => ({
      type: 'sign-in.answered',
      requestId,
      outcome,
    })),
    closeAttempt: sendParent(
      (_, { outcome, at }: { readonly outcome: CallbackOutcome; readonly at: EpochMs }) =>
        ({ type: 'attempt.closed', outcome, at }) satisfies FactOf<'attempt.closed'>,
    ),
    forgetPassword: sendParent(issue({ type: 'password.forget' })),
    endPassword: sendParent(
      (_, { outcome, at }: { readonly outcome: PasswordEnd | 'signed-in'; readonly at: EpochMs }) =>
        ({ type: 'password.ended', outcome, at }) satisfies FactOf<'password.ended'>,
    ),
    losePassword: sendParent(
      (_, { sent, code, at }: Pick<ResultOf<'password.lost'>, 'sent' | 'code' | 'at'>) =>
        ({ type: 'password.unreachable', sent, code, at }) satisfies FactOf<'password.unreachable'>,
    ),
    end: sendParent(({ context: { requestId } }): RequestFact => ({ type: 'request.ended', requestId })),
  },
});
