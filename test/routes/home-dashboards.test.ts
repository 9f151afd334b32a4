import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ReadOutcome } from '#machines/home-assistant/events.ts';
import { createApp } from '#routes/app.ts';
import { Saved } from '#routes/config.ts';
import { HomeDashboards } from '#routes/home-dashboards.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

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

  it('begin with those that a person made', async () => {
    const dashboards = [
      { path: 'map', title: 'Map' },
      { path: 'hall-panel', title: 'Hall' },
      { path: 'lovelace', title: 'Overview' },
      { path: 'attic-panel', title: 'Attic' },
    ];
    const { body } = await read({ ok: true, reading: { kind: 'dashboards', dashboards, sections: [] } });
    expect(body.items.map(({ path }) => path)).toEqual(['/hall-panel', '/attic-panel', '/map', '/lovelace']);
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

describe('a home dashboard that is to be saved', () => {
  const dashboards = [
    { path: 'lovelace', title: 'Overview' },
    { path: 'hal-panel', title: 'Hall' },
    { path: 'garage-door', title: 'Garage' },
  ];
  const reading = {
    kind: 'dashboards',
    dashboards,
    sections: ['lovelace', 'hal-panel', 'garage-door', 'energy'],
  } as const;

  async function save(body: object, outcome: ReadOutcome | null = { ok: true, reading }, phase = 'signed-in') {
    const facts = settledFacts();
    const deps = fakeDeps({}, { ...facts, 'sign-in': { ...(facts['sign-in'] as object), phase } });
    deps.registry.answer = (id) => {
      if (id === 'settings') return { ok: true, value: { status: 'saved', applied: Object.keys(body) } };
      return outcome === null ? { ok: false, reason: 'timeout' } : { ok: true, value: outcome };
    };
    const app = createApp(deps);
    const saved = await app.fetch(
      new Request('http://panel.invalid/api/v1/config', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
      {},
    );
    return { status: saved.status, body: await saved.json(), asked: deps.registry.told.map(({ id }) => id), app };
  }

  it('is refused with the nearest ones where Home Assistant does not have it', async () => {
    const { status, body, asked, app } = await save({ home_dashboard: '/hal-pannel/1', log_level: 'debug' });
    expect(status).toBe(400);
    const { reasons } = z.object({ reasons: z.record(z.string(), z.string()) }).parse(body);
    expect(reasons['home_dashboard']).toContain('The nearest are /hal-panel,');
    expect(asked).not.toContain('settings');
    const path = '/api/v1/config/check?key=home_dashboard&value=%2Fhal-pannel';
    const checked = await app.fetch(new Request(`http://panel.invalid${path}`), {});
    expect(await checked.json()).toMatchObject({ ok: false, message: reasons['home_dashboard'] });
  });

  it.each(['/hal-panel/0', 'lovelace', '/energy', '/', ''])('is saved where it has it: %j', async (path) => {
    const { status, body } = await save({ home_dashboard: path });
    expect(status).toBe(200);
    expect(Saved().parse(body).message).toBe('One value was changed.');
  });

  it.each([
    ['nobody is signed in', { ok: true, reading }, 'needed'],
    ['Home Assistant is away', { ok: false, reason: 'unreachable' }, 'signed-in'],
    ['it is slow', null, 'signed-in'],
  ] as const)('is saved with a word while %s', async (_, outcome, phase) => {
    const { status, body } = await save({ home_dashboard: '/hal-pannel' }, outcome, phase);
    expect(status).toBe(200);
    expect(Saved().parse(body).message).toMatch(/ could not be asked whether it has this home dashboard\.$/);
  });

  it('is not looked up where another Home Assistant is saved with it', async () => {
    const { status, asked } = await save({ home_dashboard: '/hal-pannel', ha_url: 'http://other.test:8123' });
    expect([status, asked.includes('home-assistant')]).toEqual([200, false]);
  });
});
