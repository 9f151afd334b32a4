import { afterEach, describe, expect, it } from 'vitest';

import { isOrigin, originsOf } from '#actors/config-copies/origin.ts';
import type { ConfigBundle } from '#machines/config-copies/events.ts';
import { defaultConfiguration } from '#machines/settings/merge.ts';
import { INSTALL_ID } from '../settings/memory-store.ts';
import { FINGERPRINT, memoryFile, startPanel } from './panel.ts';

type Panel = Awaited<ReturnType<typeof startPanel>>;
const running: Panel[] = [];
async function start(...args: Parameters<typeof startPanel>): Promise<Panel> {
  const panel = await startPanel(...args);
  running.push(panel);
  return panel;
}
afterEach(async () => {
  for (const panel of running.splice(0)) await panel.stop();
});

const configured = {
  settings: {
    revision: 4,
    values: { friendly_name: 'Hall', dashboard_zoom: 90, ha_url: 'http://192.0.2.1:8123', night_dim_percent: 30 },
    expose: { screen: false },
  },
  secrets: { ha_token: 'marker-token', ha_oauth: 'marker-oauth' },
};

describe('an export', () => {
  it('tells where it is from, and no credential unless that is asked for', async () => {
    const panel = await start(configured);
    const bundle = await panel.exported();
    expect(bundle).toMatchObject({
      kind: 'sconce-config',
      schema: 1,
      exported_by: 'hall_panel',
      origin: originsOf({ fingerprint: FINGERPRINT }),
      values: { friendly_name: 'Hall', ha_expose_screen: 'false' },
    });
    expect(JSON.stringify(bundle)).not.toMatch(/marker|aaaa/);
    expect(panel.facts()?.secretsExported).toBeNull();
    expect(JSON.stringify(await panel.exported(true))).toMatch(/marker-token/);
    expect(panel.facts()?.secretsExported).toMatchObject({ from: 'network' });
    expect(JSON.stringify(panel.facts())).not.toContain('marker');
  });
});

describe('an import', () => {
  const changed = async (panel: Panel): Promise<ConfigBundle> => {
    const bundle = await panel.exported();
    await panel.save({ friendly_name: 'Kitchen', night_dim_percent: 40, ha_expose_screen: true });
    return bundle;
  };

  it('is one save of all that differs, by the job that holds the settings', async () => {
    const panel = await start(configured);
    const bundle = await changed(panel);
    panel.asked.length = 0;
    const digest = panel.settings()?.digest;
    expect(await panel.import(bundle)).toEqual({
      status: 'applied',
      applied: ['friendly_name', 'night_dim_percent', 'ha_expose_screen'],
      skipped: [],
      warnings: [],
      errors: [],
    });
    expect(panel.asked).toMatchObject([
      {
        type: 'settings.merge',
        patch: { friendly_name: 'Hall', night_dim_percent: 30, ha_expose_screen: false },
        from: 'network',
        token: 'token',
        expectDigest: digest,
      },
    ]);
    expect(panel.settings()?.values).toMatchObject({ friendly_name: 'Hall', night_dim_percent: 30 });
    expect(panel.lane.ends).toEqual([
      {
        kind: 'import',
        end: {
          message: '3 settings were imported.',
          result: { status: 'succeeded', config: { status: 'succeeded', items: 3 } },
        },
      },
    ]);
  });

  it('of the same leaves nothing, not even a record', async () => {
    const panel = await start(configured);
    const bundle = await panel.exported(true);
    const { commits } = panel.store;
    expect(await panel.import(bundle)).toMatchObject({ status: 'no-op', applied: [] });
    expect([panel.store.commits, panel.lane.ends]).toEqual([commits, [{ kind: 'import', end: null }]]);
  });

  it('that is only looked at changes nothing and needs no job', async () => {
    const panel = await start(configured);
    const bundle = await changed(panel);
    const { commits } = panel.store;
    expect(await panel.import(bundle, { dryRun: true })).toMatchObject({
      status: 'preview',
      expectedCfg: panel.settings()?.digest,
      changes: [
        { key: 'friendly_name', from: 'Kitchen', to: 'Hall' },
        { key: 'night_dim_percent', from: '40', to: '30' },
        { key: 'ha_expose_screen', from: 'true', to: 'false' },
      ],
    });
    expect([panel.store.commits, panel.lane.ends]).toEqual([commits, []]);
  });

  it('does not tell whether a credential of it is the stored one, if that is to be hidden', async () => {
    const panel = await start(configured);
    const bundle = await panel.exported(true);
    const preview = (token: string, more: object): Promise<unknown> =>
      panel.import(
        { ...bundle, values: { ...bundle.values, ...more, ha_token: token } },
        {
          dryRun: true,
          hidesStored: true,
        },
      );
    for (const more of [{}, { ha_url: 'http://192.0.2.9:8123' }]) {
      const right = await preview('marker-token', more);
      expect(right).toMatchObject({ status: 'preview' });
      expect(JSON.stringify(right)).toContain('{"key":"ha_token","from":null,"to":null}');
      expect(await preview('another', more)).toEqual(right);
    }
  });

  it('is refused if the configuration was changed since its preview', async () => {
    const panel = await start(configured);
    const bundle = await changed(panel);
    const preview = await panel.import(bundle, { dryRun: true });
    if (preview.status !== 'preview') throw new Error(preview.status);
    const { expectedCfg } = preview;
    await panel.save({ dashboard_zoom: 100 });
    for (const dryRun of [true, false])
      expect(await panel.import(bundle, { expectedCfg, dryRun })).toEqual({
        status: 'stale-preview',
        expectedCfg,
        actualCfg: panel.settings()?.digest,
      });
    expect(panel.settings()?.values['friendly_name']).toBe('Kitchen');
  });

  it('from another machine takes what is portable, and nothing for a fleet that is not', async () => {
    const bundle = await (await start(configured)).exported(true);
    for (const mode of ['restore', 'fleet'] as const) {
      const panel = await start({}, memoryFile(), 'b'.repeat(64));
      const outcome = await panel.import(bundle, { mode });
      expect(outcome).toMatchObject({ status: 'applied', errors: [] });
      expect(panel.settings()?.values).toEqual({
        ...defaultConfiguration.values,
        ha_url: 'http://192.0.2.1:8123',
        night_dim_percent: 30,
      });
      expect(panel.settings()?.secrets).toEqual({ mqtt_password: false, ha_token: false, ha_oauth: false });
      expect(panel.settings()?.expose['screen']).toBe(false);
    }
  });

  it('returns its credentials to a panel that lost them', async () => {
    const bundle = await (await start(configured)).exported(true);
    const panel = await start();
    expect(await panel.import(bundle)).toMatchObject({ status: 'applied' });
    expect(panel.store.sections['secrets']).toMatchObject({ ha_token: 'marker-token' });
    expect(JSON.stringify([panel.facts(), panel.lane.ends, panel.file.book])).not.toContain('marker');
  });

  it.each<[string, (panel: Panel) => void, object]>([
    ['waits for another job', (panel) => void (panel.lane.busy = true), { status: 'busy', running: null }],
    ['fails with the disk', (panel) => void (panel.store.failure = 'ENOSPC'), { status: 'error', reason: 'ENOSPC' }],
    ['fails without the store', (panel) => void (panel.store.silent = 'timeout'), { status: 'error' }],
  ])('%s, and nothing is changed', async (_, breaks, expected) => {
    const panel = await start(configured);
    const bundle = await changed(panel);
    breaks(panel);
    expect(await panel.import(bundle)).toMatchObject(expected);
    expect(panel.settings()?.values['friendly_name']).toBe('Kitchen');
  });

  it('that is partial says so', async () => {
    const panel = await start(configured);
    const bundle = await panel.exported();
    const values = { ...bundle.values, friendly_name: 'Attic', dashboard_zoom: '7' };
    expect(await panel.import({ ...bundle, values })).toMatchObject({ status: 'partial', applied: ['friendly_name'] });
    expect(panel.lane.ends).toMatchObject([
      { end: { message: 'One setting was imported; one could not be.', result: { status: 'partial' } } },
    ]);
    expect(await panel.import({ ...bundle, values }, { strict: true })).toMatchObject({ status: 'rejected' });
  });
});

describe('the revisions', () => {
  const ids = (panel: Panel) => panel.facts()?.revisions.map(({ id }) => id);

  it('begin with what is in force, and get each change', async () => {
    const panel = await start(configured);
    expect(panel.facts()?.revisions).toMatchObject([{ id: 1, keys: 5, changed: [] }]);
    await panel.save({ friendly_name: 'Kitchen' });
    await panel.save({ dashboard_zoom: 100 });
    await panel.pass(12_000);
    await panel.save({ dashboard_zoom: 80 });
    expect(panel.facts()?.revisions).toMatchObject([
      { id: 3, changed: ['dashboard_zoom'] },
      { id: 2, changed: ['friendly_name', 'dashboard_zoom'] },
      { id: 1, changed: [] },
    ]);
    await panel.pass(2000);
    expect(panel.file.book?.revisions).toHaveLength(3);
    expect(JSON.stringify(panel.file.book)).not.toContain('marker');
  });

  it('are written after a pause, and what is due at the stop', async () => {
    const panel = await start(configured);
    await panel.pass(2000);
    const { writes } = panel.file;
    await panel.save({ dashboard_zoom: 110 });
    await panel.save({ dashboard_zoom: 120 });
    await panel.stop();
    expect(panel.file.book?.revisions.at(-1)?.values['dashboard_zoom']).toBe(120);
    expect(panel.file.writes - writes).toBeLessThanOrEqual(2);
  });

  it('find at a start what a kill took', async () => {
    const file = memoryFile();
    const killed = await start(configured, file);
    await killed.pass(2000);
    const written = killed.file.book;
    await killed.save({ dashboard_zoom: 110 });
    await killed.stop();
    file.file.book = written;
    const panel = await start(structuredClone(killed.store.sections), file);
    expect(panel.facts()?.revisions).toMatchObject([{ id: 2, changed: ['dashboard_zoom'] }, { id: 1 }]);
  });

  it('are not replaced while they cannot be read, and go on once they can', async () => {
    const file = memoryFile();
    file.file.unreadable = 'EIO';
    const panel = await start(configured, file);
    expect(panel.facts()).toMatchObject({ revisions: [], failure: 'EIO' });
    await panel.pass(2000);
    expect(file.file.writes).toBe(0);
    file.file.unreadable = null;
    await panel.save({ dashboard_zoom: 110 });
    expect(panel.facts()).toMatchObject({ failure: null });
    expect(ids(panel)).toEqual([1]);
  });

  it('say what the disk refuses, and are written with the next change', async () => {
    const file = memoryFile();
    file.file.failure = 'ENOSPC';
    const panel = await start(configured, file);
    await panel.pass(2000);
    expect(panel.facts()?.failure).toBe('ENOSPC');
    file.file.failure = null;
    await panel.save({ dashboard_zoom: 110 });
    await panel.pass(2000);
    expect(panel.facts()?.failure).toBeNull();
    expect(file.file.book?.revisions).toHaveLength(2);
  });

  it('are returned to by one save, which is a revision again', async () => {
    const panel = await start(configured);
    await panel.save({ friendly_name: 'Kitchen', dashboard_theme: 'Dark', ha_url: 'http://192.0.2.2:8123' });
    await panel.pass(12_000);
    panel.asked.length = 0;
    expect(await panel.restore(1)).toEqual({
      status: 'restored',
      applied: ['ha_url', 'friendly_name', 'dashboard_theme'],
      cleared: [],
      skipped: [],
    });
    expect(panel.asked).toHaveLength(1);
    expect(panel.settings()?.values).toMatchObject({ friendly_name: 'Hall', dashboard_zoom: 90 });
    expect(ids(panel)).toEqual([3, 2, 1]);
    expect(await panel.restore(3)).toEqual({ status: 'no-op' });
    expect(await panel.restore(9)).toEqual({ status: 'not-found' });
  });

  it('can be taken back at once, as can an import', async () => {
    const panel = await start(configured);
    const bundle = await panel.exported();
    await panel.save({ friendly_name: 'Kitchen' });
    expect(await panel.restore(1)).toMatchObject({ status: 'restored' });
    expect(await panel.restore(2)).toMatchObject({ status: 'restored' });
    expect(await panel.import(bundle)).toMatchObject({ status: 'applied' });
    expect(panel.facts()?.revisions.map(({ id, changed }) => [id, changed])).toEqual([
      [5, ['friendly_name']],
      [4, ['friendly_name']],
      [3, ['friendly_name']],
      [2, ['friendly_name']],
      [1, []],
    ]);
  });

  it('clear a credential whose address they change', async () => {
    const panel = await start(configured);
    await panel.save({ ha_url: 'http://192.0.2.2:8123', ha_token: 'marker-other' });
    await panel.pass(12_000);
    expect(await panel.restore(1)).toMatchObject({ status: 'restored', cleared: ['ha_token'] });
    expect(panel.settings()?.secrets).toMatchObject({ ha_token: false, ha_oauth: false });
  });

  it('turn the camera off at once, which a full disk does not take', async () => {
    const panel = await start(configured);
    await panel.save({ friendly_name: 'Kitchen' });
    await panel.pass(12_000);
    panel.store.sections['consents'] = { camera_enabled: INSTALL_ID };
    panel.store.sections['settings'] = { revision: 6, values: { camera_enabled: true } };
    // A save reads what is stored.
    await panel.save({ friendly_name: 'Parlour' });
    expect(panel.settings()?.values['camera_enabled']).toBe(true);
    panel.store.failure = 'ENOSPC';
    expect(await panel.restore(1)).toEqual({ status: 'error', reason: 'ENOSPC', off: ['camera_enabled'] });
    expect(panel.settings()?.values['camera_enabled']).toBe(false);
    const message = expect.stringMatching(/^Camera is off now, but that is not saved yet\. Nothing else was.*ENOSPC/);
    expect(panel.lane.ends.at(-1)).toMatchObject({ end: { message } });
  });

  it('of a newer version are refused', async () => {
    const newer = { id: 4, savedAt: 1, schema: 99, values: { dashboard_zoom: 77 } };
    const panel = await start(configured, memoryFile({ version: 1, revisions: [newer], nextId: 5, openSince: null }));
    expect(await panel.restore(4)).toMatchObject({ status: 'rejected', reasons: { schema: /newer/ } });
    expect(ids(panel)).toEqual([5, 4]);
  });
});

describe('an origin', () => {
  const two = ['b'.repeat(64), 'c'.repeat(64)];

  it('has a digest for each fingerprint, and none of them', () => {
    const origins = originsOf({ fingerprint: FINGERPRINT, fingerprints: [FINGERPRINT, ...two] });
    expect(origins).toHaveLength(3);
    expect(origins.filter((one) => [FINGERPRINT, ...two].includes(one))).toEqual([]);
    for (const one of origins) expect(one).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is that of a machine with one of them', () => {
    const own = originsOf({ fingerprints: two });
    expect(isOrigin(originsOf({ fingerprint: two[1] }), own)).toBe(true);
    expect(isOrigin(originsOf({ fingerprint: FINGERPRINT }), own)).toBe(false);
    expect(isOrigin([], [])).toBe(false);
  });

  it.each([null, 'x', [], {}, { fingerprint: 7, fingerprints: [null, 'x'] }])('is empty for %j', (section) => {
    expect(originsOf(section)).toEqual([]);
  });
});
