import { expect, test } from 'vitest';
import type { Observed, Requirement } from '#machines/provisioning/events.ts';
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

const appOf = () => {
  const deps = fakeDeps({}, { ...settledFacts(), provisioning: { requirements: [requirement], observed: null } });
  deps.registry.answer = (id) =>
    id === 'provisioning' ? { ok: true, value: observed } : { ok: false, reason: 'absent' };
  return { app: createApp(deps), registry: deps.registry };
};
const get = async (app: ReturnType<typeof createApp>, path: string): Promise<Response> =>
  app.fetch(new Request(`http://panel.invalid${path}`), {});

test('the plan is made of a fresh look and of what the parts themselves say', async () => {
  const { app, registry } = appOf();
  const response = await get(app, '/api/v1/provisioning/plan');
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    plan_schema: 1,
    observed_at: 5,
    items: [{ id: 'group.video' }, { id: 'part.screen', status: 'satisfied' }],
  });
  expect(registry.told.filter(({ id }) => id === 'provisioning')).toHaveLength(1);
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
