import type { RendererShown } from './facts.ts';
import type { Navigation } from './navigation.ts';
import { certificateFaults } from '../kit/certificate.ts';
import type { EpochMs, Milliseconds } from '../kit/units.ts';

/** What the browser draws on: a Wayland compositor, an X11 server, or nothing anyone sees. */
export type DisplayRoute = 'wayland' | 'x11' | 'headless';

/** Light or dark of the dashboard; `follow` leaves it to Home Assistant. */
export type PageTheme = 'follow' | 'dark' | 'light';

/** How the dashboard appears. */
export interface PageAppearance {
  /** 50 to 300 percent. */
  readonly zoomPercent: number;
  readonly theme: PageTheme;
  /** Whether sidebar, menu and edit controls are hidden. */
  readonly kiosk: boolean;
  /** Whether the header with the view tabs is hidden too. */
  readonly fullscreen: boolean;
}

/** What a browser is launched with: one process with one page. */
export interface BrowserInput {
  readonly generation: number;
  /** `headless` draws unseen; `auto` finds a display by trying. */
  readonly display: 'auto' | 'headless';
  /**
   * Origin of Home Assistant, `http://host:8123`: the only one whose page is answered and trusted. Null while none is
   * set.
   */
  readonly origin: string | null;
  /** Origin of the panel's own pages as the browser reaches them, `http://127.0.0.1:8888`. */
  readonly ownOrigin: string;
  readonly appearance: PageAppearance;
}

/** What the page's place is, never its address. */
export type PagePlace = 'dashboard' | 'login' | 'onboarding' | 'own' | 'error' | 'blank' | 'other';

/**
 * What the browser driver is told. Each `page.load`, `page.go` and `page.own` is answered by one `page.settled` of its
 * generation.
 */
export type BrowserCommand =
  /** Full load of a path of Home Assistant's origin. */
  | { readonly type: 'page.load'; readonly generation: number; readonly path: string }
  /** In-process navigation over the page's own bus; compared with `location` afterwards. */
  | { readonly type: 'page.go'; readonly generation: number; readonly path: string; readonly replace: boolean }
  /** A page of the panel itself, by its path (`/glass`, `/`). */
  | { readonly type: 'page.own'; readonly generation: number; readonly path: string }
  | { readonly type: 'page.appearance'; readonly appearance: PageAppearance }
  /** Which entities dashboards are sent from now on, without a load; null ends the filter. */
  | { readonly type: 'page.entities'; readonly filter: PageFilter | null }
  /** Ends a script that hangs. */
  | { readonly type: 'page.unhang' }
  | { readonly type: 'page.freeze'; readonly frozen: boolean }
  /** Removes everything the browser keeps of an origin. */
  | { readonly type: 'page.forget'; readonly origin: string }
  /** Another credential is in force: the page asks for a token again. */
  | { readonly type: 'page.sign-in' }
  | { readonly type: 'page.shoot'; readonly requestId: string }
  /** A finger on the page, in pixels of the picture of `page.shoot`; answered by one `page.tapped`. */
  | ({ readonly type: 'page.tap'; readonly requestId: string } & TapPoint);

/** Where the page is tapped, in pixels of the picture, and whether a picture is wanted after it. */
export interface TapPoint {
  readonly x: number;
  readonly y: number;
  readonly capture: boolean;
}

/** How a load or navigation ended. */
const settledOutcomes = [
  'shown',
  // It did not end within its bound.
  'timeout',
  // Its script hung while it was loaded, and was ended.
  'hung',
  // No connection to Home Assistant (Chromium's net error).
  'unreachable',
  // Chromium did not take the certificate of Home Assistant.
  ...certificateFaults,
  // The document's status was 400 or more.
  'http-error',
  // The page that opened is not the one asked for: unknown or forbidden.
  'elsewhere',
  // The page's bus did not take the command.
  'not-ready',
  // Superseded by a newer command, or the page crashed.
  'dropped',
] as const;
export type SettledOutcome = (typeof settledOutcomes)[number];

/** What became of what was asked of the dashboard: how it ended, or why it did not begin. */
export const navigationOutcomes = [
  ...settledOutcomes,
  'refused',
  // It is shown as soon as there is a dashboard.
  'kept',
] as const;

/** Which entities the dashboards are sent. */
export interface PageFilter {
  /** Ids by the first part of the dashboard's path; a dashboard that is not here is sent everything. */
  readonly sets: Readonly<Record<string, readonly string[]>>;
  /** Whether it is reported which entities the page reads. */
  readonly learn: boolean;
}

/** What the page reports of its entities; `dashboard` is the first part of the path that it is at. */
export type FilterFact =
  /** It asked for states: of so many entities, or of all (null), which may be its own choice. */
  | {
      readonly type: 'page.subscribed';
      readonly dashboard: string;
      readonly entities: number | null;
      readonly ownChoice: boolean;
      readonly at: EpochMs;
    }
  /** A set is wanted and the subscription could not be cut: it is sent everything. */
  | { readonly type: 'page.uncut'; readonly dashboard: string; readonly at: EpochMs }
  /** The dialog of an entity was opened. */
  | { readonly type: 'page.entity-opened'; readonly dashboard: string; readonly entityId: string; readonly at: EpochMs }
  /** States that it read for the first time there; at most 500 in one fact, one fact a second. */
  | {
      readonly type: 'page.entities-read';
      readonly dashboard: string;
      readonly entityIds: readonly string[];
      readonly at: EpochMs;
    }
  /** The code of a card went through all entities: the name of its file, without the folders. */
  | { readonly type: 'page.enumerated'; readonly dashboard: string; readonly file: string; readonly at: EpochMs };

/** Why a browser is gone: nothing to run or to draw on, or it has to be brought back. */
export type BrowserEnd = 'not-installed' | 'no-display' | 'other-users-display' | 'failed';

/** What the browser driver reports. */
export type BrowserFact =
  | {
      readonly type: 'browser.ready';
      readonly generation: number;
      readonly route: DisplayRoute;
      readonly version: string;
      readonly at: EpochMs;
    }
  /** The process is gone or never came; the driver does nothing more. */
  | {
      readonly type: 'browser.ended';
      readonly generation: number;
      readonly reason:
        | 'not-installed'
        | 'no-display'
        /** The only ones that were found belong to other users. */
        | 'other-users-display'
        | 'profile-locked'
        | 'start-timeout'
        | 'exited'
        | 'killed'
        | 'no-answer';
      readonly at: EpochMs;
    }
  | {
      readonly type: 'page.settled';
      readonly generation: number;
      readonly outcome: SettledOutcome;
      /** HTTP status of the document, where there was one. */
      readonly status: number | null;
      /** Path the page is at now. */
      readonly path: string | null;
      readonly tookMs: Milliseconds;
      readonly at: EpochMs;
    }
  /** The dashboard said that its first panel is drawn. */
  | { readonly type: 'page.loaded'; readonly at: EpochMs }
  | {
      readonly type: 'page.connection';
      readonly state: 'connected' | 'disconnected' | 'auth-invalid';
      readonly at: EpochMs;
    }
  /** One probe of the page, each five seconds; `answeredMs` is null when it did not answer in time. */
  | {
      readonly type: 'page.probed';
      readonly answeredMs: Milliseconds | null;
      /** True while something else explains silence: a load, a dialog, an inspector, a freeze. */
      readonly excused: boolean;
      /** Whether the dashboard's own page is drawn; null where its inside is unknown, which counts as shown. */
      readonly showing: boolean | null;
      /** Whether its socket is open; null where unknown. */
      readonly connected: boolean | null;
      /** For how long Home Assistant has answered no ping over it; 0 while it does, null where not pinged. */
      readonly unansweredMs: Milliseconds | null;
      readonly place: PagePlace;
      readonly path: string | null;
      readonly homeAssistantVersion: string | null;
      readonly at: EpochMs;
    }
  | { readonly type: 'page.crashed'; readonly at: EpochMs }
  /** A script that hung was ended, so that its page could be left. */
  | { readonly type: 'page.hung'; readonly at: EpochMs }
  /** Something in the way was removed: a dialog, a stray window, a download. */
  | { readonly type: 'page.nuisance'; readonly kind: 'dialog' | 'window' | 'download'; readonly at: EpochMs }
  /** "App settings" in Home Assistant's sidebar. */
  | { readonly type: 'page.settings-asked'; readonly at: EpochMs }
  /** The page was told that there is no token. */
  | { readonly type: 'page.token-refused'; readonly reason: 'none' | 'refused' | 'unreachable'; readonly at: EpochMs }
  | FilterFact
  /** Somebody touched the page; at most one a second. */
  | { readonly type: 'page.touched'; readonly at: EpochMs }
  /** Memory of the whole browser, proportional set size in bytes; each minute. */
  | { readonly type: 'browser.memory'; readonly pssBytes: number; readonly at: EpochMs }
  | {
      readonly type: 'page.shot';
      readonly requestId: string;
      readonly png: Uint8Array | null;
      readonly reason: string | null;
    }
  | { readonly type: 'page.tapped'; readonly requestId: string; readonly outcome: TapOutcome };

/** What `--renderer` asks for: a display found by trying, a browser that nobody sees, or none. */
export type RendererMode = 'auto' | 'headless' | 'none';

/**
 * What shows the dashboard, as `dashboard_package` spells it: the built-in renderer, or a program with a compiled
 * driver.
 */
export type RendererPackage = 'builtin' | 'firefox';

/** What a browser is launched with, and which program it is. */
export interface StartInput extends BrowserInput {
  readonly program: RendererPackage;
}

/** Why Home Assistant did not answer a probe. */
export type UnreachableReason = 'refused' | 'timeout' | 'name-unknown' | 'no-route' | 'tls' | 'http-error' | 'failed';

/**
 * What the driver that probes Home Assistant is told: probe this origin every two seconds; null stops. The same again
 * changes nothing.
 */
export interface ReachabilityCommand {
  readonly type: 'reachability.watch';
  readonly origin: string | null;
}

/** One probe of Home Assistant. */
export interface ReachabilityFact {
  readonly type: 'reachability.probed';
  readonly origin: string;
  readonly reachable: boolean;
  /** Null when it answered. */
  readonly reason: UnreachableReason | null;
  readonly at: EpochMs;
}

/** Where the renderer stands. */
export type RendererPhase =
  /** Chosen off, or another program shows the dashboard. */
  | 'off'
  | 'not-installed'
  | 'no-display'
  | 'starting'
  /** The panel's own page: no address, no sign-in, or Home Assistant is unreachable. */
  | 'waiting'
  | 'loading'
  | 'showing'
  /** The owner opened the panel's own settings on the screen. */
  | 'settings'
  /** Being brought back after a crash, a hang or a killed browser. */
  | 'recovering';

/** Why a page or browser was loaded anew; recorded. */
export const restartReasons = [
  'crashed',
  'hung',
  'killed',
  'exited',
  'memory',
  'memory-dark',
  'asked',
  'stale',
  'blank',
  'credential',
  'address-changed',
  'display-changed',
  'start-timeout',
  'storage-cleared',
] as const;
export type RestartReason = (typeof restartReasons)[number];

/** What may be asked of the renderer (registry id `renderer`). */
export type RendererEvent =
  /** Shows a path of Home Assistant; a refusal is in `lastNavigation`. */
  | { readonly type: 'renderer.navigate'; readonly path: string; readonly origin: string }
  | { readonly type: 'renderer.home'; readonly origin: string }
  | { readonly type: 'renderer.reload'; readonly origin: string }
  /** Removes what the browser keeps of Home Assistant, and loads the dashboard anew. */
  | { readonly type: 'renderer.clear-storage' }
  /** A picture of what is shown; answered by one `reply` with a `ScreenshotOutcome`. */
  | { readonly type: 'renderer.screenshot'; readonly requestId: string }
  /** A tap on what is shown; answered by one `reply` with a `TapOutcome`. */
  | ({ readonly type: 'renderer.tap'; readonly requestId: string } & TapPoint);

/** Answer to `renderer.screenshot`. */
export type ScreenshotOutcome =
  | { readonly ok: true; readonly png: Uint8Array }
  | { readonly ok: false; readonly reason: 'not-shown' | 'no-answer' };

/**
 * Answer to `renderer.tap`. The picture is null unless it was asked for, and where none came. `outside` is a point that
 * is not on the picture of so many pixels; `unknown` was begun, and the page did not say that it took it; the other
 * reasons mean that nothing was tapped.
 */
export type TapOutcome =
  | { readonly ok: true; readonly png: Uint8Array | null }
  | { readonly ok: false; readonly reason: 'outside'; readonly width: number; readonly height: number }
  | { readonly ok: false; readonly reason: 'not-shown' | 'not-possible' | 'busy' | 'no-answer' | 'unknown' };

/** Public facts of the renderer: no address, no token. */
export interface RendererContext {
  readonly mode: 'builtin' | 'external' | 'none';
  readonly route: DisplayRoute | null;
  /** Name and major version of the browser. */
  readonly browser: string | null;
  readonly homeAssistantVersion: string | null;
  readonly place: PagePlace;
  /** The path shown, for the navigate entity; never in status or diagnostics. */
  readonly path: string | null;
  readonly rendered: boolean;
  /** Since when and why Home Assistant is unreachable; null while it is not. */
  readonly unreachable: { readonly since: EpochMs; readonly reason: string } | null;
  /** -1 while unmeasured. */
  readonly memoryBytes: number;
  /** The newest 20. */
  readonly restarts: readonly { readonly reason: RestartReason; readonly at: EpochMs }[];
  readonly lastNavigation: Navigation | null;
  readonly nuisances: number;
}

/** What the actor of what shows the dashboard shows to the rest of the house. */
export interface RendererActor {
  readonly id: 'renderer';
  readonly context: RendererContext & RendererShown;
  readonly event: RendererEvent;
  readonly asks: {
    readonly 'renderer.screenshot': ScreenshotOutcome;
    readonly 'renderer.tap': TapOutcome;
  };
  /** For the filter: what the page reports of its entities, and a dashboard that waits for its scan. */
  readonly emitted: FilterFact | { readonly type: 'page.wanted'; readonly dashboard: string };
}
