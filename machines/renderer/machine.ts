import { crashed, outcomeOf, stopped } from '../kit/outcome.ts';
import { initialFacts } from './initial.ts';
import { rendererSetup } from './vocabulary.ts';

const toGlass = { guard: 'wantsGlass', target: '#renderer.up.glass' } as const;
const onCrash = { target: '#renderer.up.mending', actions: { type: 'mendAs', params: { reason: 'crashed' } } } as const;

const glass = rendererSetup.createStateConfig({
  initial: 'opening',
  always: { guard: 'wantsDashboard', target: 'loading' },
  on: { 'page.pulse': { actions: 'takeLook' }, 'page.crashed': '.failing', 'renderer.reload': '.opening' },
  states: {
    opening: {
      entry: ['thaw', 'openGlass', 'sendOwn', 'tellReach'],
      on: {
        'page.settled': [
          { guard: 'isShown', target: 'open', actions: 'takeOwn' },
          { guard: 'answersMine', target: 'failing' },
        ],
      },
      after: { answerBound: 'failing' },
    },
    open: { on: { 'page.pulse': [{ guard: 'strayedOrIdle', target: 'opening' }, { actions: 'takeLook' }] } },
    failing: { after: { ownRetry: 'opening' } },
  },
});

const settings = rendererSetup.createStateConfig({
  initial: 'opening',
  on: {
    'page.pulse': { actions: 'takeLook' },
    'page.crashed': 'loading',
    'renderer.home': { target: 'loading', actions: 'goalHome' },
    'renderer.reload': 'loading',
    'renderer.navigate': [{ guard: 'isAdmitted', target: 'loading', actions: 'takeGoal' }, { actions: 'refuse' }],
  },
  states: {
    opening: {
      entry: ['thaw', 'openSettings', 'sendOwn'],
      on: {
        'page.settled': [
          { guard: 'isShown', target: 'open', actions: 'takeOwn' },
          { guard: 'answersMine', target: '#renderer.up.loading' },
        ],
      },
      after: { answerBound: '#renderer.up.loading' },
    },
    open: {
      on: {
        'page.pulse': [
          { guard: 'strayedOrLeft', target: '#renderer.up.loading', actions: 'takeLook' },
          { actions: 'takeLook' },
        ],
      },
    },
  },
});

const loading = rendererSetup.createStateConfig({
  entry: ['thaw', 'startLoad', 'sendLoad', 'tellReach'],
  always: toGlass,
  on: {
    'page.settled': [
      { guard: 'isShown', target: 'showing', actions: 'takeShown' },
      { guard: 'isMissing', target: 'loading', reenter: true, actions: 'takeMissing' },
      { guard: 'isDropped', target: 'mending', actions: { type: 'mendAs', params: { reason: 'blank' } } },
      { guard: 'answersMine', actions: ['leaveSettled', 'tellReach'] },
    ],
    'page.crashed': onCrash,
    'page.pulse': { actions: 'takeLook' },
    'renderer.navigate': [
      { guard: 'isAdmitted', target: 'loading', reenter: true, actions: 'takeGoal' },
      { actions: 'refuse' },
    ],
    'renderer.home': { target: 'loading', reenter: true, actions: 'goalHome' },
    'renderer.reload': { target: 'loading', reenter: true },
  },
  after: { answerBound: { actions: ['leaveSettled', 'tellReach'] } },
});

const showing = rendererSetup.createStateConfig({
  entry: { type: 'enter', params: { phase: 'showing' } },
  initial: 'live',
  always: [
    toGlass,
    { guard: 'isTrouble', target: 'mending', actions: 'mendTrouble' },
    { guard: 'isTooBig', target: 'loading', actions: 'noteMemory' },
    { guard: 'idleReturns', target: '.live', actions: ['startHome', 'thaw', 'sendGo'] },
  ],
  on: {
    'page.pulse': [
      { guard: 'isErrorPage', actions: ['takeLook', 'leaveError', 'tellReach'] },
      { guard: 'isOwnPage', target: 'loading', actions: ['goalHome', { type: 'note', params: { reason: 'blank' } }] },
      { actions: ['takeLook', 'tellReach'] },
    ],
    'page.crashed': onCrash,
    'page.settled': [
      { guard: 'isShown', actions: 'takeShown' },
      { guard: 'isDropped', actions: 'dropPending' },
      { guard: 'answersMine', target: 'loading', actions: 'goalPending' },
    ],
    'page.settings-asked': 'settings',
    'wish.changed': [
      { guard: 'homeMoved', target: '.live', actions: ['takeWish', 'sendLook', 'startHome', 'thaw', 'sendGo'] },
      { actions: ['takeWish', 'sendLook', 'tellReach'] },
    ],
    'reach.seen': [
      { guard: 'turnsAway', actions: ['leaveSeen', 'tellReach'] },
      { guard: 'isStale', target: 'mending', actions: { type: 'mendAs', params: { reason: 'stale' } } },
      { actions: 'takeSeen' },
    ],
    'credential.changed': [
      {
        guard: 'isNewCredential',
        actions: ['takeCredential', { type: 'note', params: { reason: 'credential' } }, 'sendSignIn'],
      },
      { actions: 'takeCredential' },
    ],
    'renderer.navigate': [
      { guard: 'isAdmitted', target: '.live', actions: ['startGo', 'thaw', 'sendGo'] },
      { actions: 'refuse' },
    ],
    'renderer.home': { target: '.live', actions: ['startHome', 'thaw', 'sendGo'] },
    'renderer.reload': { target: 'loading', actions: { type: 'note', params: { reason: 'asked' } } },
  },
  after: {
    homeRetry: { guard: 'retriesHome', target: '.live', actions: ['retryMissing', 'startHome', 'thaw', 'sendGo'] },
  },
  states: {
    live: { always: { guard: 'isDark', target: 'dimmed' } },
    dimmed: { always: { guard: 'isLit', target: 'live' }, after: { freezeDelay: 'frozen' } },
    frozen: {
      entry: ['freeze', 'noteFrozen'],
      always: { guard: 'isLit', target: 'live', actions: ['thaw', 'noteThawed'] },
    },
  },
});

const mending = rendererSetup.createStateConfig({
  after: {
    mendDelay: [
      { guard: 'mendsByUnhang', target: 'showing', actions: 'unhang' },
      { guard: 'mendsByLoad', target: 'loading' },
      { target: '#renderer.resting', actions: { type: 'dismiss', params: { phase: 'recovering' } } },
    ],
  },
  on: {
    // A load and a launch help a crashed page too; ending its script does not, and nothing says a second time that it
    // crashed.
    'page.crashed': {
      guard: 'mendsByUnhang',
      target: 'mending',
      reenter: true,
      actions: { type: 'mendAs', params: { reason: 'crashed' } },
    },
    'renderer.navigate': { guard: 'isAdmitted', actions: 'takeGoal' },
  },
});

/**
 * What shows the dashboard: launched, watched and brought back; while the platform is away the panel's own calm page
 * stands there.
 */
export const rendererMachine = rendererSetup.createMachine({
  id: 'renderer',
  context: initialFacts,
  invoke: [
    { id: 'wishes', src: 'wishes', onError: '.failed' },
    { id: 'reach', src: 'reach', onError: '.failed' },
  ],
  output: outcomeOf,
  initial: 'learning',
  on: {
    'renderer.stop': '.stopped',
    'wish.changed': { actions: ['takeWish', 'tellReach'] },
    'credential.changed': { actions: 'takeCredential' },
    'screen.changed': { actions: 'takeScreen' },
    'renderer.navigate': { actions: 'refuse' },
    'renderer.home': { actions: 'refuse' },
    'renderer.reload': { actions: 'refuse' },
    'renderer.screenshot': { actions: 'sayNotShown' },
    'reach.seen': [{ guard: 'isBack', actions: ['comeBack', 'tellReach'] }, { actions: 'takeSeen' }],
  },
  states: {
    learning: {
      always: [
        { guard: 'wantsBrowser', target: 'up', actions: 'launch' },
        { guard: 'knowsWish', target: 'off' },
      ],
    },
    off: {
      entry: { type: 'dismiss', params: { phase: 'off' } },
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
            look: { zoomPercent: 100, theme: 'follow', kiosk: true, fullscreen: true },
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
            { type: 'dismiss', params: { phase: 'starting' } },
          ],
        },
        {
          guard: 'needsRelaunch',
          target: 'resting',
          actions: [
            { type: 'note', params: { reason: 'address-changed' } },
            { type: 'dismiss', params: { phase: 'starting' } },
          ],
        },
      ],
      on: {
        'browser.ended': [
          { guard: 'notInstalled', target: 'absent', actions: { type: 'dismiss', params: { phase: 'not-installed' } } },
          { guard: 'noDisplay', target: 'absent', actions: { type: 'dismiss', params: { phase: 'no-display' } } },
          {
            guard: 'ofThisLaunch',
            target: 'resting',
            actions: ['noteEnd', { type: 'dismiss', params: { phase: 'recovering' } }],
          },
        ],
        'wish.changed': { actions: ['takeWish', 'sendLook', 'tellReach'] },
        'page.connection': { actions: ['takeConnection', 'tellReach'] },
        'page.token-refused': { actions: ['takeTokenRefusal', 'tellReach'] },
        'page.loaded': { actions: 'takeDrawn' },
        'page.hung': { actions: { type: 'note', params: { reason: 'hung' } } },
        'page.touched': { actions: 'takeTouch' },
        'page.nuisance': { actions: 'takeNuisance' },
        'browser.memory': { actions: 'takeSize' },
        'renderer.screenshot': { actions: 'shoot' },
        'page.shot': { actions: 'sayShot' },
        'renderer.navigate': [{ guard: 'isAdmitted', actions: 'takeGoal' }, { actions: 'refuse' }],
        'renderer.home': { actions: 'goalHome' },
      },
      states: {
        starting: {
          on: {
            'browser.ready': { guard: 'ofThisLaunch', target: 'clearing', actions: 'takeReady' },
            'renderer.screenshot': { actions: 'sayNotShown' },
          },
          after: {
            startBound: {
              target: '#renderer.resting',
              actions: [
                { type: 'note', params: { reason: 'start-timeout' } },
                { type: 'dismiss', params: { phase: 'recovering' } },
              ],
            },
          },
        },
        clearing: {
          always: [
            { guard: 'hasForgotten', target: 'clearing', reenter: true, actions: ['sendForget', 'dropForgotten'] },
            { guard: 'wantsDashboard', target: 'loading' },
            { target: 'glass' },
          ],
        },
        glass,
        loading,
        showing,
        settings,
        mending,
      },
    },
    absent: {
      always: { guard: 'wantsNone', target: 'off' },
      on: { 'renderer.reload': { target: 'up', actions: 'launch' } },
      after: { probeInterval: { target: 'up', actions: 'launch' } },
    },
    resting: {
      always: { guard: 'wantsNone', target: 'off' },
      on: {
        'renderer.navigate': [{ guard: 'isAdmitted', actions: 'takeGoal' }, { actions: 'refuse' }],
        'renderer.home': { actions: 'goalHome' },
      },
      after: { restDelay: { target: 'up', actions: 'launch' } },
    },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed({ wishes: 'wishes', reach: 'reach', browser: 'browser-driver' }) },
  },
  options: { maxIterations: 100 },
});
