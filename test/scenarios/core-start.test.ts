import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle, clearAway, spawnAgent, startAgent } from './agent-process.ts';
import { statusOf, until } from './live-agent.ts';

/** What a start without a dashboard, a broker and Home Assistant loads on a panel of which nothing is known. */
const loadedScripts = [
  'actors-finder',
  'actors-input',
  'actors-power',
  'actors-proximity',
  'actors-screen',
  'actors-sensors',
  'actors-volume',
  'bin-parts-announcer',
  // It waits for a Home Assistant that wants to be paired.
  'bin-parts-companion',
  'bin-parts-relight',
  'core',
  'drivers-http-library',
  'late',
  'main',
  'pages',
];

/** Modules of Node that it can do without, each some milliseconds or megabytes. */
const needless = ['domain', 'http2', 'inspector', 'internal/deps/undici/undici', 'repl', 'trace_events', 'v8', 'wasi'];

describe('a start with everything off', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-core-'));
  const list = join(folder, 'modules.json');
  let scripts: readonly string[] = [];
  let modules: readonly string[] = [];

  beforeAll(async () => {
    const hook = join(folder, 'hook.cjs');
    writeFileSync(
      hook,
      `process.once('exit', () => require('node:fs').writeFileSync(${JSON.stringify(list)}, JSON.stringify(process.moduleLoadList)));`,
    );
    const agent = await startAgent({
      profile: 'linux',
      args: ['--renderer', 'none', '--no-discovery'],
      env: { NODE_OPTIONS: `--require ${hook}`, SCONCE_KEEP_CODE: folder },
    });
    expect((await fetch(agent.url)).status).toBe(200);
    await (await fetch(`${agent.url}/api/v1/events`)).body?.cancel();
    await until('every group', async () =>
      (await statusOf(agent.url)).supervision.children.every(({ phase }) => phase === 'running'),
    );
    await agent.kill('SIGTERM');
    scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
    // Written by the hook above.
    modules = JSON.parse(readFileSync(list, 'utf8')) as string[];
  });
  afterAll(() => {
    clearAway();
    rmSync(folder, { recursive: true, force: true });
  });

  it('loads what this panel has, and nothing besides', () => {
    const named = scripts.map((name) => name.replace(/\.js$/, '')).filter((name) => !name.startsWith('shared-'));
    expect(named.toSorted((a, b) => a.localeCompare(b))).toEqual(loadedScripts);
  });

  it('loads no module of Node in vain', () => {
    expect(modules).toContain('NativeModule http');
    expect(modules.filter((name) => needless.some((one) => name === `NativeModule ${one}`))).toEqual([]);
  });
});

describe('a build or an update under a running agent', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-swapped-'));
  afterAll(() => {
    clearAway();
    rmSync(folder, { recursive: true, force: true });
  });

  it('takes nothing from it that it loads later', async () => {
    const dist = join(folder, 'dist');
    cpSync(dirname(bundle), dist, { recursive: true });
    const agent = await startAgent({ program: join(dist, 'sconce.cjs') });
    rmSync(dist, { recursive: true });
    const response = await fetch(`${agent.url}/api/v1/openapi.json`);
    expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ openapi: '3.1.0' })]);
    const asset = await fetch(`${agent.url}/assets/app.js`);
    expect([asset.status, (await asset.text()).length > 1000]).toEqual([200, true]);
    await agent.kill('SIGTERM');
  });
});

describe('a pack whose routes are damaged', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-damaged-'));
  afterAll(() => {
    clearAway();
    rmSync(folder, { recursive: true, force: true });
  });

  it('ends the agent, since it would serve nothing', async () => {
    const dist = join(folder, 'dist');
    cpSync(dirname(bundle), dist, { recursive: true });
    const pack = join(dist, 'agent.pack');
    const text = readFileSync(pack, 'latin1');
    // The index names the chunks of each script: those of the pages get names that nothing asks for.
    const damaged = text.replace(/"name":"pages\.js","chunks":\[[^\]]*\]/, (row) => row.replaceAll('./', '.-'));
    expect(damaged).not.toBe(text);
    writeFileSync(pack, damaged, 'latin1');
    const agent = await spawnAgent({ program: join(dist, 'sconce.cjs') });
    expect(await agent.ended).toEqual({ code: 1, signal: null });
    expect(agent.output()).toMatch(/chunk-unloadable.*The agent crashed/);
  });
});
