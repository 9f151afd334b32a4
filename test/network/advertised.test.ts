import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { StatusDocument } from '#machines/status.ts';

import { inAll } from '#test/fakes/in-all.ts';
import { paths, startRouted, whyNoNamespaces, type RoutedServer } from './routed.ts';
import { startWatcher, whyNoAvahi, type Found, type Watcher } from './watcher.ts';

const PORT = 8888;
const bundle = fileURLToPath(new URL('../../dist/sconce.cjs', import.meta.url));
const missing =
  whyNoNamespaces() ?? whyNoAvahi() ?? (existsSync(bundle) ? null : 'the agent is not built (npm run build)');
const head = `Host: panel.local:${PORT}\r\nConnection: close\r\n`;
const get = (path: string): string => `GET ${path} HTTP/1.1\r\n${head}\r\n`;
const save = (body: string): string =>
  `POST /api/v1/config HTTP/1.1\r\n${head}Content-Type: application/json\r\n` +
  `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${Buffer.from(body).toString('latin1')}`;

/** Processes that another one started, by their program's file. */
const childrenOf = (pid: number, program: string): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((child) => child !== '' && readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(program))
    .map(Number);

const isNamed = (name: string) => (service: Found) => service.name === name;

describe('a running agent is found on a real network', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-advertised-'));
  let server: RoutedServer | undefined;
  let watcher: Watcher | undefined;
  beforeAll(async () => {
    if (missing !== null) return;
    server = await startRouted(
      [
        process.execPath,
        bundle,
        'run',
        '--profile',
        'simulated',
        '--data',
        join(folder, 'one'),
        '--port',
        String(PORT),
      ],
      PORT,
    );
    watcher = await startWatcher(server.onNeighbour, 'lan', '_sconce._tcp');
    await server.send(paths.lan, save(JSON.stringify({ panel_id: 'hall', friendly_name: 'Küche & Flur' })));
  }, 60_000);
  afterAll(async () => {
    await watcher?.stop();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const running = (skip: (note: string) => void) => {
    if (missing !== null) skip(`skipped: ${missing}`);
    if (server === undefined || watcher === undefined) throw new Error('not started');
    return { server, watcher };
  };
  const discovery = async (refresh = false) => {
    const body = (await server?.send(paths.lan, get(`/api/v1/status${refresh ? '?refresh=1' : ''}`)))?.body ?? '';
    return StatusDocument().parse(JSON.parse(Buffer.from(body, 'latin1').toString('utf8'))).discovery;
  };
  const untilDiscovery = async (
    passes: (now: NonNullable<StatusDocument['discovery']>) => boolean,
    refresh = false,
  ): Promise<void> => {
    // A request is a process of its own.
    await expect
      .poll(async () => (await discovery(refresh)) ?? null, { timeout: 40_000, interval: 200 })
      .toSatisfy((now: StatusDocument['discovery']) => now !== null && passes(now));
  };

  it('with its name, its port and what it says of itself', { timeout: 30_000 }, async ({ skip }) => {
    const { watcher: eyes } = running(skip);
    const service = await eyes.found(isNamed('hall'));
    expect(service).toMatchObject({ host: 'sconce-hall.local', address: '10.0.0.1', port: PORT });
    expect(Object.keys(service.txt).toSorted()).toEqual(['caps', 'id', 'name', 'path', 'probe', 'ver']);
    expect(service.txt).toMatchObject({ caps: 'tts', path: '/play', id: 'hall', name: 'Küche & Flur' });
    expect(service.txt['ver']).toMatch(/^\d+\.\d+\.\d+/);
    expect(service.txt['probe']).toMatch(/^[0-9a-f-]{36}$/);
    await untilDiscovery((now) => now.state === 'advertising' && now.seen === 'visible' && !now.renamed);
  });

  it('again, by a new token, after the responder was killed', { timeout: 60_000 }, async ({ skip }) => {
    const { server: agent, watcher: eyes } = running(skip);
    const before = await eyes.found(isNamed('hall'));
    const rebuilds = (await discovery())?.rebuilds ?? 0;
    const [responder = 0] = childrenOf(agent.pid, 'responder.cjs');
    expect(responder).toBeGreaterThan(0);
    process.kill(responder, 'SIGKILL');
    await untilDiscovery((now) => now.rebuilds === rebuilds + 1 && now.seen === 'visible');
    expect(await discovery()).toMatchObject({ state: 'advertising', misses: 0, reason: null });
    // avahi does not resolve again where nothing but the text changed: a newcomer on the network sees what is announced
    // now.
    const newcomer = await startWatcher(agent.onNeighbour, 'lan', '_sconce._tcp');
    try {
      const after = await newcomer.found((service) => service.name === 'hall');
      expect(after.txt['probe']).not.toBe(before.txt['probe']);
    } finally {
      await newcomer.stop();
    }
    expect(childrenOf(agent.pid, 'responder.cjs')).toHaveLength(1);
  });

  inAll(
    'again after the responder hung: three questions without an answer replace it',
    async ({ skip }) => {
      const { server: agent } = running(skip);
      await untilDiscovery((now) => now.state === 'advertising' && now.seen === 'visible');
      const rebuilds = (await discovery())?.rebuilds ?? 0;
      const [hung = 0] = childrenOf(agent.pid, 'responder.cjs');
      process.kill(hung, 'SIGSTOP');
      // A person who asks again and again does not make it worse: one question at a time.
      await untilDiscovery((now) => now.misses === 1, true);
      await untilDiscovery((now) => now.rebuilds === rebuilds + 1 && now.seen === 'visible', true);
      expect(existsSync(`/proc/${hung}`)).toBe(false);
      expect(childrenOf(agent.pid, 'responder.cjs')).toHaveLength(1);
    },
    90_000,
  );

  it('and takes another name when a second machine has its id', { timeout: 60_000 }, async ({ skip }) => {
    const { server: agent, watcher: eyes } = running(skip);
    const [enter, ...words] = agent.onNeighbour(
      process.execPath,
      bundle,
      'run',
      '--profile',
      'simulated',
      '--data',
      join(folder, 'two'),
      '--port',
      '8889',
    );
    const other = spawn(enter, words, { stdio: 'ignore' });
    const ended = once(other, 'exit');
    try {
      const ask = (request: string) => {
        const [inside, ...rest] = agent.onNeighbour(
          process.execPath,
          '-e',
          `fetch(${request}).then((answer) => answer.text()).then((text) => process.stdout.write(text), () => process.exit(1))`,
        );
        return spawnSync(inside, rest, { encoding: 'utf8' });
      };
      const saving = `"http://127.0.0.1:8889/api/v1/config", { method: "POST", headers: { "content-type": "application/json" }, body: '{"panel_id":"hall"}' }`;
      await expect.poll(() => ask(saving).status, { timeout: 20_000, interval: 200 }).toBe(0);
      expect(await eyes.found(isNamed('hall (2)'))).toMatchObject({ port: 8889 });
      await expect
        .poll(() => StatusDocument().parse(JSON.parse(ask('"http://127.0.0.1:8889/api/v1/status"').stdout)).discovery, {
          timeout: 15_000,
          interval: 200,
        })
        .toMatchObject({ renamed: true, seen: 'visible' });
    } finally {
      other.kill('SIGTERM');
      await ended;
    }
    await eyes.left('hall (2)');
  });

  it('never by the doctor', { timeout: 60_000 }, async ({ skip }) => {
    const { server: agent, watcher: eyes } = running(skip);
    const before = eyes.lines().length;
    const [enter, ...words] = agent.onNeighbour(
      process.execPath,
      bundle,
      'doctor',
      '--profile',
      'simulated',
      '--data',
      join(folder, 'three'),
    );
    const doctor = spawnSync(enter, words, { encoding: 'utf8' });
    expect(doctor.stdout).toContain('Checking this machine instead');
    expect(
      eyes
        .lines()
        .slice(before)
        .filter((line) => line.startsWith('+')),
    ).toEqual([]);
  });

  it('until it stops: it says goodbye', { timeout: 30_000 }, async ({ skip }) => {
    const { server: agent, watcher: eyes } = running(skip);
    const [responder = 0] = childrenOf(agent.pid, 'responder.cjs');
    process.kill(agent.pid, 'SIGTERM');
    await eyes.left('hall');
    await expect.poll(() => existsSync(`/proc/${responder}`), { timeout: 3000 }).toBe(false);
  });

  it('and says no address, token or interface of it anywhere but in the line that says ready', ({ skip }) => {
    const { server: agent, watcher: eyes } = running(skip);
    const tokens = eyes.lines().flatMap((line) => /"probe=([^"]+)"/.exec(line)?.[1] ?? []);
    expect(tokens.length).toBeGreaterThan(0);
    const lines = agent.printed().split('\n');
    const others = lines.filter((line) => !line.includes('"msg":"The agent is ready."'));
    expect(others).toHaveLength(lines.length - 1);
    for (const text of [...tokens, '10.0.0.1', 'fd00:aaaa']) expect(others.join('\n')).not.toContain(text);
  });
});
