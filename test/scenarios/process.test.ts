import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { reachableAddress } from '#bin/reachable-address.ts';
import { type AgentProcess, bundle, clearAway, ownFolder, spawnAgent, startAgent } from './agent-process.ts';
import { post, statusOf, until } from './live-agent.ts';

afterAll(clearAway);

/** The version that the package states. */
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

const cli = (...args: string[]): { readonly status: number | null; readonly stdout: string; readonly stderr: string } =>
  spawnSync(process.execPath, [bundle, ...args], { encoding: 'utf8', timeout: 15_000 });

describe('the command line', () => {
  test('version prints the version', () => {
    expect(cli('version')).toMatchObject({ status: 0, stdout: `${version}\n` });
  });
  test.each([
    [['nonsense'], 'no command'],
    [['run', '--port', '0'], '--port'],
    [['run', '--port', 'x'], '--port'],
    [['run', '--profile', 'toaster'], '--profile'],
    [['run', '--nope'], '--nope'],
    [['run', '--data', ''], '--data'],
    [['run', '--ha-user', 'wall'], '--ha-pass-file'],
    [['run', '--ha-pass-file', '/dev/null'], '--ha-user'],
    [['run', '--ha-user', 'wall', '--ha-pass-file', '/dev/null'], '--ha-url'],
    [['run', '--ha-url', 'ftp://h', '--ha-user', 'wall', '--ha-pass-file', '/dev/null'], '--ha-url'],
    [['run', '--panel-id', '!'], '--panel-id is refused: Panel id must hold'],
    [
      ['install', '--mqtt-broker', 'http://h'],
      '--mqtt-broker is refused: Address of the broker must begin with mqtt://',
    ],
    [['install', '--ha-token-file', 'a', '--ha-url', 'h', '--ha-user', 'w', '--ha-pass-file', 'b'], 'two ways'],
    [['run', '--ha-url', 'h', '--ha-user', '', '--ha-pass-file', '/dev/null'], '--ha-user'],
    [['doctor', '--nope'], 'doctor has no option --nope'],
    [['install', '--purge'], 'install has no option --purge'],
    [['help', 'isntall'], 'Did you mean install?'],
    [['uninstall', 'now'], '"now"'],
  ])('%j says what is wrong in its last line, after the way to all options, and exits 2', (args, words) => {
    const said = cli(...args);
    expect(said.status).toBe(2);
    const lines = said.stderr.trimEnd().split('\n');
    expect(lines).toEqual([expect.stringContaining('sconce help'), expect.stringMatching(/^sconce: /)]);
    expect(lines[1]).toContain(words);
  });
  test.each([
    ['help', 'run'],
    ['run', '--help'],
  ])('%s %s says all options', (...args) => {
    expect(cli(...args)).toMatchObject({ status: 0, stdout: expect.stringContaining('--no-discovery') });
  });
  test.each([['/proc/nowhere/at/all'], ['/dev/null']])(
    'a data folder that cannot be made is said at once: %s',
    (folder) => {
      expect(cli('run', '--data', folder)).toMatchObject({ status: 1, stderr: expect.stringContaining('--data') });
    },
  );
  test('a password file that is not there is said before anything starts', () => {
    expect(cli('run', '--data', ownFolder(), '--mqtt-pass-file', '/nowhere/at/all')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('--mqtt-pass-file'),
    });
  });
  test('a password of Home Assistant that others can read is said before anything starts, with the repair', () => {
    const file = join(ownFolder(), 'pass');
    writeFileSync(file, 'Marker-from-file-77');
    chmodSync(file, 0o644);
    const said = cli('run', '--data', ownFolder(), '--ha-url', 'h', '--ha-user', 'wall', '--ha-pass-file', file);
    expect(said).toMatchObject({ status: 1, stderr: expect.stringContaining(`chmod 600 ${file}`) });
    expect(said.stdout + said.stderr).not.toContain('Marker-from-file-77');
  });
});

/** Inodes of this network's UDP sockets on the port of mDNS, as the kernel lists them. */
const multicastSockets = (): ReadonlySet<string> =>
  new Set(
    ['/proc/net/udp', '/proc/net/udp6'].flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .map((line) => line.trim().split(/\s+/))
        .filter(([, local]) => local?.endsWith(':14E9') === true)
        .map((fields) => fields[9] ?? ''),
    ),
  );

const socketsOf = (pid: number): readonly string[] =>
  readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
    } catch {
      // Closed since the list was read.
      return [];
    }
  });

describe('an agent that runs', () => {
  let agent: AgentProcess;
  beforeAll(async () => {
    agent = await startAgent({ data: join(ownFolder(), 'deep', 'data') });
  }, 60_000);

  test('the line that says ready has the address of the page, and no other line has it', async () => {
    const ready = await until('ready', () => /^\{.*"msg":"The agent is ready\.".*\}$/m.exec(agent.output())?.[0]);
    const { url } = JSON.parse(ready) as Record<string, string>;
    expect(url).toBe(`http://${reachableAddress()}:${agent.port}/`);
    const { hostname } = new URL(url ?? '');
    expect(agent.output().split(hostname)).toHaveLength(2);
    const page = await (await fetch(`${agent.url}/logs`)).text();
    expect(page).toContain('ready');
    expect(page.includes(`url=`)).toBe(false);
  });

  test('an agent that is told to leave the network alone neither announces itself nor browses', async () => {
    const status = await until('the state of the link', async () => {
      const now = await statusOf(agent.url);
      return now.mqtt === null || now.mqtt.phase === 'off' ? null : now;
    });
    expect(status.discovery).toMatchObject({ state: 'off', misses: 0, rebuilds: 0, reason: 'switched-off' });
    expect(status.capabilities.map((row) => row.id)).not.toContain('discovery');
    const asksForBroker = expect.stringMatching(/^Enter your broker's address under Configure, .* is switched off\.$/);
    expect(status.mqtt).toMatchObject({ phase: 'not_configured', source: 'none', detail: asksForBroker });
    expect(status.capabilities).toContainEqual(
      expect.objectContaining({ id: 'mqtt', state: 'needs_you', reason: 'search-switched-off', detail: asksForBroker }),
    );
    const diag = await (await fetch(`${agent.url}/api/v1/diag`)).text();
    expect(diag).toMatch(/\n\[discovery\] state=off .*reason=switched-off\n/);
    expect(diag).toMatch(/\n\[mqtt\] phase=not_configured /);
    expect(JSON.stringify(status) + diag).not.toMatch(/Sconce looks for|discovering|searching/);
    const mine = socketsOf(agent.child.pid ?? -1);
    expect(mine.length).toBeGreaterThan(0);
    expect(mine.filter((inode) => multicastSockets().has(inode))).toEqual([]);
  });

  test('is asked by doctor first', async () => {
    await until('the hardware was looked at', async () =>
      (await statusOf(agent.url)).capabilities.every((row) => row.state !== 'checking'),
    );
    const said = cli('doctor', '--port', String(agent.port));
    expect(said.stdout).toMatch(new RegExp(`^Sconce is running at http://[^/ ]+:${agent.port}/\n`));
    expect(said.stdout).toMatch(/^Needs you: Broker\.$/m);
    expect(said.stdout).toMatch(/Broker\s+needs you/);
    expect(said.status).toBe(1);
  });

  test('keeps its files for the owner alone', async () => {
    await post(`${agent.url}/api/v1/config`, { friendly_name: 'Mine' });
    expect(statSync(agent.data).mode & 0o777).toBe(0o700);
    expect(statSync(join(agent.data, 'state.json')).mode & 0o777).toBe(0o600);
  });

  test('is alone on its port: the second is told and ends', async () => {
    const second = await spawnAgent({ port: agent.port });
    expect((await second.ended).code).toBe(1);
    expect(second.output()).toMatch(new RegExp(`port ${agent.port} is taken`));
  });

  test('is alone in its data folder: the second is told, the first goes on until it is stopped', async () => {
    const second = await spawnAgent({ data: agent.data });
    expect((await second.ended).code).toBe(1);
    expect(second.output()).toMatch(/data folder/);
    expect((await fetch(`${agent.url}/health`)).status).toBe(200);
    await agent.kill();
    const third = await startAgent({ data: agent.data });
    expect((await third.kill('SIGTERM')).code).toBe(0);
  });
});

describe('SIGUSR1, at which Node opens its debugger to any user of the machine', () => {
  /** A program of Node with what it writes, once it has taken SIGHUP, which Node itself leaves alone. */
  const start = (args: readonly string[], ipc: boolean) => {
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let text = '';
    child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
    return { child, output: () => text };
  };
  const takes = (pid: number, signal: number): boolean => {
    const mask = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
    return ((BigInt(`0x${mask}`) >> BigInt(signal - 1)) & 1n) === 1n;
  };
  const SIGHUP = 1;
  /** What any other program of Node does, which is told after the one under test. */
  const control = async (): Promise<void> => {
    const other = start(['-e', "process.on('SIGHUP', () => {}); setInterval(() => {}, 1000)"], false);
    await until('the control', () => takes(other.child.pid ?? -1, SIGHUP));
    other.child.kill('SIGUSR1');
    await until('the debugger of the control', () => /debugger|inspector/i.test(other.output()));
  };
  const listening = (pid: number): readonly string[] => {
    const mine = new Set(socketsOf(pid));
    return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .map((line) => line.trim().split(/\s+/))
        .flatMap(([, local = '', , state, , , , , , inode = '']) => (state === '0A' && mine.has(inode) ? [local] : [])),
    );
  };

  test('opens nothing in the agent, which goes on', async () => {
    const agent = await startAgent();
    const pid = agent.child.pid ?? -1;
    const before = listening(pid);
    expect(before).toHaveLength(1);
    agent.child.kill('SIGUSR1');
    await control();
    expect((await fetch(`${agent.url}/health`)).status).toBe(200);
    expect(listening(pid)).toEqual(before);
    expect(agent.output()).not.toMatch(/debugger|inspector/i);
    await agent.kill();
  });

  test('opens nothing in the process that announces the panel', async () => {
    const responder = start([join(dirname(bundle), 'responder.cjs')], true);
    const pid = responder.child.pid ?? -1;
    await until('its signals', () => takes(pid, SIGHUP));
    responder.child.kill('SIGUSR1');
    await control();
    expect(listening(pid)).toEqual([]);
    expect(responder.output()).toBe('');
    expect(responder.child.exitCode).toBeNull();
  });
});

describe('a broken file', () => {
  test('never makes a crash loop: the copy before it is used and the loss is said', async () => {
    const first = await startAgent();
    await post(`${first.url}/api/v1/config`, { friendly_name: 'Before' });
    await post(`${first.url}/api/v1/config`, { friendly_name: 'After' });
    await first.kill();
    writeFileSync(join(first.data, 'state.json'), '{"version":1,"sections":{"set');
    const second = await startAgent({ data: first.data });
    const status = await statusOf(second.url);
    expect(status.panel.name).toBe('Before');
    expect(status.configuration.loss).not.toBeNull();
    expect(status.warnings.join(' ')).toContain(status.configuration.loss);
    await second.kill();
  });
  test('nor do two broken files: it starts with defaults and saves again', async () => {
    const data = ownFolder();
    writeFileSync(join(data, 'state.json'), Buffer.alloc(100, 0));
    writeFileSync(join(data, 'state.json.previous'), 'not json');
    const agent = await startAgent({ data });
    expect((await statusOf(agent.url)).configuration.loss).not.toBeNull();
    expect((await post(`${agent.url}/api/v1/config`, { friendly_name: 'Anew' })).status).toBe(200);
    await agent.kill();
  });
  test('a stored value that is not valid is at its default and named', async () => {
    const first = await startAgent();
    await post(`${first.url}/api/v1/config`, { friendly_name: 'Kept' });
    await first.kill();
    const file = join(first.data, 'state.json');
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace('"friendly_name":"Kept"', '"friendly_name":"Kept","log_level":"deafening"'),
    );
    const second = await startAgent({ data: first.data });
    expect((await statusOf(second.url)).configuration.dropped).toContain('log_level');
    await second.kill();
  });
});

describe('a credential from a file', () => {
  test.each([
    ['--mqtt-pass-file', 'mqtt_password_set', []],
    ['--ha-token-file', 'ha_token_set', ['--ha-url', 'http://127.0.0.1:9']],
  ] as const)('of %s is saved, and nowhere to be read', async (option, flag, beside) => {
    const file = join(ownFolder(), 'credential');
    writeFileSync(file, 'Marker-from-file-77\n', { mode: 0o600 });
    const agent = await startAgent({ args: [option, file, ...beside] });
    await until(
      'the credential is set',
      async () =>
        ((await (await fetch(`${agent.url}/api/v1/config`)).json()) as Record<string, unknown>)[flag] === true,
    );
    expect(readFileSync(join(agent.data, 'state.json'), 'utf8')).toContain('Marker-from-file-77');
    expect(agent.output()).not.toContain('Marker-from-file-77');
    expect(agent.output()).not.toContain('read by others');
    await agent.kill();
  });
  test('of --ha-token-file is refused without the address that it is for, and the agent runs', async () => {
    const file = join(ownFolder(), 'credential');
    writeFileSync(file, 'Marker-from-file-77\n', { mode: 0o600 });
    const agent = await startAgent({ args: ['--ha-token-file', file] });
    await until('the refusal', () => agent.output().includes('Give --ha-url too.'));
    expect(
      ((await (await fetch(`${agent.url}/api/v1/config`)).json()) as Record<string, unknown>)['ha_token_set'],
    ).toBe(false);
    // The first start writes who this panel is, in its own time.
    const state = join(agent.data, 'state.json');
    await until('the state', () => existsSync(state));
    expect(readFileSync(state, 'utf8')).not.toContain('Marker-from-file-77');
    await agent.kill();
  });
  test('that others can read is warned of, by the name of its option alone', async () => {
    const file = join(ownFolder(), 'credential');
    writeFileSync(file, 'Marker-from-file-77\n');
    chmodSync(file, 0o640);
    const agent = await startAgent({ args: ['--mqtt-pass-file', file] });
    const warning = agent
      .output()
      .split('\n')
      .find((line) => line.includes('read by others'));
    expect(warning).toContain('"option":"--mqtt-pass-file"');
    expect(agent.output()).not.toContain(file);
    await agent.kill();
  });
});

describe('doctor', () => {
  test('looks itself where none runs, and writes nothing', () => {
    const folder = ownFolder();
    const said = cli('doctor', '--port', '9', '--profile', 'simulated', '--data', join(folder, 'none'));
    expect(said.stdout).toMatch(/^Sconce is not running .*\nChecking this machine instead: /);
    expect(said.stdout).toMatch(/^ {2}\+ \d+ work: screen, /m);
    expect(said.status).toBe(1);
    expect(existsSync(join(folder, 'none'))).toBe(false);
  });
});
