import { ok, refuse, type Result } from '#machines/kit/result.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { BrowserFact } from '#machines/renderer/events.ts';
import type { TokenOutcome } from '#machines/sign-in/events.ts';

import type { DevToolsEvent } from './devtools.ts';
import { openEntityReports } from './entity-reports.ts';
import { at, numberAt, parsed, textAt } from './json-fields.ts';
import { assistSwitch, BINDING, TOUCH, WISH } from './page-script.ts';
import { wishes, type Wish } from './questions.ts';
import { followContexts } from './script-contexts.ts';
import { BACK } from './way-back.ts';
import type { PageSession } from './session.ts';

export interface BridgeDeps {
  readonly page: PageSession;
  /** Home Assistant's origin, the only one that gets an answer. */
  readonly origin: string | null;
  /** Origin of the panel's own pages. */
  readonly ownOrigin: string;
  readonly mainFrame: () => string;
  readonly accessToken: (force: boolean) => Promise<TokenOutcome>;
  readonly now: () => number;
  readonly send: (fact: BrowserFact) => void;
  /**
   * Called when the dashboard takes its appearance: once its socket is open, and again once its first panel is drawn.
   */
  readonly onReady: () => void;
  /** Called with its script context before each token that Home Assistant's page asks for. */
  readonly onTokenAsked: (context: string) => void;
  /** Called with what one of the panel's own pages asks for. */
  readonly onWish: (wish: Wish) => void;
  /** True while the page's Assist button leads to the panel's own voice. */
  readonly hasAssist: () => boolean;
  /**
   * Called when it does, at most once in 2 s with a touch and once without; null for no particular pipeline.
   * `isTouched`: a person touched the page shortly before, and that touch has asked for no other turn. Any script of
   * the page can ask without one.
   */
  readonly onAssist: (pipelineId: string | null, isTouched: boolean) => void;
  /** Version told to Home Assistant, which shows it in its settings. */
  readonly version: string;
}

/** The channel between Home Assistant's page and the app around it. */
export interface Bridge {
  /** Sends a command on the page's external bus, which it answers within 5 s. */
  readonly command: (command: string, payload: object) => Promise<Result<null, 'not-ready' | 'timeout'>>;
  /** Unique id of the script context of Home Assistant's page in the main frame; null while there is none. */
  readonly context: () => string | null;
  /** Tells the open page of a `hasAssist` that has changed, if it has; false if it has to be loaded again for that. */
  readonly tellAssist: () => Promise<boolean>;
  /** Handles a message of a frame that is trusted with touches only. */
  readonly touch: (message: string) => void;
}

/** Longest wait for a token. Without any answer the page would show "Loading..." forever. */
const TOKEN_MS: Milliseconds = 8000;
/**
 * Longest wait for the page to accept a command; 3 to 25 ms are usual, and an overloaded page takes 2.3 s (seen with
 * Home Assistant 2026.11).
 */
const COMMAND_MS: Milliseconds = 5000;
/** Longest message of the page that is parsed, in characters. */
const MESSAGE_LIMIT = 256 * 1024;
/** Most token requests answered at a time; the page itself merges its own. */
const ASKING_LIMIT = 4;
const TOUCH_MS: Milliseconds = 1000;
/** Shortest time between two requests for the panel's voice. */
const ASSIST_MS: Milliseconds = 2000;
/**
 * Longest time from a touch to the request that it causes: a held card asks after 0.5 s, and a page that works takes up
 * to 2.3 s to answer a tap (seen with Home Assistant 2026.11).
 */
const ASKING_TOUCH_MS: Milliseconds = 5000;
/** An id of a pipeline, which Home Assistant makes as a ULID. */
const PIPELINE = /^[\w-]{1,64}$/;
/** What stands for no particular pipeline in `assist/show`. */
const NO_PIPELINE: readonly (string | null)[] = ['preferred', 'last_used'];
/** A callback name that the page may give. */
const CALLBACK = /^[A-Za-z_$][\w$]{0,63}$/;

const NO_TOKEN: TokenOutcome = { ok: false, reason: 'unreachable' };

const bounded = (answer: Promise<TokenOutcome>): Promise<TokenOutcome> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(NO_TOKEN), TOKEN_MS);
    answer.then(resolve, () => resolve(NO_TOKEN)).finally(() => clearTimeout(timer));
  });

/** Answers Home Assistant's page in the main frame, and no other page or frame. */
export function openBridge({
  page,
  origin,
  ownOrigin,
  mainFrame,
  accessToken,
  now,
  send,
  onReady,
  onTokenAsked,
  onWish,
  hasAssist,
  onAssist,
  version,
}: BridgeDeps): Bridge {
  const report = openEntityReports(now, send);
  const trusted = followContexts(origin);
  const own = followContexts(ownOrigin);
  const waiting = new Map<number, (success: boolean) => void>();
  let lastId = 0;
  let asking = 0;
  let touchedAt = Number.NEGATIVE_INFINITY;
  let assistedAt = { touched: Number.NEGATIVE_INFINITY, untouched: Number.NEGATIVE_INFINITY };
  /** The newest touch that has asked for no turn yet. */
  let unusedTouchAt = Number.NEGATIVE_INFINITY;
  /** The page whose first panel is drawn. */
  let loadedIn: string | null = null;
  /** What the open page was told of `hasAssist`; one that has not asked is told when it does. */
  let toldAssist: { readonly contextId: string; readonly value: boolean } | null = null;

  const context = (): string | null => trusted.of(mainFrame());
  const callIn = (contextId: string, name: string, ...values: readonly unknown[]): Promise<unknown> => {
    const written = values.map((value) => JSON.stringify(value)).join(', ');
    return page.evaluate(`typeof window.${name} === 'function' ? (window.${name}(${written}), true) : false`, {
      context: contextId,
    });
  };

  const giveToken = async (contextId: string, callback: string, force: boolean): Promise<void> => {
    if (asking >= ASKING_LIMIT) {
      await callIn(contextId, callback, false, 'busy');
      return;
    }
    asking += 1;
    const outcome = await bounded(accessToken(force));
    asking -= 1;
    // A token is for the origin that issued it; the address may have changed while it was fetched.
    const refused = outcome.ok ? (outcome.origin === origin ? null : 'none') : outcome.reason;
    if (outcome.ok && refused === null)
      await callIn(contextId, callback, true, { access_token: outcome.token, expires_in: outcome.expiresInSeconds });
    else await callIn(contextId, callback, false, 'no token');
    if (refused !== null) send({ type: 'page.token-refused', reason: refused, at: now() });
  };

  const assist = (asked: string | null): void => {
    const moment = now();
    if (!hasAssist()) return;
    const isTouched = moment >= unusedTouchAt && moment - unusedTouchAt <= ASKING_TOUCH_MS;
    // Counted apart, so that a script that asks on and on keeps no person from asking.
    const before = isTouched ? assistedAt.touched : assistedAt.untouched;
    if (moment - before < ASSIST_MS && moment >= before) return;
    assistedAt = { ...assistedAt, [isTouched ? 'touched' : 'untouched']: moment };
    unusedTouchAt = Number.NEGATIVE_INFINITY;
    onAssist(asked === null || NO_PIPELINE.includes(asked) || !PIPELINE.test(asked) ? null : asked, isTouched);
  };

  const onBus = (contextId: string, message: unknown): void => {
    const id = numberAt(message, 'id');
    switch (textAt(64, message, 'type')) {
      case 'config/get':
        toldAssist = { contextId, value: hasAssist() };
        void callIn(contextId, 'externalBus', {
          id,
          type: 'result',
          success: true,
          result: {
            hasSettingsScreen: true,
            hasSidebar: false,
            hasAssist: toldAssist.value,
            canWriteTag: false,
            hasExoPlayer: false,
            appVersion: version,
          },
        });
        break;
      case 'connection-status': {
        const state = textAt(32, message, 'payload', 'event');
        if (state === 'connected' || state === 'disconnected' || state === 'auth-invalid')
          send({ type: 'page.connection', state, at: now() });
        // Before the first panel is drawn, so that what is hidden never flashes up.
        if (state === 'connected') onReady();
        break;
      }
      case 'frontend/loaded':
        loadedIn = contextId;
        send({ type: 'page.loaded', at: now() });
        onReady();
        break;
      case 'config_screen/show':
        send({ type: 'page.settings-asked', at: now() });
        break;
      case 'assist/show':
        assist(textAt(65, message, 'payload', 'pipeline_id'));
        break;
      case 'result':
        if (id !== null) waiting.get(id)?.(at(message, 'success') === true);
        break;
      default:
        break;
    }
  };

  /**
   * A touch on any frame: each has the reporting script, which runs before all others and keeps the binding to itself.
   */
  const touch = (payload: string): boolean => {
    if (payload !== TOUCH) return false;
    const moment = now();
    unusedTouchAt = moment;
    if (moment - touchedAt >= TOUCH_MS || moment < touchedAt) {
      touchedAt = moment;
      send({ type: 'page.touched', at: moment });
    }
    return true;
  };
  /** From the main frame of the panel's own pages alone. */
  const wish = (number: number, payload: string): boolean => {
    if (own.find(number)?.frame !== mainFrame()) return false;
    const asked = wishes.find((word) => payload === WISH + word);
    if (asked !== undefined) onWish(asked);
    return asked !== undefined;
  };
  const onMessage = (number: number, payload: string): void => {
    if (touch(payload) || wish(number, payload)) return;
    const message = payload.length > MESSAGE_LIMIT ? undefined : parsed(payload);
    const type = textAt(32, message, 'type');
    const place = trusted.find(number);
    if (place === undefined || place.frame !== mainFrame()) return;
    if (payload === BACK) {
      send({ type: 'page.back-asked', at: now() });
      return;
    }
    const contextId = place.unique;
    const callback = textAt(65, message, 'payload', 'callback') ?? '';
    if (type === 'externalBus') onBus(contextId, at(message, 'payload'));
    else if (report(message) || !CALLBACK.test(callback)) return;
    else if (type === 'getExternalAuth') {
      onTokenAsked(contextId);
      void giveToken(contextId, callback, at(message, 'payload', 'force') === true);
    }
    // Logging out in the page would only sign it in again; the panel is signed out on its own pages.
    else if (type === 'revokeExternalAuth') void callIn(contextId, callback, false);
  };

  const onEvent = (event: DevToolsEvent): void => {
    trusted.onEvent(event);
    own.onEvent(event);
    const { method, params } = event;
    if (method === 'Runtime.bindingCalled' && at(params, 'name') === BINDING)
      onMessage(numberAt(params, 'executionContextId') ?? -1, textAt(MESSAGE_LIMIT + 1, params, 'payload') ?? '');
  };
  page.listen(onEvent);

  return {
    context,
    tellAssist: async () => {
      const contextId = context();
      const value = hasAssist();
      if (contextId === null || toldAssist?.contextId !== contextId || toldAssist.value === value) return true;
      const isTaken = (await page.evaluate(assistSwitch(value), { context: contextId })) === true;
      // While it is loaded it may not have what is switched.
      if (isTaken || loadedIn === contextId) toldAssist = { contextId, value };
      return isTaken || loadedIn !== contextId;
    },
    touch: (message) => void touch(message),
    command: async (command, payload) => {
      const contextId = context();
      if (contextId === null) return refuse('not-ready', 'The page of Home Assistant is not open.');
      lastId += 1;
      const id = lastId;
      let timer: NodeJS.Timeout | undefined;
      const answered = new Promise<boolean | null>((resolve) => {
        timer = setTimeout(() => resolve(null), COMMAND_MS);
        waiting.set(id, resolve);
      });
      const taken = await callIn(contextId, 'externalBus', { id, type: 'command', command, payload });
      const success = taken === true ? await answered : false;
      clearTimeout(timer);
      waiting.delete(id);
      if (success === null) return refuse('timeout', 'The page did not answer.');
      return success ? ok(null) : refuse('not-ready', 'The page did not take the command.');
    },
  };
}
