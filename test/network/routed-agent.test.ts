import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { securityHeaderNames, verdictOf } from './wire.ts';
import { paths, startRouted, whyNoNamespaces, type RoutedServer } from './routed.ts';

const PORT = 8888;
const bundle = fileURLToPath(new URL('../../dist/sconce.cjs', import.meta.url));
const missing = whyNoNamespaces() ?? (existsSync(bundle) ? null : 'the agent is not built (npm run build)');
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: panel.local:${PORT}\r\nConnection: close\r\n\r\n`;
const post = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: panel.local:${PORT}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;

describe('a running agent and its peers on a real network', () => {
  let server: RoutedServer | undefined;
  const folder = mkdtempSync(join(tmpdir(), 'sconce-routed-agent-'));
  beforeAll(async () => {
    if (missing === null)
      server = await startRouted(
        [process.execPath, bundle, 'run', '--profile', 'simulated', '--data', folder, '--port', String(PORT)],
        PORT,
      );
  }, 60_000);
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const running = (skip: (note: string) => void): RoutedServer => {
    if (missing !== null) skip(`skipped: ${missing}`);
    if (server === undefined) throw new Error('not started');
    return server;
  };

  it.for(['lan', 'lan6', 'linkLocal', 'own', 'own6'] as const)('answers a neighbour: %s', async (name, { skip }) => {
    const asked = running(skip);
    expect((await asked.send(paths[name], get('/health'))).body).toMatch(/^sconce /);
    expect((await asked.send(paths[name], post('/api/v1/config', '{}'))).status).toBe(200);
  });

  it.for(['routed', 'routed6'] as const)(
    'refuses a peer behind a router, whatever it asks for: %s',
    async (name, { skip }) => {
      const asked = running(skip);
      for (const bytes of [
        get('/health'),
        get('/'),
        get('/api/v1/status?refresh=1'),
        get('/config'),
        get('/nothing'),
        post('/api/v1/config', '{}'),
      ]) {
        const response = await asked.send(paths[name], bytes);
        expect(response.status).toBe(403);
        expect(verdictOf(response)).toBe('peer-not-local');
        for (const header of securityHeaderNames) expect(response.headers[header], header).toBeTruthy();
      }
      expect(asked.printed()).not.toContain(paths[name].from);
    },
  );
});
