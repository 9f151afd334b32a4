import { describe, expect, it } from 'vitest';
import { bundleOf } from '#machines/config-copies/bundle.ts';
import type { ExportOutcome, ImportOutcome, RestoreRevisionOutcome } from '#machines/config-copies/events.ts';
import { createApp } from '#routes/app.ts';
import { Problem } from '#routes/kit/problem.ts';
import type { Env } from '#routes/kit/route-spec.ts';
import { fakeAdmission, waits } from '#test/fakes/admission.ts';
import { fakeDeps } from '#test/fakes/route-deps.ts';

type Outcome = ExportOutcome | ImportOutcome | RestoreRevisionOutcome | 'absent' | 'timeout';

const bundle = bundleOf({ panelId: 'hall_panel', origin: [], values: { friendly_name: 'Hall' }, at: 1 });
const neighbour: Env['Bindings'] = { peer: '192.0.2.9', incoming: { rawHeaders: ['Host', '192.0.2.5:8888'] } };

/** A panel whose copies answer with that. */
function panel(outcome: Outcome) {
  const admission = fakeAdmission();
  const deps = fakeDeps({ admission });
  deps.registry.answer = () =>
    typeof outcome === 'string' ? { ok: false, reason: outcome } : { ok: true, value: outcome };
  const app = createApp(deps);
  const send = async (path: string, init?: RequestInit) => {
    const response = await app.fetch(new Request(`http://panel.invalid/api/v1/config/${path}`, init), neighbour);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? null : JSON.parse(text)) as unknown,
    };
  };
  const asked = () => deps.registry.told.map(({ event }) => event);
  return {
    app,
    deps,
    admission,
    asked,
    get: (path: string, method = 'GET') => send(path, { method }),
    post: (path: string, body: unknown = {}) =>
      send(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  };
}

function problemOf({ status, body }: { readonly status: number; readonly body: unknown }) {
  const { error, message } = Problem().parse(body);
  return [status, error, message] as const;
}

const codeOf = (answer: Parameters<typeof problemOf>[0]) => problemOf(answer).slice(0, 2);

describe('an export', () => {
  it('is a file with the name of the panel, which nothing caches', async () => {
    const t = panel({ status: 'exported', bundle });
    const { status, headers, body } = await t.get('export');
    expect([status, body]).toEqual([200, bundle]);
    expect(headers.get('content-disposition')).toBe('attachment; filename="hall_panel-config.json"');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(t.asked()).toEqual([{ type: 'config.export', secrets: false, from: 'network', at: expect.any(Number) }]);
    expect(t.admission.asked).toEqual([]);
  });

  it('with credentials is guarded like a write, and asks for a person', async () => {
    const t = panel({ status: 'exported', bundle });
    expect(t.app.isActiveGet('/api/v1/config/export', 'include_secrets=1')).toBe(true);
    expect(t.app.isActiveGet('/api/v1/config/export', '')).toBe(false);
    expect((await t.get('export?include_secrets=1')).status).toBe(200);
    expect(t.admission.asked).toMatchObject([{ operation: 'CONFIG_SECRET_EXPORT', what: '' }]);
    expect(t.asked()).toMatchObject([{ secrets: true }]);
    t.admission.answer = () => waits;
    expect(codeOf(await t.get('export?include_secrets=1'))).toEqual([202, 'approval-required']);
    expect(t.asked()).toHaveLength(1);
  });

  it.each(['export?include_secrets=0', 'export?include_secrets=', 'export?secrets=1'])(
    '%s is refused',
    async (path) => {
      const t = panel({ status: 'exported', bundle });
      expect(codeOf(await t.get(path))).toEqual([400, 'invalid-query']);
      expect(t.asked()).toEqual([]);
    },
  );

  it('is only asked about by HEAD', async () => {
    const t = panel({ status: 'exported', bundle });
    expect((await t.get('export?include_secrets=1', 'HEAD')).status).toBe(200);
    expect([t.asked(), t.admission.asked]).toEqual([[], []]);
  });

  it.each<Outcome>([{ status: 'unreadable' }, 'absent', 'timeout'])('waits for its part: %j', async (outcome) => {
    expect(codeOf(await panel(outcome).get('export'))).toEqual([503, 'restarting']);
  });
});

const lists = { applied: [], skipped: [], warnings: [], errors: [] };
const skipped = [
  { key: 'lava_lamp', reason: 'unknown', message: 'This version of Sconce has no such setting.' },
] as const;

describe('an import', () => {
  it('is handed on with its options, once it was admitted', async () => {
    const t = panel({ ...lists, status: 'applied', applied: ['friendly_name'], skipped });
    expect(await t.post('import?mode=fleet&strict=1&expected_cfg=1a2b3c4d', bundle)).toMatchObject({
      status: 200,
      body: {
        ok: true,
        status: 'applied',
        applied: ['friendly_name'],
        skipped,
        warnings: [],
        errors: [],
        message: 'One value was changed.',
      },
    });
    const options = { mode: 'fleet', strict: true, hidesStored: true, expectedCfg: '1a2b3c4d' };
    // Looked at first, so that a person is not asked in vain.
    expect(t.asked()).toMatchObject([
      { type: 'config.import', bundle, options: { ...options, dryRun: true }, from: 'network' },
      { type: 'config.import', bundle, options: { ...options, dryRun: false }, from: 'network' },
    ]);
    expect(t.admission.asked).toMatchObject([{ operation: 'CONFIG_IMPORT', what: 'the settings of hall_panel' }]);
  });

  it('that is only looked at is open', async () => {
    const changes = [{ key: 'friendly_name', from: '', to: 'Hall' }];
    const t = panel({ ...lists, status: 'preview', expectedCfg: '1a2b3c4d', changes });
    expect(await t.post('import?dry_run=1', bundle)).toMatchObject({
      status: 200,
      body: { ok: true, status: 'preview', expected_cfg: '1a2b3c4d', changes },
    });
    expect(t.admission.asked).toEqual([]);
    expect(t.asked()).toMatchObject([{ options: { mode: 'restore', strict: false, dryRun: true, expectedCfg: null } }]);
  });

  it.each<[Outcome, string]>([
    [{ ...lists, status: 'no-op' }, 'Nothing had to be changed; nothing was written.'],
    [
      { ...lists, status: 'partial', applied: ['a', 'b'], errors: ['x'] },
      '2 values were changed. One key could not be taken.',
    ],
    [
      { ...lists, status: 'partial', applied: ['a'], errors: ['x', 'y'] },
      'One value was changed. 2 keys could not be taken.',
    ],
  ])('says what came of it: %j', async (outcome, message) => {
    expect(await panel(outcome).post('import', bundle)).toMatchObject({ status: 200, body: { message } });
  });

  it.each<[Outcome, number, string, RegExp]>([
    [{ status: 'bad-bundle', message: 'This is none.' }, 400, 'bad-bundle', /^This is none/],
    [{ status: 'wrong-kind-or-schema', message: 'This is newer.' }, 400, 'wrong-kind-or-schema', /newer/],
    [
      { status: 'stale-preview', expectedCfg: '1a2b3c4d', actualCfg: '00000000' },
      409,
      'stale-preview',
      /00000000.*1a2b3c4d/,
    ],
    [{ ...lists, status: 'rejected', reasons: { dashboard_zoom: 'Zoom must fit.' } }, 422, 'rejected', /Zoom must fit/],
    [{ status: 'busy', running: null }, 409, 'operation-busy', /^Nothing was changed/],
    [{ status: 'error', reason: 'ENOSPC' }, 500, 'commit-failed', /^Nothing was changed.*ENOSPC/],
    [{ status: 'error', reason: 'timeout' }, 503, 'save-unknown', /may still have happened/],
    ['absent', 503, 'restarting', /"config-copies"/],
  ])('is refused with the reason: %j', async (outcome, status, error, words) => {
    const t = panel(outcome);
    expect(problemOf(await t.post('import', bundle))).toEqual([status, error, expect.stringMatching(words)]);
    // It was refused before a person was asked.
    expect(t.admission.asked).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['import', 'x', 'invalid-body'],
    ['import', [bundle], 'invalid-body'],
    ['import', {}, 'wrong-kind-or-schema'],
    ['import', { ...bundle, values: 'x' }, 'bad-bundle'],
    ['import', { ...bundle, origin: 'x' }, 'bad-bundle'],
    ['import', { ...bundle, schema: 'x' }, 'wrong-kind-or-schema'],
    ['import?expected_cfg=1A2B3C4D', bundle, 'bad-expected-cfg'],
    ['import?expected_cfg=', bundle, 'bad-expected-cfg'],
    ['import?mode=all', bundle, 'invalid-query'],
    ['import?dry_run=yes', bundle, 'invalid-query'],
  ])('%s with %j is refused, and nothing is asked', async (path, body, error) => {
    const t = panel({ ...lists, status: 'applied' });
    expect(codeOf(await t.post(path, body))).toEqual([400, error]);
    expect([t.asked(), t.admission.asked]).toEqual([[], []]);
  });

  it('has at most 1 MiB', () => {
    expect(panel('absent').app.maxBodyBytes('POST', '/api/v1/config/import')).toBe(1_048_576);
  });

  it('says at the panel what it would change that needs a person by itself, and no text of another one', async () => {
    const t = panel({ ...lists, status: 'no-op' });
    const values = { ha_url: 'http://192.0.2.66:8123', friendly_name: 'Marker' };
    await t.post('import', { ...bundle, exported_by: 'Yes, approve', values });
    expect(t.admission.asked.map(({ what }) => what)).toEqual([
      'Address of Home Assistant: http://192.0.2.66:8123/, the settings of a file',
    ]);
  });

  it('is refused while the agent stops', async () => {
    const deps = { ...fakeDeps(), stopping: () => true };
    const request = new Request('http://panel.invalid/api/v1/config/import', {
      method: 'POST',
      body: JSON.stringify(bundle),
    });
    const response = await createApp(deps).fetch(request, neighbour);
    expect([response.status, deps.registry.told]).toEqual([503, []]);
  });
});

describe('the revisions', () => {
  it('are listed, newest first', async () => {
    expect((await panel('absent').get('revisions')).body).toEqual([
      { id: 2, exported_at: '1699999500000', keys: 3, changed: ['dashboard_zoom'] },
      { id: 1, exported_at: '1699999000000', keys: 2, changed: [] },
    ]);
  });

  it('are not known while their part restarts', async () => {
    const t = panel('absent');
    t.deps.registry.put('config-copies', undefined);
    expect(codeOf(await t.get('revisions'))).toEqual([503, 'restarting']);
  });

  it('are returned to once that was admitted', async () => {
    const t = panel({ status: 'restored', applied: ['ha_url', 'ha_token'], cleared: ['ha_token'], skipped });
    expect(await t.post('revisions/2/restore')).toMatchObject({
      status: 200,
      body: {
        ok: true,
        status: 'restored',
        applied: ['ha_url', 'ha_token'],
        cleared: ['ha_token'],
        skipped,
        message: '2 values were changed.',
      },
    });
    expect(t.admission.asked).toMatchObject([{ operation: 'CONFIG_IMPORT', what: 'the settings of revision 2' }]);
    expect(t.asked()).toMatchObject([{ type: 'config.restore-revision', id: 2, from: 'network' }]);
  });

  it.each<[Outcome, number, string, RegExp]>([
    [{ status: 'not-found' }, 404, 'not-found', /no such revision/],
    [{ status: 'rejected', reasons: { schema: 'A newer one.' } }, 422, 'rejected', /A newer one/],
    [{ status: 'busy', running: null }, 409, 'operation-busy', /^Nothing was changed/],
    [{ status: 'error', reason: 'EROFS' }, 500, 'commit-failed', /^Nothing was changed.*EROFS/],
    [
      { status: 'error', reason: 'ENOSPC', off: ['camera_enabled'] },
      500,
      'commit-failed',
      /^Camera is off now, but that is not saved yet\. Nothing else was changed.*ENOSPC/,
    ],
    ['absent', 503, 'restarting', /"config-copies"/],
    ['timeout', 503, 'save-unknown', /may still have happened/],
  ])('are not, with the reason: %j', async (outcome, status, error, words) => {
    const answer = await panel(outcome).post('revisions/2/restore');
    expect(problemOf(answer)).toEqual([status, error, expect.stringMatching(words)]);
  });

  it.each(['x', '0', '-1', '1.5', '1e3x'])('have no id %s', async (id) => {
    expect(codeOf(await panel({ status: 'no-op' }).post(`revisions/${id}/restore`))).toEqual([400, 'bad-id']);
  });

  it('that do not exist are refused before a person is asked', async () => {
    const t = panel({ status: 'no-op' });
    expect(codeOf(await t.post('revisions/9/restore'))).toEqual([404, 'not-found']);
    expect([t.asked(), t.admission.asked]).toEqual([[], []]);
  });

  it('that are in force change nothing', async () => {
    expect(await panel({ status: 'no-op' }).post('revisions/2/restore')).toMatchObject({
      status: 200,
      body: { status: 'no-op', applied: [], message: 'Nothing had to be changed; nothing was written.' },
    });
  });
});
