import { crashed, outcomeOf } from '../kit/outcome.ts';
import { withEvent } from '../kit/with-event.ts';
import { initialFacts } from './initial.ts';
import { glass, loading, recovering, settings, showing, tap, tapped } from './pages.ts';
import { rendererSetup } from './vocabulary.ts';

/** While there is no dashboard, what can be shown later is kept. */
const kept = {
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
 * What shows the dashboard: launched, watched and brought back; while Home Assistant is away the panel's own calm page
 * stands there.
 */
export const rendererMachine = rendererSetup.createMachine({
  id: 'renderer',
  context: initialFacts,
  invoke: [
    { id: 'followed', src: 'followed', onError: '.failed' },
    { id: 'reach', src: 'reach', onError: '.failed' },
    { id: 'news', src: 'news', onError: '.failed' },
  ],
  output: outcomeOf,
  initial: 'learning',
  on: {
    'page.desired': { actions: [withEvent('takeDesired'), 'watchReach'] },
    'credential.changed': { actions: withEvent('takeCredential') },
    'screen.changed': { actions: withEvent('takeScreen') },
    'filter.changed': { actions: withEvent('takeFilter') },
    'renderer.navigate': { actions: withEvent('refusePath') },
    'renderer.home': { actions: withEvent('refuseCommand') },
    'renderer.reload': { actions: withEvent('refuseCommand') },
    'renderer.screenshot': { actions: withEvent('replyNotShown') },
    'renderer.tap': { actions: withEvent('replyNotShown') },
    'news.heard': { actions: withEvent('takeNews') },
    'reach.seen': [
      { guard: withEvent('isBack'), actions: ['comeBack', 'watchReach'] },
      { actions: withEvent('takeSeen') },
    ],
  },
  states: {
    learning: {
      always: [
        { guard: 'wantsBrowser', target: 'up', actions: 'launch' },
        { guard: 'knowsDesired', target: 'off' },
      ],
    },
    off: {
      entry: { type: 'dismiss', params: { lastEnd: null } },
      always: { guard: 'wantsBrowser', target: 'up', actions: 'launch' },
    },
    up: {
      invoke: {
        id: 'browser',
        src: 'browser',
        // Launching is what leads here, and it says what is launched.
        input: ({ context }) =>
          context.launched ?? {
            generation: 0,
            display: 'auto',
            origin: null,
            ownOrigin: '',
            appearance: { zoomPercent: 100, theme: 'follow', kiosk: true, fullscreen: true },
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
            { type: 'dismiss', params: { lastEnd: null } },
          ],
        },
        {
          guard: 'needsRelaunch',
          target: 'resting',
          actions: [
            { type: 'note', params: { reason: 'address-changed' } },
            { type: 'dismiss', params: { lastEnd: null } },
          ],
        },
      ],
      on: {
        'browser.ended': [
          {
            guard: withEvent('notInstalled'),
            target: 'absent',
            actions: { type: 'dismiss', params: { lastEnd: 'not-installed' } },
          },
          {
            guard: withEvent('noDisplay'),
            target: 'absent',
            actions: { type: 'dismiss', params: { lastEnd: 'no-display' } },
          },
          {
            guard: withEvent('otherUsersDisplay'),
            target: 'absent',
            actions: { type: 'dismiss', params: { lastEnd: 'other-users-display' } },
          },
          {
            guard: withEvent('ofThisLaunch'),
            target: 'resting',
            actions: [withEvent('noteEnd'), { type: 'dismiss', params: { lastEnd: 'failed' } }],
          },
        ],
        'page.desired': { actions: [withEvent('takeDesired'), withEvent('sendAppearance'), 'watchReach'] },
        'filter.changed': { actions: [withEvent('takeFilter'), 'sendFilter'] },
        'page.subscribed': { actions: withEvent('passReport') },
        'page.uncut': { actions: withEvent('passReport') },
        'page.entity-opened': { actions: withEvent('passReport') },
        'page.entities-read': { actions: withEvent('passReport') },
        'page.enumerated': { actions: withEvent('passReport') },
        'page.connection': { actions: [withEvent('takeConnection'), 'watchReach'] },
        'page.token-refused': { actions: [withEvent('takeTokenRefusal'), 'watchReach'] },
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
        ...kept,
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
            // Done once there is a browser.
            'renderer.clear-storage': { actions: 'forgetDashboard' },
          },
          after: {
            startBound: {
              target: '#renderer.resting',
              actions: [
                { type: 'note', params: { reason: 'start-timeout' } },
                { type: 'dismiss', params: { lastEnd: 'failed' } },
              ],
            },
          },
        },
        clearing: {
          always: [
            { guard: 'hasForgotten', target: 'clearing', reenter: true, actions: ['sendForget', 'dropForgotten'] },
            { guard: 'wantsLoad', target: 'loading' },
            { target: 'glass' },
          ],
        },
        glass,
        loading,
        showing,
        settings,
        recovering,
      },
    },
    absent: {
      always: { guard: 'wantsNone', target: 'off' },
      on: { 'renderer.reload': { target: 'up', actions: 'launch' } },
      after: { probeInterval: { target: 'up', actions: 'launch' } },
    },
    resting: {
      always: { guard: 'wantsNone', target: 'off' },
      on: { ...kept, 'renderer.clear-storage': { actions: 'forgetDashboard' } },
      after: { restDelay: { target: 'up', actions: 'launch' } },
    },
    failed: {
      type: 'final',
      output: crashed({ followed: 'desired-state', reach: 'reach', news: 'news', browser: 'browser-driver' }),
    },
  },
  options: { maxIterations: 100 },
});
