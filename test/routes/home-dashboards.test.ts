import { describe, expect, it } from 'vitest';
import type { ReadOutcome } from '#machines/home-assistant/events.ts';
import { createApp } from '#routes/app.ts';
import { HomeDashboards } from '#routes/home-dashboards.ts';
import { fakeDeps } from '#test/fakes/route-deps.ts';

async function read(outcome: ReadOutcome | null, home = '') {
  const deps = fakeDeps();
  deps.registry.put('settings', { revision: 1, values: { home_dashboard: home }, secrets: {} });
  deps.registry.answer = () => (outcome === null ? { ok: false, reason: 'absent' } : { ok: true, value: outcome });
  const response = await createApp(deps).fetch(new Request('http://panel.invalid/api/v1/config/home-dashboards'), {});
  expect(response.status).toBe(200);
  return { body: HomeDashboards().parse(await response.json()), told: deps.registry.told };
}

describe('the dashboards to choose from', () => {
  it('are those of Home Assistant, beside what is chosen', async () => {
    const dashboards = [{ path: 'kitchen-panel', title: 'Kitchen' }];
    const { body, told } = await read(
      { ok: true, reading: { kind: 'dashboards', dashboards, sections: [] } },
      '/kitchen-panel/0',
    );
    expect(body).toEqual({
      queried: true,
      items: [{ path: '/kitchen-panel', title: 'Kitchen' }],
      default: { explicit: true, path: '/kitchen-panel/0' },
    });
    expect(told).toContainEqual({
      id: 'home-assistant',
      event: { type: 'home-assistant.read', topic: { kind: 'dashboards' } },
    });
  });

  it.each([
    ['nobody is signed in', { ok: false, reason: 'signed-out' }],
    ['Home Assistant is away', { ok: false, reason: 'unreachable' }],
    ['too many ask', { ok: false, reason: 'busy' }],
    ['its part restarts', null],
  ] as const)('are none while %s', async (_, outcome) => {
    const { body } = await read(outcome);
    expect(body).toEqual({ queried: false, items: [], default: { explicit: false, path: '' } });
  });
});
