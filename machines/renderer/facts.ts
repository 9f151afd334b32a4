import type { CertificateFault } from '../kit/certificate.ts';
import type { EpochMs } from '../kit/units.ts';
import type { SignInMethod, SignInPhase } from '../sign-in/events.ts';
import type {
  BrowserEnd,
  BrowserFact,
  StartInput,
  PageAppearance,
  PageFilter,
  ReachabilityFact,
  RendererContext,
  RendererEvent,
  RendererMode,
  RendererPackage,
  RestartReason,
} from './events.ts';
import type { Health, PageProbe } from './health.ts';
import type { MemoryFacts } from './memory.ts';
import type { ChangeEvent } from './change-events.ts';
import type { RecoveryStep } from './recovery.ts';
import type { FallbackPage } from './failure-streak.ts';
import type { FailureFacts } from './fallback.ts';

/** Everything the owner and the command line say about the dashboard. */
export interface DesiredPage {
  readonly mode: RendererMode;
  /** Whether nothing is shown because the panel is only simulated and nobody asked for a browser. */
  readonly simulated: boolean;
  readonly program: RendererPackage;
  /** Origin of Home Assistant; null while none is set. */
  readonly origin: string | null;
  /** Canonical path of the home dashboard; "" is Home Assistant's start page. */
  readonly home: string;
  /** Origin of the panel's own pages as the browser reaches them. */
  readonly ownOrigin: string;
  readonly appearance: PageAppearance;
  /** 0 to 1440; 0 never returns. */
  readonly idleReturnMin: number;
}

/** What the renderer needs to know of the sign-in. */
export interface Credential {
  readonly phase: SignInPhase;
  readonly method: SignInMethod | null;
  readonly revision: number;
}

/** What is followed elsewhere in the agent. */
export type FollowedFact =
  | { readonly type: 'page.desired'; readonly desired: DesiredPage }
  /** Null while the agent has no sign-in. */
  | { readonly type: 'credential.changed'; readonly credential: Credential | null }
  | { readonly type: 'screen.changed'; readonly dark: boolean }
  /**
   * What dashboards are sent; `held` while the home dashboard waits for its first scan. `known` names those of which it
   * is known what they are sent, null where nothing is learned.
   */
  | {
      readonly type: 'filter.changed';
      readonly filter: PageFilter | null;
      readonly held: boolean;
      readonly known: readonly string[] | null;
    }
  /** A navigation has waited for the scan of its dashboard long enough. */
  | { readonly type: 'scan.awaited'; readonly generation: number };

/** Every event of the renderer's machine. */
export type RendererMachineEvent = RendererEvent | BrowserFact | FollowedFact | ReachabilityFact | ChangeEvent;

/** What is on its way to the page: answered by one `page.settled` of its generation. */
interface Pending {
  readonly kind: 'load' | 'go' | 'own';
  readonly generation: number;
  readonly path: string;
  /** Who asked. */
  readonly origin: string;
}

/** Everything the renderer's machine remembers. */
export interface RendererFacts extends RendererContext, FailureFacts {
  readonly health: Health;
  /** Whether the home dashboard was not there when it was asked for, so that the start page is shown in its place. */
  readonly homeMissing: boolean;
  /** What stands for a home dashboard that did not stay healthy; null while home is shown, or tried. */
  readonly fallback: FallbackPage | null;
  /** Time of the newest event that carried one; 0 before the first. */
  readonly at: EpochMs;
  readonly desired: DesiredPage | null;
  readonly credential: Credential | null;
  readonly dark: boolean;
  /** Whether the page was told to freeze. */
  readonly frozen: boolean;
  /** Raised with every launch and every command that is answered. */
  readonly generation: number;
  readonly started: StartInput | null;
  /** Why the last browser is gone; null before the first, once a page is open, and where one is only replaced. */
  readonly lastEnd: BrowserEnd | null;
  readonly pending: Pending | null;
  /** Path that the next load shows; null is home. */
  readonly goal: string | null;
  /** What was loaded and has not said yet where it led: its path; null once it has. */
  readonly landing: string | null;
  /** Where Home Assistant's start page led when it was loaded. */
  readonly startPath: string | null;
  readonly probes: readonly PageProbe[];
  readonly memory: MemoryFacts;
  /** When the page's socket closed; null while it is open or unknown. */
  readonly disconnectedSince: EpochMs | null;
  /** Loads that failed in a row. */
  readonly failedLoads: number;
  /** Before this moment Home Assistant is not loaded again. */
  readonly notBefore: EpochMs;
  /**
   * Since when and why no load was shown for the certificate of Home Assistant; null once one ended otherwise. The
   * probe takes any certificate, so that `away` ends with each try.
   */
  readonly certificate: { readonly since: EpochMs; readonly reason: CertificateFault } | null;
  /** Requests of the taps that the page has not answered yet. */
  readonly taps: readonly string[];
  readonly touchedAt: EpochMs;
  readonly recovery: { readonly step: RecoveryStep; readonly reason: RestartReason; readonly delayMs: number } | null;
  /** Origins whose storage has to be removed once a browser runs. */
  readonly forget: readonly string[];
  /** Whether Home Assistant answered since its address was set. */
  readonly everReached: boolean;
  /** What dashboards are sent; null for everything. */
  readonly filter: PageFilter | null;
  /** Dashboards of which it is known what they are sent; null where nothing is learned. */
  readonly known: readonly string[] | null;
  /** The navigation that waits for the scan of its dashboard; null while none does. */
  readonly awaiting: number | null;
  /** Whether the dashboard waits until it is known what it shows. */
  readonly held: boolean;
}

/** What of it is public beside the context: the status tells state, fault and recovery from it. */
export type RendererShown = Pick<
  RendererFacts,
  | 'health'
  | 'homeMissing'
  | 'fallback'
  | 'at'
  | 'desired'
  | 'credential'
  | 'certificate'
  | 'held'
  | 'everReached'
  | 'lastEnd'
  | 'frozen'
  | 'disconnectedSince'
>;
