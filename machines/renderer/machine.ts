import { crashed, outcomeOf } from '../kit/outcome.ts';
import { withEvent } from '../kit/with-event.ts';
import { appearanceOf } from './ambient.ts';
import { initialFacts } from './initial.ts';
import { offline, loading, recovering, settings, showing, tap, tapped } from './pages.ts';
import { rendererSetup } from './implementations.ts';

/** While no dashboard is shown, a path is kept for later; home is kept if it will open without help. */
const keepForLater = {
  'renderer.navigate': [
    { guard: withEvent('isAdmitted'), actions: withEvent('keepGoal') },
    { actions: withEvent('refusePath') },
  ],
  'renderer.home': [
    { guard: 'comesByItself', actions: withEvent('keepHome') },
    { actions: withEvent('refuseCommand') },
  ],
} as const;

/**
 * Starts, watches and recovers the browser that shows the dashboard. While Home Assistant is unreachable, the panel's
 * own offline page is shown instead.
 */
export const rendererMachine = rendererSetup.createMachine({
  id: 'renderer',
  context: initialFacts,
  invoke: [
    { id: 'followed', src: 'followed', onError: '.failed' },
    { id: 'reachability', src: 'reachability', onError: '.failed' },
    { id: 'changes', src: 'changes', onError: '.failed' },
  ],
  output: outcomeOf,
  initial: 'learning',
  on: {
    'page.desired': { actions: [withEvent('takeDesired'), 'watchReachability', 'watchChanges'] },
    'credential.changed': { actions: withEvent('takeCredential') },
    'screen.changed': { actions: withEvent('takeScreen') },
    'room.changed': { actions: withEvent('takeRoom') },
    'filter.changed': { actions: withEvent('takeFilter') },
    'renderer.navigate': { actions: withEvent('refusePath') },
    'renderer.home': { actions: withEvent('refuseCommand') },
    'renderer.reload': { actions: withEvent('refuseCommand') },
    'renderer.screenshot': { actions: withEvent('replyNotShown') },
    'renderer.tap': { actions: withEvent('replyNotShown') },
    'changes.observed': { actions: withEvent('takeChange') },
    'home.listed': { actions: withEvent('takeListed') },
    'reachability.probed': [
      { guard: withEvent('isBack'), actions: ['comeBack', 'watchReachability'] },
      { actions: withEvent('takeReachability') },
    ],
  },
  states: {
    learning: {
      always: [
        { guard: 'wantsBrowser', target: 'up', actions: 'startBrowser' },
        { guard: 'knowsDesired', target: 'off' },
      ],
    },
    off: {
      entry: { type: 'closeBrowser', params: { lastEnd: null } },
      always: { guard: 'wantsBrowser', target: 'up', actions: 'startBrowser' },
    },
    up: {
      invoke: {
        id: 'browser',
        src: 'browser',
        // `startBrowser` runs on every way in and sets `started`; the fallback only satisfies the type.
        input: ({ context }) =>
          context.started ?? {
            generation: 0,
            display: 'auto',
            origin: null,
            ownOrigin: '',
            appearance: appearanceOf(context),
            program: 'builtin',
          },
        onError: '#renderer.failed',
      },
      initial: 'starting',
      always: [
        { guard: 'wantsNone', target: 'off' },
        {
          guard: 'displayMoved',
          target: 'resting',
          actions: [
            { type: 'note', params: { reason: 'display-changed' } },
            { type: 'closeBrowser', params: { lastEnd: null } },
          ],
        },
        {
          guard: 'needsRestart',
          target: 'resting',
          actions: [
            { type: 'note', params: { reason: 'address-changed' } },
            { type: 'closeBrowser', params: { lastEnd: null } },
          ],
        },
      ],
      on: {
        'browser.ended': [
          {
            guard: withEvent('notInstalled'),
            target: 'absent',
            actions: { type: 'closeBrowser', params: { lastEnd: 'not-installed' } },
          },
          {
            guard: withEvent('noDisplay'),
            target: 'absent',
            actions: { type: 'closeBrowser', params: { lastEnd: 'no-display' } },
          },
          {
            guard: withEvent('otherUsersDisplay'),
            target: 'absent',
            actions: { type: 'closeBrowser', params: { lastEnd: 'other-users-display' } },
          },
          {
            guard: withEvent('ofThisLaunch'),
            target: 'resting',
            actions: [withEvent('noteEnd'), { type: 'closeBrowser', params: { lastEnd: 'failed' } }],
          },
        ],
        'page.desired': {
          actions: [withEvent('takeDesired'), 'sendAppearance', 'watchReachability', 'watchChanges'],
        },
        // Never by `page.desired`, which tries a failed dashboard again: the room asked for nothing.
        'room.changed': { actions: [withEvent('takeRoom'), 'sendAppearance'] },
        'filter.changed': { actions: [withEvent('takeFilter'), 'sendFilter'] },
        'page.subscribed': { actions: withEvent('passReport') },
        'page.uncut': { actions: withEvent('passReport') },
        'page.entity-opened': { actions: withEvent('passReport') },
        'page.entities-read': { actions: withEvent('passReport') },
        'page.enumerated': { actions: withEvent('passReport') },
        'page.connection': { actions: [withEvent('takeConnection'), 'watchReachability'] },
        'page.token-refused': { actions: [withEvent('takeTokenRefusal'), 'watchReachability'] },
        'page.loaded': { actions: withEvent('takeDrawn') },
        'page.hung': { actions: { type: 'note', params: ({ event }) => ({ reason: 'hung' as const, at: event.at }) } },
        'page.touched': { actions: withEvent('takeTouch') },
        'page.nuisance': { actions: withEvent('takeNuisance') },
        'browser.memory': { actions: withEvent('takeSize') },
        'renderer.screenshot': { actions: withEvent('shoot') },
        'page.shot': { actions: withEvent('replyShot') },
        'renderer.tap': { actions: tap },
        'page.tapped': { actions: tapped },
        'renderer.clear-storage': { guard: 'hasOrigin', target: '.clearing', actions: ['forgetDashboard', 'thaw'] },
        ...keepForLater,
      },
      states: {
        starting: {
          on: {
            'browser.ready': {
              guard: withEvent('ofThisLaunch'),
              target: 'clearing',
              actions: [withEvent('takeReady'), 'sendFilter'],
            },
            'renderer.screenshot': { actions: withEvent('replyNotShown') },
            'renderer.tap': { actions: withEvent('replyNotShown') },
            // Removed in `clearing`, once the browser is ready.
            'renderer.clear-storage': { actions: 'forgetDashboard' },
          },
          after: {
            startBound: {
              target: '#renderer.resting',
              actions: [
                { type: 'note', params: { reason: 'start-timeout' } },
                { type: 'closeBrowser', params: { lastEnd: 'failed' } },
              ],
            },
          },
        },
        clearing: {
          always: [
            { guard: 'hasForgotten', target: 'clearing', reenter: true, actions: ['sendForget', 'dropForgotten'] },
            { guard: 'wantsLoad', target: 'loading' },
            { target: 'offline' },
          ],
        },
        offline,
        loading,
        showing,
        settings,
        recovering,
      },
    },
    absent: {
      always: { guard: 'wantsNone', target: 'off' },
      on: { 'renderer.reload': { target: 'up', actions: 'startBrowser' } },
      after: { probeInterval: { target: 'up', actions: 'startBrowser' } },
    },
    resting: {
      always: { guard: 'wantsNone', target: 'off' },
      on: { ...keepForLater, 'renderer.clear-storage': { actions: 'forgetDashboard' } },
      after: { restDelay: { target: 'up', actions: 'startBrowser' } },
    },
    failed: {
      type: 'final',
      output: crashed({
        followed: 'desired-state',
        reachability: 'reachability',
        changes: 'changes',
        browser: 'browser-driver',
      }),
    },
  },
  options: { maxIterations: 100 },
});
