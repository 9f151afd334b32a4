import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import { createAdmission } from '#actors/approvals/admission.ts';
import { initialFacts } from '#machines/approvals/initial.ts';
import type { ApprovalRequest, SecurityMode } from '#machines/approvals/events.ts';
import type { MadeBackup, RestoreOutcome, RestorePreview } from '#machines/backup/events.ts';
import { bundleOf } from '#machines/config-copies/bundle.ts';
import type {
  ExportOutcome,
  ImportOptions,
  ImportOutcome,
  RestoreRevisionOutcome,
} from '#machines/config-copies/events.ts';
import { createApp } from '#routes/app.ts';
import { operationsOf } from '#routes/kit/admission-of.ts';
import { Problem } from '#routes/kit/problem.ts';
import type { Env } from '#routes/kit/route-spec.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

const approvalId = '0123456789abcdef'.repeat(2);
const neighbour: Env['Bindings'] = { peer: '192.0.2.9', incoming: { rawHeaders: ['Host', '192.0.2.5:8888'] } };
const itself: Env['Bindings'] = { peer: '127.0.0.1', incoming: { rawHeaders: ['Host', '127.0.0.1:8888'] } };
const revision = 'a'.repeat(64);
const chosen = { id: 'my-panel', revision, expected_catalog_revision: 7, confirm: true };

const bundle = bundleOf({ panelId: 'hall_panel', origin: [], values: { friendly_name: 'Hall' }, at: 1 });
const lists = { applied: [], skipped: [], warnings: [], errors: [] };
const exported: ExportOutcome = { status: 'exported', bundle };
const preview: ImportOutcome = { ...lists, status: 'preview', expectedCfg: '1a2b3c4d', changes: [] };
const restored = { ...lists, status: 'no-op' } satisfies ImportOutcome & RestoreRevisionOutcome;

const folder = mkdtempSync(join(tmpdir(), 'sconce-admitted-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** A backup whose file is sent, and removed. */
function madeBackup(): MadeBackup {
  const path = join(folder, 'backup.hpb');
  writeFileSync(path, 'HPB1');
  return { status: 'made', path, name: 'a.hpb', bytes: 4, encrypted: true, stateUnavailable: false };
}
const restorePreview: RestorePreview = {
  origin: 'this-machine',
  madeAt: 1,
  madeBy: 'hall_panel',
  version: '1.0.0',
  stateUnavailable: false,
  changes: [],
  skippedKeys: [],
  parts: [],
  profile: null,
};
/** The body of a request whose route receives a file. */
const upload = { path: join(folder, 'upload'), bytes: 4096, sha256: 'c'.repeat(64) };

/** True for an import or a restore that only asks what it would do. */
const isPreview = (event: object): boolean =>
  ('dryRun' in event && event.dryRun === true) ||
  ('options' in event &&
    typeof event.options === 'object' &&
    event.options !== null &&
    'dryRun' in event.options &&
    event.options.dryRun === true);

/** A panel in a mode, with everything in place that a request needs. */
function panelIn(mode: SecurityMode | null, more: Readonly<Record<string, unknown>> = {}) {
  const settled = settledFacts();
  const announcer = { ...(settled['announcer'] as object), generation: 1 };
  const facts: Record<string, unknown> = { ...settled, announcer, approvals: { ...initialFacts, mode }, ...more };
  const deps = fakeDeps({ elapsed: () => 5 }, facts);
  deps.registry.put('reset', facts['reset'], 'idle');
  const requests: ApprovalRequest[] = [];
  deps.registry.answer = (id, event) => {
    // What the routes under test ask.
    if (event.type === 'approval.request') {
      requests.push((event as unknown as { readonly request: ApprovalRequest }).request);
      return { ok: true, value: { status: 'pending', id: approvalId, place: { kind: 'screen' } } };
    }
    if (event.type === 'profiles.ask.judge') return { ok: true, value: { status: 'possible', ref: null } };
    if (id === 'sign-in')
      return { ok: true, value: { status: 'started', authorizationUrl: 'http://192.0.2.66:8123/', expiresAt: 7 } };
    if (id === 'profile-catalog') return { ok: true, value: { status: 'scheduled', ref: null, catalogRevision: 8 } };
    if (id === 'config-copies') {
      // What the routes under test ask of this actor.
      const { type, options } = event as unknown as { readonly type: string; readonly options?: ImportOptions };
      return { ok: true, value: type === 'config.export' ? exported : options?.dryRun === true ? preview : restored };
    }
    if (id === 'backup') {
      // As above.
      const { type, dryRun } = event as unknown as { readonly type: string; readonly dryRun?: boolean };
      const status = dryRun === true ? 'preview' : 'ordered';
      const outcome: MadeBackup | RestoreOutcome =
        type === 'backup.make' ? madeBackup() : { status, preview: restorePreview };
      return { ok: true, value: outcome };
    }
    if (id === 'companion')
      return { ok: true, value: event.type === 'companion.move' ? { status: 'unchanged' } : { status: 'done' } };
    if (id === 'reset') return { ok: true, value: { status: 'ordered', entities: 0, leftBehind: [] } };
    return { ok: true, value: { ok: true, png: null } };
  };
  // What is waited for is over at once.
  const timers = { setTimeout: queueMicrotask, clearTimeout: () => {} };
  const admission = createAdmission({ registry: deps.registry, elapsed: deps.elapsed, timers });
  const app = createApp({ ...deps, admission });
  const send = async (
    path: string,
    body: unknown,
    from: Env['Bindings'] = neighbour,
    init: RequestInit = {},
  ): Promise<{ readonly status: number; readonly body: string }> => {
    const response = await app.fetch(
      new Request(`http://panel.invalid${path}`, {
        ...(body === null ? {} : { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }),
        ...init,
      }),
      { upload, ...from },
    );
    return { status: response.status, body: await response.text() };
  };
  /** What was done: everything but questions. */
  const done = (): readonly string[] =>
    deps.registry.told
      .filter(({ event }) => !isPreview(event))
      .map(({ event }) => event.type)
      .filter((type) => !type.startsWith('approval.') && type !== 'profiles.ask.judge');
  return { deps, app, send, requests, done };
}

/** A valid request of every protected route, with its operation (null: closed), what is shown and what it does. */
const valid: readonly (readonly [string, string, unknown, string | null, string, string])[] = [
  ['play', '/api/v1/play', 'http://192.0.2.1/a.mp3', 'REMOTE_MEDIA', 'http://192.0.2.1/a.mp3', 'announcement.play'],
  [
    'playAtRoot',
    '/play',
    'http://192.0.2.1@198.51.100.1/a',
    'REMOTE_MEDIA',
    'http://198.51.100.1/a',
    'announcement.play',
  ],
  ['playAtRoot', '/play', { url: 'http://192.0.2.1/b' }, 'REMOTE_MEDIA', 'http://192.0.2.1/b', 'announcement.play'],
  ['doAction', '/api/v1/action', { a: 'reboot' }, 'DEVICE_REBOOT', '', 'power.reboot'],
  ['doAction', '/api/v1/action', { a: 'reload' }, 'DASHBOARD_RELOAD', '', 'renderer.reload'],
  [
    'selectProfile',
    '/api/v1/profiles/select',
    chosen,
    'PROFILE_ACTIVATE',
    'my-panel aaaaaaaaaaaa',
    'profiles.ask.select',
  ],
  [
    'activateProfile',
    '/api/v1/profiles/activate',
    { auto: true, expected_catalog_revision: 7, confirm: true },
    'PROFILE_ACTIVATE',
    'auto',
    'profiles.ask.select',
  ],
  [
    'rollBackProfile',
    '/api/v1/profiles/rollback',
    { expected_catalog_revision: 7, confirm: true },
    'PROFILE_ACTIVATE',
    'auto',
    'profiles.ask.rollback',
  ],
  [
    'clearDashboardStorage',
    '/api/v1/dashboard/clear-storage',
    '',
    'DASHBOARD_STORAGE_CLEAR',
    '',
    'renderer.clear-storage',
  ],
  [
    'importConfig',
    '/api/v1/config/import?mode=fleet',
    bundle,
    'CONFIG_IMPORT',
    'the settings of hall_panel',
    'config.import',
  ],
  [
    'restoreConfigRevision',
    '/api/v1/config/revisions/2/restore',
    '',
    'CONFIG_IMPORT',
    'the settings of revision 2',
    'config.restore-revision',
  ],
  ['makeBackup', '/api/v1/backup', { passphrase: 'correct horse' }, 'BACKUP_EXPORT', '', 'backup.make'],
  [
    'restoreBackup',
    '/api/v1/restore',
    'HPB1',
    'BACKUP_RESTORE',
    'backup of 5 kB, SHA-256 cccccccccccccccc',
    'backup.restore',
  ],
  ['exportConfig', '/api/v1/config/export?include_secrets=1', null, 'CONFIG_SECRET_EXPORT', '', 'config.export'],
  ['resetPanel', '/api/v1/setup/reset', { scope: 'settings', confirm: true }, 'PANEL_RESET', 'settings', 'reset.start'],
  [
    'startSignIn',
    '/api/v1/ha/oauth/start',
    { ha_url: 'http://192.0.2.66:8123' },
    'DISPLAY_CONFIGURATION',
    'Address of Home Assistant: http://192.0.2.66:8123/',
    'sign-in.start',
  ],
  [
    'moveCompanion',
    '/api/v1/companion/move',
    { to: 'native' },
    'TRANSPORT_RELEASE',
    'Through the integration',
    'companion.move',
  ],
  [
    'revokeCompanion',
    '/api/v1/companion/revoke',
    { key_id: '0011223344556677' },
    'TRANSPORT_RELEASE',
    'Marker Home',
    'companion.revoke',
  ],
  ['tap', '/api/v1/input', { x: 1, y: 2 }, null, '', 'renderer.tap'],
];

it('every protected route is tried here', () => {
  const { app } = panelIn('relaxed');
  const protectedIds = app.table
    .filter((spec) => spec.protects !== null && spec.operationId !== 'changeConfig')
    .map(({ operationId }) => operationId);
  expect(new Set(valid.map(([id]) => id))).toEqual(new Set(protectedIds));
  for (const [id, , , operation] of valid) {
    const spec = app.table.find(({ operationId }) => operationId === id);
    if (operation !== null) expect(spec === undefined ? [] : operationsOf(spec)).toContain(operation);
  }
});

describe.each(valid)('%s %s %j', (_, path, body, operation, what, event) => {
  it('asks for nothing in Relaxed mode', async () => {
    const { send, requests, done } = panelIn('relaxed');
    const { status } = await send(path, body);
    expect([status < 300, requests, done()]).toEqual([true, [], [event]]);
  });

  it('waits for a person in Hardened mode, and does nothing yet', async () => {
    const { send, requests, done } = panelIn('hardened');
    const answer = await send(path, body);
    const problem = Problem().parse(JSON.parse(answer.body));
    expect(done()).toEqual([]);
    if (operation === null) {
      expect([answer.status, problem.error, requests]).toEqual([403, 'remote-input-disabled', []]);
      return;
    }
    expect([answer.status, problem.error, problem.approval_id]).toEqual([202, 'approval-required', approvalId]);
    expect(requests).toMatchObject([{ operation, what, peer: '192.0.2.9', effect: null, at: 5 }]);
  });

  it('is not asked of a program on the panel', async () => {
    const { send, requests, done } = panelIn('hardened');
    const { status } = await send(path, body, itself);
    expect([status < 300, requests, done()]).toEqual([true, [], [event]]);
  });

  it.each<[string, Env['Bindings']]>([
    ['through a proxy', { peer: '127.0.0.1', incoming: { rawHeaders: ['Host', 'localhost', 'Via', '1.1 x'] } }],
    ['of a page whose name was rebound', { peer: '::1', incoming: { rawHeaders: ['Host', 'evil.local'] } }],
    ['of an unknown peer', {}],
  ])('is asked of a request %s', async (__, from) => {
    const { send, done } = panelIn('hardened');
    const { status } = await send(path, body, from);
    expect([status, done()]).toEqual([operation === null ? 403 : 202, []]);
  });

  it('is done once it is approved', async () => {
    if (operation === null) return;
    const { deps, send, done } = panelIn('hardened');
    const { answer } = deps.registry;
    deps.registry.answer = (id, asked) =>
      asked.type === 'approval.request' ? { ok: true, value: { status: 'open' } } : answer(id, asked);
    const { status } = await send(path, body);
    expect([status < 300, done()]).toEqual([true, [event]]);
  });

  it('is 503 while the mode is unknown, or the part that asks is absent', async () => {
    for (const mode of [null, 'hardened'] as const) {
      const { deps, send, done } = panelIn(mode);
      if (mode !== null && operation === null) continue;
      const { answer } = deps.registry;
      deps.registry.answer = (id, asked) =>
        asked.type === 'approval.request' ? { ok: false, reason: 'absent' } : answer(id, asked);
      // oxlint-disable-next-line no-await-in-loop -- one mode after another
      const refused = await send(path, body);
      expect([refused.status, Problem().parse(JSON.parse(refused.body)).error, done()]).toEqual([
        503,
        'restarting',
        [],
      ]);
    }
  });
});

describe('what would be refused anyway', () => {
  const broken = { state: 'needs_you', reason: 'no-player', detail: 'Nothing plays.', missing: null, fix: null };
  const facts = settledFacts();
  const power = facts['power'] as object;
  const reset = facts['reset'] as object;
  it.each<[string, string, unknown, number, string, Readonly<Record<string, unknown>>]>([
    ['no address', '/play', 'hello', 400, 'no-url', {}],
    ['no player', '/play', 'http://192.0.2.1/a', 409, 'not-here', { announcer: { verdict: broken } }],
    ['no loudspeaker', '/play', 'http://192.0.2.1/a', 409, 'not-here', { announcer: undefined }],
    ['no verb', '/api/v1/action', { a: 'explode' }, 400, 'bad-action', {}],
    ['a second reboot', '/api/v1/action', { a: 'reboot' }, 409, 'not-here', { power: { ...power, busy: true } }],
    ['no renderer', '/api/v1/action', { a: 'reload' }, 503, 'restarting', { renderer: undefined }],
    ['no confirmation', '/api/v1/profiles/select', { ...chosen, confirm: false }, 409, 'not-confirmed', {}],
    ['no confirmation of a reset', '/api/v1/setup/reset', { scope: 'settings' }, 409, 'not-confirmed', {}],
    [
      'a reset in a trial',
      '/api/v1/setup/reset',
      { scope: 'settings', confirm: true },
      409,
      'reset-during-trial',
      { reset: { ...reset, trial: true } },
    ],
    ['nothing to clear', '/api/v1/dashboard/clear-storage', '', 503, 'restarting', { renderer: undefined }],
  ])('is refused first: %s', async (_, path, body, status, error, more) => {
    const { deps, send, requests, done } = panelIn('hardened', more);
    for (const [id, context] of Object.entries(more)) if (context === undefined) deps.registry.put(id, undefined);
    const answer = await send(path, body);
    expect([answer.status, Problem().parse(JSON.parse(answer.body)).error]).toEqual([status, error]);
    expect([requests, done()]).toEqual([[], []]);
  });

  it.each([
    ['/api/v1/profiles/select', chosen],
    ['/api/v1/profiles/rollback', { expected_catalog_revision: 7, confirm: true }],
  ])('is asked of the catalogue first: %s', async (path, body) => {
    const { deps, send, requests, done } = panelIn('hardened');
    deps.registry.answer = (_, { type }) =>
      type === 'profiles.ask.judge'
        ? { ok: true, value: { status: 'refused', code: 'catalog-stale', message: 'It is at 8.' } }
        : { ok: false, reason: 'absent' };
    const answer = await send(path, body);
    expect([answer.status, Problem().parse(JSON.parse(answer.body)).error]).toEqual([409, 'catalog-stale']);
    expect([requests, done()]).toEqual([[], []]);
  });

  it('is refused while the agent stops', async () => {
    const { deps } = panelIn('hardened');
    const app = createApp({ ...deps, stopping: () => true });
    const request = new Request('http://panel.invalid/play', { method: 'POST', body: 'http://192.0.2.1/a' });
    expect((await app.fetch(request, neighbour)).status).toBe(503);
  });
});

describe('what an approval binds', () => {
  let panel = panelIn('hardened');
  beforeEach(() => {
    panel = panelIn('hardened');
  });
  const address = 'http://192.0.2.1/a.mp3';
  const digests = (): ReadonlySet<string> => new Set(panel.requests.map(({ digest }) => digest));

  it('is the same for the same request, and for its twin at the root', async () => {
    await panel.send('/play', address);
    await panel.send('/api/v1/play', address);
    await panel.send('/play', address, { ...neighbour, peer: '::ffff:192.0.2.9' });
    expect([panel.requests.length, digests().size]).toEqual([3, 1]);
  });

  it('differs with the body, the query and the peer', async () => {
    await panel.send('/play', address);
    await panel.send('/play', `${address} `);
    await panel.send('/play?a=1', address);
    await panel.send('/play', address, { ...neighbour, peer: '192.0.2.10' });
    expect([panel.requests.length, digests().size]).toEqual([4, 4]);
  });

  it('differs where only the bytes do', async () => {
    const bytes = (...more: number[]): RequestInit => ({
      body: new Uint8Array([...new TextEncoder().encode(`${address} `), ...more]),
    });
    // None of them is UTF-8: as text they are the same.
    await panel.send('/play', '', neighbour, bytes(0xff));
    await panel.send('/play', '', neighbour, bytes(0xfe));
    await panel.send('/play', '', neighbour, bytes(0x81));
    expect([panel.requests.length, digests().size]).toEqual([3, 3]);
  });

  it('shows nothing that the screen does not draw', async () => {
    await panel.send('/play', `http://192.0.2.1/${'a'.repeat(400)}`);
    expect(panel.requests[0]?.what).toMatch(/^http:\/\/192\.0\.2\.1\/a{160,163}…$/);
  });
});

describe('every open route', () => {
  const { app, deps } = panelIn('hardened');
  deps.registry.answer = () => ({ ok: false, reason: 'absent' });
  const open = app.table.filter(({ protects }) => protects === null);
  it.each(open.map((spec) => [`${spec.method} ${spec.path}`, spec] as const))('%s asks no person', async (_, spec) => {
    const path = spec.path.replaceAll(/\{\w+\}/g, approvalId);
    const init = spec.method === 'get' ? {} : { method: 'POST', body: '{"confirm":true}' };
    const response = await app.fetch(new Request(`http://panel.invalid${path}`, init), neighbour);
    await response.body?.cancel();
    expect(deps.registry.told.filter(({ event }) => event.type === 'approval.request')).toEqual([]);
  });
  it('of an action too', async () => {
    const { send, requests, done } = panelIn('hardened');
    const { status } = await send('/api/v1/action', { a: 'screen_off' });
    expect([status, requests, done()]).toEqual([202, [], ['screen.set']]);
  });
});

describe('the state of a request', () => {
  const look = async (value: unknown, id = approvalId, peer = '::ffff:192.0.2.9') => {
    const deps = fakeDeps({ elapsed: () => 5 }, { ...settledFacts(), approvals: { mode: 'hardened' } });
    deps.registry.answer = () => (value === undefined ? { ok: false, reason: 'absent' } : { ok: true, value });
    const response = await createApp(deps).fetch(new Request(`http://panel.invalid/api/v1/approvals/${id}`), { peer });
    return { status: response.status, body: (await response.json()) as unknown, told: deps.registry.told };
  };

  it.each(['pending', 'approved', 'absent'])('%s is told to its peer', async (state) => {
    const { status, body, told } = await look(state);
    expect([status, body]).toEqual([200, { ok: true, id: approvalId, state }]);
    expect(told).toMatchObject([{ event: { type: 'approval.look', id: approvalId, peer: '192.0.2.9', at: 5 } }]);
  });
  it('is 404 to any other, as for an id that never was', async () => {
    const { status, body } = await look(null);
    expect([status, body]).toMatchObject([404, { error: 'not-found' }]);
  });
  it.each(['', 'A', approvalId.slice(1), `${approvalId}0`, approvalId.toUpperCase(), 'g'.repeat(32)])(
    'is not looked for under %j',
    async (id) => {
      const { status, told } = await look('pending', id === '' ? '%20' : id);
      expect([status, told]).toEqual([404, []]);
    },
  );
  it('is 503 while its part restarts', async () => {
    expect((await look(undefined)).status).toBe(503);
  });
});

it('no route lists, approves or denies requests, or switches the mode', () => {
  const { deps } = panelIn('hardened');
  const app = createApp({ ...deps, simulated: false });
  const near = app.table.filter(({ tag, path }) => tag === 'approvals' || /approv|harden|relax|security/.test(path));
  expect(near.map(({ operationId }) => operationId)).toEqual(['getApproval']);
});
