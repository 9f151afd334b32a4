import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '#drivers/log/logger.ts';
import { secretKeys } from '#machines/settings/redact.ts';
import { post, startLive, until, type LiveAgent } from './live-agent.ts';

/** What the owner entered, by setting; each of it names, reaches or opens something. */
const settings = {
  friendly_name: "Zoë's Markerzimmer",
  panel_id: 'markerhall_7',
  manufacturer: 'Markermaker',
  model: 'Markermodel 9',
  mqtt_broker: 'mqtt://markerbroker.example.lan:1',
  mqtt_user: 'markeruser',
  mqtt_password: 'Marker-Pa55word-9f2c',
  mqtt_discovery_prefix: 'markerprefix',
  ha_url: 'http://markerhouse.example.org:8123',
  ha_token: 'Marker.Long-Lived.Token-3141592653',
  home_dashboard: '/marker-dash/marker-view',
  http_allowed_hosts: 'markername.example',
};

/** What lines of the log could tell beside that. */
const logged = [
  'http://markerlog.example:8123/lovelace/markerview?authSig=markersig',
  'wss://markeruser2:markerpass2@203.0.113.9/api',
  '203.0.113.8:1883',
  '2001:db8:77::9',
  'fe80::42:acff:fe11:99%eth0',
  '::ffff:198.51.100.5',
  '02:42:ac:11:00:99',
  'markerspeaker.local',
  'marker.person@example.org',
  'eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJtYXJrZXIifQ.c2lnbmF0dXJlbWFya2Vy',
  'Bearer markerbearer12345678',
  '0123456789abcdef0123456789abcdef',
  '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  '/home/markerperson/.config',
  'person.markeranna',
  'light.markerhall_7_screen',
  'zoe-s-markerzimmer',
  'Zo%C3%AB%27s%20Markerzimmer',
];

/** What must not be found, whatever stands around it. */
const traces =
  /marker|Zo(?:ë|%C3)|203\.0\.113|2001:db8|fe80:|198\.51\.100|02:42:ac|eyJ|0123456789abcdef|3f2504e0|3141592653/i;

describe('the support bundle of a whole agent', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-support-'));
  let live: LiveAgent;
  let text = '';
  let answer: Response;
  const log = createLogger({ level: 'trace', secretKeys: [...secretKeys], human: false, write: () => {} });

  beforeAll(async () => {
    // What was learned of the light, as a digest and numbers.
    const light = join(folder, 'light', '0123456789abcdef');
    mkdirSync(light, { recursive: true });
    writeFileSync(join(light, `${new Date().toISOString().slice(0, 10)}.jsonl`), '[29662560,3141592653]\n');
    live = await startLive({ log, folder });
    await until('settings', async () => (await fetch(`${live.url}/api/v1/config`)).ok);
    const saved = await post(`${live.url}/api/v1/config`, settings);
    expect(await saved.text()).not.toContain('reasons');
    await until('a try to connect', async () => (await live.agent.status()).mqtt?.phase === 'unreachable');
    await until('the new name', async () => (await live.agent.status()).panel.name === settings.friendly_name);
    for (const value of [...Object.values(settings), ...logged]) {
      log.warn(`something about ${value} went wrong`, { what: value, deep: { list: [value] } });
      log.warn('a key of its own', { host: value });
    }
    answer = await fetch(`${live.url}/api/v1/support`, { headers: { 'accept-encoding': 'gzip' } });
    text = await answer.text();
  });
  afterAll(async () => {
    await live.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('is one short file that nothing keeps', () => {
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="sconce-support-\d{4}-\d\d-\d\d\.txt"$/,
    );
    expect(Buffer.byteLength(text)).toBeLessThan(2_000_000);
  });

  test.each([...Object.entries(settings), ...logged.map((value) => ['the log', value] as const)])(
    'of %s does not hold %j',
    (_, value) => {
      expect(text).not.toContain(value);
    },
  );

  test('holds no trace of any of them in another spelling', () => {
    const found = text.split('\n').filter((line) => traces.test(line));
    expect(found).toEqual([]);
  });

  test('still says what is wrong: the state, the parts and every line of the log', () => {
    expect(text).toContain('[supervision]');
    expect(text).toContain('driver: screen.simulated');
    expect(text.match(/a key of its own/g)).toHaveLength(Object.keys(settings).length + logged.length);
    const status = /== Status ==\n([\s\S]*?)\n\n== /.exec(text)?.[1] ?? '';
    expect(JSON.parse(status)).toMatchObject({ panel: { version: '0.0.0-test' }, mqtt: { phase: 'unreachable' } });
  });

  test('a page of another site gets none', async () => {
    const other = await fetch(`${live.url}/api/v1/support`, { headers: { origin: 'http://elsewhere.example' } });
    expect(other.status).toBe(403);
  });
});
