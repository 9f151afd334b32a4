import { expect, test } from 'vitest';
import type { Observed, Requirement } from '#machines/provisioning/events.ts';
import type { ProfileCatalogContext } from '#machines/profile-catalog/events.ts';
import type { ProfileCatalog } from '#machines/profile-catalog/listing.ts';
import { createApp } from '#routes/app.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

const requirement: Requirement = {
  slot: 'screen',
  driver: 'screen.auto',
  capability: 'screen',
  title: 'Screen',
  importance: 'required',
  groups: ['video'],
  packages: [],
  udev: [],
};
const observed: Observed = {
  at: 5,
  packages: {},
  groupsKnown: ['video'],
  groupsOwn: [],
  root: false,
  user: 'wall',
  rules: null,
  evidence: {},
};

function appOf(facts: Readonly<Record<string, unknown>> = {}) {
  const deps = fakeDeps(
    {},
    { ...settledFacts(), ...facts, provisioning: { requirements: [requirement], observed: null } },
  );
  deps.registry.answer = (id) =>
    id === 'provisioning' ? { ok: true, value: observed } : { ok: false, reason: 'absent' };
  return { app: createApp(deps), registry: deps.registry };
}
const get = async (app: ReturnType<typeof createApp>, path: string): Promise<Response> =>
  app.fetch(new Request(`http://panel.invalid${path}`), {});

test('the plan is made of a fresh look and of what the parts themselves say', async () => {
  const { app, registry } = appOf();
  const response = await get(app, '/api/v1/provisioning/plan');
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    plan_schema: 1,
    observed_at: 5,
    items: [{ id: 'group.video' }, { id: 'part.screen', title: 'Screen', status: 'satisfied' }],
  });
  expect(registry.told.filter(({ id }) => id === 'provisioning')).toHaveLength(1);
});

test('the plan says what runs, how it was chosen and what is wrong with the choice', async () => {
  const facts = settledFacts();
  const profile = { ...(facts['active-profile'] as object), hash: 'c'.repeat(64), origin: 'local', version: '2.1.0' };
  const profiles = facts['profile-catalog'] as ProfileCatalogContext;
  const catalog: ProfileCatalog | null = profiles.catalog && {
    ...profiles.catalog,
    activation: { state: 'rolled_back', since: 1, reason: 'http-silent', detail: 'It was taken back.' },
    issues: [{ code: 'record-damaged', ref: null, message: 'The record of the selection is damaged.' }],
  };
  const answer = await get(
    appOf({ 'active-profile': profile, 'profile-catalog': { ...profiles, catalog } }).app,
    '/api/v1/provisioning/plan',
  );
  expect(await answer.json()).toMatchObject({
    core: { version: '0.1.0', version_code: 1000 },
    profile: { id: 'simulated', revision: 'c'.repeat(64), origin: 'local', content_version: '2.1.0' },
    activation: { state: 'rolled_back', generation: 7 },
    issues: [{ code: 'record-damaged', message: 'The record of the selection is damaged.' }],
  });
});

test('the plan of a profile without a file, before the catalogue was read, claims neither', async () => {
  const facts = settledFacts();
  const profile = { ...(facts['active-profile'] as object), hash: '' };
  const profiles = { ...(facts['profile-catalog'] as ProfileCatalogContext), catalog: null };
  const answer = await get(
    appOf({ 'active-profile': profile, 'profile-catalog': profiles }).app,
    '/api/v1/provisioning/plan',
  );
  expect(await answer.json()).toMatchObject({ profile: { revision: null }, activation: null, issues: [] });
});

test('the same plan is served as text', async () => {
  const response = await get(appOf().app, '/api/v1/provisioning/plan.txt');
  expect(response.headers.get('content-type')).toBe('text/plain; charset=UTF-8');
  expect(await response.text()).toContain('Group video');
});

test('while the look cannot be had, callers are told to come again', async () => {
  const response = await get(createApp(fakeDeps()), '/api/v1/provisioning/plan');
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
});
