import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { describeSetting } from '#machines/settings/registry.ts';
import { createApp } from '#routes/app.ts';
import { configNeed, settingOperations } from '#routes/kit/config-protects.ts';
import { type FakeAdmission, fakeAdmission, waits } from '#test/fakes/admission.ts';
import { fakeDeps } from '#test/fakes/route-deps.ts';

const meta = { help: 'A.', group: 'system', tier: 'basic', scope: 'device' };
const display = { operation: 'DISPLAY_CONFIGURATION' };
const settings = [
  describeSetting(
    'outside',
    z
      .boolean()
      .default(false)
      .meta({ ...meta, title: 'Outside', consent: 'REMOTE_MEDIA' }),
  ),
  describeSetting(
    'program',
    z
      .enum(['builtin', 'firefox'])
      .default('builtin')
      .meta({ ...meta, title: 'Program', protects: display }),
  ),
  describeSetting(
    'zoom',
    z
      .int()
      .default(1)
      .meta({ ...meta, title: 'Zoom', unit: '%', protects: display }),
  ),
  describeSetting(
    'id',
    z
      .string()
      .default('')
      .meta({ ...meta, title: 'Id', protects: { operation: 'PANEL_RESET' } }),
  ),
];
const values = { outside: false, program: 'builtin', zoom: 1, id: 'a' };

describe('what a save of settings needs', () => {
  it.each([
    ['nothing of what is open', { friendly_name: 'Hall' }, null, []],
    ['nothing of what is turned off', { outside: null, friendly_name: 'Hall' }, null, []],
    [
      'the consent of what is turned on, which carries it out',
      { outside: 'true' },
      { operation: 'REMOTE_MEDIA', what: 'Outside: on', effect: { do: 'settings', patch: { outside: true } } },
      [],
    ],
    [
      'one operation of a protected value, in the words of the form',
      { program: 'firefox', friendly_name: 'Hall' },
      { operation: 'DISPLAY_CONFIGURATION', what: 'Program: Firefox' },
      ['DISPLAY_CONFIGURATION'],
    ],
    [
      'one operation of several values',
      { program: 'firefox', zoom: 2 },
      { operation: 'DISPLAY_CONFIGURATION', what: 'Program: Firefox, Zoom: 2 %' },
      ['DISPLAY_CONFIGURATION'],
    ],
  ])('%s', (_, patch, request, operations) =>
    expect(configNeed(patch, values, settings)).toEqual({ request, operations, mixed: null }),
  );

  it.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
    ['a consent beside an open one', { outside: true, friendly_name: 'Hall' }, ['outside']],
    ['a consent beside a value that does not change', { outside: true, zoom: 1 }, ['outside']],
    ['a consent beside a protected one', { outside: true, zoom: 2 }, ['outside']],
    ['two operations', { zoom: 2, id: 'b' }, ['zoom', 'id']],
  ])('is not one approval: %s', (_, patch, keys) => {
    const { mixed, request } = configNeed(patch, values, settings);
    expect(request).not.toBeNull();
    expect(mixed).toMatchObject({ ok: false, reason: 'separate-sensitive-changes' });
    expect(Object.keys(mixed?.reasons ?? {})).toEqual(keys);
    expect(mixed?.message).toContain(keys.join(' and '));
  });
});

describe('a save over HTTP', () => {
  const start = () => {
    const admission = fakeAdmission('hardened');
    const deps = fakeDeps({ admission });
    deps.registry.answer = () => ({ ok: true, value: { status: 'saved', applied: [] } });
    const save = async (body: object) => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const response = await createApp(deps).fetch(new Request('http://panel.invalid/api/v1/config', init), {});
      return { status: response.status, body: await response.json() };
    };
    const merges = () => deps.registry.told.flatMap(({ event }) => (event.type === 'settings.merge' ? [event] : []));
    return { admission, save, merges };
  };

  it('that is open asks nobody, and says that nothing was admitted', async () => {
    const t = start();
    expect((await t.save({ log_level: 'debug' })).status).toBe(200);
    expect(t.admission.asked).toEqual([]);
    expect(t.merges()).toMatchObject([{ patch: { log_level: 'debug' }, admitted: [] }]);
  });

  it('that is protected is admitted, and the settings are told', async () => {
    const t = start();
    expect((await t.save({ dashboard_package: 'firefox' })).status).toBe(200);
    expect(t.admission.asked).toMatchObject([
      { operation: 'DISPLAY_CONFIGURATION', what: 'What shows the dashboard: Firefox', effect: null },
    ]);
    expect(t.merges()).toMatchObject([{ admitted: ['DISPLAY_CONFIGURATION'] }]);
  });

  it('that waits for a person changes nothing', async () => {
    const t = start();
    t.admission.answer = () => waits;
    const { status, body } = await t.save({ dashboard_package: 'firefox' });
    expect([status, body]).toMatchObject([202, { error: 'approval-required', approval_id: waits.approvalId }]);
    expect(t.merges()).toEqual([]);
  });

  it.each([
    ['an unknown setting', { dashboard_package: 'firefox', nonsense: 1 }],
    ['an invalid value', { dashboard_package: 'firefox', log_level: 'loud' }],
    ['an invalid protected value', { dashboard_package: 'netscape' }],
    ['a token without an address', { dashboard_package: 'firefox', ha_url: '', ha_token: 'x' }],
  ])('asks nobody for what is refused anyway: %s', async (_, body) => {
    const t = start();
    await t.save(body);
    expect(t.admission.asked).toEqual([]);
  });

  it('cannot say itself what was admitted or approved', async () => {
    const t = start();
    for (const name of ['admitted', 'consent', 'own'])
      await t.save({ log_level: 'debug', [name]: 'DISPLAY_CONFIGURATION' });
    expect(t.merges()).toHaveLength(3);
    for (const merge of t.merges()) {
      expect(merge).toMatchObject({ admitted: [] });
      expect(Object.keys(merge)).not.toContain('consent');
      expect(Object.keys(merge)).not.toContain('own');
    }
  });
});

it('knows each operation that a save can ask for', () => {
  expect(settingOperations()).toEqual([
    'DISPLAY_CONFIGURATION',
    'TRANSPORT_RELEASE',
    'CAMERA_ENABLE',
    'MICROPHONE_ACCESS',
  ]);
});

describe('what is turned off over HTTP', () => {
  const send = async (patch: object, outcome: object) => {
    const deps = fakeDeps({ admission: fakeAdmission('hardened') });
    deps.registry.answer = () => ({ ok: true, value: outcome });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(patch) };
    const response = await createApp(deps).fetch(new Request('http://panel.invalid/api/v1/config', init), {});
    return { status: response.status, body: await response.json(), asked: (deps.admission as FakeAdmission).asked };
  };
  const unsaved = { status: 'commit-failed', reason: 'ENOSPC', off: ['camera_enabled'] };

  it('is off, and the answer says that it is not saved', async () => {
    const { status, body, asked } = await send({ camera_enabled: false }, unsaved);
    expect([status, body, asked]).toMatchObject([
      200,
      { ok: true, status: 'off-unsaved', applied: ['camera_enabled'], cleared: [] },
      [],
    ]);
    expect(body).toMatchObject({
      message: expect.stringMatching(/^Camera is off now, but .*not saved.*ENOSPC.*restarts/),
    });
  });

  it('is off, and the refusal of all else says so', async () => {
    const { status, body } = await send({ camera_enabled: false, friendly_name: 'Hall' }, unsaved);
    expect([status, body]).toMatchObject([500, { error: 'commit-failed' }]);
    expect(body).toMatchObject({
      message: expect.stringMatching(/^Camera is off now.*Nothing else was changed.*full/),
    });
  });

  it('is never off in the words of another failure', async () => {
    const { body } = await send({ friendly_name: 'Hall' }, { status: 'commit-failed', reason: 'ENOSPC' });
    expect(body).toMatchObject({ message: expect.stringMatching(/^Nothing was changed/) });
  });
});
