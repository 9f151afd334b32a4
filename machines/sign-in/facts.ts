import { certificateFaultOf, shownFailure } from '../kit/certificate.ts';
import type { Milliseconds } from '../kit/units.ts';
import type {
  AnsweredFact,
  DoubtFact,
  LookFact,
  PasswordEnd,
  SettingsFact,
  SignInContext,
  SignInEvent,
  SignInMethod,
  TokensFact,
  VaultFact,
} from './events.ts';
import type { PhaseInput } from './phase.ts';
import type { RequestFact } from './requests/steps.ts';

/** A request for a token that waits for the renewal under way. */
interface WaitingRequest {
  readonly requestId: string;
  /** True if only a new token may be its answer. */
  readonly force: boolean;
}

/** Public facts of the sign-in and what its machine works with; no token and no address is among them. */
export interface SignInFacts extends SignInContext, PhaseInput {
  readonly waiting: readonly WaitingRequest[];
  /** Wait before the access token is renewed. */
  readonly renewInMs: Milliseconds;
  /** Connections in a row that did not last. */
  readonly tries: number;
  /** True if the next connection needs a new token, since the one at hand was just refused. */
  readonly needsNewToken: boolean;
  /** Times in a row that Home Assistant was not reached with the password. */
  readonly passwordTries: number;
  /** How many of these times it may have received the password. */
  readonly passwordSends: number;
  /** Attempts with a password since the start of the part; names the newest. */
  readonly passwordAttempts: number;
  /** Starts, callbacks, sign-outs and attempts with a password that are under way. */
  readonly requests: number;
}

export type SignInMachineEvent =
  | SignInEvent
  | VaultFact
  | TokensFact
  | AnsweredFact
  | RequestFact
  | SettingsFact
  /** A renewal is due; one that is running serves as well. */
  | { readonly type: 'renewal.due' }
  | DoubtFact
  | LookFact;

const unknownUser = { displayName: null, administrator: null, reachable: null, failure: null, look: null } as const;
const atRest = { waiting: [], renewInMs: 0, tries: 0, needsNewToken: false } as const;

/** Facts of the sign-in before anything was read. */
export const initialFacts: SignInFacts = {
  ...unknownUser,
  ...atRest,
  phase: 'no-address',
  method: null,
  attemptUntil: null,
  lastOutcome: null,
  password: 'none',
  passwordTries: 0,
  passwordSends: 0,
  passwordAttempts: 0,
  requests: 0,
  revision: 0,
  settingsRevision: 0,
  at: null,
  hasAddress: false,
  credential: null,
  attemptOpen: false,
};

/**
 * Why Home Assistant is not reached, by the outcome of an attempt that is over. Without a credential there is no other
 * source, and it shows only what is wrong with the certificate.
 */
export const failureAfter = (
  { credential, failure }: SignInFacts,
  outcome: SignInContext['lastOutcome'],
): SignInContext['failure'] => (outcome === null || credential === 'kept' ? failure : certificateFaultOf(outcome));

/** Home Assistant was not reached with the password; `failure` shows only what is wrong with the certificate. */
export const losePassword = (
  { passwordTries, passwordSends }: SignInFacts,
  { sent, code }: Extract<VaultFact, { readonly type: 'password.unreachable' }>,
): Partial<SignInFacts> => ({
  password: 'unreachable',
  passwordTries: passwordTries + 1,
  passwordSends: passwordSends + (sent ? 1 : 0),
  failure: certificateFaultOf(code),
});

/** Without a sign-in, the look at the address decides if Home Assistant is reachable. */
export const noteLookAt = ({ outcome, at }: LookFact): Partial<SignInFacts> => ({
  look: outcome,
  reachable: outcome.status === 'answered',
  failure: outcome.status === 'answered' ? null : shownFailure(outcome.code),
  at,
});

export const endPassword = (
  { credential, failure, lastOutcome }: SignInFacts,
  outcome: PasswordEnd | 'signed-in',
): Partial<SignInFacts> => ({
  password: outcome === 'signed-in' ? 'none' : outcome,
  lastOutcome: outcome === 'signed-in' ? outcome : lastOutcome,
  failure: credential === 'kept' ? failure : null,
});

/** Another credential is in force, or none: the facts of the one before are dropped. */
export const replaceCredential = (
  { revision }: SignInFacts,
  {
    hasAddress,
    method,
    at,
  }: { readonly hasAddress: boolean; readonly method: SignInMethod | null; readonly at: number },
): Partial<SignInFacts> => ({
  ...unknownUser,
  ...atRest,
  hasAddress,
  credential: method === null ? 'none' : 'kept',
  method,
  revision: revision + 1,
  at,
});

/** Home Assistant refused the credential, so it is reachable. */
export const refuseCredential = ({ revision }: SignInFacts, at: number): Partial<SignInFacts> => ({
  ...unknownUser,
  ...atRest,
  credential: 'refused',
  reachable: true,
  revision: revision + 1,
  at,
});
