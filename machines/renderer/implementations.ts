import { assign, emit, type EventObject, raise, sendTo } from 'xstate';

import { sectionOf } from '../kit/home-path.ts';
import type { ReplyEvent, WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import type { EpochMs } from '../kit/units.ts';
import {
  admittedPath,
  answersPending,
  hasFallback,
  hasStrayed,
  isBack,
  isOfFormerHome,
  isOfThisStart,
  memoryOf,
  silenceOf,
  troubleOf,
} from './selectors.ts';
import type {
  BrowserCommand,
  BrowserEnd,
  BrowserFact,
  FilterFact,
  StartInput,
  ReachabilityCommand,
  ReachabilityFact,
  RendererActor,
  RestartReason,
  ScreenshotOutcome,
  TapOutcome,
} from './events.ts';
import type { FollowedFact, RendererFacts, RendererMachineEvent } from './facts.ts';
import {
  ANSWER_BOUND_MS,
  FREEZE_DELAY_MS,
  HOME_RETRY_MS,
  OWN_RETRY_MS,
  PROBE_INTERVAL_MS,
  SCAN_WAIT_MS,
  START_BOUND_MS,
} from './delays.ts';
import type { ChangeCommand, ChangeEvent } from './change-events.ts';
import { comesByItself, keep, refuseNotShown, refusePath } from './navigation.ts';
import { restDelay } from './recovery.ts';
import { appearanceOf } from './ambient.ts';
import { comeBack, leave, stayUnreachable, takeMissing, pageShown } from './page-transitions.ts';
import { dashboardToWatch, resetAttempt, noteTrigger, isHeldBack, isTryDue } from './fallback.ts';
import {
  closeBrowser,
  forgetDashboard,
  goHome,
  judged,
  startBrowser,
  recover,
  note,
  noteEnd,
  noteEndOfPage,
  sendGo,
  sendLoad,
  sendOwn,
  takeConnection,
  takeGoal,
  takeProbe,
  takeSize,
  takeDesired,
} from './transitions.ts';
import { TAP_BOUND_MS } from './tap.ts';
import { lacksHome } from './lacks-home.ts';
import {
  homeInside,
  idleReturnIsDue,
  isUnknown,
  homeToWatch,
  needsRestart,
  originToWatch,
  wantsBrowser,
  wantsDashboard,
  wantsLoad,
  displayOf,
} from './target.ts';
import { ownPageIsIdle } from './own-page-idle.ts';

/** Query that tells one of the panel's own pages that it is open on the panel's own screen. */
const ON_DEVICE = 'on=glass';
type EventOf<T extends RendererMachineEvent['type']> = Extract<RendererMachineEvent, { readonly type: T }>;
/** An event of one launch or of one command. */
interface Numbered {
  readonly generation: number;
}
/** Reason of a reload; without `at` it counts as of the newest event's time. */
interface Cause {
  readonly reason: RestartReason;
  readonly at?: EpochMs;
}

/** Actors, delays, guards and actions of the renderer's machine. */
export const rendererSetup = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as RendererFacts,
    events: {} as RendererMachineEvent,
    emitted: {} as ReplyEvent<ScreenshotOutcome | TapOutcome> | RendererActor['emitted'],
    output: {} as WorkerOutcome,
  },
  actors: {
    followed: placeholder<EventObject, undefined, FollowedFact>(),
    reachability: placeholder<ReachabilityCommand, undefined, ReachabilityFact>(),
    changes: placeholder<ChangeCommand, undefined, ChangeEvent>(),
    browser: placeholder<BrowserCommand, StartInput, BrowserFact>(),
  },
  delays: {
    startBound: START_BOUND_MS,
    answerBound: ANSWER_BOUND_MS,
    probeInterval: PROBE_INTERVAL_MS,
    ownRetry: OWN_RETRY_MS,
    freezeDelay: FREEZE_DELAY_MS,
    tapBound: TAP_BOUND_MS,
    homeRetry: HOME_RETRY_MS,
    scanWait: SCAN_WAIT_MS,
    recoveryDelay: ({ context }) => context.recovery?.delayMs ?? 0,
    restDelay: ({ context }) => restDelay(context.restarts, context.at),
  },
  guards: {
    knowsDesired: ({ context }) => context.desired !== null,
    wantsBrowser: ({ context }) => wantsBrowser(context.desired),
    wantsNone: ({ context }) => !wantsBrowser(context.desired),
    needsRestart: ({ context }) => needsRestart(context.started, context.desired),
    wantsDashboard: ({ context }) => wantsDashboard(context),
    wantsLoad: ({ context }) => wantsLoad(context),
    wantsOffline: ({ context }) => !wantsDashboard(context),
    notInstalled: ({ context }, { generation, reason }: EventOf<'browser.ended'>) =>
      isOfThisStart(context, generation) && reason === 'not-installed',
    noDisplay: ({ context }, { generation, reason }: EventOf<'browser.ended'>) =>
      isOfThisStart(context, generation) && reason === 'no-display',
    otherUsersDisplay: ({ context }, { generation, reason }: EventOf<'browser.ended'>) =>
      isOfThisStart(context, generation) && reason === 'other-users-display',
    failedUnderway: ({ context }, { generation, reason }: EventOf<'browser.ended'>) =>
      isOfThisStart(context, generation) &&
      reason !== 'not-installed' &&
      reason !== 'no-display' &&
      reason !== 'other-users-display',
    ofThisLaunch: ({ context }, { generation }: Numbered) => isOfThisStart(context, generation),
    isShown: ({ context }, { generation, outcome }: EventOf<'page.settled'>) =>
      answersPending(context, generation) && (outcome === 'shown' || outcome === 'elsewhere'),
    isMissing: ({ context }, { generation, outcome, status }: EventOf<'page.settled'>) =>
      answersPending(context, generation) && outcome === 'http-error' && status === 404 && hasFallback(context),
    isDropped: ({ context }, { generation, outcome }: EventOf<'page.settled'>) =>
      answersPending(context, generation) && outcome === 'dropped',
    isHung: ({ context }, { generation, outcome }: EventOf<'page.settled'>) =>
      answersPending(context, generation) && outcome === 'hung',
    answersMine: ({ context }, { generation }: Numbered) => answersPending(context, generation),
    isAdmitted: ({ context }, { path }: EventOf<'renderer.navigate'>) => admittedPath(context, path) !== null,
    isAdmittedTry: ({ context }, { path }: EventOf<'renderer.navigate'>) =>
      isHeldBack(context) && admittedPath(context, path) !== null,
    awaitsScan: ({ context }, { path }: EventOf<'renderer.navigate'>) => {
      const admitted = admittedPath(context, path);
      return admitted !== null && isUnknown(context, admitted);
    },
    isAwaited: ({ context }, { generation }: Numbered) =>
      context.awaiting === generation && answersPending(context, generation),
    isKnownNow: ({ context }, { known }: EventOf<'filter.changed'>) =>
      context.awaiting !== null &&
      context.awaiting === context.pending?.generation &&
      !isUnknown({ known }, context.pending.path),
    isHeldBack: ({ context }) => isHeldBack(context),
    isTryDue: ({ context }) => isTryDue(context),
    hasOrigin: ({ context }) => context.desired !== null && context.desired.origin !== null,
    comesByItself: ({ context }) => comesByItself(context),
    isErrorPage: (_, { place }: EventOf<'page.probed'>) => place === 'error',
    isOwnPage: ({ context }, { place, excused }: EventOf<'page.probed'>) =>
      place === 'own' && !excused && context.pending === null,
    isTrouble: ({ context }) => troubleOf(context) !== null,
    displayMoved: ({ context }) =>
      context.started !== null && context.desired !== null && displayOf(context.desired) !== context.started.display,
    isTooBig: ({ context }) => memoryOf(context) !== null,
    becomesUnreachable: ({ context }, probe: ReachabilityFact) => silenceOf(context, probe) === 'unreachable',
    isStale: ({ context }, probe: ReachabilityFact) => silenceOf(context, probe) === 'stale',
    isBack: ({ context }, probe: ReachabilityFact) => isBack(context, probe),
    isDark: ({ context }) => context.dark,
    isLit: ({ context }) => !context.dark,
    hasNoTapOut: ({ context }) => context.taps.length === 0,
    strayedOrIdle: ({ context }) =>
      hasStrayed(context) || (context.path !== '/glass' && ownPageIsIdle(context, context.at)),
    strayedOrLeft: ({ context }) =>
      hasStrayed(context) ||
      context.place === 'dashboard' ||
      context.path === '/glass' ||
      ownPageIsIdle(context, context.at),
    // The frontend's router does not know "/", so it takes a full load.
    goesToStart: ({ context }) => context.pending?.kind === 'go' && context.pending.path === '/',
    idleReturns: ({ context }) => context.pending === null && idleReturnIsDue(context, context.at),
    isNewCredential: ({ context }, { credential }: EventOf<'credential.changed'>) =>
      context.credential !== null && credential !== null && credential.revision !== context.credential.revision,
    homeMoved: ({ context }, { desired }: EventOf<'page.desired'>) =>
      context.desired !== null &&
      desired.origin === context.desired.origin &&
      desired.home !== context.desired.home &&
      context.path === homeInside(context),
    homeMovedMeanwhile: ({ context }, { desired }: EventOf<'page.desired'>) => isOfFormerHome(context, desired),
    hasForgotten: ({ context }) => context.forget.length > 0,
    // A home that is not in the list is still missing.
    retriesHome: ({ context }) => context.homeMissing && context.isHomeListed !== false && context.pending === null,
    isHomeBack: ({ context }, { isListed }: EventOf<'home.listed'>) => isListed && lacksHome(context),
    recoversByLoad: ({ context }) => context.recovery?.step === 'load',
    recoversByUnhang: ({ context }) => context.recovery?.step === 'unhang',
  },
  actions: {
    takeDesired: assign(({ context }, { desired }: EventOf<'page.desired'>) => takeDesired(context, desired)),
    takeCredential: assign(({ context }, { credential }: EventOf<'credential.changed'>) =>
      judged(context, {
        credential,
        ...(credential?.revision === context.credential?.revision ? {} : noteTrigger(context, 'asked')),
      }),
    ),
    takeRoom: assign((_, { verdict }: EventOf<'room.changed'>) => ({ roomVerdict: verdict })),
    takeScreen: assign((_, { dark }: EventOf<'screen.changed'>) => ({ dark })),
    startBrowser: assign(({ context }) => startBrowser(context)),
    closeBrowser: assign(({ context }, { lastEnd }: { readonly lastEnd: BrowserEnd | null }) =>
      closeBrowser(context, lastEnd),
    ),
    endRecovery: assign({ recovery: null }),
    takeReady: assign(({ context }, { route, version, at }: EventOf<'browser.ready'>) =>
      judged(context, { route, browser: version, at }),
    ),
    noteEnd: assign(({ context }, ended: EventOf<'browser.ended'>) => noteEnd(context, ended)),
    noteEndOfLoad: assign(({ context }, ended: EventOf<'browser.ended'>) => noteEndOfPage(context, ended, false)),
    noteEndOfDashboard: assign(({ context }, ended: EventOf<'browser.ended'>) => noteEndOfPage(context, ended, true)),
    note: assign(({ context }, { reason, at = context.at }: Cause) => note(context, reason, at)),
    openOffline: assign(({ context }) => sendOwn(context, '/glass')),
    openSettings: assign(({ context }) => sendOwn(context, '/')),
    sendOwn: sendTo('browser', ({ context }) => ({
      type: 'page.own' as const,
      generation: context.generation,
      path: `${context.pending?.path ?? '/glass'}?${ON_DEVICE}`,
    })),
    startLoad: assign(({ context }) => sendLoad(context)),
    sendLoad: sendTo('browser', ({ context }) => ({
      type: 'page.load' as const,
      generation: context.generation,
      path: context.pending?.path ?? '/',
    })),
    startGo: assign(({ context }, { path, origin }: EventOf<'renderer.navigate'>) => {
      const admitted = admittedPath(context, path);
      return admitted === null ? {} : sendGo(context, admitted, origin);
    }),
    startHome: assign(({ context }, { origin }: { readonly origin: string }) => goHome(context, origin)),
    sendGo: sendTo('browser', ({ context }) => ({
      type: 'page.go' as const,
      generation: context.generation,
      path: context.pending?.path ?? '/',
      replace: false,
    })),
    thaw: sendTo('browser', { type: 'page.freeze', frozen: false }),
    freeze: sendTo('browser', { type: 'page.freeze', frozen: true }),
    noteFrozen: assign({ frozen: true, probes: [], wellSince: null }),
    noteThawed: assign({ frozen: false, probes: [] }),
    unhang: sendTo('browser', { type: 'page.unhang' }),
    sendAppearance: sendTo('browser', ({ context }) => ({
      type: 'page.appearance' as const,
      appearance: appearanceOf(context),
    })),
    takeFilter: assign(({ context }, { filter, held, known }: EventOf<'filter.changed'>) =>
      judged(context, { filter, held, known }),
    ),
    askScan: emit(({ context }) => ({
      type: 'page.wanted' as const,
      dashboard: sectionOf(context.pending?.path ?? ''),
    })),
    awaitScan: assign(({ context }) => ({ awaiting: context.generation })),
    endWait: raise(({ context }) => ({ type: 'scan.awaited' as const, generation: context.generation }), {
      delay: 'scanWait',
    }),
    awaitNothing: assign({ awaiting: null }),
    sendFilter: sendTo('browser', ({ context }) => ({ type: 'page.entities' as const, filter: context.filter })),
    leaveLogin: emit({ type: 'page.login-left' as const }),
    passReport: emit((_, report: FilterFact) => report),
    sendSignIn: sendTo('browser', { type: 'page.sign-in' }),
    forgetDashboard: assign(({ context }) => forgetDashboard(context)),
    sendForget: sendTo('browser', ({ context }) => ({ type: 'page.forget' as const, origin: context.forget[0] ?? '' })),
    dropForgotten: assign(({ context }) => ({ forget: context.forget.slice(1) })),
    pageShown: assign(({ context }, settled: EventOf<'page.settled'>) => pageShown(context, settled)),
    takeMissing: assign(({ context }, settled: EventOf<'page.settled'>) => takeMissing(context, settled)),
    takeOwn: assign(({ context }, { path, at }: EventOf<'page.settled'>) =>
      judged(context, { pending: null, place: 'own', path, at }),
    ),
    leaveSettled: assign(({ context }, settled: EventOf<'page.settled'>) =>
      leave(context, settled.outcome, settled.at, settled),
    ),
    leaveUnanswered: assign(({ context }) => leave(context, 'timeout', context.at)),
    leaveError: assign(({ context }, { at }: EventOf<'page.probed'>) => leave(context, 'unreachable', at)),
    leaveUnreachable: assign(({ context }, { reason, at }: ReachabilityFact) => ({
      ...leave(context, reason ?? 'failed', at),
      ...noteTrigger(context, 'restarted'),
    })),
    comeBack: assign(({ context }) => comeBack(context)),
    takeReachability: assign(({ context }, { reason, at }: ReachabilityFact) =>
      judged(context, { at, ...stayUnreachable(context, reason) }),
    ),
    takeChange: assign(({ context }, { trigger }: EventOf<'changes.observed'>) => noteTrigger(context, trigger)),
    watchChanges: sendTo('changes', ({ context }) => ({
      type: 'changes.watch' as const,
      dashboard: dashboardToWatch(context),
      home: homeToWatch(context.desired),
      origin: context.desired?.origin ?? null,
    })),
    tryAgain: assign(({ context }) => resetAttempt(context)),
    watchReachability: sendTo('reachability', ({ context }) => ({
      type: 'reachability.watch' as const,
      origin: originToWatch(context),
    })),
    takeProbe: assign(({ context }, probe: EventOf<'page.probed'>) => takeProbe(context, probe, false)),
    takeDashboardProbe: assign(({ context }, probe: EventOf<'page.probed'>) => takeProbe(context, probe, true)),
    takeConnection: assign(({ context }, fact: EventOf<'page.connection'>) => takeConnection(context, fact)),
    takeTokenRefusal: assign(({ context }, { reason, at }: EventOf<'page.token-refused'>) => ({
      at,
      disconnectedSince: reason === 'unreachable' ? (context.disconnectedSince ?? at) : context.disconnectedSince,
    })),
    takeDrawn: assign(({ context }, { at }: EventOf<'page.loaded'>) => judged(context, { rendered: true, at })),
    // A touch may navigate before the probe saw where the load itself led.
    takeTouch: assign((_, { at }: EventOf<'page.touched'>) => ({ touchedAt: at, at, landing: null, asked: null })),
    takeNuisance: assign(({ context }, { at }: EventOf<'page.nuisance'>) => ({ nuisances: context.nuisances + 1, at })),
    takeSize: assign(({ context }, size: EventOf<'browser.memory'>) => takeSize(context, size)),
    recoverFromTrouble: assign(({ context }) => recover(context, troubleOf(context) ?? 'blank', context.at, true)),
    recoverFromLoad: assign(({ context }, { reason, at = context.at }: Cause) => recover(context, reason, at, false)),
    recoverDashboard: assign(({ context }, { reason, at = context.at }: Cause) => recover(context, reason, at, true)),
    noteMemory: assign(({ context }) => note(context, memoryOf(context) ?? 'memory', context.at)),
    dropPending: assign({ pending: null }),
    takeGoal: assign(({ context }, { path }: EventOf<'renderer.navigate'>) => takeGoal(context, path)),
    keepGoal: assign(({ context }, { path, origin }: EventOf<'renderer.navigate'>) => ({
      ...takeGoal(context, path),
      ...keep(context, origin),
    })),
    goalHome: assign({ goal: null }),
    keepHome: assign(({ context }, { origin }: EventOf<'renderer.home'>) => ({
      ...resetAttempt(context),
      goal: null,
      ...keep(context, origin),
    })),
    goalPending: assign(({ context }) => ({ goal: context.pending?.path ?? context.goal })),
    refusePath: assign(({ context }, { path, origin }: EventOf<'renderer.navigate'>) =>
      refusePath(context, path, origin),
    ),
    refuseCommand: assign(({ context }, { origin }: EventOf<'renderer.home' | 'renderer.reload'>) =>
      refuseNotShown(context, origin),
    ),
    takeListed: assign((_, { isListed }: EventOf<'home.listed'>) => ({ isHomeListed: isListed })),
    retryMissing: assign({ homeMissing: false }),
    shoot: sendTo('browser', (_, { requestId }: EventOf<'renderer.screenshot'>) => ({
      type: 'page.shoot' as const,
      requestId,
    })),
    tap: sendTo('browser', (_, { requestId, x, y, capture }: EventOf<'renderer.tap'>) => ({
      type: 'page.tap' as const,
      requestId,
      x,
      y,
      capture,
    })),
    countTap: assign(({ context }, { requestId }: EventOf<'renderer.tap'>) => ({ taps: [...context.taps, requestId] })),
    countTapped: assign(({ context }, { requestId }: EventOf<'page.tapped'>) => ({
      taps: context.taps.filter((tap) => tap !== requestId),
    })),
    forgetTaps: assign({ taps: [] }),
    replyTapped: emit((_, { requestId, outcome }: EventOf<'page.tapped'>) => ({
      type: 'reply' as const,
      requestId,
      outcome,
    })),
    replyNotShown: emit((_, { requestId }: EventOf<'renderer.screenshot' | 'renderer.tap'>) => ({
      type: 'reply' as const,
      requestId,
      outcome: { ok: false as const, reason: 'not-shown' as const },
    })),
    replyShot: emit((_, { requestId, png }: EventOf<'page.shot'>) => ({
      type: 'reply' as const,
      requestId,
      outcome: png === null ? { ok: false as const, reason: 'no-answer' as const } : { ok: true as const, png },
    })),
  },
});
