import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allowedHostTable, checkTable, exchange, securityHeaderNames, verdictOf, type Endpoint } from '#test/network/check-table.ts';
import { clearAway, startAgent, type AgentProcess } from './agent-process.ts';
import { post } from './live-agent.ts';

const allowed = 'panel.example.org';

describe('the check table over raw sockets, against the running agent', () => {
  let agent: AgentProcess;
  let endpoint: Endpoint;
  beforeAll(async () => {
    agent = await startAgent();
    await post(`${agent.url}/api/v1/config`, { http_allowed_hosts: allowed });
    endpoint = {
      address: '127.0.0.1',
      port: agent.port,
      plain: '/health',
      active: '/api/v1/status?refresh=1',
      write: { path: '/api/v1/config', body: '{"friendly_name":""}' },
      allowedHost: allowed,
    };
  });
  afterAll(clearAway);

  test.each([...checkTable, ...allowedHostTable(allowed)].map((row) => [row.expected, row.name, row] as const))('%s: %s', async (expected, _name, row) => {
    const response = await exchange(endpoint, row.bytes(endpoint));
    expect(verdictOf(response)).toBe(expected);
    if (expected !== 'bad-request') for (const name of securityHeaderNames) expect(response.headers[name], name).toBeDefined();
  });

  test('over IPv6 as well, where the machine has it', async (context) => {
    const response = await exchange({ address: '::1', port: agent.port }, `GET /health HTTP/1.1\r\nHost: [::1]:${agent.port}\r\nConnection: close\r\n\r\n`).catch((error: unknown) => error);
    if (response instanceof Error) return context.skip('skipped: this machine has no IPv6 loopback');
    expect(response).toMatchObject({ status: 200 });
  });

  test('the checks come before the legacy redirects', async () => {
    const response = await exchange(endpoint, 'GET /config HTTP/1.1\r\nHost: evil.example.com\r\nConnection: close\r\n\r\n');
    expect(verdictOf(response)).toBe('host-not-allowed');
    const redirected = await exchange(endpoint, `POST /config?x=1 HTTP/1.1\r\nHost: 127.0.0.1:${agent.port}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`);
    expect([redirected.status, redirected.headers['location']]).toEqual([308, '/api/v1/config?x=1']);
  });
});
