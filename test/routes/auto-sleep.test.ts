import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { AutoSleepDocument, SleepHistory, SleepPrerequisite, SleepSources } from '#machines/auto-sleep/document.ts';
import type { AreaSources, AutoSleepContext, Replay, ReplayAnswer } from '#machines/auto-sleep/events.ts';
import { restingFacts, restingView } from '#machines/auto-sleep/off.ts';
import type { Reading } from '#machines/home-assistant/events.ts';
import { createApp } from '#routes/app.ts';
import { Problem } from '#routes/kit/problem.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

const NOW = 1_700_000_000_000;
const base = '/api/v1/auto-sleep';
const SENSOR = 'a0'.repeat(32);
const AREA = '5f'.repeat(32);

const context: AutoSleepContext = {
  ...restingFacts,
  source: 'home_assistant',
  discoveredCount: 3,
  decidedAt: NOW,
  view: {
    ...restingView,
    phase: 'holding',
    reason: 'presence_lease',
    until: NOW + 240_000,
    lastPresenceAt: NOW - 360_000,
    leaseMs: 600_000,
    sourceCount: 2,
    isSuppressed: true,
    changes: [{ at: NOW - 1000, lit: true, by: 'presence', reason: 'source_active', sourceKey: SENSOR }],
  },
};

const area: AreaSources = {
  areaKey: AREA,
  areaName: 'Hall',
  sources: [{ key: SENSOR, entityId: 'binary_sensor.hall_motion', name: 'Hall motion', state: 'on', isIncluded: true }],
  total: 40,
};

const settled: Replay = {
  from: NOW - 3_600_000,
  to: NOW,
  leaseMs: 600_000,
  lanes: [{ key: SENSOR, states: [{ at: NOW - 3_600_000, state: 'on' }] }],
  segments: [{ from: NOW - 3_600_000, to: NOW, verdict: 'hold_awake', reason: 'source_active' }],
};

type Answer = 'absent' | 'timeout' | object;

/** A panel whose parts answer as given by the type of the event; auto-sleep is on unless `off`. */
function rig(given: { off?: boolean; values?: Readonly<Record<string, unknown>>; isThere?: boolean } = {}) {
  const { off = false, values = {} } = given;
  const { isThere = !off } = given;
  const facts = settledFacts();
  const settings = z
    .object({ values: z.record(z.string(), z.unknown()) })
    .loose()
    .parse(facts['settings']);
  const deps = fakeDeps(
    {},
    {
      ...facts,
      settings: {
        ...settings,
        values: {
          ...settings.values,
          auto_sleep: !off,
          auto_sleep_source: 'home_assistant',
          wake_on_announcement: false,
          ...values,
        },
      },
      ...(isThere ? { 'auto-sleep': context } : {}),
    },
  );
  const answers = new Map<string, Answer>();
  deps.registry.answer = (_, { type }) => {
    const value = answers.get(type) ?? 'absent';
    return typeof value === 'string' ? { ok: false, reason: value as 'absent' | 'timeout' } : { ok: true, value };
  };
  const app = createApp(deps);
  const call = async (path: string, body?: unknown): Promise<{ status: number; body: unknown }> => {
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
    return { status: response.status, body: await response.json() };
  };
  return { deps, answers, call };
}

function refusal({ status, body }: { status: number; body: unknown }) {
  const { error, message, reasons } = Problem().parse(body);
  return { status, error, message, reasons };
}

describe('GET auto-sleep', () => {
  it('tells the decision with the area, and no name of a sensor', async () => {
    const { answers, call } = rig();
    answers.set('auto-sleep.sources', { ok: true, value: area });
    const { status, body } = await call('');
    expect(status).toBe(200);
    expect(AutoSleepDocument().parse(body)).toMatchObject({
      available: true,
      enabled: true,
      source: 'home_assistant',
      phase: 'holding',
      reason: 'presence_lease',
      learned_lease_ms: 600_000,
      source_count: 2,
      discovered_source_count: 3,
      area_name: 'Hall',
      manual_suppression: true,
      until_epoch_ms: NOW + 240_000,
    });
    expect(JSON.stringify(body)).not.toMatch(/hall_motion|Hall motion/);
  });

  it('is known without the sensors, if they do not answer in time', async () => {
    const { answers, call } = rig();
    answers.set('auto-sleep.sources', 'timeout');
    expect((await call('')).body).toMatchObject({ phase: 'holding', area_name: null });
  });

  it('is off while the settings keep it off', async () => {
    const { status, body } = await rig({ off: true }).call('');
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ available: false, enabled: false, phase: 'off', reason: 'disabled', area_name: null }),
    ]);
  });

  it('says that the part restarts', async () => {
    expect(refusal(await rig({ isThere: false }).call(''))).toMatchObject({ status: 503, error: 'restarting' });
  });
});

describe('GET auto-sleep/prerequisite', () => {
  const reading = (found: Partial<Extract<Reading, { kind: 'area-presence' }>>) => ({
    ok: true,
    reading: { kind: 'area-presence', isKnown: true, area: null, sensors: [], total: 0, ...found },
  });

  it.each([
    ['assigned', { area: { id: 'hall', name: 'Hall' } }, true, 'Hall'],
    ['unassigned', { area: null }, false, null],
    ['unassigned', { isKnown: false }, false, null],
  ] as const)('%s: %o', async (phase, found, eligible, name) => {
    const { answers, call } = rig({ off: true });
    answers.set('home-assistant.read', reading(found));
    const { status, body } = await call('/prerequisite');
    expect(status).toBe(200);
    expect(SleepPrerequisite().parse(body)).toMatchObject({ phase, eligible, area_name: name });
  });

  it.each([
    ['auth_failed', { ok: false, reason: 'signed-out' }],
    ['unavailable', { ok: false, reason: 'unreachable' }],
    ['unavailable', { ok: false, reason: 'no-answer' }],
    ['unavailable', 'timeout'],
  ] as const)('%s: %o', async (phase, answer) => {
    const { answers, call } = rig({ off: true, values: { ha_url: 'http://homeassistant.test:8123' } });
    answers.set('home-assistant.read', answer);
    expect((await call('/prerequisite')).body).toMatchObject({ phase, eligible: false });
  });

  it('asks for a sign-in if no address is set', async () => {
    expect((await rig({ off: true, values: { ha_url: '' } }).call('/prerequisite')).body).toMatchObject({
      phase: 'auth_failed',
    });
  });
});

describe('GET auto-sleep/history', () => {
  it('replays the last hours', async () => {
    const { answers, call, deps } = rig();
    const value: ReplayAnswer = { fault: null, settled };
    answers.set('auto-sleep.replay', { ok: true, value });
    const { status, body } = await call('/history?hours=1');
    expect(status).toBe(200);
    expect(SleepHistory().parse(body)).toMatchObject({
      available: true,
      hours: 1,
      window_start_epoch_ms: settled.from,
      window_end_epoch_ms: NOW,
      source_count: 1,
      segments: [{ start_epoch_ms: settled.from, end_epoch_ms: NOW, category: 'hold_awake', reason: 'source_active' }],
      source_lanes: [{ source_key: SENSOR, states: [{ epoch_ms: settled.from, state: 'on' }] }],
      detail: null,
    });
    expect(deps.registry.told.map(({ event }) => event)).toContainEqual({ type: 'auto-sleep.replay', hours: 1 });
  });

  it('keeps the last view that was complete, and says what failed', async () => {
    const { answers, call } = rig();
    answers.set('auto-sleep.replay', { ok: true, value: { fault: 'history_transport', settled } });
    expect((await call('/history')).body).toMatchObject({ available: true, detail: 'history_transport', hours: 6 });
    answers.set('auto-sleep.replay', { ok: true, value: { fault: 'history_auth', settled: null } });
    expect((await call('/history')).body).toMatchObject({
      available: false,
      detail: 'history_auth',
      window_start_epoch_ms: null,
      segments: [],
    });
  });

  it.each(['0', '49', '1.5', 'many'])('refuses %s hours', async (hours) => {
    expect(refusal(await rig().call(`/history?hours=${hours}`))).toMatchObject({
      status: 400,
      error: 'invalid-query',
      reasons: { hours: expect.any(String) },
    });
  });

  it('needs the part', async () => {
    expect(refusal(await rig({ off: true }).call('/history'))).toMatchObject({ status: 503, error: 'not-running' });
  });
});

describe('the sensors', () => {
  it('are listed with their keys and names', async () => {
    const { answers, call } = rig();
    answers.set('auto-sleep.sources', { ok: true, value: area });
    const { status, body } = await call('/sources');
    expect(status).toBe(200);
    expect(SleepSources().parse(body)).toEqual({
      area_key: AREA,
      area_name: 'Hall',
      items: [
        {
          source_key: SENSOR,
          entity_id: 'binary_sensor.hall_motion',
          name: 'Hall motion',
          state: 'on',
          included: true,
        },
      ],
      total: 40,
    });
  });

  it('are none without an area, or while it is off', async () => {
    const { answers, call } = rig();
    answers.set('auto-sleep.sources', { ok: false, reason: 'no-sources', message: '' });
    expect(refusal(await call('/sources'))).toMatchObject({ status: 409, error: 'no-sources' });
    expect(refusal(await rig({ off: true }).call('/sources'))).toMatchObject({ status: 503, error: 'not-running' });
  });

  it('one is left out, durably', async () => {
    const { answers, call, deps } = rig();
    answers.set('auto-sleep.include', { ok: true, value: { included: false } });
    const { status, body } = await call('/source', { area_key: AREA, source_key: SENSOR, included: false });
    expect([status, body]).toEqual([200, { ok: true, included: false }]);
    expect(deps.registry.told.map(({ event }) => event)).toContainEqual({
      type: 'auto-sleep.include',
      areaKey: AREA,
      sourceKey: SENSOR,
      included: false,
    });
  });

  it.each([
    ['stale', 409, 'sources-stale'],
    ['not-kept', 503, 'not-kept'],
  ] as const)('%s is refused', async (reason, status, error) => {
    const { answers, call } = rig();
    answers.set('auto-sleep.include', { ok: false, reason, message: '' });
    expect(refusal(await call('/source', { area_key: AREA, source_key: SENSOR, included: true }))).toMatchObject({
      status,
      error,
    });
  });

  it.each([
    [{ area_key: 'A0', source_key: SENSOR, included: true }, 'area_key'],
    [{ area_key: AREA, source_key: `${SENSOR}0`, included: true }, 'source_key'],
    [{ area_key: AREA, source_key: SENSOR, included: 'yes' }, 'included'],
    [{ area_key: AREA, source_key: SENSOR }, 'included'],
  ])('%o is refused by its field', async (body, field) => {
    const { status, error, reasons } = refusal(await rig().call('/source', body));
    expect([status, error, Object.keys(reasons ?? {})]).toEqual([400, 'invalid-body', [field]]);
  });
});
