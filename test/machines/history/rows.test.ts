import { describe, expect, it } from 'vitest';
import type { StateValue } from 'xstate';

import { historyRows } from '#machines/history.ts';

const NOW = 900;

/** Facts in a state that something is derived from. */
interface Stated {
  readonly state: StateValue;
  readonly facts: object;
}

const isStated = (context: object): context is Stated => 'state' in context;

/** What the rows of `id` tell of the looks at these contexts, one after another, as `kind.code by at`. */
function told(id: string, ...contexts: readonly object[]): readonly string[] {
  const rows = historyRows.filter((one) => one.actor === id).map((row) => ({ row, before: null as unknown }));
  return contexts.flatMap((context) =>
    rows.flatMap((looked) => {
      const { row, before } = looked;
      const after =
        (isStated(context) ? row.selector(context.facts, context.state) : row.selector(context, 'active')) ?? null;
      if (after === null) return [];
      looked.before = after;
      return row.historyEvents(before, after, NOW).map(({ kind, code, by, at }) => `${kind}.${code} ${by} ${at}`);
    }),
  );
}

const lit = (on: boolean | null, by?: string, at = 5) => ({ lit: on, changed: by === undefined ? null : { by, at } });
const connected = (connectedAt: number): Stated => ({
  state: { linked: { attempting: 'connected' } },
  facts: { connectedAt, refusedConfirmation: null, attempt: 0 },
});
const unreachable = (facts: object): Stated => ({
  state: { linked: 'waiting' },
  facts: { connectedAt: null, refusedConfirmation: null, ...facts },
});
const published = (state: StateValue, homeAssistantDetected: boolean): Stated => ({
  state,
  facts: { homeAssistantDetected, lastRefusal: null },
});
const refusedAt = (at: number): Stated => ({
  state: 'waiting',
  facts: { homeAssistantDetected: false, lastRefusal: { name: 'Navigate', code: 'no-page', at } },
});
const live = { active: { live: 'settled' } };
const saved = (
  revision: number,
  values: object,
  secrets: object = {},
  expose: object = {},
  recipientChange: object | null = null,
) => ({ revision, values, secrets, expose, recipientChange });
const changed = (revision: number, at: number, code: string, from: string | null) =>
  saved(revision, {}, {}, {}, { at, code, from });
const unproven = (at: number | null): Stated => ({
  state: 'unconfirmed',
  facts: { connectedAt: null, refusedConfirmation: at === null ? null : { at, from: 'network' }, attempt: 0 },
});
const page = (restarts: readonly object[], since: number | null = null) => ({
  restarts,
  fallback: null,
  unreachable: since === null ? null : { since, reason: 'x' },
});
const signIn = (phase: string, lastOutcome: string | null = null, attemptUntil: number | null = null) => ({
  phase,
  lastOutcome,
  attemptUntil,
});
const sound = (phase: string, generation: number, reason: string | null = null) => ({
  phase,
  generation,
  reason,
  startedAt: 3,
});
const boot = (outcome: string, at = 7) => ({ lastReboot: { origin: 'http', at, outcome } });

describe('the table of what is told', () => {
  it.each([
    ['a screen at the first look', 'screen', [lit(null), lit(true)], []],
    ['a screen switched off over HTTP', 'screen', [lit(true), lit(false, 'http', 8)], ['screen.off http 8']],
    ['a screen dimmed, not switched', 'screen', [lit(true), lit(true, 'http', 8)], []],
    [
      'a screen that was not known for a while',
      'screen',
      [lit(true), lit(null), lit(false, 'elsewhere', 9)],
      ['screen.off elsewhere 9'],
    ],
    [
      'a screen that changed with nobody named',
      'screen',
      [lit(true, 'http', 5), lit(false, 'http', 5)],
      ['screen.off elsewhere 900'],
    ],
    [
      'a camera turned on and off, and not how it was at the start',
      'settings',
      [{ camera_enabled: false }, { camera_enabled: true }, { camera_enabled: false }].map((values) =>
        saved(3, values),
      ),
      [
        'camera.on null 900',
        'configuration.camera_enabled null 900',
        'camera.off null 900',
        'configuration.camera_enabled null 900',
      ],
    ],
    [
      'what watches the camera, each kind once',
      'camera-session',
      [[], ['player'], ['player', 'player'], ['frigate', 'player'], ['frigate'], []].map((kinds) => ({
        watchers: kinds.map((kind) => ({ kind })),
      })),
      ['camera.watched player 900', 'camera.watched frigate 900', 'camera.left player 900', 'camera.left frigate 900'],
    ],
    ['a broker connected before the first look', 'mqtt', [connected(3)], ['broker.connected null 3']],
    [
      'a broker lost and back',
      'mqtt',
      [connected(3), unreachable({ attempt: 2 }), unreachable({ attempt: 0 }), connected(6)],
      ['broker.connected null 3', 'broker.lost null 900', 'broker.connected null 6'],
    ],
    [
      'a broker that was left for the integration, which is no loss',
      'mqtt',
      [connected(3), unreachable({ isUnneeded: true })],
      ['broker.connected null 3'],
    ],
    [
      'each confirmation that was refused, with where it came from',
      'mqtt',
      [unproven(null), unproven(3), unproven(3), unproven(4)],
      ['recipient.unproven network 3', 'recipient.unproven network 4'],
    ],
    [
      'what happened to the recipient of a secret, also at the start',
      'settings',
      [
        saved(0, {}),
        changed(1, 3, 'upgraded', null),
        changed(2, 3, 'upgraded', null),
        changed(2, 5, 'moved', 'network'),
      ],
      ['recipient.upgraded null 3', 'configuration.secret null 900', 'recipient.moved network 5'],
    ],
    [
      'a broker that refuses',
      'mqtt',
      [
        unreachable({ attempt: 0 }),
        unreachable({ refusedCredentials: true }),
        unreachable({ refusedCredentials: true }),
      ],
      ['broker.refused null 900'],
    ],
    [
      'a Home Assistant seen, and gone with the broker',
      'publisher',
      [published(live, false), published(live, true), published('waiting', false)],
      ['platform.connected null 900'],
    ],
    [
      'a Home Assistant that left the broker',
      'publisher',
      [published(live, true), published(live, false)],
      ['platform.connected null 900', 'platform.lost null 900'],
    ],
    [
      'a command that was refused, by the name of its entity, and not one from before the first look',
      'publisher',
      [refusedAt(3), refusedAt(4), refusedAt(5)],
      ['command.no-page Navigate 4', 'command.no-page Navigate 5'],
    ],
    ['settings at the first look', 'settings', [saved(0, {}), saved(3, { a: 1 })], []],
    [
      'settings by key, never by value',
      'settings',
      [
        saved(1, { a: 1, b: 'old', c: 2 }, { p: false }, { s: true }),
        saved(2, { a: 1, b: 'hunter2', c: 3 }, { p: true }, { s: false }),
      ],
      ['configuration.b,c,p,ha_expose_s null 900'],
    ],
    [
      'a secret that was removed',
      'settings',
      [saved(1, { a: 1 }, { p: true, q: true }), saved(2, { a: 2 }, { p: false, q: true })],
      ['configuration.a,-p null 900'],
    ],
    [
      'a secret in place of another',
      'settings',
      [saved(1, { a: 1 }), saved(2, { a: 1 })],
      ['configuration.secret null 900'],
    ],
    [
      'many keys at once',
      'settings',
      [saved(1, {}), saved(2, { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1 })],
      ['configuration.a,b,c,d,e,f,+2 null 900'],
    ],
    ['a reboot', 'power', [{ lastReboot: null }, boot('asked'), boot('begun')], ['reboot.begun http 7']],
    ['a reboot that was refused', 'power', [{ lastReboot: null }, boot('refused')], ['reboot.refused http 7']],
    [
      'a dashboard loaded again, each time once',
      'renderer',
      [
        page([]),
        page([{ reason: 'hung', at: 4 }]),
        page([
          { reason: 'hung', at: 4 },
          { reason: 'crashed', at: 6 },
        ]),
      ],
      ['dashboard.hung null 4', 'dashboard.crashed null 6'],
    ],
    [
      'a dashboard without its platform',
      'renderer',
      [page([]), page([], 5), page([], 5), page([])],
      ['dashboard.away null 5', 'dashboard.back null 900'],
    ],
    ['a sign-in that was loaded at the start', 'sign-in', [signIn('no-address'), signIn('signed-in')], []],
    [
      'a sign-in by a person',
      'sign-in',
      [signIn('needed'), signIn('pending', null, 9), signIn('signed-in', 'signed-in')],
      ['sign-in.signed-in null 900'],
    ],
    [
      'a sign-in cancelled twice',
      'sign-in',
      [
        signIn('pending', null, 9),
        signIn('needed', 'cancelled'),
        signIn('pending', 'cancelled', 9),
        signIn('needed', 'cancelled'),
      ],
      ['sign-in.cancelled null 900', 'sign-in.cancelled null 900'],
    ],
    [
      'a password that was refused, once',
      'sign-in',
      [
        { ...signIn('needed'), password: 'trying' },
        { ...signIn('needed'), password: 'password-refused' },
        { ...signIn('pending', null, 9), password: 'password-refused' },
      ],
      ['sign-in.password-refused null 900'],
    ],
    [
      'a sign-in that is refused one day',
      'sign-in',
      [signIn('signed-in'), signIn('refused')],
      ['sign-in.refused null 900'],
    ],
    [
      'an announcement that was played',
      'announcer',
      [sound('idle', 0), sound('queued', 1), sound('downloading', 1), sound('playing', 1), sound('idle', 1)],
      ['announcement.played null 3'],
    ],
    [
      'an announcement that failed',
      'announcer',
      [
        sound('idle', 0),
        sound('queued', 1),
        sound('failed', 1, 'too-large'),
        sound('queued', 2),
        sound('failed', 2, 'too-large'),
      ],
      ['announcement.too-large null 900', 'announcement.too-large null 900'],
    ],
    [
      'a stored file that was lost',
      'store',
      [{ loss: null }, { loss: { reason: 'Some words.', at: 2 } }],
      ['storage.loss null 2'],
    ],
  ])('%s', (_, id, contexts, words) => {
    expect(told(id, ...contexts)).toEqual(words);
  });
});

it('tells what a named setting was, and what Home Assistant was shown', () => {
  const [row] = historyRows.filter(({ actor, kind }) => actor === 'settings' && kind === 'configuration');
  const before = saved(1, { a: 1, b: 1, c: 1, d: 1, e: 1, f: true, g: 1 }, { p: true }, { s: true });
  const after = saved(2, { a: 2, b: 2, c: 2, d: 2, e: 1, f: false, g: 1 }, { p: false }, { s: false });
  const changes = (row?.historyEvents(before, after, NOW) ?? []).flatMap((one) => one.changes ?? []);
  expect(changes.map(({ key, from, to }) => `${key} ${from} ${to}`)).toEqual([
    'a 1 2',
    'b 1 2',
    'c 1 2',
    'd 1 2',
    'f true false',
  ]);
});

it.each<readonly [readonly (string | null)[], readonly string[]]>([
  [[null, 'shutting_down'], ['home-assistant.shutting_down null 900']],
  [['starting'], []],
  [['shutting_down', 'shutting_down', 'connection_lost'], ['home-assistant.connection_lost null 900']],
  [['starting', 'back_online', null], ['home-assistant.back_online null 900']],
])('Home Assistant through the states %j', (states, expected) => {
  const contexts = states.map((state) => ({ lifecycle: state === null ? null : { state } }));
  expect(told('home-assistant', ...contexts)).toEqual(expected);
});
