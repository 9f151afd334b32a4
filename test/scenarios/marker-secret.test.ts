import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { post, startLive, until, type LiveAgent } from './live-agent.ts';

const marker = 'Marker-Pa55word-9f2c';

describe('a marker password', () => {
  let live: LiveAgent;
  beforeAll(async () => {
    live = await startLive({ inspect: true });
    await until('settings', async () => (await fetch(`${live.url}/api/v1/config`)).ok);
    const saved = await post(`${live.url}/api/v1/config`, {
      mqtt_broker: 'mqtt://127.0.0.1:1',
      mqtt_user: 'someone',
      mqtt_password: marker,
      log_level: 'trace',
    });
    expect(saved.status).toBe(200);
    await post(`${live.url}/api/v1/config`, { mqtt_password: marker, nonsense: marker });
    await post(`${live.url}/api/v1/config`, { mqtt_broker: `mqtt://someone:${marker}@127.0.0.1` });
    await post(`${live.url}/api/v1/action`, { a: marker });
    await until('a try to connect', async () => (await live.agent.status()).mqtt?.phase === 'unreachable');
  });
  afterAll(() => live.close());

  test.each([
    '/',
    '/configure',
    '/configure/mqtt',
    '/api',
    '/more',
    '/about',
    '/api/v1/support',
    '/history',
    '/snippets',
    '/profiles',
    '/logs',
    '/simulator',
    '/health',
    '/api/v1/status',
    '/api/v1/diag',
    '/api/v1/info',
    '/api/v1/logs',
    '/api/v1/logs?format=json',
    '/api/v1/config',
    '/api/v1/config/schema',
    '/api/v1/openapi.json',
    '/inspector',
    '/api/v1/dev/machines',
    `/nothing`,
  ])('is not in %s', async (path) => {
    const response = await fetch(`${live.url}${path}`, { headers: { accept: 'text/html' } });
    expect(await response.text()).not.toContain(marker);
  });

  test('is in nothing that the inspector keeps', async () => {
    const stop = new AbortController();
    const viewer = await fetch(`${live.url}/api/v1/dev/stream`, { signal: stop.signal });
    const frame = new TextDecoder().decode((await viewer.body?.getReader().read())?.value);
    stop.abort();
    expect(frame).toContain('event: records');
    expect(frame).not.toContain(marker);
    expect(frame).not.toContain('127.0.0.1');
  });

  test('is in no refusal', async () => {
    for (const body of [{ mqtt_password: { deep: marker } }, { log_level: marker }, { [marker.toLowerCase()]: 1 }]) {
      // oxlint-disable-next-line no-await-in-loop -- one refusal after another
      const text = await (await post(`${live.url}/api/v1/config`, body)).text();
      expect(text).not.toContain(marker);
    }
  });

  test('viewers that come and go leave no error in the log', async () => {
    for (let n = 0; n < 5; n += 1) {
      const stop = new AbortController();
      // oxlint-disable-next-line no-await-in-loop -- one viewer after another
      const viewer = await fetch(`${live.url}/api/v1/events`, { signal: stop.signal });
      // oxlint-disable-next-line no-await-in-loop -- as above
      await viewer.body?.getReader().read();
      stop.abort();
    }
    await until('the last viewer has left', () => live.agent.registry.read('stream')?.context.viewers === 0);
    expect(live.lines.filter((line) => line.includes('"error"'))).toEqual([]);
  });

  test('is in no line of the log, though there are lines', () => {
    expect(live.lines.length).toBeGreaterThan(3);
    expect(live.lines.join('\n')).not.toContain(marker);
  });
});
