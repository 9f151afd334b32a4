import type { DriverLogic } from '../kit/placeholder.ts';
import type { Milliseconds } from '../kit/units.ts';

/** Who may do what: `relaxed` trusts the local network, `hardened` asks at the panel (contract, "Security modes"). */
export type SecurityMode = 'relaxed' | 'hardened';

/** Where a question is shown: a tab of the built-in browser, the page of the simulated panel, or nowhere. */
type PlaceKind = 'screen' | 'simulator';

/** Why no question can be shown. */
export const noPlaceReasons = [
  /** It is not known yet: the browser is starting. */
  'starting',
  /** `--renderer none`. */
  'no-renderer',
  /** The browser draws off-screen. */
  'headless',
  /** Firefox, which cannot be controlled. */
  'foreign-browser',
  /** An Android panel. */
  'android',
  /** The browser is missing, ended, or has no display. */
  'no-browser',
] as const;
export type NoPlaceReason = (typeof noPlaceReasons)[number];

/** The place for questions, or why there is none. */
export type Place = { readonly kind: PlaceKind } | { readonly kind: 'none'; readonly reason: NoPlaceReason };

/** What is asked: an operation, or to enter or leave Hardened mode. */
export type QuestionKind = 'operation' | 'enter-hardened' | 'leave-hardened';

/** A question as the panel's screen shows it; all texts are free of control and bidirectional characters. */
export interface ShownQuestion {
  /** The approval's id, 32 lower-case hex digits. */
  readonly id: string;
  readonly kind: QuestionKind;
  /** What is asked, in words of the operation. */
  readonly title: string;
  /** What exactly, at most 180 characters; "" for nothing. */
  readonly what: string;
  /** What follows from approving it, in words of the operation; "" for nothing. */
  readonly consequence: string;
  /** Who asks, for people: an address, "Home Assistant", "This panel". */
  readonly who: string;
  /** Shown large, to be compared; null for none. */
  readonly code: string | null;
  /** Milliseconds left when the command was sent. */
  readonly leftMs: Milliseconds;
  /** Its place among the open questions, from 1, and their number. */
  readonly position: number;
  readonly of: number;
  /** Reasons that bar "Approve", each with the command that ends it; empty if it may be approved. */
  readonly barred: readonly BarredReason[];
  /** True if the asking device can be ignored: it is a device of the network. */
  readonly canIgnore: boolean;
}

/** Something that bars approving, and what ends it. */
export interface BarredReason {
  readonly code: ExposureCode;
  /** One plain sentence. */
  readonly message: string;
  /** The command to run on the panel; null if there is none. */
  readonly command: string | null;
}

/** What the screen says after an answer. */
export interface ShownResult {
  readonly title: string;
  readonly outcome: 'approved' | 'denied' | 'ignored' | 'failed' | 'too-early';
  readonly message: string;
}

/** Commands to the place for questions. */
export type QuestionCommand =
  /** Opens the tab if need be, and shows this question; repeated when anything of it changes. */
  | { readonly type: 'question.show'; readonly question: ShownQuestion }
  /** Says for some seconds how it ended, before the next question or the end. */
  | { readonly type: 'question.result'; readonly result: ShownResult }
  /** Closes the tab, so that the dashboard is in front again. */
  | { readonly type: 'question.hide' };

/** Answers at the panel. `hold` is a press that lasted a second. */
export type Answer = 'hold' | 'deny' | 'ignore';

/** Facts of the place for questions; `at` is of the monotonic clock. */
export type QuestionFact =
  /** The tab with this question became visible or hidden. */
  | { readonly type: 'question.seen'; readonly id: string; readonly visible: boolean; readonly at: Milliseconds }
  /** "Approve" is pressed; `question.answered` with `hold` follows a second later, unless it is let go. */
  | { readonly type: 'question.pressed'; readonly id: string; readonly at: Milliseconds }
  | { readonly type: 'question.released'; readonly id: string; readonly at: Milliseconds }
  | {
      readonly type: 'question.answered';
      readonly id: string;
      readonly answer: Answer;
      readonly at: Milliseconds;
    }
  /** Any touch or key on the tab, at most one a second. */
  | { readonly type: 'question.touched'; readonly at: Milliseconds }
  /** The tab could not be opened, or was closed or crashed. */
  | { readonly type: 'question.lost'; readonly at: Milliseconds }
  /** A button on the panel's own pages, on its own screen: show what waits, or switch the mode. */
  | { readonly type: 'questions.wanted'; readonly at: Milliseconds }
  | { readonly type: 'mode.wanted'; readonly mode: SecurityMode; readonly at: Milliseconds };

/** The place for questions: a tab of the built-in browser. */
export type QuestionDriver = DriverLogic<QuestionCommand, undefined, QuestionFact>;

/** Commands to what surrounds a question: the screens and the loudspeaker. */
export type SurroundingsCommand =
  /** Lights dark screens, and sounds unless an announcement plays. */
  | { readonly type: 'attention.draw' }
  /** Darkens the screens again. */
  | { readonly type: 'screens.darken' };
export type SurroundingsFact =
  | { readonly type: 'place.changed'; readonly place: Place }
  /** True if a screen is lit, or none can be read; `at` is of the monotonic clock. */
  | { readonly type: 'screens.changed'; readonly lit: boolean; readonly at: Milliseconds };
export type SurroundingsDriver = DriverLogic<SurroundingsCommand, undefined, SurroundingsFact>;

/** What lets others operate the panel remotely, so that "a person in front of it" cannot be told. */
export const exposureCodes = [
  'adb-listener',
  'devtools-listener',
  'remote-desktop',
  'vnc',
  'x11-listener',
  'adbd-running',
  'adbd-enabled',
  /** It cannot be found out, which counts as found. */
  'unreadable',
] as const;
export type ExposureCode = (typeof exposureCodes)[number];

/** What one look at the machine found. */
export interface ExposureFinding {
  readonly code: ExposureCode;
  /** The TCP port, null for a program. */
  readonly port: number | null;
}

/** What one look at the machine read; null where it could not be read. */
export interface ExposureView {
  /** `/proc/net/tcp` and `/proc/net/tcp6` as text; the latter is "" on a kernel without IPv6. */
  readonly tcp: string | null;
  readonly tcp6: string | null;
  /** True if a process `adbd` runs. */
  readonly adbdRuns: boolean | null;
  /** True if systemd starts an `adbd` by itself. */
  readonly adbdEnabled: boolean | null;
}

export interface ExposureCommand {
  readonly type: 'exposure.look';
}
export interface ExposureFact {
  readonly type: 'exposure.seen';
  readonly findings: readonly ExposureFinding[];
  readonly at: Milliseconds;
}
/** Looks at listeners and programs of this machine when it is told to; each look is answered by one fact. */
export type ExposureDriver = DriverLogic<ExposureCommand, undefined, ExposureFact>;

/** Commands to the file whose presence is Hardened mode. */
export type ModeCommand = { readonly type: 'mode.write'; readonly mode: SecurityMode };
export type ModeFact =
  /** What the file says, at the start and after each write; unreadable is `hardened`. */
  | { readonly type: 'mode.read'; readonly mode: SecurityMode; readonly unreadable: boolean }
  /** The disk refused the write; the mode is what it was. */
  | { readonly type: 'mode.refused'; readonly code: string };
export type ModeDriver = DriverLogic<ModeCommand, undefined, ModeFact>;

/** A pending request, as `sconce approvals` lists it. */
export interface ListedRequest {
  readonly id: string;
  readonly title: string;
  readonly what: string;
  readonly who: string;
  readonly state: 'pending' | 'approved';
  readonly leftMs: Milliseconds;
}

/** What the control socket serves; it listens only while there is something to serve. */
export type ControlCommand =
  | {
      readonly type: 'control.serve';
      readonly mode: SecurityMode;
      readonly place: Place;
      readonly requests: readonly ListedRequest[];
    }
  | { readonly type: 'control.close' };
export type ControlFact =
  | { readonly type: 'control.denied'; readonly id: string }
  /** `sconce approvals --relaxed`: leaves Hardened mode where no question can be shown, or the screen is broken. */
  | { readonly type: 'control.relaxed' };
export type ControlDriver = DriverLogic<ControlCommand, undefined, ControlFact>;

/** What an approval of an operation of every mode carries out. */
export interface Effect {
  readonly do: 'settings';
  readonly patch: Readonly<Record<string, unknown>>;
}

/** A request for an approval, as the admission makes it. */
export interface ApprovalRequest {
  /** The id that it gets if it is new: 32 random hex digits. */
  readonly candidate: string;
  readonly operation: string;
  /** What exactly is asked for; "" for nothing. */
  readonly what: string;
  /** The exact peer that it is bound to: an IP address, or `mqtt` for the command channel of Home Assistant. */
  readonly peer: string;
  /** The keyed digest of the request, hex. */
  readonly digest: string;
  /** Set for an operation of every mode. */
  readonly effect: Effect | null;
  /** Monotonic clock. */
  readonly at: Milliseconds;
}

/** Answer to `approval.request`. */
export type ApprovalOutcome =
  /** It may proceed: the mode does not ask, or an approval was consumed. */
  | { readonly status: 'open' }
  | { readonly status: 'pending'; readonly id: string; readonly place: Place }
  /** Too many requests wait. */
  | { readonly status: 'full'; readonly of: 'peer' | 'all' }
  /** A person ignores this device for now. */
  | { readonly status: 'ignored' }
  /** A question of every mode cannot be shown. */
  | { readonly status: 'no-place'; readonly reason: NoPlaceReason };

/** Answer to `approval.ask`, which a part of the panel sends (`askAtPanel`). */
export type AskedAtPanel = 'approved' | 'denied' | 'expired' | 'no-place';

/** Answer to `approval.look`: the state of an id to the peer that asked for it; null to any other. */
export type LookedAt = 'pending' | 'approved' | 'absent' | null;

export type ApprovalsEvent =
  | { readonly type: 'approval.request'; readonly requestId: string; readonly request: ApprovalRequest }
  | {
      readonly type: 'approval.ask';
      readonly requestId: string;
      readonly request: Omit<ApprovalRequest, 'effect' | 'digest' | 'peer'> & { readonly code: string | null };
    }
  | {
      readonly type: 'approval.look';
      readonly requestId: string;
      readonly id: string;
      readonly peer: string;
      readonly at: Milliseconds;
    }
  /** What was asked for is not wanted any more, of all who asked for it. */
  | { readonly type: 'approval.withdraw'; readonly operation: string }
  /** At the simulated panel, from loopback: answers the question that is shown there. */
  | { readonly type: 'approval.answer'; readonly id: string; readonly answer: Answer; readonly at: Milliseconds }
  /** At the simulated panel, from loopback: asks to switch the mode, or to see what waits. */
  | { readonly type: 'mode.wanted'; readonly mode: SecurityMode; readonly at: Milliseconds }
  | { readonly type: 'questions.wanted'; readonly at: Milliseconds };

/** Public facts of the approvals: never an address. */
export interface ApprovalsContext {
  /** Null until the file is read. */
  readonly mode: SecurityMode | null;
  /** True if the file could not be read, which counts as Hardened. */
  readonly unreadable: boolean;
  readonly place: Place;
  /** How many requests wait for an answer, and how many approvals wait to be used. */
  readonly standing: { readonly pending: number; readonly approved: number };
  /** The question on the screen, without who asks; null for none. */
  readonly shown: Pick<ShownQuestion, 'id' | 'kind' | 'title' | 'consequence' | 'code'> | null;
  /** True while requests wait behind a button: three questions in a row were not answered. */
  readonly silent: boolean;
  /** What bars approving, as of the last look in Hardened mode; empty if nothing does. */
  readonly barred: readonly BarredReason[];
  /** The newest 20 things that happened, oldest first, for the history. */
  readonly happened: readonly ApprovalHappened[];
}

/** Codes of what happened; `asked` to `failed` are of an operation, the rest of the mode. */
export const approvalCodes = [
  'asked',
  'approved',
  'denied',
  'ignored',
  'expired',
  'withdrawn',
  'used',
  'failed',
  'hardened',
  'relaxed',
  'switch-refused',
] as const;
export interface ApprovalHappened {
  /** Counts up from 1. */
  readonly sequence: number;
  readonly code: (typeof approvalCodes)[number];
  /** The operation; null for the mode. */
  readonly operation: string | null;
}

/** Public interface of the approvals actor. */
export interface ApprovalsActor {
  readonly id: 'approvals';
  readonly context: ApprovalsContext;
  readonly event: ApprovalsEvent;
  readonly asks: {
    readonly 'approval.request': ApprovalOutcome;
    readonly 'approval.ask': AskedAtPanel;
    readonly 'approval.look': LookedAt;
  };
}
