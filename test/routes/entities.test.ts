import { describe, expect, it } from 'vitest';
import type { EntityFilterContext, FilterOutcome } from '#machines/entity-filter/events.ts';
import { SyncDocument } from '#machines/entity-filter/documents.ts';
import { createApp } from '#routes/app.ts';
import { Problem } from '#routes/kit/problem.ts';
import { actAsFilter, filterFacts, learnedDashboard, membersOf, twoIssues } from '#test/fakes/entity-filter.ts';
import { fakeDeps } from '#test/fakes/route-deps.ts';

const at = '/api/v1/dashboard';

/** The routes over a filter with these facts; a body is posted. */
function over(facts: EntityFilterContext | null = filterFacts()) {
  const deps = fakeDeps();
  if (facts === null) deps.registry.put('entity-filter', undefined);
  else actAsFilter(deps.registry, facts);
  const app = createApp(deps);
  const call = async (path: string, body?: unknown): Promise<Response> => {
    const init =
      body === undefined
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    return app.fetch(new Request(`http://panel.test${at}/${path}`, init), {});
  };
  return {
    deps,
    call,
    read: async (path: string, body?: unknown): Promise<Record<string, unknown>> => {
      const response = await call(path, body);
      expect(response.status).toBeLessThan(300);
      // Each answer is verified by its own schema on its way.
      return (await response.json()) as Record<string, unknown>;
    },
    /** Has the filter answer with this, whatever it is asked. */
    answering: (outcome: FilterOutcome): void => {
      deps.registry.answer = () => ({ ok: true, value: outcome });
    },
    told: () => deps.registry.told.map(({ id, event }) => `${id} ${event.type}`),
  };
}

const blocked = filterFacts({
  showing: 'unbounded',
  dashboards: [learnedDashboard({ issues: twoIssues, active: null }), learnedDashboard({ dashboard: 'garden' })],
});

describe('the filter', () => {
  it('gives a count and a hash, and no id', async () => {
    const rig = over();
    const text = await (await rig.call('entity-filter')).text();
    expect(JSON.parse(text)).toMatchObject({
      enabled: true,
      mode: 'automatic',
      entity_count: 24,
      no_filter: null,
      runtime: { active: true, mode: 'native_socket', modifiedSubscriptions: 1, failures: 0, directFallbacks: 0 },
      learning: { enabled: true, auto_static: true, auto_runtime: true },
    });
    expect(text).not.toMatch(/light\.|marker/);
  });
  it('hashes the sorted ids, one a line', async () => {
    const dashboards = [learnedDashboard({ active: ['light.b', 'light.a'] })];
    // printf 'light.a\nlight.b' | sha256sum
    expect(await over(filterFacts({ dashboards })).read('entity-filter')).toMatchObject({
      filter_hash: 'beae885b9fe2af85',
      entity_count: 2,
    });
  });
  it('learns, or takes a list in place of it, which is kept before the panel stops learning', async () => {
    const rig = over();
    expect(await rig.read('entity-filter', { entity_ids: ['light.a'] })).toMatchObject({
      learning: { enabled: false },
    });
    expect(rig.told()).toEqual(['entity-filter entity-filter.manual', 'settings settings.merge']);
    expect(rig.deps.registry.told[0]?.event).toMatchObject({ manual: { enabled: true, ids: ['light.a'] } });
    rig.deps.registry.told.length = 0;
    expect(await rig.read('entity-filter', { mode: 'automatic' })).toMatchObject({ learning: { enabled: true } });
    expect(rig.told()).toEqual(['settings settings.merge', 'entity-filter entity-filter.manual']);
  });
  it('is turned off as it was turned on', async () => {
    const rig = over();
    await rig.read('entity-filter', { enabled: false });
    expect(rig.deps.registry.told.map(({ event }) => event)).toMatchObject([
      { type: 'settings.merge', patch: { dashboard_entity_learning: false } },
    ]);
    const manual = over(filterFacts({ learning: false, manual: { enabled: true, ids: ['light.a'] } }));
    await manual.read('entity-filter', { enabled: false });
    expect(manual.deps.registry.told.map(({ event }) => event)).toMatchObject([
      { type: 'entity-filter.manual', manual: { enabled: false, ids: ['light.a'] } },
    ]);
    const both = over(filterFacts({ learning: true, manual: { enabled: true, ids: ['light.a'] } }));
    await both.read('entity-filter', { enabled: false });
    expect(both.deps.registry.told.map(({ event }) => event)).toMatchObject([
      { type: 'entity-filter.manual', manual: { enabled: false, ids: ['light.a'] } },
      { type: 'settings.merge', patch: { dashboard_entity_learning: false } },
    ]);
  });
});

describe('the entities', () => {
  const rig = over(filterFacts({ dashboards: [learnedDashboard({ members: membersOf(300) })] }));
  it.each([
    ['', 100, 289],
    ['?filter=all&limit=7&offset=295', 5, 300],
    ['?filter=active&limit=500', 289, 289],
    ['?filter=all&q=LIGHT.kitchen', 12, 12],
    ['?filter=all&q=nothing-like-it', 0, 0],
    ['?dashboard=kitchen-panel&filter=all&limit=1', 1, 300],
  ])('%s gives %i of %i', async (query, count, total) => {
    const list = await rig.read(`entities${query}`);
    expect([(list['items'] as unknown[]).length, list['total']]).toEqual([count, total]);
  });
  it('say why they are there', async () => {
    const { items } = await rig.read('entities?filter=all&limit=500');
    expect(items).toEqual(
      expect.arrayContaining([
        {
          entity_id: 'sensor.kitchen_ceiling_1',
          name: null,
          subscribed: true,
          override: 'auto',
          missing: false,
          misses: 0,
          reasons: [{ source: 'target', view: 'Ground floor', card: 'custom:mini-graph-card' }],
        },
      ]),
    );
  });
  it('are none before a dashboard was read', async () => {
    const bare = over(filterFacts({ dashboards: [], dashboard: null, showing: 'not-scanned' }));
    expect(await bare.read('entities')).toEqual({ items: [], limit: 100, offset: 0, total: 0 });
    expect(await bare.read('entities/issues')).toMatchObject({ items: [], dashboard_issue_count: 0 });
  });
});

describe('how it stands', () => {
  const scan = { number: 1, dashboard: 'kitchen-panel', step: 2, entities: 812, since: 5 } as const;
  const unread = { showing: 'not-scanned', dashboards: [] } as const;
  it.each<[string, Partial<EntityFilterContext>, string | null, boolean]>([
    ['a dashboard that is filtered', {}, null, false],
    ['a scan that runs', { ...unread, scan }, 'synchronizing', false],
    ['a scan that fails', { ...unread, scanFailure: 'unreachable' }, 'synchronization', false],
    ['a scan that is let in no more', { ...unread, scanFailure: 'signed-out' }, 'authentication', false],
    ['nobody signed in', { ...unread, noFilter: 'signed-out' }, 'authentication', false],
    ['a filter that nobody chose', { ...unread, noFilter: 'not-chosen' }, null, false],
    ['a rule that cannot be bounded', blocked, 'decision', true],
    ['the same while it is read again', { ...blocked, scan }, 'decision', false],
    ['a list of the owner', { learning: false, manual: { enabled: true, ids: ['light.a'] } }, null, false],
  ])('%s', async (_, more, reason, suspended) => {
    const sync = await over(filterFacts(more)).read('entities/sync');
    expect([sync['hold_reason'], sync['resync_suspended']]).toEqual([reason, suspended]);
  });
  it('counts the same set as the filter does, what Home Assistant does not have apart', async () => {
    const members = membersOf(4).map((one, index) => ({
      ...one,
      override: 'pinned' as const,
      exists: index !== 1,
    }));
    const active = members.map(({ entityId }) => entityId);
    const rig = over(filterFacts({ dashboards: [learnedDashboard({ members, active })] }));
    const { entity_count: asked } = await rig.read('entity-filter');
    const { active_count: there, missing_count: missing, learned_count: learned } = await rig.read('entities/sync');
    const { total } = await rig.read('entities?filter=active');
    expect({ asked, there, missing, learned, total }).toEqual({ asked: 4, there: 3, missing: 1, learned: 3, total: 3 });
    expect(await rig.read('entities?filter=missing')).toMatchObject({ total: 1 });
    expect(await over(blocked).read('entities/sync')).toMatchObject({ active_count: null, missing_count: null });
  });
  it('counts what waits, and names every dashboard', async () => {
    expect(await over(blocked).read('entities/sync')).toMatchObject({
      dashboard: 'kitchen-panel',
      showing: 'unbounded',
      total_count: 2013,
      active_count: null,
      dashboard_issue_count: 2,
      blocking_issue_count: 1,
      automatic_activation_blocked: true,
      dashboards: [
        { dashboard: 'kitchen-panel', active_count: null, blocking_issue_count: 1 },
        { dashboard: 'garden', active_count: 23, blocking_issue_count: 0 },
      ],
    });
    expect(await over(blocked).read('entities/sync?dashboard=garden')).toMatchObject({
      dashboard: 'garden',
      showing: 'filtered',
      hold_reason: null,
    });
  });
  it('is read again on demand, once at a time', async () => {
    const rig = over();
    expect((await rig.call('entities/sync', {})).status).toBe(202);
    expect(rig.told()).toEqual(['entity-filter entity-filter.sync']);
    expect((await over(filterFacts({ scan })).call('entities/sync', {})).status).toBe(409);
  });
});

describe('a decision', () => {
  it('about an issue takes effect in what there is to decide', async () => {
    const rig = over(blocked);
    const { items } = await rig.read('entities/issues');
    expect(items).toMatchObject([
      { kind: 'enumerating-card', blocks: true, ignored: false, view: 'Ground floor', card: 'custom:auto-entities' },
      { kind: 'missing', blocks: false, subject: 'switch.old_pump' },
    ]);
    const after = await rig.read('entities/issues', { fingerprint: '0f1e2d3c4b5a6978', ignored: true });
    expect(after).toMatchObject({ blocking_issue_count: 0, ignored_issue_count: 1 });
    expect(await rig.read('entities/sync')).toMatchObject({ active_count: null, automatic_activation_blocked: false });
    expect(await rig.read('entities/activate', { confirm: true })).toMatchObject({ ok: true, active_count: 23 });
  });
  it('about entities goes to the dashboard that is named', async () => {
    const rig = over(blocked);
    await rig.read('entities/overrides', {
      dashboard: 'garden',
      all_candidates: true,
      override: 'pinned',
      force: true,
    });
    await rig.read('entities/override', { entity_id: 'light.new', override: 'pinned', force: true });
    expect(rig.deps.registry.told.map(({ event }) => event)).toMatchObject([
      { dashboard: 'garden', entityIds: 'candidates', override: 'pinned', force: true },
      { dashboard: 'kitchen-panel', entityIds: ['light.new'], override: 'pinned', force: true },
    ]);
  });
  it('about what is learned is kept', async () => {
    const rig = over();
    await rig.read('entities/policy', { auto_static: true, auto_runtime: false });
    expect(await rig.read('entity-filter')).toMatchObject({ learning: { auto_static: true, auto_runtime: false } });
  });
  it('of fifty thousand is taken whole', async () => {
    const rig = over();
    const ids = Array.from({ length: 50_000 }, (_, index) => `sensor.number_${index}`);
    await rig.read('entity-filter', { mode: 'manual', entity_ids: ids });
    const more = [...ids, 'sensor.one_more'];
    const refused = Problem().parse(await (await rig.call('entity-filter', { entity_ids: more })).json());
    expect([refused.error, refused.reasons]).toEqual([
      'invalid-body',
      { entity_ids: 'The field "entity_ids" must be at most 50000 entries long.' },
    ]);
  });
});

describe('a refusal', () => {
  const id = 'Write an entity id such as light.kitchen: lower-case letters, digits and underscores, with one dot.';
  it.each<[string, unknown, string, string]>([
    ['entity-filter', {}, 'enabled', 'Send enabled, mode or entity_ids: none was sent.'],
    ['entity-filter', { entity_ids: [] }, 'entity_ids', 'The field "entity_ids" must not be empty.'],
    ['entity-filter', { entity_ids: ['light.a', 'Light.B'] }, 'entity_ids.1', id],
    [
      'entity-filter',
      { mode: 'automatic', entity_ids: ['light.a'] },
      'entity_ids',
      'With mode automatic the panel makes the list. Leave entity_ids out, or send mode manual.',
    ],
    [
      'entity-filter',
      { mode: 'manual' },
      'entity_ids',
      'There is no list yet. Send entity_ids with the ids that the dashboards should receive.',
    ],
    [
      'entities/issues',
      { fingerprint: 'ABC', ignored: true },
      'fingerprint',
      'An issue is named by its fingerprint: 16 lower-case hexadecimal digits.',
    ],
    [
      'entities/policy',
      { auto_static: true },
      'auto_runtime',
      'The field "auto_runtime" is missing: it must be true or false.',
    ],
    ['entities/override', { entity_id: 'kitchen', override: 'auto' }, 'entity_id', id],
    [
      'entities/override',
      { entity_id: 'light.a', override: 'never' },
      'override',
      'The field "override" must be one of: auto, pinned, forced_exclude.',
    ],
    ['entities/overrides', { override: 'auto' }, 'entity_ids', 'Send entity_ids, or all_candidates: true, not both.'],
    ['entities/activate', { confirm: 'yes' }, 'confirm', 'The field "confirm" must be true or false.'],
    ['entities/reset', { sure: true }, 'sure', 'There is no field "sure" here. Send only "confirm", "clear_filter".'],
  ])('of %s with %j names %s', async (path, body, field, sentence) => {
    const rig = over();
    const response = await rig.call(path, body);
    expect(response.status).toBe(400);
    expect(Problem().parse(await response.json())).toMatchObject({
      error: 'invalid-body',
      reasons: { [field]: sentence },
    });
    expect(rig.told()).toEqual([]);
  });
  it.each<[Extract<FilterOutcome, { ok: false }>['reason'], number, string]>([
    ['not-ready', 409, 'not-ready'],
    ['busy', 409, 'filter-busy'],
    ['unknown', 400, 'unknown-entity'],
    ['unknown-issue', 400, 'unknown-issue'],
    ['too-many', 400, 'too-many-entities'],
    ['not-saved', 500, 'filter-not-saved'],
  ])('by the filter as %s is %i %s with its sentence', async (reason, status, error) => {
    for (const [path, body] of [
      ['activate', { confirm: false }],
      ['reset', {}],
      ['override', { entity_id: 'light.a', override: 'auto' }],
      ['issues', { fingerprint: '0f1e2d3c4b5a6978', ignored: false }],
    ] as const) {
      const rig = over();
      rig.answering({ ok: false, reason, message: 'Because.' });
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const response = await rig.call(`entities/${path}`, body);
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect([response.status, await response.json()]).toMatchObject([
        status,
        { ok: false, error, message: 'Because.' },
      ]);
    }
  });
  it('for want of a confirmation has the code that every route gives, beside the older one', async () => {
    for (const [path, body] of [
      ['activate', { confirm: false }],
      ['reset', {}],
      ['override', { entity_id: 'light.a', override: 'auto' }],
    ] as const) {
      const rig = over(blocked);
      rig.answering({ ok: false, reason: 'confirm', message: 'Because.' });
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const response = await rig.call(`entities/${path}`, body);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const refused = Problem().parse(await response.json());
      expect([response.status, refused]).toMatchObject([
        409,
        { error: 'confirmation_required', code: 'not-confirmed', message: 'Because.' },
      ]);
      // The numbers that the same dashboard has at entities/sync.
      // oxlint-disable-next-line no-await-in-loop -- as above
      const sync = SyncDocument().parse(await (await over(blocked).call('entities/sync')).json());
      const numbers = { before: sync.active_count, after: sync.learned_count };
      expect(refused.change).toEqual(path === 'activate' ? numbers : undefined);
      expect(numbers.after).toBeGreaterThan(0);
    }
  });
  it('of a dashboard that nobody read names the field', async () => {
    for (const path of ['entities', 'entities/sync', 'entities/issues', 'entity-filter']) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const response = await over().call(`${path}?dashboard=attic`);
      expect(response.status).toBe(404);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const { error, reasons } = Problem().parse(await response.json());
      expect([error, Object.keys(reasons ?? {})]).toEqual(['unknown-dashboard', ['dashboard']]);
    }
  });
  it('before any dashboard is known, and while the part restarts, says so', async () => {
    const bare = filterFacts({ dashboard: null, dashboards: [], noFilter: 'not-chosen' });
    expect((await over(bare).call('entities/activate', { confirm: true })).status).toBe(409);
    expect((await over(bare).call('entities/sync', {})).status).toBe(409);
    expect((await over(null).call('entities/sync')).status).toBe(503);
    expect((await over(null).call('entities/reset', { confirm: true })).status).toBe(503);
  });
});

describe('the file', () => {
  it('has what was learned and decided, and neither server nor account', async () => {
    const response = await over(blocked).call('entities/export');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="sconce-entities.json"');
    const text = await response.text();
    expect(text).not.toMatch(/marker/);
    expect(JSON.parse(text)).toMatchObject({
      kind: 'sconce-entity-catalog',
      version: 1,
      dashboards: [{ dashboard: 'kitchen-panel', active: null, issues: [{ kind: 'enumerating-card' }, {}] }, {}],
    });
  });
});

describe('what it saves', () => {
  it('is counted of everything, then of the set', async () => {
    const rig = over();
    expect(await rig.read('entities/traffic?seconds=2')).toEqual({
      seconds: 2,
      all: { frames: 412, bytes: 96_300 },
      filtered: { frames: 9, bytes: 1840 },
    });
    expect(rig.deps.registry.told.map(({ event }) => event)).toMatchObject([
      { type: 'home-assistant.sample', entityIds: null, ms: 2000 },
      { type: 'home-assistant.sample', entityIds: learnedDashboard().active, ms: 2000 },
    ]);
  });
  it('is nothing where the dashboard is sent everything', async () => {
    expect(await over(blocked).read('entities/traffic?seconds=1')).toMatchObject({ filtered: null });
  });
  it.each(['signed-out', 'unreachable', 'busy'] as const)('is not counted where it is %s', async (reason) => {
    const rig = over();
    rig.deps.registry.answer = () => ({ ok: true, value: { ok: false, reason } });
    const response = await rig.call('entities/traffic');
    expect([response.status, Problem().parse(await response.json()).error]).toEqual([409, 'traffic-unavailable']);
  });
});

describe('the page', () => {
  const page = async (facts: EntityFilterContext, query = ''): Promise<string> => {
    const deps = fakeDeps();
    actAsFilter(deps.registry, facts);
    return (await createApp(deps).fetch(new Request(`http://panel.test/entities${query}`), {})).text();
  };
  const garden = learnedDashboard({ dashboard: 'garden', members: membersOf(3), active: null, issues: twoIssues });
  const elsewhere = filterFacts({
    dashboard: 'garden',
    showing: 'unbounded',
    dashboards: [garden, learnedDashboard()],
  });

  it('opens on the home dashboard, whatever the screen shows, and calls each by its title', async () => {
    const html = await page(elsewhere);
    expect(html).toContain('data-dashboard="kitchen-panel"');
    expect(html).toContain('Entities used by Kitchen<');
    expect(html.indexOf('>Kitchen: 23<')).toBeLessThan(html.indexOf('>Garden: everything<'));
  });
  it('opens on the one that is named, and has no "needs you" for one that gets everything', async () => {
    const html = await page(elsewhere, '?dashboard=garden');
    expect(html).toContain('Entities used by Garden<');
    expect(html.split('<main')[1]).not.toContain('needs you');
  });
  it('opens on a home dashboard that was not read yet, and on the shown one while home is not known', async () => {
    expect(await page(filterFacts({ home: 'hall', dashboards: [garden] }))).toContain('data-dashboard="hall"');
    expect(await page(filterFacts({ home: null, dashboard: 'garden', dashboards: [garden] }))).toContain(
      'data-dashboard="garden"',
    );
  });
});

describe('reading again', () => {
  it('reads the named dashboard, by default the one that is shown', async () => {
    const rig = over();
    await rig.read('entities/sync', { dashboard: 'kitchen-panel' });
    await rig.read('entities/sync', {});
    expect(rig.deps.registry.told.map(({ event }) => event)).toEqual([
      { type: 'entity-filter.sync', dashboard: 'kitchen-panel' },
      { type: 'entity-filter.sync', dashboard: 'kitchen-panel' },
    ]);
    expect((await rig.call('entities/sync', { dashboard: 'nowhere' })).status).toBe(404);
  });
  it('needs no body', async () => {
    const deps = fakeDeps();
    actAsFilter(deps.registry, filterFacts());
    const init = { method: 'POST' };
    const answer = await createApp(deps).fetch(new Request(`http://panel.test${at}/entities/sync`, init), {});
    expect(answer.status).toBe(202);
  });
});
