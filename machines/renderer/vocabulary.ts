import { assign, emit, type EventObject, sendTo, setup } from 'xstate';

import type { ReplyEvent } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import type { WorkerOutcome } from '../kit/outcome.ts';
import {
  admittedPath,
  answersPending,
  hasFallback,
  hasStrayed,
  isBack,
  isOfThisLaunch,
  memoryOf,
  refusalOf,
  silenceOf,
  troubleOf,
} from './ask.ts';
import type {
  BrowserCommand,
  BrowserFact,
  LaunchInput,
  ReachCommand,
  ReachFact,
  RendererPhase,
  RestartReason,
  ScreenshotOutcome,
} from './events.ts';
import type { FollowedFact, RendererFacts, RendererMachineEvent } from './facts.ts';
import { restDelay } from './mend.ts';
import {
  comeBack,
  dismiss,
  enter,
  goHome,
  judged,
  launch,
  leave,
  mend,
  momentOf,
  note,
  refuseNavigation,
  sendGo,
  sendLoad,
  sendOwn,
  stillAway,
  takeConnection,
  takeGoal,
  takeLook,
  takeMissing,
  takeShown,
  takeSize,
  takeWish,
} from './steps.ts';
import {
  homeInside,
  idleReturnIsDue,
  needsRelaunch,
  originToWatch,
  ownPageIsIdle,
  wantsBrowser,
  wantsDashboard,
  displayOf,
} from './target.ts';

/** Longest wait for a browser to be ready, in milliseconds: a cold start on a slow panel takes a few seconds. */
export const START_BOUND_MS = 45_000;
/** Longest wait for the answer to one load or navigation, in milliseconds; the driver's own bound is shorter. */
export const ANSWER_BOUND_MS = 40_000;
/** How often a missing program or display is looked for, in milliseconds. */
export const PROBE_INTERVAL_MS = 10_000;
/** Pause before an own page that did not open is tried again, in milliseconds. */
export const OWN_RETRY_MS = 2_000;
/** How long the screen is dark before the page is frozen, in milliseconds: a short dark moment is not worth it. */
export const FREEZE_DELAY_MS = 5_000;
/** What a page of the panel itself is told when it is opened on the panel's own screen. */
export const ON_GLASS = 'on=glass';
/**
 * How long a home dashboard that was not there waits for its second try, in milliseconds: a platform that starts has
 * not all of its dashboards.
 */
export const HOME_RETRY_MS = 60_000;

/** Everything the renderer's machine is written with: its actors, delays, guards and actions. */
export const rendererSetup = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as RendererFacts,
    events: {} as RendererMachineEvent,
    emitted: {} as ReplyEvent<ScreenshotOutcome>,
    output: {} as WorkerOutcome,
  },
  actors: {
    wishes: placeholder<EventObject, undefined, FollowedFact>(),
    reach: placeholder<ReachCommand, undefined, ReachFact>(),
    browser: placeholder<BrowserCommand, LaunchInput, BrowserFact>(),
  },
  delays: {
    startBound: START_BOUND_MS,
    answerBound: ANSWER_BOUND_MS,
    probeInterval: PROBE_INTERVAL_MS,
    ownRetry: OWN_RETRY_MS,
    freezeDelay: FREEZE_DELAY_MS,
    homeRetry: HOME_RETRY_MS,
    mendDelay: ({ context }) => context.mending?.delayMs ?? 0,
    restDelay: ({ context }) => restDelay(context.restarts, context.at),
  },
  guards: {
    knowsWish: ({ context }) => context.wish !== null,
    wantsBrowser: ({ context }) => wantsBrowser(context.wish),
    wantsNone: ({ context }) => !wantsBrowser(context.wish),
    needsRelaunch: ({ context }) => needsRelaunch(context.launched, context.wish),
    wantsDashboard: ({ context }) => wantsDashboard(context),
    wantsGlass: ({ context }) => !wantsDashboard(context),
    notInstalled: ({ context, event }) =>
      isOfThisLaunch(context, event) && event.type === 'browser.ended' && event.reason === 'not-installed',
    noDisplay: ({ context, event }) =>
      isOfThisLaunch(context, event) && event.type === 'browser.ended' && event.reason === 'no-display',
    ofThisLaunch: ({ context, event }) => isOfThisLaunch(context, event),
    isShown: ({ context, event }) =>
      answersPending(context, event) &&
      event.type === 'page.settled' &&
      (event.outcome === 'shown' || event.outcome === 'elsewhere'),
    isMissing: ({ context, event }) =>
      answersPending(context, event) &&
      event.type === 'page.settled' &&
      event.outcome === 'http-error' &&
      event.status === 404 &&
      hasFallback(context),
    isDropped: ({ context, event }) =>
      answersPending(context, event) && event.type === 'page.settled' && event.outcome === 'dropped',
    answersMine: ({ context, event }) => answersPending(context, event),
    isAdmitted: ({ context, event }) => admittedPath(context, event) !== null,
    isErrorPage: ({ event }) => event.type === 'page.pulse' && event.place === 'error',
    isOwnPage: ({ context, event }) =>
      event.type === 'page.pulse' && event.place === 'own' && !event.excused && context.pending === null,
    isTrouble: ({ context }) => troubleOf(context) !== null,
    displayMoved: ({ context }) =>
      context.launched !== null && context.wish !== null && displayOf(context.wish) !== context.launched.display,
    isTooBig: ({ context }) => memoryOf(context) !== null,
    turnsAway: ({ context, event }) => silenceOf(context, event) === 'away',
    isStale: ({ context, event }) => silenceOf(context, event) === 'stale',
    isBack: ({ context, event }) => isBack(context, event),
    isDark: ({ context }) => context.dark,
    isLit: ({ context }) => !context.dark,
    hasStrayed: ({ context, event }) => event.type === 'page.pulse' && hasStrayed(context),
    strayedOrIdle: ({ context }) =>
      hasStrayed(context) || (context.path !== '/glass' && ownPageIsIdle(context, context.at)),
    strayedOrLeft: ({ context }) =>
      hasStrayed(context) ||
      context.place === 'dashboard' ||
      context.path === '/glass' ||
      ownPageIsIdle(context, context.at),
    idleReturns: ({ context }) => context.pending === null && idleReturnIsDue(context, context.at),
    isNewCredential: ({ context, event }) =>
      event.type === 'credential.changed' &&
      context.credential !== null &&
      event.credential !== null &&
      event.credential.revision !== context.credential.revision,
    homeMoved: ({ context, event }) =>
      event.type === 'wish.changed' &&
      context.wish !== null &&
      event.wish.origin === context.wish.origin &&
      event.wish.home !== context.wish.home &&
      context.path === homeInside(context),
    hasForgotten: ({ context }) => context.forget.length > 0,
    retriesHome: ({ context }) => context.homeMissing && context.pending === null,
    mendsByLoad: ({ context }) => context.mending?.step === 'load',
    mendsByUnhang: ({ context }) => context.mending?.step === 'unhang',
  },
  actions: {
    takeWish: assign(({ context, event }) => (event.type === 'wish.changed' ? takeWish(context, event.wish) : {})),
    takeCredential: assign(({ context, event }) =>
      event.type === 'credential.changed' ? judged(context, { credential: event.credential }) : {},
    ),
    takeScreen: assign(({ event }) => (event.type === 'screen.changed' ? { dark: event.dark } : {})),
    launch: assign(({ context }) => launch(context)),
    dismiss: assign(({ context }, params: { readonly phase: RendererPhase }) => dismiss(context, params.phase)),
    enter: assign(({ context }, params: { readonly phase: RendererPhase }) => enter(context, params.phase)),
    takeReady: assign(({ context, event }) =>
      event.type === 'browser.ready'
        ? judged(context, { route: event.route, browser: event.version, at: event.at })
        : {},
    ),
    noteEnd: assign(({ context, event }) => {
      if (event.type !== 'browser.ended') return {};
      const reason: RestartReason =
        event.reason === 'killed' ? 'killed' : event.reason === 'start-timeout' ? 'start-timeout' : 'exited';
      return { ...note(context, reason, event.at), at: event.at };
    }),
    note: assign(({ context, event }, params: { readonly reason: RestartReason }) =>
      note(context, params.reason, momentOf(context, event)),
    ),
    openGlass: assign(({ context }) => sendOwn(context, '/glass', 'waiting')),
    openSettings: assign(({ context }) => sendOwn(context, '/', 'settings')),
    sendOwn: sendTo('browser', ({ context }) => ({
      type: 'page.own' as const,
      generation: context.generation,
      path: `${context.pending?.path ?? '/glass'}?${ON_GLASS}`,
    })),
    startLoad: assign(({ context }) => sendLoad(context)),
    sendLoad: sendTo('browser', ({ context }) => ({
      type: 'page.load' as const,
      generation: context.generation,
      path: context.pending?.path ?? '/',
    })),
    startGo: assign(({ context, event }) => {
      const path = admittedPath(context, event);
      return path === null || event.type !== 'renderer.navigate' ? {} : sendGo(context, path, event.origin);
    }),
    startHome: assign(({ context, event }) =>
      goHome(context, event.type === 'renderer.home' ? event.origin : 'sconce'),
    ),
    sendGo: sendTo('browser', ({ context }) => ({
      type: 'page.go' as const,
      generation: context.generation,
      path: context.pending?.path ?? '/',
      replace: false,
    })),
    thaw: sendTo('browser', { type: 'page.freeze', frozen: false }),
    freeze: sendTo('browser', { type: 'page.freeze', frozen: true }),
    noteFrozen: assign({ frozen: true, pulses: [], disconnectedSince: null }),
    noteThawed: assign({ frozen: false, pulses: [] }),
    unhang: sendTo('browser', { type: 'page.unhang' }),
    sendLook: sendTo('browser', ({ context, event }) => ({
      type: 'page.look' as const,
      look:
        event.type === 'wish.changed'
          ? event.wish.look
          : (context.wish?.look ?? { zoomPercent: 100, theme: 'follow' as const, kiosk: true, fullscreen: true }),
    })),
    sendSignIn: sendTo('browser', { type: 'page.sign-in' }),
    sendForget: sendTo('browser', ({ context }) => ({ type: 'page.forget' as const, origin: context.forget[0] ?? '' })),
    dropForgotten: assign(({ context }) => ({ forget: context.forget.slice(1) })),
    takeShown: assign(({ context, event }) => (event.type === 'page.settled' ? takeShown(context, event) : {})),
    takeMissing: assign(({ context, event }) => (event.type === 'page.settled' ? takeMissing(context, event) : {})),
    takeOwn: assign(({ context, event }) =>
      event.type === 'page.settled'
        ? judged(context, { pending: null, place: 'own', path: event.path, at: event.at })
        : {},
    ),
    leaveSettled: assign(({ context, event }) =>
      event.type === 'page.settled'
        ? leave(context, event.outcome, event.at, event)
        : leave(context, 'timeout', context.at),
    ),
    leaveError: assign(({ context, event }) =>
      event.type === 'page.pulse' ? leave(context, 'unreachable', event.at) : {},
    ),
    leaveSeen: assign(({ context, event }) =>
      event.type === 'reach.seen' ? leave(context, event.reason ?? 'failed', event.at) : {},
    ),
    comeBack: assign(({ context }) => comeBack(context)),
    takeSeen: assign(({ context, event }) =>
      event.type === 'reach.seen' ? { at: event.at, ...stillAway(context, event.reason) } : {},
    ),
    tellReach: sendTo('reach', ({ context }) => ({ type: 'reach.watch' as const, origin: originToWatch(context) })),
    takeLook: assign(({ context, event }) => (event.type === 'page.pulse' ? takeLook(context, event) : {})),
    takeConnection: assign(({ context, event }) =>
      event.type === 'page.connection' ? takeConnection(context, event) : {},
    ),
    takeTokenRefusal: assign(({ context, event }) =>
      event.type === 'page.token-refused'
        ? {
            at: event.at,
            disconnectedSince:
              event.reason === 'unreachable' ? (context.disconnectedSince ?? event.at) : context.disconnectedSince,
          }
        : {},
    ),
    takeDrawn: assign(({ context, event }) =>
      event.type === 'page.loaded' ? judged(context, { rendered: true, at: event.at }) : {},
    ),
    takeTouch: assign(({ event }) => (event.type === 'page.touched' ? { touchedAt: event.at, at: event.at } : {})),
    takeNuisance: assign(({ context, event }) =>
      event.type === 'page.nuisance' ? { nuisances: context.nuisances + 1, at: event.at } : {},
    ),
    takeSize: assign(({ context, event }) => (event.type === 'browser.memory' ? takeSize(context, event) : {})),
    mendTrouble: assign(({ context }) => mend(context, troubleOf(context) ?? 'blank', context.at)),
    mendAs: assign(({ context, event }, params: { readonly reason: RestartReason }) =>
      mend(context, params.reason, momentOf(context, event)),
    ),
    noteMemory: assign(({ context }) => note(context, memoryOf(context) ?? 'memory', context.at)),
    dropPending: assign({ pending: null }),
    takeGoal: assign(({ context, event }) => (event.type === 'renderer.navigate' ? takeGoal(context, event.path) : {})),
    goalHome: assign({ goal: null }),
    goalPending: assign(({ context }) => ({ goal: context.pending?.path ?? context.goal })),
    refuse: assign(({ context, event }) =>
      'origin' in event ? refuseNavigation(context, event.origin ?? '', refusalOf(context, event)) : {},
    ),
    retryMissing: assign({ homeMissing: false }),
    shoot: sendTo('browser', ({ event }) => ({
      type: 'page.shoot' as const,
      requestId: event.type === 'renderer.screenshot' ? event.requestId : '',
    })),
    sayNotShown: emit(({ event }) => ({
      type: 'reply' as const,
      requestId: 'requestId' in event ? event.requestId : '',
      outcome: { ok: false as const, reason: 'not-shown' as const },
    })),
    sayShot: emit(({ event }) => ({
      type: 'reply' as const,
      requestId: 'requestId' in event ? event.requestId : '',
      outcome:
        event.type === 'page.shot' && event.png !== null
          ? { ok: true as const, png: event.png }
          : { ok: false as const, reason: 'no-answer' as const },
    })),
  },
});
