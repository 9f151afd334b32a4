import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { paths, type RoutedServer, startRouted, whyNoNamespaces } from '#test/network/routed.ts';

const run = promisify(execFile);
const kit = fileURLToPath(new URL('kit/', import.meta.url));
const PORT = 8123;

const missing = whyNoNamespaces();

describe('the way to Home Assistant', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-cut-'));
  const program = join(folder, 'health.mjs');
  const way = join(folder, 'way');
  const { url, token } = inject('homeAssistant');
  let out: Server | undefined;
  /** Home Assistant, at an address in a network that the panel alone is in. */
  let home: RoutedServer | undefined;

  beforeAll(async () => {
    if (missing !== null) return;
    symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(folder, 'node_modules'));
    await build({
      entryPoints: [join(kit, 'health-alone.ts')],
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['ws', 'home-assistant-js-websocket', 'xstate', 'zod'],
      logLevel: 'silent',
    });
    out = createServer((socket) => {
      const { hostname, port } = new URL(url);
      pipeline(socket, connect(Number(port), hostname), socket, () => {});
    });
    await new Promise<void>((resolve) => out?.listen(way, resolve));
    home = await startRouted([process.execPath, join(kit, 'relay.mjs'), String(PORT), way], PORT);
  });
  afterAll(async () => {
    await home?.stop();
    out?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('that is cut is severe until it is whole again, and never the doing of Home Assistant', async ({ skip }) => {
    if (missing !== null || home === undefined) return skip(`skipped: ${missing}`);
    const { onServer, onNeighbour } = home;
    const link = async (state: 'up' | 'down'): Promise<void> => {
      const [nsenter, ...args] = onServer('ip', 'link', 'set', 'lan', state);
      await run(nsenter, args);
    };
    const [command, ...args] = onNeighbour(process.execPath, program, `http://${paths.lan.to}:${PORT}`, token);
    const panel = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let lines: readonly string[] = [];
    panel.stdout.on('data', (chunk: Buffer) => {
      lines = [...lines, ...chunk.toString().split('\n').filter(Boolean)];
    });
    const now = (): string => lines.at(-1) ?? '';
    try {
      await expect.poll(now, { timeout: 20_000 }).toMatch(/^ha=normal ha_net=healthy .* ha_net_n=[3-9]/);
      await link('down');
      await expect.poll(now, { timeout: 20_000 }).toMatch(/^ha=connection_lost ha_net=severe /);
      const cut = lines.length;
      await link('up');
      await expect.poll(now, { timeout: 30_000 }).toMatch(/^ha=back_online ha_src=socket ha_net=warning /);
      // Between the first miss and the severe verdict one miss alone raised nothing.
      expect(lines.filter((line) => / ha_net_miss=1 /.test(line)).every((line) => / ha_net=healthy /.test(line))).toBe(
        true,
      );
      expect(lines.slice(0, cut).some((line) => / ha_net=warning /.test(line))).toBe(false);
    } finally {
      panel.kill();
    }
  }, 90_000);
});
