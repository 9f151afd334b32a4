import type { EpochMs } from '../kit/units.ts';
import { withEvent } from '../kit/with-event.ts';
import { rendererSetup } from './implementations.ts';

const toOffline = { guard: 'wantsOffline', target: '#renderer.up.offline' } as const;
const again = { guard: 'isTryDue', target: '#renderer.up.loading', actions: 'tryAgain' } as const;
const startHome = { type: 'startHome', params: { origin: 'sconce' } } as const;

interface Moment {
  readonly event: { readonly at: EpochMs };
}
const crash = {
  type: 'recoverFromLoad',
  params: ({ event }: Moment) => ({ reason: 'crashed' as const, at: event.at }),
} as const;
const closeFailed = { type: 'closeBrowser', params: { lastEnd: 'failed' } } as const;

/** Sends a tap to the page and counts it as open until the page answers. */
export const tap = [withEvent('countTap'), withEvent('tap')] as const;

/** The page answered a tap. */
export const tapped = [withEvent('countTapped'), withEvent('replyTapped')] as const;

/** The offline page: no address, no sign-in, Home Assistant unreachable, or a failing dashboard. */
export const offline = rendererSetup.createStateConfig({
  initial: 'opening',
  always: [
    { guard: 'wantsLoad', target: 'loading' },
    { guard: 'isTryDue', actions: 'tryAgain' },
  ],
  on: {
    'page.probed': { actions: withEvent('takeProbe') },
    'page.back-asked': '.opening',
    'page.crashed': '.failing',
    // A command that arrives while this page replaces a failing dashboard tries the dashboard again.
    'renderer.navigate': { guard: withEvent('isAdmittedTry'), actions: withEvent('takeGoal') },
    'renderer.home': { guard: 'isHeldBack', actions: 'tryAgain' },
    'renderer.reload': { guard: 'isHeldBack', actions: 'tryAgain' },
    'renderer.own-pages': 'settings',
  },
  states: {
    opening: {
      entry: ['thaw', 'leaveLogin', 'openOffline', 'sendOwn', 'watchReachability', 'watchChanges'],
      on: {
        'page.settled': [
          { guard: withEvent('isShown'), target: 'open', actions: withEvent('takeOwn') },
          { guard: withEvent('answersMine'), target: 'failing' },
        ],
      },
      after: { answerBound: 'failing' },
    },
    open: {
      on: { 'page.probed': [{ guard: 'strayedOrIdle', target: 'opening' }, { actions: withEvent('takeProbe') }] },
    },
    failing: { after: { ownRetry: 'opening' } },
  },
});

/** The panel's own settings are open on the screen. */
export const settings = rendererSetup.createStateConfig({
  initial: 'opening',
  on: {
    'page.probed': { actions: withEvent('takeProbe') },
    'page.back-asked': '.opening',
    'page.crashed': 'loading',
    'renderer.home': { target: 'loading', actions: ['tryAgain', 'goalHome'] },
    'renderer.reload': { target: 'loading', actions: 'tryAgain' },
    'renderer.navigate': [
      { guard: withEvent('isAdmitted'), target: 'loading', actions: withEvent('takeGoal') },
      { actions: withEvent('refusePath') },
    ],
  },
  states: {
    opening: {
      entry: ['thaw', 'leaveLogin', 'openSettings', 'sendOwn'],
      on: {
        'page.settled': [
          { guard: withEvent('isShown'), target: 'open', actions: withEvent('takeOwn') },
          { guard: withEvent('answersMine'), target: '#renderer.up.loading' },
        ],
      },
      after: { answerBound: '#renderer.up.loading' },
    },
    open: {
      on: {
        'page.probed': [
          { guard: 'strayedOrLeft', target: '#renderer.up.loading', actions: withEvent('takeProbe') },
          { actions: withEvent('takeProbe') },
        ],
      },
    },
  },
});

export const loading = rendererSetup.createStateConfig({
  entry: ['thaw', 'leaveLogin', 'startLoad', 'sendLoad', 'watchReachability', 'watchChanges'],
  always: toOffline,
  on: {
    'page.settled': [
      { guard: withEvent('isShown'), target: 'showing', actions: withEvent('pageShown') },
      { guard: withEvent('isMissing'), target: 'loading', reenter: true, actions: withEvent('takeMissing') },
      {
        guard: withEvent('isDropped'),
        target: 'recovering',
        actions: { type: 'recoverFromLoad', params: ({ event }) => ({ reason: 'blank' as const, at: event.at }) },
      },
      {
        guard: withEvent('isHung'),
        target: 'recovering',
        actions: { type: 'recoverFromLoad', params: ({ event }) => ({ reason: 'hung' as const, at: event.at }) },
      },
      { guard: withEvent('answersMine'), actions: [withEvent('leaveSettled'), 'watchReachability'] },
    ],
    'page.crashed': { target: 'recovering', actions: crash },
    'browser.ended': {
      guard: withEvent('failedUnderway'),
      target: '#renderer.resting',
      actions: [withEvent('noteEndOfLoad'), closeFailed],
    },
    'page.probed': { actions: withEvent('takeProbe') },
    'page.desired': {
      guard: withEvent('homeMovedMeanwhile'),
      target: 'loading',
      reenter: true,
      actions: [withEvent('takeDesired'), 'sendAppearance', 'goalHome'],
    },
    'renderer.navigate': [
      { guard: withEvent('isAdmitted'), target: 'loading', reenter: true, actions: withEvent('takeGoal') },
      { actions: withEvent('refusePath') },
    ],
    'renderer.home': { target: 'loading', reenter: true, actions: ['tryAgain', 'goalHome'] },
    'renderer.reload': { target: 'loading', reenter: true, actions: 'tryAgain' },
  },
  after: { answerBound: { actions: ['leaveUnanswered', 'watchReachability'] } },
});

/** The dashboard is shown: live, dimmed, or frozen. */
export const showing = rendererSetup.createStateConfig({
  entry: 'endRecovery',
  initial: 'live',
  always: [
    toOffline,
    { guard: 'isTrouble', target: 'recovering', actions: 'recoverFromTrouble' },
    { guard: 'isTooBig', target: 'loading', actions: 'noteMemory' },
    { guard: 'goesToStart', target: 'loading', actions: 'goalPending' },
    again,
    { guard: 'idleReturns', target: '.live', actions: [startHome, 'thaw', 'sendGo'] },
  ],
  on: {
    'page.probed': [
      {
        guard: withEvent('isErrorPage'),
        actions: [withEvent('takeDashboardProbe'), withEvent('leaveError'), 'watchReachability'],
      },
      {
        guard: withEvent('isOwnPage'),
        target: 'loading',
        actions: ['goalHome', { type: 'note', params: ({ event }) => ({ reason: 'blank' as const, at: event.at }) }],
      },
      { actions: [withEvent('takeDashboardProbe'), 'watchReachability'] },
    ],
    'page.crashed': {
      target: 'recovering',
      actions: { type: 'recoverDashboard', params: ({ event }) => ({ reason: 'crashed' as const, at: event.at }) },
    },
    'browser.ended': {
      guard: withEvent('failedUnderway'),
      target: '#renderer.resting',
      actions: [withEvent('noteEndOfDashboard'), closeFailed],
    },
    'page.settled': [
      { guard: withEvent('isShown'), actions: withEvent('pageShown') },
      { guard: withEvent('isDropped'), actions: 'dropPending' },
      { guard: withEvent('answersMine'), target: 'loading', actions: 'goalPending' },
    ],
    'page.settings-asked': 'settings',
    'renderer.own-pages': 'settings',
    'page.desired': [
      {
        guard: withEvent('homeMoved'),
        target: '.live',
        actions: [withEvent('takeDesired'), 'sendAppearance', 'watchChanges', startHome, 'thaw', 'sendGo'],
      },
      { actions: [withEvent('takeDesired'), 'sendAppearance', 'watchReachability', 'watchChanges'] },
    ],
    'home.listed': [
      {
        guard: withEvent('isHomeBack'),
        target: '.live',
        actions: [withEvent('takeListed'), 'retryMissing', startHome, 'thaw', 'sendGo'],
      },
      { actions: withEvent('takeListed') },
    ],
    'reachability.probed': [
      { guard: withEvent('becomesUnreachable'), actions: [withEvent('leaveUnreachable'), 'watchReachability'] },
      {
        guard: withEvent('isStale'),
        target: 'recovering',
        actions: { type: 'recoverDashboard', params: ({ event }) => ({ reason: 'stale' as const, at: event.at }) },
      },
      { actions: withEvent('takeReachability') },
    ],
    'credential.changed': [
      {
        guard: withEvent('isNewCredential'),
        actions: [withEvent('takeCredential'), { type: 'note', params: { reason: 'credential' } }, 'sendSignIn'],
      },
      { actions: withEvent('takeCredential') },
    ],
    'renderer.navigate': [
      {
        // Keep the previous page until the dashboard's filter is decided.
        guard: withEvent('awaitsScan'),
        target: '.live',
        actions: ['tryAgain', withEvent('startGo'), 'thaw', 'awaitScan', 'askScan', 'endWait'],
      },
      {
        guard: withEvent('isAdmitted'),
        target: '.live',
        actions: ['tryAgain', withEvent('startGo'), 'thaw', 'sendGo'],
      },
      { actions: withEvent('refusePath') },
    ],
    'scan.awaited': { guard: withEvent('isAwaited'), actions: ['awaitNothing', 'sendGo'] },
    'filter.changed': [
      {
        guard: withEvent('isKnownNow'),
        actions: [withEvent('takeFilter'), 'sendFilter', 'awaitNothing', 'sendGo'],
      },
      { actions: [withEvent('takeFilter'), 'sendFilter'] },
    ],
    'renderer.home': { target: '.live', actions: ['tryAgain', withEvent('startHome'), 'thaw', 'sendGo'] },
    'renderer.reload': { target: 'loading', actions: ['tryAgain', { type: 'note', params: { reason: 'asked' } }] },
  },
  after: {
    homeRetry: { guard: 'retriesHome', target: '.live', actions: ['retryMissing', startHome, 'thaw', 'sendGo'] },
  },
  states: {
    live: { always: { guard: 'isDark', target: 'dimmed' } },
    dimmed: {
      always: { guard: 'isLit', target: 'live' },
      // Give the page time to react to the tap before it is frozen again.
      on: {
        'renderer.tap': { target: 'dimmed', reenter: true, actions: tap },
        'page.tapped': { target: 'dimmed', reenter: true, actions: tapped },
      },
      after: {
        freezeDelay: { guard: 'hasNoTapOut', target: 'frozen' },
        // Give up on the tap after this.
        tapBound: { target: 'frozen', actions: 'forgetTaps' },
      },
    },
    frozen: {
      entry: ['freeze', 'noteFrozen'],
      // A frozen page would react to the tap only once the screen is lit, hours later.
      on: { 'renderer.tap': { target: 'dimmed', actions: ['thaw', 'noteThawed', ...tap] } },
      always: { guard: 'isLit', target: 'live', actions: ['thaw', 'noteThawed'] },
    },
  },
});

/** The page is in trouble: the next step follows after its pause. */
export const recovering = rendererSetup.createStateConfig({
  after: {
    recoveryDelay: [
      { guard: 'recoversByUnhang', target: 'showing', actions: 'unhang' },
      { guard: 'recoversByLoad', target: 'loading' },
      { target: '#renderer.resting', actions: closeFailed },
    ],
  },
  on: {
    // A load or a restart also cures a crashed page. Terminating its script does not, and the crash is reported only
    // once.
    'page.crashed': {
      guard: 'recoversByUnhang',
      target: 'recovering',
      reenter: true,
      actions: crash,
    },
  },
});
