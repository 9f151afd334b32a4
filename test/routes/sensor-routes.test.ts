import { describe, expect, it } from 'vitest';

import { working } from '#machines/kit/verdict.ts';
import type { SensorContext } from '#machines/sensors/events.ts';
import type { ZigbeeContext } from '#machines/zigbee/events.ts';
import { createApp } from '#routes/app.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

const at = 1_699_999_990_000;
const light: SensorContext = {
  kind: 'illuminance',
  verdict: working('sensor-read', 'Read.'),
  shown: true,
  device: 'part',
  everyMs: 2000,
  offset: 0,
  measured: 12.3456,
  at,
  published: { value: 12.3456, at },
  doubts: 0,
  trace: [
    { at: at - 2000, value: 11 },
    { at: at - 1000, value: null },
    { at, value: 12.3456 },
  ],
};
const warmth: SensorContext = { ...light, kind: 'temperature', measured: 24, offset: -2.5, trace: [{ at, value: 24 }] };
const gateway: ZigbeeContext = {
  gateway: 'cpcd',
  state: 'healthy',
  verdict: working('gateway-healthy', 'Runs.'),
  facts: {
    sample: { running: true, joined: null, cpuPercent: 3.4, runningForMs: 400_000 },
    sampledAt: at,
    shares: [],
    restarts: [],
  },
};

const app = createApp(fakeDeps({}, { ...settledFacts(), illuminance: light, temperature: warmth, zigbee: gateway }));
const get = (path: string): Promise<Response> =>
  Promise.resolve(app.fetch(new Request(`http://panel.invalid${path}`), {}));
const json = async (path: string): Promise<unknown> => (await get(path)).json();

describe('/api/v1/sensors', () => {
  it('tells what is there with its age, and leaves the rest out', async () => {
    expect(await json('/api/v1/sensors')).toMatchObject({
      light: { present: true, lux: 12, age_s: 10 },
      temperature: { present: true, c: 21.5, age_s: 10 },
      humidity: { present: false },
    });
  });
});

describe('/api/v1/sensortrace', () => {
  it('is CSV unless asked otherwise; a gap is an empty value', async () => {
    const response = await get('/api/v1/sensortrace');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect((await response.text()).split('\r\n')).toEqual([
      'time,sensor,value,unit',
      '2023-11-14T22:13:08.000Z,illuminance,11,lx',
      '2023-11-14T22:13:09.000Z,illuminance,,lx',
      '2023-11-14T22:13:10.000Z,illuminance,12.346,lx',
      '2023-11-14T22:13:10.000Z,temperature,24,°C',
      '',
    ]);
  });
  it('is JSON of one sensor since a time when asked', async () => {
    expect(await json(`/api/v1/sensortrace?format=json&sensor=illuminance&since=${at - 1000}`)).toEqual({
      points_kept: 2000,
      sensors: [{ sensor: 'illuminance', unit: 'lx', points: [{ at, value: 12.346 }] }],
    });
  });
  it.each(['format=xml', 'sensor=diag_cpu', 'since=-1', 'since=1e9', 'since='])(
    'refuses %s with a reason',
    async (query) => {
      const response = await get(`/api/v1/sensortrace?${query}`);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: 'invalid-query' });
    },
  );
});

describe('/api/v1/radio', () => {
  it('tells the gateway and the Wi-Fi without a name', async () => {
    const text = await (await get('/api/v1/radio')).text();
    expect(text).not.toContain('Marker');
    expect(JSON.parse(text)).toMatchObject({
      present: true,
      state: 'healthy',
      attributes: { gateway: 'cpcd', joined: 'unknown', cpu_percent: 3, running_minutes: 5 },
      wifi: { signal_dbm: -40 },
    });
  });
  it('tells that there is no gateway', async () => {
    const bare = createApp(fakeDeps());
    expect(await (await bare.fetch(new Request('http://panel.invalid/api/v1/radio'), {})).json()).toMatchObject({
      present: false,
      state: null,
      attributes: null,
    });
  });
});

it('the status document holds the gateway as the entity shows it', async () => {
  expect(await json('/api/v1/status')).toMatchObject({
    zigbee_gateway: { state: 'healthy', gateway: 'cpcd', running: true, reason: 'gateway-healthy' },
  });
});
