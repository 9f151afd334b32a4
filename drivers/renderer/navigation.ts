import { setTimeout as pause } from 'node:timers/promises';

import type { Milliseconds } from '#machines/kit/units.ts';
import type { BrowserFact, SettledOutcome } from '#machines/renderer/events.ts';

import type { Bridge } from './bridge.ts';
import { at, numberAt, textAt } from './json-fields.ts';
import { LOCATION } from './page-script.ts';
import { isRequestedPath } from './path-match.ts';
import { mainFrameIn, type PageSession } from './session.ts';

/** Chromium's net errors about certificates (`net/base/net_error_list.h`); the others refuse the certificate itself. */
const certificateErrors: ReadonlyMap<string, SettledOutcome> = new Map<string, SettledOutcome>([
  ['net::ERR_CERT_AUTHORITY_INVALID', 'certificate-untrusted'],
  ['net::ERR_CERT_DATE_INVALID', 'certificate-expired'],
  ['net::ERR_CERT_COMMON_NAME_INVALID', 'certificate-other-name'],
]);

/** Outcome of a load that failed in Chromium, by its net error. */
export const netErrorOutcome = (error: string): SettledOutcome =>
  certificateErrors.get(error) ?? (error.startsWith('net::ERR_CERT_') ? 'certificate-refused' : 'unreachable');

export interface NavigationDeps {
  readonly page: PageSession;
  readonly bridge: Bridge;
  readonly now: () => number;
  readonly send: (fact: BrowserFact) => void;
  /**
   * Called when Chromium's error page appears without a command: the page reloaded itself while Home Assistant was
   * unreachable.
   */
  readonly onErrorPage: () => void;
  /** Called when a hung script was ended so that its page can be left. */
  readonly onHung: () => void;
}

/** Moves the page; each call of `load` and `go` ends in one `page.settled`. */
export interface Navigation {
  /** With `crashed` no hung script is looked for: a crashed page runs none. */
  readonly load: (generation: number, url: string, crashed?: boolean) => Promise<void>;
  readonly go: (generation: number, path: string, replace: boolean) => Promise<void>;
  /** Reloads the open page, so that it signs in again. */
  readonly reload: () => Promise<void>;
  /** Shows an empty dark page. */
  readonly blank: () => Promise<void>;
  /** True while a load is under way, which explains a silent page. */
  readonly loading: () => boolean;
  /** Called when the page crashed: a load under way ends as `dropped`. */
  readonly drop: () => void;
}

/** Longest wait for the first byte of a document; a frozen server never sends it (measured with Chromium 156). */
const COMMIT_MS: Milliseconds = 10_000;
/**
 * Longest wait from there until `DOMContentLoaded`; a slow panel with a cold cache needs 3 s (measured with Chromium
 * 156).
 */
const DRAWN_MS: Milliseconds = 15_000;
/** Longest wait for the page to reach the path after it accepted the command. */
const ARRIVE_MS: Milliseconds = 1000;
/** Home Assistant leaves an unknown or forbidden page within this time after accepting the command. */
const REDIRECT_MS: Milliseconds = 120;
const POLL_MS: Milliseconds = 20;
/**
 * False if Home Assistant's page lists no panel of that name for this user: it then leaves the page, on a busy machine
 * later than that.
 */
const HAS_PANEL = `(() => {
  const { panels } = (document.querySelector('home-assistant') || {}).hass || {};
  const [, name] = location.pathname.split('/');
  return !panels || !name || Object.prototype.hasOwnProperty.call(panels, name);
})()`;
/**
 * Longest silence of a page that is merely busy: an overloaded one answered after 2.3 s at most (measured with Chromium
 * 156).
 */
const BUSY_MS: Milliseconds = 2500;

interface Journey {
  readonly generation: number;
  readonly startedMs: number;
  settled: boolean;
}

const BLANK = 'about:blank';

/** True if the document is Chromium's error page. */
const isErrorPage = (params: unknown): boolean =>
  at(params, 'frame', 'unreachableUrl') !== undefined ||
  (textAt(200, params, 'frame', 'url') ?? '').startsWith('chrome-error:');

/** Opens the navigation of a page whose `Page` events are on. */
export function openNavigation({ page, bridge, now, send, onErrorPage, onHung }: NavigationDeps): Navigation {
  let journey: Journey | null = null;
  /** Number of the newest load; results of older ones are ignored. */
  let turn = 0;
  let loadingTurn = 0;
  let drawnLoader: string | null = null;
  let onDrawn: (() => void) | null = null;

  page.listen(({ method, params }) => {
    if (method === 'Page.lifecycleEvent' && at(params, 'name') === 'DOMContentLoaded') {
      drawnLoader = textAt(100, params, 'loaderId');
      onDrawn?.();
    } else if (
      method === 'Page.frameNavigated' &&
      mainFrameIn(params) !== null &&
      isErrorPage(params) &&
      loadingTurn === 0
    ) {
      void blank();
      onErrorPage();
    }
  });

  const settle = (
    mine: Journey,
    outcome: SettledOutcome,
    status: number | null = null,
    path: string | null = null,
  ): void => {
    if (mine.settled) return;
    mine.settled = true;
    const tookMs = Math.max(0, Math.round(performance.now() - mine.startedMs));
    send({ type: 'page.settled', generation: mine.generation, outcome, status, path, tookMs, at: now() });
  };
  const startJourney = (generation: number): Journey => {
    if (journey !== null) settle(journey, 'dropped');
    journey = { generation, startedMs: performance.now(), settled: false };
    return journey;
  };
  const drawn = (loader: string): Promise<boolean> =>
    new Promise((resolve) => {
      const end = (answer: boolean): void => {
        clearTimeout(timer);
        onDrawn = null;
        resolve(answer);
      };
      const check = (): void => {
        if (drawnLoader === loader) end(true);
      };
      const timer = setTimeout(() => end(false), DRAWN_MS);
      onDrawn = check;
      check();
    });

  const readPath = async (): Promise<string | null> => textAt(2048, await page.evaluate('location.pathname'));
  /** Where the page is once it has left that path, or at that moment of the monotonic clock. */
  const leaves = async (path: string, latest: Milliseconds): Promise<string | null> => {
    let here = await readPath();
    while (here !== null && isRequestedPath(path, here) && performance.now() < latest) {
      await pause(POLL_MS);
      here = await readPath();
    }
    return here;
  };
  const blank = async (): Promise<void> => {
    await page.call('Page.navigate', { url: BLANK });
  };

  /** A page with a hung script cannot be left, so the script is ended. True if it hung. */
  const endHungScript = async (): Promise<boolean> => {
    const answer = await page.call('Runtime.evaluate', { expression: '1', silent: true }, BUSY_MS);
    if (answer.ok || answer.reason !== 'timeout') return false;
    await page.call('Runtime.terminateExecution');
    return true;
  };

  /** Loads `url` and settles the journey with the outcome, unless a newer load supersedes it. */
  const open = async (mine: Journey, myTurn: number, url: string, crashed = false): Promise<void> => {
    const superseded = (): boolean => turn !== myTurn;
    if (!crashed && (await endHungScript())) onHung();
    if (superseded()) return;
    const answer = await page.call('Page.navigate', { url }, COMMIT_MS);
    if (superseded()) return;
    if (!answer.ok) {
      if (answer.reason === 'timeout') {
        await page.call('Page.stopLoading');
        settle(mine, 'timeout');
      } else settle(mine, 'dropped');
      return;
    }
    const error = textAt(100, answer.value, 'errorText');
    // The response was a download, or empty: the previous page stays.
    if (error === 'net::ERR_ABORTED') {
      settle(mine, 'elsewhere');
      return;
    }
    if (error !== null) {
      await blank();
      settle(mine, netErrorOutcome(error));
      return;
    }
    const loader = textAt(100, answer.value, 'loaderId');
    if (loader !== null && !(await drawn(loader))) {
      if (superseded()) return;
      const hung = await endHungScript();
      if (superseded()) return;
      await page.call('Page.stopLoading');
      settle(mine, hung ? 'hung' : 'timeout');
      return;
    }
    if (superseded()) return;
    const place = await page.evaluate(LOCATION);
    const status = numberAt(place, 'status');
    const path = textAt(2048, place, 'path');
    if (status !== null && status >= 400) settle(mine, 'http-error', status, path);
    else if (place !== undefined && at(place, 'origin') !== new URL(url).origin)
      settle(mine, 'elsewhere', status, path);
    else {
      // Home Assistant's back button would lead to the offline page that was shown before.
      void page.call('Page.resetNavigationHistory');
      settle(mine, 'shown', status === 0 ? null : status, path);
    }
  };

  const during = async (work: (myTurn: number) => Promise<void>): Promise<void> => {
    // A document that does not arrive would look like a hung script.
    const waiting = loadingTurn !== 0;
    turn += 1;
    const myTurn = turn;
    loadingTurn = myTurn;
    if (waiting) await page.call('Page.stopLoading');
    if (turn !== myTurn) return;
    await work(myTurn);
    if (loadingTurn === myTurn) loadingTurn = 0;
  };

  return {
    loading: () => loadingTurn !== 0,
    blank,
    load: (generation, url, crashed) => {
      const mine = startJourney(generation);
      return during((myTurn) => open(mine, myTurn, url, crashed));
    },
    reload: () =>
      during(async (myTurn) => {
        const answer = await page.evaluate('location.href');
        if (typeof answer !== 'string' || turn !== myTurn) return;
        // No command waits for this one: a document that does not arrive is stopped, and a failed one is left, as in
        // any load.
        await open({ generation: 0, startedMs: 0, settled: true }, myTurn, answer);
      }),
    go: async (generation, path, replace) => {
      const mine = startJourney(generation);
      const before = await readPath();
      const taken = await bridge.command('navigate', { path, options: { replace } });
      if (!taken.ok) {
        settle(mine, taken.reason === 'timeout' ? 'timeout' : 'not-ready');
        return;
      }
      const arrives = performance.now() + ARRIVE_MS;
      let here = await readPath();
      let since = performance.now();
      while (!mine.settled && performance.now() < arrives && (here === null || !isRequestedPath(path, here))) {
        // It moved elsewhere and stays there: it will not arrive.
        if (here !== before && performance.now() - since > REDIRECT_MS) break;
        await pause(POLL_MS);
        const next = await readPath();
        if (next !== here) since = performance.now();
        here = next;
      }
      if (here !== null && isRequestedPath(path, here)) {
        await pause(REDIRECT_MS);
        const isUnlisted = (await page.evaluate(HAS_PANEL)) === false;
        // Read after the question, which is about the page that is open by then.
        here = isUnlisted ? await leaves(path, arrives) : await readPath();
      }
      if (here === null) settle(mine, 'timeout');
      else settle(mine, isRequestedPath(path, here) ? 'shown' : 'elsewhere', null, here);
    },
    drop: () => {
      turn += 1;
      loadingTurn = 0;
      if (journey !== null) settle(journey, 'dropped');
    },
  };
}
