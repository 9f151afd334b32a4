import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { verdictOf } from './wire.ts';
import { paths, startRouted, whyNoNamespaces, type RoutedServer } from './routed.ts';

const PORT = 8888;
const missing = whyNoNamespaces();
const get = 'GET /health HTTP/1.1\r\nHost: panel.local\r\nConnection: close\r\n\r\n';

describe('peers on a real network', () => {
  let server: RoutedServer | undefined;
  const folder = mkdtempSync(join(tmpdir(), 'sconce-routed-'));
  beforeAll(async () => {
    if (missing !== null) return;
    const outfile = join(folder, 'listener.mjs');
    await build({
      entryPoints: [fileURLToPath(new URL('listener-alone.ts', import.meta.url))],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'silent',
    });
    server = await startRouted([process.execPath, outfile, String(PORT)], PORT);
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

  it.for(['lan', 'lan6', 'linkLocal', 'own', 'own6'] as const)('a neighbour is let in: %s', async (name, { skip }) => {
    const response = await running(skip).send(paths[name], get);
    expect(response.status).toBe(200);
    expect(response.body).toBe(paths[name].from.split('%')[0]);
  });

  it('a neighbour that sends too much shuts out nobody else of its network', async ({ skip }) => {
    const asked = running(skip);
    const other = 'fd00:aaaa::22';
    const [enter, ...args] = asked.onNeighbour('ip', 'addr', 'add', `${other}/64`, 'dev', 'lan', 'nodad');
    execFileSync(enter, args);
    const burst = get.replace('Connection: close\r\n', '').repeat(1000);
    const text = await asked.send(paths.lan6, burst).then(
      (response) => response.text,
      () => '',
    );
    expect(text.split('HTTP/1.1 200').length - 1, 'answers of a thousand').toBeLessThan(33);
    const response = await asked.send({ ...paths.lan6, from: other }, get);
    expect(response.body).toBe(other);
  });

  it.for(['routed', 'routed6'] as const)(
    'a peer behind a router is refused before everything else: %s',
    async (name, { skip }) => {
      const asked = running(skip);
      for (const bytes of [get, 'POST * HTTP/1.1\r\nHost: example.org\r\nOrigin: null\r\nConnection: close\r\n\r\n']) {
        const response = await asked.send(paths[name], bytes);
        expect(response.status).toBe(403);
        expect(verdictOf(response)).toBe('peer-not-local');
        expect(response.text).not.toContain(paths[name].from);
      }
      const broken = await asked.send(paths[name], 'NONSENSE\r\n\r\n').then(
        ({ text }) => text,
        () => '',
      );
      expect(broken).toBe('');
    },
  );
});
