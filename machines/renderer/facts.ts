import type { RoomView } from '../auto-brightness/events.ts';
import type { CertificateFault } from '../kit/certificate.ts';
import type { EpochMs } from '../kit/units.ts';
import type { SignInMethod, SignInPhase } from '../sign-in/events.ts';
import type {
  BrowserEnd,
  BrowserFact,
  StartInput,
  PageAppearance,
  PageTheme,
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

/** What the setting says of the theme; `ambient` goes by the light of the room. */
export type ThemePolicy = PageTheme | 'ambient';

/** The verdict on the light of the room, for the ambient theme; null without one. */
export type RoomVerdict = RoomView['ambient']['verdict'];

interface DesiredAppearance extends Omit<PageAppearance, 'theme'> {
  readonly theme: ThemePolicy;
}

/** Desired state of the dashboard, from the settings and the command line. */
export interface DesiredPage {
  readonly mode: RendererMode;
  /** True if nothing is shown because the panel is simulated and no browser was requested. */
  readonly simulated: boolean;
  readonly program: RendererPackage;
  /** Origin of Home Assistant; null while none is set. */
  readonly origin: string | null;
  /** Canonical path of the home dashboard; "" for Home Assistant's start page. */
  readonly home: string;
  /** Origin of the panel's own pages, as the browser reaches them. */
  readonly ownOrigin: string;
  readonly appearance: DesiredAppearance;
  /** 0 to 1440; 0 disables the return. */
  readonly idleReturnMin: number;
}

/** What the renderer follows of the sign-in. */
export interface Credential {
  readonly phase: SignInPhase;
  readonly method: SignInMethod | null;
  readonly revision: number;
}

/** Facts followed from other parts of the agent. */
export type FollowedFact =
  | { readonly type: 'page.desired'; readonly desired: DesiredPage }
  /** Null in an agent without a sign-in. */
  | { readonly type: 'credential.changed'; readonly credential: Credential | null }
  | { readonly type: 'screen.changed'; readonly dark: boolean }
  | { readonly type: 'room.changed'; readonly verdict: RoomVerdict }
  /**
   * The subscription filter. `held` is true while the home dashboard waits for its first scan. `known` lists the
   * dashboards whose filter has been decided; null where nothing is learned.
   */
  | {
      readonly type: 'filter.changed';
      readonly filter: PageFilter | null;
      readonly held: boolean;
      readonly known: readonly string[] | null;
    }
  /** A navigation has waited long enough for the scan of its dashboard. */
  | { readonly type: 'scan.awaited'; readonly generation: number };

export type RendererMachineEvent = RendererEvent | BrowserFact | FollowedFact | ReachabilityFact | ChangeEvent;

/** The command in flight to the page: answered by one `page.settled` of its generation. */
interface Pending {
  readonly kind: 'load' | 'go' | 'own';
  readonly generation: number;
  readonly path: string;
  /** Who requested it: `http`, `home-assistant`, `sconce`. */
  readonly origin: string;
}

/** Context of the renderer's machine. */
export interface RendererFacts extends RendererContext, FailureFacts {
  readonly health: Health;
  /** True if the home dashboard was missing when requested, so that the start page is shown instead. */
  readonly homeMissing: boolean;
  /** True if Home Assistant lists the home dashboard for this user; null if none is set, or while unknown. */
  readonly isHomeListed: boolean | null;
  /** The fallback for a home dashboard that kept failing; null while home is shown or tried. */
  readonly fallback: FallbackPage | null;
  /** Time of the newest event that carried one; 0 before the first. */
  readonly at: EpochMs;
  readonly desired: DesiredPage | null;
  readonly credential: Credential | null;
  readonly dark: boolean;
  readonly roomVerdict: RoomVerdict;
  /** True if the page was told to freeze. */
  readonly frozen: boolean;
  /** Incremented with every launch and with every command that is answered. */
  readonly generation: number;
  readonly started: StartInput | null;
  /** Why the last browser ended; null before the first one, once a page is open, and after a planned restart. */
  readonly lastEnd: BrowserEnd | null;
  readonly pending: Pending | null;
  /** Path for the next load; null for home. */
  readonly goal: string | null;
  /** Path of a load whose final location is not known yet; null once it is. */
  readonly landing: string | null;
  /** Where Home Assistant's start page redirected to when last loaded. */
  readonly startPath: string | null;
  readonly probes: readonly PageProbe[];
  readonly memory: MemoryFacts;
  /** When the page's socket closed; null while it is open or unknown. */
  readonly disconnectedSince: EpochMs | null;
  /** Consecutive failed loads. */
  readonly failedLoads: number;
  /** Earliest time of the next load of Home Assistant. */
  readonly notBefore: EpochMs;
  /**
   * Since when, and why, Chromium rejects the certificate of Home Assistant; null once a load ended otherwise. Separate
   * from `unreachable`, which each new try ends, since the probe accepts any certificate.
   */
  readonly certificate: { readonly since: EpochMs; readonly reason: CertificateFault } | null;
  /** Request ids of taps that the page has not answered yet. */
  readonly taps: readonly string[];
  readonly touchedAt: EpochMs;
  readonly recovery: { readonly step: RecoveryStep; readonly reason: RestartReason; readonly delayMs: number } | null;
  /** Origins whose storage is to be cleared once a browser runs. */
  readonly forget: readonly string[];
  /** True if Home Assistant has answered since its address was set. */
  readonly everReached: boolean;
  /** Null while dashboards receive everything. */
  readonly filter: PageFilter | null;
  /** Dashboards whose filter has been decided; null where nothing is learned. */
  readonly known: readonly string[] | null;
  /** Generation of the navigation that waits for the scan of its dashboard; null if none does. */
  readonly awaiting: number | null;
  /** True while the home dashboard waits for its first scan. */
  readonly held: boolean;
}

/** Public facts beside `RendererContext`: the status derives state, fault and recovery from them. */
export type RendererShown = Pick<
  RendererFacts,
  | 'health'
  | 'homeMissing'
  | 'isHomeListed'
  | 'fallback'
  | 'at'
  | 'desired'
  | 'credential'
  | 'roomVerdict'
  | 'certificate'
  | 'held'
  | 'everReached'
  | 'lastEnd'
  | 'frozen'
  | 'disconnectedSince'
>;
