import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import type { RunningJob } from '#machines/maintenance/events.ts';
import { shownSettings } from '#machines/settings.ts';
import { defaultConfiguration, mergeSettings } from '#machines/settings/merge.ts';
import { createApp } from '#routes/app.ts';
import { Configuration, Saved, SchemaItem } from '#routes/config.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

function appWithout(...absent: readonly string[]) {
  const facts = settledFacts();
  return createApp(fakeDeps({}, { ...facts, 'active-profile': { ...(facts['active-profile'] as object), absent } }));
}

describe('what settings there are', () => {
  const unavailable = async (app: ReturnType<typeof createApp>): Promise<readonly string[]> => {
    const response = await app.fetch(new Request('http://panel.invalid/api/v1/config/schema'), {});
    const items = z.array(SchemaItem()).parse(await response.json());
    expect(items.map(({ key }) => key)).toEqual(shownSettings.map(({ key }) => key));
    return items.filter(({ available }) => !available).map(({ key }) => key);
  };

  it('lists every setting, and says of which this panel has no part', async () => {
    expect(await unavailable(appWithout())).toEqual([]);
    expect(await unavailable(appWithout('adb', 'proximity', 'temperature'))).toEqual([
      'wake_on_wave',
      'proximity',
      'proximity_level',
      'temperature',
      'temperature_offset',
      'adb_device',
    ]);
  });
});

interface Outcome {
  readonly status: string;
  readonly applied?: readonly string[];
  readonly cleared?: readonly string[];
}

describe('the configuration', () => {
  it('says of every setting whether Home Assistant shows it, and false of one that it cannot show', async () => {
    const response = await createApp(fakeDeps()).fetch(new Request('http://panel.invalid/api/v1/config'), {});
    const { ha_expose: shown } = Configuration().parse(await response.json());
    expect(Object.keys(shown).toSorted()).toEqual(shownSettings.map(({ key }) => key).toSorted());
    for (const row of shownSettings.filter(({ ha }) => !ha))
      expect([row.key, shown[row.key]]).toEqual([row.key, false]);
  });
});

describe('a save', () => {
  test.each([
    [{ status: 'no-op' }, 'Nothing had to be changed; nothing was written.'],
    [{ status: 'saved', applied: ['log_level'] }, 'One value was changed.'],
    [{ status: 'saved', applied: ['log_level', 'ha_expose_screen'] }, '2 values were changed.'],
    [
      { status: 'saved', applied: ['mqtt_broker', 'mqtt_password'], cleared: ['mqtt_password'] },
      'One value was changed. "Password of the broker" was cleared: it was for the old address.',
    ],
    [
      { status: 'saved', applied: ['ha_url', 'ha_token', 'ha_oauth'], cleared: ['ha_token', 'ha_oauth'] },
      'One value was changed. "Long-lived access token" and "Sign-in to Home Assistant" were cleared: they were for the old address.',
    ],
  ])('says what came of it: %o', async (outcome: Outcome, message) => {
    const deps = fakeDeps();
    deps.registry.answer = () => ({ ok: true, value: outcome });
    const response = await createApp(deps).fetch(
      new Request('http://panel.invalid/api/v1/config', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"log_level":"debug"}',
      }),
      {},
    );
    expect(Saved().parse(await response.json())).toMatchObject({
      ok: true,
      status: outcome.status,
      applied: outcome.applied ?? [],
      cleared: outcome.cleared ?? [],
      message,
      revision: 1,
    });
  });
});

describe('a save of values that contradict each other', () => {
  const [minimum, maximum] = ['auto_brightness_minimum_percent', 'auto_brightness_maximum_percent'] as const;
  const reasons = {
    [minimum]: 'Automatic brightness, darkest must be below the brightest, which is 50 %.',
    [maximum]: 'Automatic brightness, brightest must be above the darkest, which is 60 %.',
  };
  test.each([
    ['application/json', `{"${minimum}":60,"${maximum}":50,"log_level":"debug"}`],
    ['application/x-www-form-urlencoded', `${minimum}=60&${maximum}=50&log_level=debug`],
  ])('is refused with a reason for each: %s', async (type, body) => {
    const deps = fakeDeps();
    deps.registry.answer = (_, event) => ({
      ok: true,
      value: mergeSettings(defaultConfiguration, z.object({ patch: z.looseObject({}) }).parse(event).patch),
    });
    const init = { method: 'POST', headers: { 'content-type': type }, body };
    const response = await createApp(deps).fetch(new Request('http://panel.invalid/api/v1/config', init), {});
    expect([response.status, await response.json()]).toMatchObject([400, { error: 'invalid-config', reasons }]);
  });
});

describe('a save that failed', () => {
  test.each([
    ['ENOSPC', /^Nothing was changed: the disk is full \(ENOSPC\)\./],
    ['EROFS', /^Nothing was changed: the disk can only be read\./],
    ['EIO', /^Nothing was changed: .*\(EIO\)/],
  ])('says why: %s', async (reason, words) => {
    const deps = fakeDeps();
    deps.registry.answer = () => ({ ok: true, value: { status: 'commit-failed', reason } });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"log_level":"debug"}' };
    const response = await createApp(deps).fetch(new Request('http://panel.invalid/api/v1/config', init), {});
    expect([response.status, await response.json()]).toMatchObject([500, { message: expect.stringMatching(words) }]);
  });
});

describe('a save beside an operation', () => {
  const running: RunningJob = {
    token: 't',
    kind: 'restore',
    changes: true,
    since: 1_700_000_000_000,
    message: 'A restore is running.',
    isOrdered: false,
  };

  it('is refused, and names it', async () => {
    const deps = fakeDeps();
    deps.registry.put('maintenance', { running, last: null, lastBackupAt: null });
    deps.registry.answer = () => ({ ok: true, value: { status: 'busy' } });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"log_level":"debug"}' };
    const response = await createApp(deps).fetch(new Request('http://panel.invalid/api/v1/config', init), {});
    expect([response.status, await response.json()]).toMatchObject([
      409,
      { error: 'operation-busy', message: expect.stringMatching(/^Nothing was changed: a restore has been running/) },
    ]);
  });
});

describe('a check of one value', () => {
  const check = async (query: string) => {
    const deps = fakeDeps();
    const response = await createApp(deps).fetch(new Request(`http://panel.invalid/api/v1/config/check${query}`), {});
    return { status: response.status, body: await response.json(), told: deps.registry.told };
  };
  const of = (key: string, value: string): string => `?key=${key}&value=${encodeURIComponent(value)}`;

  it.each([
    ['panel_id', 'Küche 1!', 'kuche_1'],
    ['mqtt_broker', 'broker.test', 'mqtt://broker.test'],
    ['volume_limit_percent', ' 80 ', 80],
    ['dashboard_zoom', '', null],
  ])('%s, %j is kept as %j, and nobody is told', async (key, value, kept) => {
    const answer = { status: 200, body: { ok: true, value: kept, message: '' }, told: [] };
    expect(await check(of(key, value))).toEqual(answer);
  });

  it.each([
    ['panel_id', '!!!', 'Panel id must hold at least one letter from a to z or one digit.'],
    ['volume_limit_percent', '500', 'Maximum volume must be a whole number from 1 to 100 %.'],
    ['volume_limit_percent', '?', 'Maximum volume must be a whole number from 1 to 100 %.'],
    [
      'mqtt_broker',
      'http://x',
      'Address of the broker must begin with mqtt:// or mqtts://, such as mqtt://192.168.1.10:1883.',
    ],
  ])('%s, %j is refused in the words of a save', async (key, value, message) => {
    expect(await check(of(key, value))).toMatchObject({ status: 200, body: { ok: false, value: null, message } });
    expect(mergeSettings(defaultConfiguration, { [key]: value })).toEqual({
      status: 'refused',
      reasons: { [key]: message },
    });
  });

  it('is judged with what is in force and with the unsaved values beside it', async () => {
    const key = 'auto_brightness_minimum_percent';
    const beside = (values: string): string => `${of(key, '60')}&beside=${encodeURIComponent(values)}`;
    const refused = (most: number) => ({
      status: 200,
      body: {
        ok: false,
        value: null,
        message: `Automatic brightness, darkest must be below the brightest, which is ${most} %.`,
      },
    });
    expect(await check(of(key, '60'))).toMatchObject({ body: { ok: true, value: 60 } });
    expect(await check(beside('auto_brightness_maximum_percent=50'))).toMatchObject(refused(50));
    expect(await check(beside('auto_brightness_maximum_percent='))).toMatchObject({ body: { ok: true } });
    expect(await check(beside('auto_brightness_maximum_percent=%&=&&x'))).toMatchObject({ body: { ok: true } });
    expect(await check(beside('x'.repeat(513)))).toMatchObject({ status: 400, body: { error: 'invalid-query' } });
  });

  it.each([
    ['mqtt_password', /^Password of the broker is a credential/],
    ['ha_oauth', /is a credential/],
    ['screen', /^Screen is a reading/],
    ['panel_ip', /did you mean panel_id\?/],
  ])('%s is judged by nobody', async (key, message) => {
    const answer = { status: 200, body: { ok: false, value: null, message: expect.stringMatching(message) } };
    expect(await check(of(key, 'marker'))).toMatchObject(answer);
  });

  it.each(['', '?key=panel_id', of('x'.repeat(65), 'x'), of('panel_id', 'x'.repeat(4097))])(
    'takes no other query: %s',
    async (query) => {
      expect(await check(query)).toMatchObject({ status: 400, body: { error: 'invalid-query' } });
    },
  );
});
