import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SettingDescriptor } from '#machines/kit/setting.ts';
import { descriptors, EXPOSE_PREFIX, exposableSettings, plainSettings } from '#machines/settings.ts';
import { Configuration } from '#routes/config.ts';
import { Problem } from '#routes/kit/problem.ts';
import { amount } from '#test/fakes/amount.ts';
import { type LiveAgent, post, startLive, until } from './live-agent.ts';

let live: LiveAgent;
beforeAll(async () => {
  live = await startLive();
  await until('the settings', async () => (await fetch(`${live.url}/api/v1/config`)).ok);
});
afterAll(() => live.close());

/** What is in force, as the agent serves it. */
const read = async (): Promise<Configuration> =>
  Configuration().parse(await (await fetch(`${live.url}/api/v1/config`)).json());
const change = (body: unknown): Promise<Response> => post(`${live.url}/api/v1/config`, body);
const kept = ({ settings, ha_expose }: { readonly settings: object; readonly ha_expose: object }): object => ({
  settings,
  ha_expose,
});

const settable = descriptors.filter((row) => !row.readOnly && !row.hidden);

/** Text that each setting of text takes. */
const texts: Readonly<Record<string, string>> = {
  panel_id: 'another_panel',
  ha_url: 'http://127.0.0.1:9',
  mqtt_broker: 'mqtt://127.0.0.1:9',
  mqtt_discovery_prefix: 'elsewhere',
  http_allowed_hosts: 'panel.test',
  home_dashboard: '/lovelace/1',
  auto_brightness_ha_entity: 'sensor.hall_light',
  screen_off_hours: '22:30-06:30',
  night_dim_hours: 'sun',
  wake_on_entity: 'binary_sensor.doorbell',
  stay_awake_dashboard: '/lovelace/2',
  voice_pipelines: '{"press":"01jexample"}',
};

/** Numbers of settings that are judged together. */
const numbers: Readonly<Record<string, number>> = {
  auto_brightness_minimum_percent: 20,
  auto_brightness_maximum_percent: 80,
};

/** A value that a setting takes and has not. */
function otherOf(row: SettingDescriptor, now: unknown): string | number | boolean {
  if (row.type === 'BOOL') return now !== true;
  if (row.type === 'ENUM') return row.options.find((option) => option !== now) ?? '';
  if (row.type === 'STRING' || row.type === 'PASSWORD') return texts[row.key] ?? '0123456789';
  return numbers[row.key] ?? [row.min, row.max].find((end) => end !== null && end !== now) ?? 0;
}

/** What a setting can never take. */
const wrongOf = (row: SettingDescriptor): readonly unknown[] => [
  { value: 1 },
  [1],
  ...(row.type === 'INT' || row.type === 'FLOAT' ? ['many', true, (row.max ?? 0) + 1, (row.min ?? 0) - 1] : []),
  ...(row.type === 'INT' ? [1.5] : []),
  ...(row.type === 'BOOL' ? ['perhaps', 2] : []),
  ...(row.type === 'ENUM' ? ['no such value', true, 7] : []),
  ...(row.type === 'STRING' || row.type === 'PASSWORD' ? [true, 'x'.repeat((row.maxLength ?? 0) + 1)] : []),
];

// What a person at the panel is asked for is not saved at once (`camera.test.ts`).
const plain = plainSettings.filter((row) => !row.hidden && row.consent === null);
/** They differ in their names alone: a plain run takes one in twelve. */
const exposed = exposableSettings.filter((_, index) => amount(index % 12 === 0, true));

describe('one setting that is posted', () => {
  // Everything is away from its default: a save that brought the defaults back would be seen.
  const others: Readonly<Record<string, string | number | boolean>> = {
    ...Object.fromEntries(plain.map((row) => [row.key, otherOf(row, row.defaultValue)])),
    ...Object.fromEntries(exposableSettings.map((row) => [EXPOSE_PREFIX + row.key, !row.exposedByDefault])),
  };
  beforeAll(async () => {
    expect((await change(others)).status).toBe(200);
  });
  it('is one of every type', async () => {
    expect(new Set(plain.map(({ type }) => type))).toEqual(new Set(['STRING', 'INT', 'FLOAT', 'ENUM', 'BOOL']));
    expect(plain.length).toBeGreaterThan(20);
    const { settings, ha_expose: shown } = await read();
    for (const { key, defaultValue } of plain) expect([key, settings[key]]).not.toEqual([key, defaultValue]);
    for (const { key, exposedByDefault } of exposableSettings)
      expect([key, shown[key]]).toEqual([key, !exposedByDefault]);
  });
  it.each(plain)('$key changes alone, and null brings its default back', async ({ key, defaultValue }) => {
    const before = await read();
    expect(await (await change({ [key]: null })).json()).toMatchObject({ status: 'saved', applied: [key] });
    expect(kept(await read())).toEqual(kept({ ...before, settings: { ...before.settings, [key]: defaultValue } }));
    expect(await (await change({ [key]: others[key] })).json()).toMatchObject({ status: 'saved', applied: [key] });
    expect(kept(await read())).toEqual(kept(before));
  });
  it.each(exposed)('ha_expose_$key changes alone, and null brings its default back', async (row) => {
    const before = await read();
    const name = EXPOSE_PREFIX + row.key;
    expect(await (await change({ [name]: null })).json()).toMatchObject({ status: 'saved', applied: [name] });
    const flags = { ...before.ha_expose, [row.key]: row.exposedByDefault };
    expect(kept(await read())).toEqual(kept({ ...before, ha_expose: flags }));
    expect((await change({ [name]: others[name] })).status).toBe(200);
    expect(kept(await read())).toEqual(kept(before));
  });
  it('may be a secret: "" keeps it, null clears it, and nothing else changes', async () => {
    const before = await read();
    expect((await change({ mqtt_password: 'correct horse' })).status).toBe(200);
    expect(await read()).toEqual({ ...before, mqtt_password_set: true });
    expect((await change({ mqtt_password: '' })).status).toBe(200);
    expect((await read()).mqtt_password_set).toBe(true);
    expect((await change({ mqtt_password: null })).status).toBe(200);
    expect(await read()).toEqual(before);
  });
});

describe('what is refused, and changes nothing', () => {
  let before: Configuration;
  beforeEach(async () => {
    before = await read();
  });
  afterEach(async () => expect(await read()).toEqual(before));

  const refused = async (body: unknown, keys: readonly string[]): Promise<void> => {
    const response = await change(body);
    const { error, reasons = {} } = Problem().parse(await response.json());
    expect([JSON.stringify(body), response.status, error, Object.keys(reasons)]).toEqual([
      JSON.stringify(body),
      400,
      'invalid-config',
      keys,
    ]);
  };
  it.each(settable)('$key of a wrong type, with a place', async (row) => {
    for (const wrong of wrongOf(row)) {
      // oxlint-disable-next-line no-await-in-loop -- one body after another
      await refused({ [row.key]: wrong }, [row.key]);
    }
  });
  it.each(exposed)('ha_expose_$key of a wrong type, with a place', async ({ key }) => {
    for (const wrong of ['perhaps', 2, { shown: true }]) {
      // oxlint-disable-next-line no-await-in-loop -- one body after another
      await refused({ [EXPOSE_PREFIX + key]: wrong }, [EXPOSE_PREFIX + key]);
    }
  });
  it('a setting that there is not, one that is only read and one that nobody may write', async () => {
    await refused({ no_such_setting: 1 }, ['no_such_setting']);
    await refused({ diag_cpu: 1, ha_oauth: 'x' }, ['diag_cpu', 'ha_oauth']);
  });
  it('all of a body of which one part is wrong', async () => {
    await refused({ dashboard_zoom: 150, log_level: 'loud' }, ['log_level']);
    await refused({ dashboard_zoom: 150, log_level: { level: 'debug' } }, ['log_level']);
  });
  it('a key that is there twice, before anything of it is looked at', async () => {
    const response = await fetch(`${live.url}/api/v1/config`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"dashboard_zoom":150,"dashboard_zoom":{"much":true}}',
    });
    const { error, message } = Problem().parse(await response.json());
    expect([response.status, error]).toEqual([400, 'invalid-body']);
    expect(message).toContain('"dashboard_zoom" is sent twice');
  });
});
