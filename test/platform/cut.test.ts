import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { amount } from '#test/fakes/amount.ts';
import { paths, type RoutedServer, startRouted, whyNoNamespaces } from '#test/network/routed.ts';
import { resident, tokenOf } from './home-assistant/onboard.ts';
import { brokerUrl, passwords } from './kit/broker.ts';
import { panelNames, type Watched } from './kit/lifecycle-panels.ts';
import { lastStates, lifecycleTable, statesSince, type Views } from './kit/lifecycle-table.ts';
import { until } from './kit/until.ts';

const run = promisify(execFile);
const kit = fileURLToPath(new URL('kit/', import.meta.url));
const [PORT, BROKER_PORT] = [8123, 1883];
/** The agent's own pause between two pings in a full run; in a plain one what is counted is there sooner. */
const pingMs = amount(2_000, 10_000);

const missing = whyNoNamespaces();

describe('the cable to Home Assistant and its broker', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-cut-'));
  const program = join(folder, 'lifecycle.mjs');
  const { url, token, brokerPort } = inject('homeAssistant');
  const table = lifecycleTable();
  const ways: Server[] = [];
  /** Home Assistant and its broker, at an address in a network that the panels alone are in. */
  let home: RoutedServer | undefined;

  /** A way out of that network to a port of this machine. */
  const wayTo = async (port: number): Promise<string> => {
    const file = join(folder, `way-${port}`);
    const server = createServer((socket) => pipeline(socket, connect(port, '127.0.0.1'), socket, () => {}));
    ways.push(server);
    await new Promise<void>((resolve) => server.listen(file, resolve));
    return file;
  };

  beforeAll(async () => {
    if (missing !== null) return;
    symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(folder, 'node_modules'));
    await build({
      entryPoints: [join(kit, 'lifecycle-alone.ts')],
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['ws', 'home-assistant-js-websocket', 'xstate', 'zod', 'mqtt'],
      logLevel: 'silent',
    });
    const [toHome, toBroker] = [await wayTo(Number(new URL(url).port)), await wayTo(brokerPort)];
    const relays = [String(PORT), toHome, String(BROKER_PORT), toBroker];
    home = await startRouted([process.execPath, join(kit, 'relay.mjs'), ...relays], PORT);
  });
  afterAll(async () => {
    table.print();
    await home?.stop();
    for (const way of ways) way.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Four panels behind the cable, which is cut for so long; what they said before, at the end of it and after it. */
  const cut = async ({ onServer, onNeighbour }: RoutedServer, event: string, ms: number) => {
    const link = async (state: 'up' | 'down'): Promise<void> => {
      const [nsenter, ...args] = onServer('ip', 'link', 'set', 'lan', state);
      await run(nsenter, args);
    };
    const watched: Watched = {
      url: `http://${paths.lan.to}:${PORT}`,
      tokens: { owner: token, resident: await tokenOf(url, resident) },
      brokerUrl: brokerUrl(BROKER_PORT).replace('127.0.0.1', paths.lan.to),
      brokerUser: { username: 'observer', password: passwords.observer },
      pingMs,
    };
    const [command, ...args] = onNeighbour(process.execPath, program, JSON.stringify(watched));
    const panels = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const seen: Views[] = [];
    let rest = '';
    panels.stdout.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split('\n');
      rest = lines.pop() ?? '';
      // Written by the program that this test starts.
      for (const line of lines) seen.push(JSON.parse(line) as Views);
    });
    const now = (): Views | undefined => seen.at(-1);
    const all = (is: (view: Views[keyof Views]) => boolean) => (): Views | false => {
      const views = now();
      return views !== undefined && panelNames.every((name) => is(views[name])) && views;
    };
    try {
      const before = await until(
        'all ping',
        all(({ words, probes }) => words.at(-1) === 'normal' && probes > 2),
        60_000,
      );
      await link('down');
      await pause(ms);
      const during = now() ?? before;
      await link('up');
      const after = await until(
        'all are back, and ping',
        all(({ words, verdict, probes }) => words.at(-1) === 'back_online' && verdict !== 'severe' && probes > 0),
        60_000,
      );
      table.note(event, before, during, after);
      return { seen, before, during, after };
    } finally {
      await link('up');
      panels.kill();
    }
  };

  it('is severe while it is cut, with two lost pings whatever is tried, and never the doing of Home Assistant', async ({
    skip,
  }) => {
    if (missing !== null || home === undefined) return skip(`skipped: ${missing}`);
    const ms = amount(9_000, 60_000);
    const { seen, before, during, after } = await cut(home, `cable cut for ${ms / 1000} s`, ms);
    for (const name of panelNames) {
      expect([name, lastStates(during, before)[name]]).toEqual([name, 'connection_lost']);
      expect([name, during[name]]).toMatchObject([name, { verdict: 'severe', misses: 2, unprobed: false }]);
      expect([name, statesSince(after[name], during[name])]).toEqual([name, ['back_online']]);
      expect([name, after[name]]).toMatchObject([name, { verdict: 'warning', misses: 2 }]);
      // Between the first miss and the severe verdict one miss alone raised nothing.
      expect(seen.every((views) => views[name].misses !== 1 || views[name].verdict === 'healthy')).toBe(true);
    }
  }, 200_000);

  it.for(amount<readonly number[]>([], [360_000]))(
    'says nothing of itself once it was cut for %i ms, longer than the verdict looks back',
    { timeout: 600_000 },
    async (ms, { skip }) => {
      if (missing !== null || home === undefined) return skip(`skipped: ${missing}`);
      const { before, during, after } = await cut(home, 'cable cut for 6 min', ms);
      for (const name of panelNames) {
        expect([name, lastStates(during, before)[name]]).toEqual([name, 'connection_lost']);
        expect([name, during[name]]).toMatchObject([
          name,
          { verdict: 'healthy', probes: 0, misses: 0, unprobed: true },
        ]);
        expect([name, statesSince(after[name], during[name])]).toEqual([name, ['back_online']]);
        expect([name, after[name]]).toMatchObject([name, { verdict: 'healthy', misses: 0, unprobed: false }]);
      }
    },
  );
});
