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

/** A question for a token that waits for the renewal that is under way. */
interface WaitingRequest {
  readonly requestId: string;
  /** Whether no token that there is already may be its answer. */
  readonly force: boolean;
}

/** Facts of the sign-in with what the machine works on; no token and no address is among them. */
export interface SignInFacts extends SignInContext, PhaseInput {
  readonly waiting: readonly WaitingRequest[];
  /** Wait before the access token is renewed. */
  readonly renewInMs: Milliseconds;
  /** Connections in a row that did not hold. */
  readonly tries: number;
  /** Whether the next connection needs another token than the one that there is, which was just refused. */
  readonly needsNewToken: boolean;
  /** Times in a row that Home Assistant was not reached with the password. */
  readonly passwordTries: number;
  /** How many of them it may have got the password. */
  readonly passwordSends: number;
  /** Attempts with a password since the start of the part; names the newest. */
  readonly passwordAttempts: number;
  /** Starts, callbacks, sign-outs and attempts with a password that are under way. */
  readonly requests: number;
}

/** Every event of the machine of the sign-in. */
export type SignInMachineEvent =
  | SignInEvent
  | VaultFact
  | TokensFact
  | AnsweredFact
  | RequestFact
  | SettingsFact
  /** A renewal is due: a running one serves as well. */
  | { readonly type: 'renewal.due' }
  | DoubtFact
  | LookFact;

const nobody = { displayName: null, administrator: null, reachable: null, failure: null, look: null } as const;
const atRest = { waiting: [], renewInMs: 0, tries: 0, needsNewToken: false } as const;

/** Facts of the sign-in before anything was read. */
export const initialFacts: SignInFacts = {
  ...nobody,
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
 * Why Home Assistant is not reached, as an attempt that is over shows it: only that tells while there is no credential,
 * and it tells no more than what is wrong with the certificate.
 */
export const failureAfter = (
  { credential, failure }: SignInFacts,
  outcome: SignInContext['lastOutcome'],
): SignInContext['failure'] => (outcome === null || credential === 'kept' ? failure : certificateFaultOf(outcome));

/** Home Assistant was not reached with the password; of why, it is told what is wrong with the certificate. */
export const losePassword = (
  { passwordTries, passwordSends }: SignInFacts,
  { sent, code }: Extract<VaultFact, { readonly type: 'password.unreachable' }>,
): Partial<SignInFacts> => ({
  password: 'unreachable',
  passwordTries: passwordTries + 1,
  passwordSends: passwordSends + (sent ? 1 : 0),
  failure: certificateFaultOf(code),
});

/** What a look at the address came to says whether Home Assistant can be reached, while nobody is signed in. */
export const noteLookAt = ({ outcome, at }: LookFact): Partial<SignInFacts> => ({
  look: outcome,
  reachable: outcome.status === 'answered',
  failure: outcome.status === 'answered' ? null : shownFailure(outcome.code),
  at,
});

/** The sign-in with the password is over. */
export const endPassword = (
  { credential, failure, lastOutcome }: SignInFacts,
  outcome: PasswordEnd | 'signed-in',
): Partial<SignInFacts> => ({
  password: outcome === 'signed-in' ? 'none' : outcome,
  lastOutcome: outcome === 'signed-in' ? outcome : lastOutcome,
  failure: credential === 'kept' ? failure : null,
});

/** Another credential is in force, or none: what was known of the one before is forgotten. */
export const replaceCredential = (
  { revision }: SignInFacts,
  {
    hasAddress,
    method,
    at,
  }: { readonly hasAddress: boolean; readonly method: SignInMethod | null; readonly at: number },
): Partial<SignInFacts> => ({
  ...nobody,
  ...atRest,
  hasAddress,
  credential: method === null ? 'none' : 'kept',
  method,
  revision: revision + 1,
  at,
});

/** Home Assistant refused the credential, and so it can be reached. */
export const refuseCredential = ({ revision }: SignInFacts, at: number): Partial<SignInFacts> => ({
  ...nobody,
  ...atRest,
  credential: 'refused',
  reachable: true,
  revision: revision + 1,
  at,
});
