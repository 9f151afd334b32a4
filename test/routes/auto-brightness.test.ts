import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { AutoBrightnessDocument, LightHistory, LightSources } from '#machines/auto-brightness/document.ts';
import type { HistoryChart, RoomView } from '#machines/auto-brightness/events.ts';
import { unknownRoom } from '#machines/auto-brightness/off.ts';
import type { LightSensor, Reading } from '#machines/home-assistant/events.ts';
import { createApp } from '#routes/app.ts';
import { Problem } from '#routes/kit/problem.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

const NOW = 1_700_000_000_000;
const base = '/api/v1/auto-brightness';

const room: RoomView = {
  ...unknownRoom,
  state: 'preferred',
  why: null,
  sourceKind: 'home_assistant',
  sourceAvailable: true,
  sourceRevision: 3,
  latestLux: 120.123_456,
  expectedLux: 200,
  automaticTarget: 80,
  appliedTarget: 87,
  mode: 'learning',
  preference: {
    origin: 'panel_controls',
    requested: 153,
    automaticAtStart: 80,
    startedAt: NOW - 2_400_000,
    endsAt: NOW + 12_000_000,
    authority: 0.28,
  },
  ambient: { verdict: 'dark', level: 0.31, changesAt: NOW + 30_500 },
};

const chart: HistoryChart = {
  nowEpochMinute: 28_333_333,
  latestEpochMinute: 28_333_331,
  timeZone: 'Europe/Berlin',
  sourceRevision: 3,
  settings: { minimumPercent: 10, maximumPercent: 80, responsePercent: 40 },
  points: [
    {
      epochMinute: 28_333_325,
      localDay: 19_675,
      minuteOfDay: 1385,
      dayAge: 0,
      observedMeanLux: 12.345_67,
      minLux: 10,
      maxLux: 20,
      expectedLux: null,
      proposedBrightness: 40,
    },
    {
      epochMinute: 28_333_330,
      localDay: 19_675,
      minuteOfDay: 1390,
      dayAge: 0,
      observedMeanLux: null,
      minLux: null,
      maxLux: null,
      expectedLux: null,
      proposedBrightness: null,
    },
  ],
};

const sensors: readonly LightSensor[] = [
  { entityId: 'sensor.hall_illuminance', name: 'Hall', unit: 'lx', lux: 120, updatedAt: NOW - 1000 },
  { entityId: 'sensor.porch_light', name: 'Porch', unit: 'lx', lux: null, updatedAt: null },
  { entityId: 'sensor.attic', name: 'Attic illuminance', unit: 'lx', lux: 3, updatedAt: NOW - 60_000 },
];

type Answer = 'absent' | 'timeout' | object;

/** A panel whose parts answer as given by the type of the event; the settings are on unless `off`. */
function rig({ off = false, facts = {} as Readonly<Record<string, unknown>>, values = {} } = {}) {
  const settled = settledFacts();
  const settings = z
    .object({ values: z.record(z.string(), z.unknown()) })
    .loose()
    .parse(settled['settings']);
  const deps = fakeDeps(
    {},
    {
      ...settled,
      settings: { ...settings, values: { ...settings.values, auto_brightness: !off, ...values } },
      ...(off ? {} : { 'auto-brightness': { room, decidedAt: NOW } }),
      ...facts,
    },
  );
  const answers = new Map<string, Answer>();
  deps.registry.answer = (_, { type }) => {
    const value = answers.get(type) ?? 'absent';
    return typeof value === 'string' ? { ok: false, reason: value as 'absent' | 'timeout' } : { ok: true, value };
  };
  const app = createApp(deps);
  const call = async (
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: unknown; cache: string | null }> => {
    const response = await app.fetch(
      new Request(`http://panel.test${base}${path}`, {
        ...(body !== undefined && {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      }),
      {},
    );
    return { status: response.status, body: await response.json(), cache: response.headers.get('cache-control') };
  };
  const post = async (path: string): Promise<{ status: number; body: unknown }> => {
    const response = await app.fetch(new Request(`http://panel.test${base}${path}`, { method: 'POST' }), {});
    return { status: response.status, body: await response.json() };
  };
  return { deps, answers, call, post };
}

function refusal({ status, body }: { status: number; body: unknown }) {
  const { error, message, reasons } = Problem().parse(body);
  return { status, error, message, reasons };
}

describe('GET auto-brightness', () => {
  it('tells the decision, its reasons and a preference with what is left of it', async () => {
    const { status, body, cache } = await rig({
      values: { auto_brightness_ha_entity: 'sensor.hall_illuminance' },
    }).call('');
    expect([status, cache]).toEqual([200, 'no-store']);
    expect(AutoBrightnessDocument().parse(body)).toEqual({
      available: true,
      state: 'preferred',
      detail: expect.any(String),
      enabled: true,
      sourceKind: 'home_assistant',
      sourceId: 'sensor.hall_illuminance',
      sourceAvailable: true,
      sourceRevision: 3,
      latestLux: 120.123,
      expectedLux: 200,
      automaticTarget: 80,
      appliedTarget: 87,
      mode: 'learning',
      brighter: false,
      historyFault: null,
      manualPreference: { origin: 'panel_controls', requested: 153, remainingMs: 12_000_000, authority: 0.28 },
      ambientTheme: { verdict: 'dark', level: 0.31, pendingMs: 30_500 },
    });
  });

  it('is off by the settings, and says so', async () => {
    const { body } = await rig({ off: true }).call('');
    expect(AutoBrightnessDocument().parse(body)).toMatchObject({
      available: false,
      state: 'off',
      enabled: false,
      sourceKind: null,
      sourceId: null,
      sourceRevision: null,
      latestLux: null,
      manualPreference: null,
    });
  });

  it('is unavailable without a source, and available again in the dark', async () => {
    const unavailable = { ...unknownRoom, why: 'no-source' as const };
    const first = await rig({ facts: { 'auto-brightness': { room: unavailable, decidedAt: null } } }).call('');
    expect(first.body).toMatchObject({ available: false, state: 'unavailable', enabled: true });
    const dark = { ...room, state: 'dark' as const, preference: null };
    const second = await rig({ facts: { 'auto-brightness': { room: dark, decidedAt: NOW } } }).call('');
    expect(second.body).toMatchObject({ available: true, state: 'dark', manualPreference: null });
  });

  it('is restarting while its part is', async () => {
    const panel = rig();
    panel.deps.registry.put('auto-brightness', undefined);
    expect(refusal(await panel.call(''))).toMatchObject({ status: 503, error: 'restarting' });
  });

  it('is 308 at its flat path', async () => {
    const response = await createApp(fakeDeps()).fetch(
      new Request('http://panel.test/auto-brightness/sources?q=a'),
      {},
    );
    expect([response.status, response.headers.get('location')]).toEqual([308, `${base}/sources?q=a`]);
  });
});

describe('GET auto-brightness/history', () => {
  const drawn = { ok: true, value: chart };

  it('answers the chart with what it was drawn with', async () => {
    const panel = rig();
    panel.answers.set('auto-brightness.chart', drawn);
    const { status, body } = await panel.call('/history?hours=24');
    expect(status).toBe(200);
    expect(LightHistory().parse(body)).toMatchObject({
      available: true,
      hours: 24,
      bucket_minutes: 5,
      sensitivity: 40,
      minimum_percent: 10,
      minimum_brightness: 26,
      maximum_percent: 80,
      maximum_brightness: 204,
      now_epoch_minute: 28_333_333,
      sourceRevision: 3,
      latestEpochMinute: 28_333_331,
      time_zone: 'Europe/Berlin',
      points: [{ ...chart.points[0], observedMeanLux: 12.346 }, chart.points[1]],
    });
  });

  it('previews what is not saved, and nothing else', async () => {
    const panel = rig();
    panel.answers.set('auto-brightness.chart', drawn);
    await panel.call('/history');
    await panel.call('/history?minimum_percent=20&sensitivity=0');
    expect(panel.deps.registry.told.map(({ event }) => event)).toEqual([
      { type: 'auto-brightness.chart', hours: 168, preview: {} },
      { type: 'auto-brightness.chart', hours: 168, preview: { responsePercent: 0, minimumPercent: 20 } },
    ]);
  });

  it.each([
    ['hours=0', 'hours', 'from 1 to 168'],
    ['hours=169', 'hours', 'from 1 to 168'],
    ['hours=two', 'hours', 'a whole number'],
    ['sensitivity=101', 'sensitivity', 'from 0 to 100'],
    ['minimum_percent=3', 'minimum_percent', 'from 4 to 99'],
    ['maximum_percent=101', 'maximum_percent', 'from 5 to 100'],
    ['minimum_percent=50&maximum_percent=50', 'minimum_percent', 'below the maximum of 50'],
    ['maximum_percent=20', 'maximum_percent', 'above the minimum of 30'],
    ['minutes=5', 'minutes', 'Send only "hours"'],
  ])('refuses %s by its field, with the reason and the fix', async (query, field, words) => {
    const panel = rig({ values: { auto_brightness_minimum_percent: 30 } });
    const { status, error, reasons } = refusal(await panel.call(`/history?${query}`));
    expect([status, error]).toEqual([400, 'invalid-query']);
    expect(reasons?.[field]).toContain(words);
    expect(panel.deps.registry.told).toEqual([]);
  });

  it.each([
    ['busy', 503, 'chart-busy'],
    ['no-source', 409, 'no-source'],
  ])('%s is a refusal', async (reason, status, error) => {
    const panel = rig();
    panel.answers.set('auto-brightness.chart', { ok: false, reason, message: '' });
    expect(refusal(await panel.call('/history'))).toMatchObject({ status, error });
  });

  it('does not run while it is off', async () => {
    const panel = rig({ off: true });
    expect(refusal(await panel.call('/history'))).toMatchObject({ status: 503, error: 'not-running' });
    expect(panel.deps.registry.told).toEqual([]);
  });

  it('starts work, so it is guarded like a write', () => {
    const app = createApp(fakeDeps());
    expect(['history', 'sources'].map((name) => app.isActiveGet(`${base}/${name}`, ''))).toEqual([true, true]);
    expect(app.isActiveGet(base, '')).toBe(false);
  });
});

describe('GET auto-brightness/sources', () => {
  const found = { ok: true, reading: { kind: 'light-sensors', sensors } satisfies Reading };
  const read = async (query: string, answer: Answer = found, off = false): Promise<LightSources> => {
    const panel = rig({ off });
    panel.answers.set('home-assistant.read', answer);
    const { status, body } = await panel.call(`/sources${query}`);
    expect(status).toBe(200);
    return LightSources().parse(body);
  };
  const ids = ({ items }: LightSources): readonly string[] => items.map(({ entityId }) => entityId);

  it('lists what measures light, while this is off too', async () => {
    for (const off of [false, true]) {
      const { available, items } = await read('', found, off);
      expect(available).toBe(true);
      expect(items).toHaveLength(3);
      expect(items[0]).toEqual({
        entityId: 'sensor.hall_illuminance',
        friendlyName: 'Hall',
        unit: 'lx',
        currentLux: 120,
        available: true,
        lastUpdatedEpochMs: NOW - 1000,
      });
      expect(items[1]).toMatchObject({ currentLux: null, available: false, lastUpdatedEpochMs: null });
    }
  });

  it('finds by a part of the id or the name; the first hundred characters count', async () => {
    expect(ids(await read('?q=ILLUM'))).toEqual(['sensor.hall_illuminance', 'sensor.attic']);
    expect(ids(await read('?q=%20porch'))).toEqual(['sensor.porch_light']);
    expect(ids(await read('?q=nothing'))).toEqual([]);
    expect(ids(await read(`?q=${' '.repeat(100)}nothing`))).toHaveLength(3);
  });

  it.each([
    ['1', 1],
    ['0', 1],
    ['-5', 1],
    ['2', 2],
    ['9999', 3],
  ])('holds a limit of %s inside its bounds', async (limit, count) => {
    expect(ids(await read(`?limit=${limit}`))).toHaveLength(count);
  });

  it('refuses what is not a number', async () => {
    expect(refusal(await rig().call('/sources?limit=all'))).toMatchObject({
      status: 400,
      error: 'invalid-query',
      reasons: { limit: 'The field "limit" must be a whole number.' },
    });
  });

  it.each<{ answer: Answer }>([
    { answer: 'absent' },
    { answer: 'timeout' },
    { answer: { ok: false, reason: 'signed-out' } },
    { answer: { ok: false, reason: 'unreachable' } },
  ])('has none while Home Assistant cannot be asked: $answer', async ({ answer }) => {
    expect(await read('', answer)).toEqual({ available: false, items: [] });
  });
});

describe('POST auto-brightness/source', () => {
  const hall = 'sensor.hall_illuminance';
  const entity = (more: object = {}): object => ({
    ok: true,
    reading: { kind: 'entity', entityId: hall, state: '119.5', deviceClass: 'illuminance', unit: 'lx', ...more },
  });
  const saved = { status: 'saved', applied: ['auto_brightness_ha_entity'] };
  const merges = (panel: ReturnType<typeof rig>): readonly unknown[] =>
    panel.deps.registry.told.filter(({ event }) => event.type === 'settings.merge').map(({ event }) => event);

  it('reads the entity, then saves it as long as the address is the same', async () => {
    const panel = rig({ values: { ha_url: 'http://home.test:8123' } });
    panel.answers.set('home-assistant.read', entity()).set('settings.merge', saved);
    const { status, body } = await panel.call('/source', { entity_id: hall });
    expect([status, body]).toEqual([200, { ok: true, entity_id: hall, current_lux: 119.5 }]);
    expect(panel.deps.registry.told.map(({ event }) => event)).toEqual([
      { type: 'home-assistant.read', topic: { kind: 'entity', entityId: hall } },
      {
        type: 'settings.merge',
        patch: { auto_brightness_ha_entity: hall },
        from: 'network',
        own: { expect: { ha_url: 'http://home.test:8123' } },
      },
    ]);
  });

  it.each([null, ''])('takes the panel’s own sensor for %j without reading', async (id) => {
    const panel = rig({ off: true });
    panel.answers.set('settings.merge', { status: 'no-op' });
    expect((await panel.call('/source', { entity_id: id })).body).toEqual({
      ok: true,
      entity_id: null,
      current_lux: null,
    });
    expect(panel.deps.registry.told.map(({ event }) => event)).toEqual([
      { type: 'settings.merge', patch: { auto_brightness_ha_entity: '' }, from: 'network' },
    ]);
  });

  it.each(['unavailable', 'unknown'])('takes a light sensor that is %s now', async (state) => {
    const panel = rig();
    panel.answers.set('home-assistant.read', entity({ state })).set('settings.merge', saved);
    expect((await panel.call('/source', { entity_id: hall })).body).toMatchObject({ current_lux: null });
  });

  it.each([
    [{}, 'is missing'],
    [{ entity_id: 5 }, 'must be text'],
    [{ entity_id: 'light.hall' }, 'must be an entity such as sensor.hall_illuminance'],
    [{ entity_id: 'sensor.Hall' }, 'must be an entity such as sensor.hall_illuminance'],
    [{ entity_id: `sensor.${'a'.repeat(250)}` }, 'at most 255 characters'],
  ])('refuses %j by its field', async (sent, words) => {
    const panel = rig();
    const { status, error, reasons } = refusal(await panel.call('/source', sent));
    expect([status, error]).toEqual([400, 'invalid-body']);
    expect(reasons?.['entity_id']).toContain(words);
    expect(panel.deps.registry.told).toEqual([]);
  });

  it.each([
    [{ unit: '°C', deviceClass: 'temperature' }, 'measures in °C (temperature), not in lx'],
    [{ unit: '%', deviceClass: null }, 'measures in %, not in lx'],
    [{ unit: null, deviceClass: null, state: 'on' }, 'has no unit, not in lx'],
    [{ state: null, unit: null, deviceClass: null }, 'has no entity sensor.hall_illuminance'],
    [{ state: 'bright' }, 'says “bright”, which is not a number'],
    [{ state: '' }, 'which is not a number'],
    [{ state: 'Infinity' }, 'which is not a number'],
  ])('says what it is instead: %j', async (more, words) => {
    const panel = rig();
    panel.answers.set('home-assistant.read', entity(more));
    const { status, error, message, reasons } = refusal(await panel.call('/source', { entity_id: hall }));
    expect([status, error]).toEqual([422, 'not-a-light-sensor']);
    expect(message).toContain(words);
    expect(reasons?.['entity_id']).toBe(message);
    expect(merges(panel)).toEqual([]);
  });

  it.each<[Answer, string]>([
    ['timeout', 'home-assistant-away'],
    ['absent', 'home-assistant-away'],
    [{ ok: false, reason: 'unreachable' }, 'home-assistant-away'],
    [{ ok: false, reason: 'no-answer' }, 'home-assistant-away'],
    [{ ok: false, reason: 'signed-out' }, 'signed-out'],
  ])('%j is %s, and nothing is saved', async (answer, error) => {
    const panel = rig({ values: { ha_url: 'http://home.test:8123' } });
    panel.answers.set('home-assistant.read', answer);
    expect(refusal(await panel.call('/source', { entity_id: hall }))).toMatchObject({ status: 503, error });
    expect(merges(panel)).toEqual([]);
  });

  it('is to be signed in first where Home Assistant has no address', async () => {
    const panel = rig({ values: { ha_url: '' } });
    const answered = refusal(await panel.call('/source', { entity_id: hall }));
    expect(answered).toMatchObject({ status: 503, error: 'signed-out' });
    expect(merges(panel)).toEqual([]);
  });

  it.each(['address', 'account'])('is refused if the %s changed while it was read', async (what) => {
    const panel = rig();
    const answer = panel.deps.registry.answer;
    panel.deps.registry.answer = (id, event) => {
      const { settings, 'sign-in': signIn } = settledFacts();
      if (what === 'address')
        panel.deps.registry.put('settings', {
          ...Object(settings),
          values: { auto_brightness: true, ha_url: 'http://other.test' },
        });
      else panel.deps.registry.put('sign-in', { ...Object(signIn), revision: 2 });
      return answer(id, event);
    };
    panel.answers.set('home-assistant.read', entity());
    expect(refusal(await panel.call('/source', { entity_id: hall }))).toMatchObject({
      status: 409,
      error: 'source-changed',
    });
    expect(merges(panel)).toEqual([]);
  });

  it.each<[Answer, number, string]>([
    [{ status: 'refused', reasons: { ha_url: 'It was changed meanwhile.' } }, 409, 'source-changed'],
    [{ status: 'refused', reasons: { auto_brightness_ha_entity: 'No.' } }, 400, 'invalid-config'],
    [{ status: 'commit-failed', reason: 'ENOSPC' }, 500, 'commit-failed'],
    ['timeout', 503, 'save-unknown'],
    ['absent', 503, 'restarting'],
  ])('a save that answers %j is %s %s', async (answer, status, error) => {
    const panel = rig();
    panel.answers.set('home-assistant.read', entity()).set('settings.merge', answer);
    expect(refusal(await panel.call('/source', { entity_id: hall }))).toMatchObject({ status, error });
  });
});

describe('POST auto-brightness/reset and /resume', () => {
  it('forgets what was learned', async () => {
    const panel = rig();
    panel.answers.set('auto-brightness.forget', { ok: true, value: null });
    expect(await panel.post('/reset')).toEqual({ status: 200, body: { ok: true } });
  });

  it.each([
    ['not-kept', 503],
    ['no-source', 409],
  ])('%s is a refusal', async (reason, status) => {
    const panel = rig();
    panel.answers.set('auto-brightness.forget', { ok: false, reason, message: '' });
    expect(refusal(await panel.post('/reset'))).toMatchObject({ status, error: reason });
  });

  it('lets the empty object of a page pass', () => {
    const app = createApp(fakeDeps());
    for (const name of ['reset', 'resume']) expect(app.maxBodyBytes('POST', `${base}/${name}`)).toBe(1024);
  });

  it('goes back to automatic', async () => {
    const panel = rig();
    expect(await panel.post('/resume')).toEqual({ status: 200, body: { ok: true } });
    expect(panel.deps.registry.told).toEqual([{ id: 'auto-brightness', event: { type: 'auto-brightness.resume' } }]);
  });

  it.each(['/reset', '/resume'])(
    '%s does not run while it is off, and is restarting while its part is',
    async (path) => {
      expect(refusal(await rig({ off: true }).post(path))).toMatchObject({ status: 503, error: 'not-running' });
      const panel = rig();
      panel.deps.registry.put('auto-brightness', undefined);
      expect(refusal(await panel.post(path))).toMatchObject({ status: 503, error: 'restarting' });
    },
  );
});
