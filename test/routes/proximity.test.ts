import { describe, expect, test } from 'vitest';
import type { StateValue } from 'xstate';

import { ProximityDocument } from '#machines/proximity/document.ts';
import type { Calibration, ProximityContext, SessionView } from '#machines/proximity/events.ts';
import { isRunning } from '#machines/proximity/session.ts';
import { createApp } from '#routes/app.ts';
import { Problem } from '#routes/kit/problem.ts';

import { fakeDeps, settledFacts } from '../fakes/route-deps.ts';

const NOW = 1_700_000_000_000;
const source = { driver: 'proximity.iio', name: 'vcnl4040' };
const calibration: Calibration = {
  mode: 'ranged',
  presence: { clear: 0, near: 100 },
  wave: null,
  statuses: { presence: 'validated', wave: 'not_detected' },
  at: 5,
};
const session: SessionView = {
  id: 'one',
  stage: 'near',
  cue: 'approach',
  cueAt: NOW - 3000,
  cueEndsAt: NOW + 5000,
  stageEndsAt: NOW + 27_000,
  endsAt: NOW + 280_000,
  waves: 0,
  statuses: { presence: 'not_tested', wave: 'not_tested' },
  candidate: null,
  reason: null,
  raw: 41,
  level: null,
};

const idle: ProximityContext = {
  shown: true,
  absence: null,
  source,
  near: true,
  level: 80,
  trace: [],
  session: null,
  calibrations: [{ source, calibration }],
  fault: null,
  wakeOnWave: false,
  waves: 0,
};

/** A sensor with these facts in the state that goes with them; the memory has settled unless said. */
interface Sensor extends ProximityContext {
  readonly store?: 'recalling' | 'settled' | 'saving';
}

const stateOf = ({ source: found, session: seen, store = 'settled' }: Sensor): StateValue => ({
  watching: {
    sensor: found === null ? 'absent' : { present: seen !== null && isRunning(seen.stage) ? 'calibrating' : 'idle' },
    store,
  },
});

function over(proximity: Sensor | undefined) {
  const { proximity: settled, ...others } = settledFacts();
  expect(settled).toBeDefined();
  const deps = fakeDeps({}, others);
  if (proximity !== undefined) deps.registry.put('proximity', proximity, stateOf(proximity));
  const app = createApp(deps);
  return {
    deps,
    call: async (path: string, init?: RequestInit) => app.fetch(new Request(`http://panel.test${path}`, init), {}),
  };
}

const own = { 'x-proximity-ui': '1', origin: 'http://panel.test' };
const ask = (rig: ReturnType<typeof over>, body: unknown, headers: Record<string, string> = own) =>
  rig.call('/api/v1/proximity/calibration', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

describe('GET /api/v1/proximity', () => {
  const read = async (proximity: ProximityContext | undefined): Promise<ProximityDocument> => {
    const response = await over(proximity).call('/api/v1/proximity');
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    return ProximityDocument().parse(await response.json());
  };
  test('a profile without a sensor', async () => {
    expect(await read(undefined)).toMatchObject({
      present: false,
      learning: 'unavailable',
      phase: 'unavailable',
      sessionActive: false,
      sessionId: null,
      statuses: { presence: 'unavailable', wave: 'unavailable' },
    });
  });
  test('a sensor that nobody calibrated', async () => {
    expect(await read({ ...idle, calibrations: [] })).toMatchObject({
      present: true,
      phase: 'uncalibrated',
      near: null,
      level: null,
      statuses: { presence: 'not_tested', wave: 'not_tested' },
    });
  });
  test('a calibrated one', async () => {
    expect(await read(idle)).toMatchObject({
      phase: 'ready',
      near: true,
      level: 80,
      calibrated: { presence: true, wave: false },
      calibratedAt: 5,
      statuses: { presence: 'validated', wave: 'not_detected' },
    });
  });
  test('a calibration made with another sensor is none for this one', async () => {
    expect(await read({ ...idle, source: { ...source, name: 'apds9960' } })).toMatchObject({
      phase: 'uncalibrated',
      near: null,
      level: null,
    });
  });
  test('a running session says what is left of each time, and nothing of near', async () => {
    expect(await read({ ...idle, session })).toMatchObject({
      phase: 'calibrating',
      stage: 'near',
      sessionActive: true,
      sessionId: 'one',
      cue: 'approach',
      remainingMs: 5000,
      totalMs: 8000,
      stageRemainingMs: 27_000,
      sessionRemainingMs: 280_000,
      near: null,
      level: null,
      reading: { raw: 41, level: null },
    });
  });
  test('is 308 at its flat path, query and method kept', async () => {
    const response = await over(idle).call('/proximity?a=1', { method: 'POST' });
    expect([response.status, response.headers.get('location')]).toEqual([308, '/api/v1/proximity?a=1']);
    expect((await over(idle).call('/proximity/calibration', { method: 'POST' })).headers.get('location')).toBe(
      '/api/v1/proximity/calibration',
    );
  });
  test('is what /sensors says too', async () => {
    expect(await (await over(idle).call('/api/v1/sensors')).json()).toMatchObject({
      proximity: { present: true, near: true, level: 80 },
    });
    expect(await (await over(undefined).call('/api/v1/sensors')).json()).toMatchObject({
      proximity: { present: false },
    });
  });
});

describe('POST /api/v1/proximity/calibration', () => {
  const refusal = async (response: Response): Promise<readonly [number, string]> => [
    response.status,
    Problem().parse(await response.json()).error,
  ];
  test.each<[string, Record<string, string>]>([
    ['nothing of a browser', {}],
    ['the header alone', { 'x-proximity-ui': '1' }],
    ['the origin alone', { origin: 'http://panel.test' }],
    ['another value of the header', { ...own, 'x-proximity-ui': 'yes' }],
    ['a page of another site', { ...own, 'sec-fetch-site': 'cross-site' }],
    ['another port of this host', { ...own, 'sec-fetch-site': 'same-site' }],
  ])('only from the panel’s own page: %s', async (_, headers) => {
    const rig = over(undefined);
    // First of all checks: the action is unknown and there is no sensor either.
    expect(await refusal(await ask(rig, { action: 'teach' }, headers))).toEqual([403, 'not-the-panels-page']);
    expect(rig.deps.registry.told).toEqual([]);
  });
  test('then the action', async () => {
    expect(await refusal(await ask(over(undefined), { action: 'teach' }))).toEqual([400, 'bad-action']);
    expect(await refusal(await ask(over(undefined), {}))).toEqual([400, 'bad-action']);
    expect(await refusal(await ask(over(undefined), { action: 'cancel' }))).toEqual([400, 'bad-value']);
    expect(await refusal(await ask(over(undefined), { action: 'start', threshold: 5 }))).toEqual([400, 'bad-value']);
    expect(await refusal(await ask(over(undefined), { action: 'cancel', sessionId: 'x'.repeat(65) }))).toEqual([
      400,
      'bad-value',
    ]);
  });
  test.each([undefined, { ...idle, source: null }])('then the sensor', async (proximity) => {
    expect(await refusal(await ask(over(proximity), { action: 'start' }))).toEqual([409, 'proximity_source_required']);
  });
  test.each<[string, Sensor, Record<string, string>, number]>([
    ['a start', idle, { action: 'start' }, 202],
    ['a start while one runs', { ...idle, session }, { action: 'start' }, 409],
    [
      'a start after one that ended',
      { ...idle, session: { ...session, stage: 'cancelled' } },
      { action: 'start' },
      202,
    ],
    [
      'a begin at the intro',
      { ...idle, session: { ...session, stage: 'intro' } },
      { action: 'begin', sessionId: 'one' },
      202,
    ],
    ['a begin later', { ...idle, session }, { action: 'begin', sessionId: 'one' }, 409],
    ['a heartbeat', { ...idle, session }, { action: 'heartbeat', sessionId: 'one' }, 202],
    ['a heartbeat of another session', { ...idle, session }, { action: 'heartbeat', sessionId: 'two' }, 409],
    ['a heartbeat without a session', idle, { action: 'heartbeat', sessionId: 'one' }, 409],
    ['a cancel', { ...idle, session }, { action: 'cancel', sessionId: 'one' }, 202],
    ['a save with nothing to save', { ...idle, session }, { action: 'save', sessionId: 'one' }, 409],
    [
      'a save at the review',
      { ...idle, session: { ...session, stage: 'review', candidate: calibration } },
      { action: 'save', sessionId: 'one' },
      202,
    ],
    [
      'a save while one is on its way',
      { ...idle, store: 'saving', session: { ...session, stage: 'review', candidate: calibration } },
      { action: 'save', sessionId: 'one' },
      409,
    ],
    ['a reset', idle, { action: 'reset' }, 202],
    ['a reset before the disk was read', { ...idle, store: 'recalling' }, { action: 'reset' }, 409],
  ])('%s', async (_, proximity, body, status) => {
    const rig = over(proximity);
    const response = await ask(rig, body);
    expect(response.status).toBe(status);
    expect(ProximityDocument().safeParse(await response.json()).error).toBeUndefined();
    expect(rig.deps.registry.told.map(({ id, event }) => [id, event.type])).toEqual(
      status === 202 ? [['proximity', 'calibration.asked']] : [],
    );
  });
  test('takes a form as well', async () => {
    const rig = over(idle);
    const response = await rig.call('/api/v1/proximity/calibration', {
      method: 'POST',
      headers: { ...own, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'action=start',
    });
    expect(response.status).toBe(202);
  });
  test('takes what a browser says of itself on a trusted address in place of the origin', async () => {
    expect(
      (await ask(over(idle), { action: 'start' }, { 'x-proximity-ui': '1', 'sec-fetch-site': 'same-origin' })).status,
    ).toBe(202);
  });
});

describe('the retired routes', () => {
  test.each(['teach', 'test', 'relearn', 'capture', 'threshold', 'sensitivity', 'reset'])(
    '%s is gone',
    async (name) => {
      for (const method of ['GET', 'POST']) {
        const response = await over(idle).call(`/api/v1/proximity/${name}`, { method });
        expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([
          410,
          'application/json',
        ]);
        const { error, message } = Problem().parse(await response.json());
        expect(error).toBe('gone');
        expect(message).toContain('guided calibration');
      }
    },
  );
});

test('the page is there with and without a sensor, and reads without scripts', async () => {
  for (const proximity of [idle, undefined, { ...idle, session }]) {
    const response = await over(proximity).call('/proximity-setup');
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('sconce-proximity');
  }
});
