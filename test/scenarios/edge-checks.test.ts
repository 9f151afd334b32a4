import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { allowedHostTable, checkTable } from '#test/network/check-table.ts';
import { exchange, securityHeaderNames, verdictOf, type Endpoint } from '#test/network/wire.ts';
import { post, startLive, type LiveAgent } from './live-agent.ts';

describe('the pre-routing checks of a running agent', () => {
  let live: LiveAgent;
  let endpoint: Endpoint;
  beforeAll(async () => {
    live = await startLive();
    endpoint = {
      address: '127.0.0.1',
      port: Number(new URL(live.url).port),
      plain: '/health',
      active: '/api/v1/status?refresh=1',
      write: { path: '/api/v1/config', body: '{}' },
    };
  });
  afterAll(() => live.close());

  it.each(checkTable)('$expected: $name', async ({ bytes, expected }) => {
    const response = await exchange(endpoint, bytes(endpoint));
    expect(verdictOf(response)).toBe(expected);
    for (const name of securityHeaderNames) expect(response.headers[name], name).toBeTruthy();
  });

  it('let in a name as soon as it is saved in http_allowed_hosts', async () => {
    const name = 'panel.example.org';
    const [first] = allowedHostTable(name);
    expect(verdictOf(await exchange(endpoint, first?.bytes(endpoint) ?? ''))).toBe('host-not-allowed');
    expect((await post(`${live.url}/api/v1/config`, { http_allowed_hosts: name })).status).toBe(200);
    for (const { bytes, expected } of allowedHostTable(name))
      expect(verdictOf(await exchange(endpoint, bytes(endpoint)))).toBe(expected);
  });

  it.each([
    ['GET /config?x=1 HTTP/1.1', 308],
    ['GET /nothing/here HTTP/1.1', 404],
    ['GET /health HTTP/1.1', 200],
    ['GET /api/v1/openapi.json HTTP/1.1', 200],
  ])('keep the security headers on %s', async (line, status) => {
    const response = await exchange(endpoint, `${line}\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(response.status).toBe(status);
    for (const name of securityHeaderNames) expect(response.headers[name], name).toBeTruthy();
    expect(response.text).not.toContain('panel.invalid');
  });

  it('come before the redirect of a legacy path, and a redirect keeps its target on this panel', async () => {
    const refused = await exchange(
      endpoint,
      'POST /config HTTP/1.1\r\nHost: localhost\r\nOrigin: http://example.org\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
    );
    expect(verdictOf(refused)).toBe('cross-origin-refused');
    const moved = await exchange(
      endpoint,
      'POST http://localhost/config?a=b HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
    );
    expect(moved.status).toBe(308);
    expect(moved.headers['location']).toBe('/api/v1/config?a=b');
  });
});
