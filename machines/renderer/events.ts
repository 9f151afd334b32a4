import type { RendererShown } from './facts.ts';
import type { Navigation } from './navigation.ts';
import { certificateFaults } from '../kit/certificate.ts';
import type { EpochMs, Milliseconds } from '../kit/units.ts';

/** What the browser draws on: a Wayland compositor, an X11 server, or off-screen. */
export type DisplayRoute = 'wayland' | 'x11' | 'headless';

/** Color scheme of the dashboard; `follow` leaves it to Home Assistant. */
export type PageTheme = 'follow' | 'dark' | 'light';

export interface PageAppearance {
  /** 50 to 300. */
  readonly zoomPercent: number;
  readonly theme: PageTheme;
  /** True if the sidebar, the menu and the edit controls are hidden. */
  readonly kiosk: boolean;
  /** True if the header with the view tabs is hidden too. */
  readonly fullscreen: boolean;
}

/** Launch parameters of one browser process with one page. */
export interface BrowserInput {
  readonly generation: number;
  /** `headless` draws off-screen; `auto` tries the displays it finds. */
  readonly display: 'auto' | 'headless';
  /**
   * Origin of Home Assistant, `http://host:8123`: the only page whose requests are answered. Null while none is set.
   */
  readonly origin: string | null;
  /** Origin of the panel's own pages as the browser reaches them, `http://127.0.0.1:8888`. */
  readonly ownOrigin: string;
  readonly appearance: PageAppearance;
}

/** Kind of page that is open; never its address. */
export type PagePlace = 'dashboard' | 'login' | 'onboarding' | 'own' | 'error' | 'blank' | 'other';

/**
 * Commands to the browser driver. Each `page.load`, `page.go` and `page.own` is answered by one `page.settled` of its
 * generation.
 */
export type BrowserCommand =
  /** Loads a path of Home Assistant's origin in full. */
  | { readonly type: 'page.load'; readonly generation: number; readonly path: string }
  /** Navigates within the loaded frontend over the page's own event bus; the driver checks `location` afterwards. */
  | { readonly type: 'page.go'; readonly generation: number; readonly path: string; readonly replace: boolean }
  /** Opens one of the panel's own pages by its path (`/glass`, `/`). */
  | { readonly type: 'page.own'; readonly generation: number; readonly path: string }
  | { readonly type: 'page.appearance'; readonly appearance: PageAppearance }
  /** Applies a subscription filter without a load; null ends the filter. */
  | { readonly type: 'page.entities'; readonly filter: PageFilter | null }
  /** Terminates a hanging script. */
  | { readonly type: 'page.unhang' }
  | { readonly type: 'page.freeze'; readonly frozen: boolean }
  /** Clears everything the browser stores for an origin. */
  | { readonly type: 'page.forget'; readonly origin: string }
  /** The credential has changed: the page must ask for a token again. */
  | { readonly type: 'page.sign-in' }
  | { readonly type: 'page.shoot'; readonly requestId: string }
  /** Taps the page, in pixels of the picture from `page.shoot`; answered by one `page.tapped`. */
  | ({ readonly type: 'page.tap'; readonly requestId: string } & TapPoint);

/** Where to tap, in pixels of the picture, and whether to take a picture afterwards. */
export interface TapPoint {
  readonly x: number;
  readonly y: number;
  readonly capture: boolean;
}

/** How a load or navigation ended. */
const settledOutcomes = [
  'shown',
  // It did not finish in time.
  'timeout',
  // A script hung during the load and was terminated.
  'hung',
  // No connection to Home Assistant (a net error of Chromium).
  'unreachable',
  // Chromium rejected the certificate of Home Assistant.
  ...certificateFaults,
  // The document had status 400 or above.
  'http-error',
  // Another page opened than the one requested, which is unknown or forbidden.
  'elsewhere',
  // The page's event bus did not accept the command.
  'not-ready',
  // Superseded by a newer command, or the page crashed.
  'dropped',
] as const;
export type SettledOutcome = (typeof settledOutcomes)[number];

/** The outcome of a dashboard command: how it ended, or why it did not start. */
export const navigationOutcomes = [
  ...settledOutcomes,
  'refused',
  // Will be shown as soon as there is a dashboard.
  'kept',
] as const;

/** Which entities each dashboard receives. */
export interface PageFilter {
  /** Entity ids by the first segment of the dashboard's path; a dashboard that is missing here receives everything. */
  readonly sets: Readonly<Record<string, readonly string[]>>;
  /** True if the page reports which entities it reads. */
  readonly learn: boolean;
}

/** What the page reports about its entities; `dashboard` is the first segment of the path that is open. */
export type FilterFact =
  /** It subscribed to this many entities, or to all (null), which may be its own choice. */
  | {
      readonly type: 'page.subscribed';
      readonly dashboard: string;
      readonly entities: number | null;
      readonly ownChoice: boolean;
      readonly at: EpochMs;
    }
  /** A set applies, but the subscription could not be filtered: the page receives everything. */
  | { readonly type: 'page.uncut'; readonly dashboard: string; readonly at: EpochMs }
  /** The more-info dialog of an entity was opened. */
  | { readonly type: 'page.entity-opened'; readonly dashboard: string; readonly entityId: string; readonly at: EpochMs }
  /** Entities read for the first time on this dashboard; at most 500 per report, one report a second. */
  | {
      readonly type: 'page.entities-read';
      readonly dashboard: string;
      readonly entityIds: readonly string[];
      readonly at: EpochMs;
    }
  /** A card iterated over all entities; `file` is the name of its script, without folders. */
  | { readonly type: 'page.enumerated'; readonly dashboard: string; readonly file: string; readonly at: EpochMs };

/** Why the browser is gone: nothing to run or to draw on, or a failure to recover from. */
export type BrowserEnd = 'not-installed' | 'no-display' | 'other-users-display' | 'failed';

export type BrowserFact =
  | {
      readonly type: 'browser.ready';
      readonly generation: number;
      readonly route: DisplayRoute;
      readonly version: string;
      readonly at: EpochMs;
    }
  /** The process exited or never started; the driver does nothing more. */
  | {
      readonly type: 'browser.ended';
      readonly generation: number;
      readonly reason:
        | 'not-installed'
        | 'no-display'
        /** All displays found belong to other users. */
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
      /** HTTP status of the document, if any. */
      readonly status: number | null;
      /** Path of the page now. */
      readonly path: string | null;
      readonly tookMs: Milliseconds;
      readonly at: EpochMs;
    }
  /** The frontend reported that its first panel is drawn. */
  | { readonly type: 'page.loaded'; readonly at: EpochMs }
  | {
      readonly type: 'page.connection';
      readonly state: 'connected' | 'disconnected' | 'auth-invalid';
      readonly at: EpochMs;
    }
  /** One probe of the page, every 5 s; `answeredMs` is null if it did not answer in time. */
  | {
      readonly type: 'page.probed';
      readonly answeredMs: Milliseconds | null;
      /** True while a load, a dialog, an inspector or a freeze explains the silence. */
      readonly excused: boolean;
      /** True if the frontend has drawn its panel; null where its internals are unknown, which counts as drawn. */
      readonly showing: boolean | null;
      /** True if the page's WebSocket is open; null if unknown. */
      readonly connected: boolean | null;
      /** How long pings over that socket have gone unanswered; 0 while they are answered, null if none are sent. */
      readonly unansweredMs: Milliseconds | null;
      readonly place: PagePlace;
      readonly path: string | null;
      readonly homeAssistantVersion: string | null;
      readonly at: EpochMs;
    }
  | { readonly type: 'page.crashed'; readonly at: EpochMs }
  /** A hanging script was terminated so that the browser could leave its page. */
  | { readonly type: 'page.hung'; readonly at: EpochMs }
  /** A dialog, a stray window or a download was removed. */
  | { readonly type: 'page.nuisance'; readonly kind: 'dialog' | 'window' | 'download'; readonly at: EpochMs }
  /** "App settings" in Home Assistant's sidebar was tapped. */
  | { readonly type: 'page.settings-asked'; readonly at: EpochMs }
  /** The way back that is drawn over Home Assistant's login was touched. */
  | { readonly type: 'page.back-asked'; readonly at: EpochMs }
  /** The page asked for a token and got none. */
  | { readonly type: 'page.token-refused'; readonly reason: 'none' | 'refused' | 'unreachable'; readonly at: EpochMs }
  | FilterFact
  /** The page was touched; at most one a second. */
  | { readonly type: 'page.touched'; readonly at: EpochMs }
  /** Proportional set size of all browser processes, in bytes; every minute. */
  | { readonly type: 'browser.memory'; readonly pssBytes: number; readonly at: EpochMs }
  | {
      readonly type: 'page.shot';
      readonly requestId: string;
      readonly png: Uint8Array | null;
      readonly reason: string | null;
    }
  | { readonly type: 'page.tapped'; readonly requestId: string; readonly outcome: TapOutcome };

/** The value of `--renderer`: search for a display, draw off-screen, or show nothing. */
export type RendererMode = 'auto' | 'headless' | 'none';

/**
 * What shows the dashboard, as spelled in `dashboard_package`: the built-in renderer, or a program that has a driver
 * here.
 */
export type RendererPackage = 'builtin' | 'firefox';

/** Launch parameters, with the program to launch. */
export interface StartInput extends BrowserInput {
  readonly program: RendererPackage;
}

/** Why Home Assistant did not answer a probe. */
export type UnreachableReason = 'refused' | 'timeout' | 'name-unknown' | 'no-route' | 'tls' | 'http-error' | 'failed';

/** Tells the probe driver to probe this origin every 2 s; null stops it. Repeating it changes nothing. */
export interface ReachabilityCommand {
  readonly type: 'reachability.watch';
  readonly origin: string | null;
}

/** Result of one probe of Home Assistant. */
export interface ReachabilityFact {
  readonly type: 'reachability.probed';
  readonly origin: string;
  readonly reachable: boolean;
  /** Null if it answered. */
  readonly reason: UnreachableReason | null;
  readonly at: EpochMs;
}

/** Phase of the renderer, as shown outside. */
export type RendererPhase =
  /** Switched off by `--renderer none`, or a simulated panel. */
  | 'off'
  | 'not-installed'
  | 'no-display'
  | 'starting'
  /** The offline page is shown: no address, no sign-in, Home Assistant unreachable, or a failing dashboard. */
  | 'waiting'
  | 'loading'
  | 'showing'
  /** The panel's own settings are open on its screen. */
  | 'settings'
  /** Recovering from a crash, a hang or a killed browser. */
  | 'recovering';

/** Why a page was reloaded or the browser restarted, as recorded in `restarts`. */
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

/** Commands to the renderer (registry id `renderer`). */
export type RendererEvent =
  /** Shows a path of Home Assistant; a refusal appears in `lastNavigation`. */
  | { readonly type: 'renderer.navigate'; readonly path: string; readonly origin: string }
  | { readonly type: 'renderer.home'; readonly origin: string }
  /** Shows the panel's own pages on its screen, as "App settings" in Home Assistant's sidebar does. */
  | { readonly type: 'renderer.own-pages' }
  | { readonly type: 'renderer.reload'; readonly origin: string }
  /** Clears what the browser stores for Home Assistant, then reloads the dashboard. */
  | { readonly type: 'renderer.clear-storage' }
  /** Takes a picture of the page; answered by one `reply` with a `ScreenshotOutcome`. */
  | { readonly type: 'renderer.screenshot'; readonly requestId: string }
  /** Taps the page; answered by one `reply` with a `TapOutcome`. */
  | ({ readonly type: 'renderer.tap'; readonly requestId: string } & TapPoint);

/** Answer to `renderer.screenshot`. */
export type ScreenshotOutcome =
  | { readonly ok: true; readonly png: Uint8Array }
  | { readonly ok: false; readonly reason: 'not-shown' | 'no-answer' };

/**
 * Answer to `renderer.tap`. The picture is null unless it was requested and could be taken. `outside`: the point is not
 * on the picture, whose size is given. `unknown`: the tap was started, but the page did not confirm it. For all other
 * reasons nothing was tapped.
 */
export type TapOutcome =
  | { readonly ok: true; readonly png: Uint8Array | null }
  | { readonly ok: false; readonly reason: 'outside'; readonly width: number; readonly height: number }
  | { readonly ok: false; readonly reason: 'not-shown' | 'not-possible' | 'busy' | 'no-answer' | 'unknown' };

/** Public facts of the renderer; never an address or a token. */
export interface RendererContext {
  readonly mode: 'builtin' | 'external' | 'none';
  readonly route: DisplayRoute | null;
  /** Name and major version of the browser. */
  readonly browser: string | null;
  readonly homeAssistantVersion: string | null;
  readonly place: PagePlace;
  /** The path shown, for the `navigate` entity; never in the status or the diagnostics. */
  readonly path: string | null;
  readonly rendered: boolean;
  /** Null while Home Assistant is reachable. */
  readonly unreachable: { readonly since: EpochMs; readonly reason: string } | null;
  /** -1 while unmeasured. */
  readonly memoryBytes: number;
  /** The newest 20. */
  readonly restarts: readonly { readonly reason: RestartReason; readonly at: EpochMs }[];
  readonly lastNavigation: Navigation | null;
  readonly nuisances: number;
}

/** Public interface of the renderer actor. */
export interface RendererActor {
  readonly id: 'renderer';
  readonly context: RendererContext & RendererShown;
  readonly event: RendererEvent;
  readonly asks: {
    readonly 'renderer.screenshot': ScreenshotOutcome;
    readonly 'renderer.tap': TapOutcome;
  };
  /**
   * For the entity filter: what the page reports about its entities, and a dashboard that waits for its scan. For the
   * sign-in: the browser has left Home Assistant's login, if it was there.
   */
  readonly emitted:
    | FilterFact
    | { readonly type: 'page.wanted'; readonly dashboard: string }
    | { readonly type: 'page.login-left' };
}
