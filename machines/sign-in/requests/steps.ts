import type { EpochMs } from '../../kit/units.ts';
import type { CallbackOutcome, StartOutcome } from '../events.ts';
import type { StartRefused } from '../judge-start.ts';
import type { PasswordEnd } from '../password.ts';

/** One step of a request. The vault answers each with one `step.finished`; the secrets that it works on stay there. */
export interface StepCommand {
  readonly type:
    /** Look at the address before a person is sent there; a newer look ends it. */
    | 'start.look'
    /** Save the address that the start names. */
    | 'start.save'
    /** Open the attempt. */
    | 'start.open'
    /** Ask Home Assistant for a code for the password. */
    | 'password.try'
    /** Exchange the code of the request for a credential. */
    | 'code.exchange'
    /** Save that credential, unless the address has changed; one that is not saved is revoked. */
    | 'credential.save'
    /** Take every credential out of the settings. */
    | 'credential.remove'
    /** Read what is stored and take up what is in force now. */
    | 'credential.read';
  readonly requestId: string;
}

/** The result of a step: flags and codes, and what only passes through to the caller. */
export type StepResult =
  /** `isAddressed`: the Home Assistant to begin at is known. `isNamed`: the start brings an address to save. */
  | { readonly type: 'start.judged'; readonly isAddressed: boolean; readonly isNamed: boolean }
  | { readonly type: 'start.refused'; readonly refusal: StartRefused }
  | { readonly type: 'start.looked' }
  | { readonly type: 'start.saved' }
  /** The outcome has the link with the secret state: it goes to the caller and into no context. */
  | { readonly type: 'start.opened'; readonly outcome: StartOutcome }
  /** The code that the person brought is to be exchanged. */
  | { readonly type: 'callback.accepted' }
  /** `keepsAttempt`: the right callback may still come. */
  | {
      readonly type: 'callback.refused';
      readonly outcome: CallbackOutcome;
      readonly keepsAttempt: boolean;
      readonly at: EpochMs;
    }
  /** Home Assistant took the password and gave a code. */
  | { readonly type: 'password.taken' }
  | { readonly type: 'password.refused'; readonly outcome: PasswordEnd; readonly at: EpochMs }
  /** Home Assistant was not reached; `sent` is true if it may have received the password. */
  | { readonly type: 'password.lost'; readonly sent: boolean; readonly code: string; readonly at: EpochMs }
  | { readonly type: 'code.exchanged' }
  | { readonly type: 'code.rejected'; readonly at: EpochMs }
  /** `code`: why Home Assistant was not reached, the system's or Node's. */
  | { readonly type: 'code.unreachable'; readonly code: string; readonly at: EpochMs }
  | { readonly type: 'credential.kept'; readonly at: EpochMs }
  /** `refused`: the address changed meanwhile. */
  | { readonly type: 'credential.unkept'; readonly status: 'refused' | 'commit-failed' | 'busy'; readonly at: EpochMs }
  /** The password of the request was forgotten or replaced, or is for another address than the one set. */
  | { readonly type: 'request.outdated' }
  | { readonly type: 'credential.removed' }
  | { readonly type: 'credential.left'; readonly status: 'commit-failed' | 'busy' }
  | { readonly type: 'credential.read' };

/** What a request is begun with, and what it keeps: flags only. */
export interface RequestFacts {
  readonly requestId: string;
  readonly isAddressed: boolean;
  readonly isNamed: boolean;
}

/** What a request reports to the sign-in. */
export type RequestFact =
  /** The vault takes this step, or drops the open attempt or the password. */
  | {
      readonly type: 'command.issued';
      readonly command: StepCommand | { readonly type: 'attempt.drop' | 'password.forget' };
    }
  /** The request is over; its secrets are forgotten. */
  | { readonly type: 'request.ended'; readonly requestId: string };
