import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { givenFile, givenText } from '#drivers/install/given-file.ts';
import { type AgentProcess, bundle, clearAway, ownFolder, startAgent } from './agent-process.ts';
import { post, statusOf, until } from './live-agent.ts';

afterAll(clearAway);

const secrets = ['Marker-mqtt-77', 'Marker-mqtt-88', 'Marker-own-99', 'Marker-ha-66'] as const;
const [first, second, own, password] = secrets;

const configOf = async ({ url }: AgentProcess): Promise<Readonly<Record<string, unknown>>> =>
  // The route's own schema is checked in the route tests.
  (await (await fetch(`${url}/api/v1/config`)).json()) as Readonly<Record<string, unknown>>;
const linesOf = (agent: AgentProcess, message: string): readonly Readonly<Record<string, unknown>>[] =>
  agent
    .output()
    .split('\n')
    .filter((line) => line.includes(`"msg":"${message}"`))
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
/** The durable document as it lies there; nothing before the first save. */
function stored(data: string): string {
  const file = join(data, 'state.json');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** A file is on the disk a moment before the parts follow it. */
const isCalled = (agent: AgentProcess, name: string): Promise<unknown> =>
  until(`it is called ${name}`, async () => (await configOf(agent))['friendly_name'] === name);

const isSaved = (agent: AgentProcess, text: string): Promise<unknown> =>
  until(`${text} saved`, () => stored(agent.data).includes(text));

describe('a panel that is set up by its command line', () => {
  const data = ownFolder();
  const file = join(ownFolder(), 'mqtt');
  const ended: AgentProcess[] = [];
  let agent: AgentProcess;
  const given = (name: string): readonly string[] =>
    `--panel-id hall-1 --mqtt-broker 127.0.0.1:1 --mqtt-user wall --ha-url http://127.0.0.1:9/lovelace`
      .split(' ')
      .concat('--name', name, '--mqtt-pass-file', file, '--home-dashboard', 'lovelace/hall');
  const again = async (name: string): Promise<void> => {
    ended.push(agent);
    await agent.kill('SIGTERM');
    agent = await startAgent({ data, args: given(name) });
  };

  beforeAll(async () => {
    writeFileSync(file, `${first}\n`);
    chmodSync(file, 0o600);
    agent = await startAgent({ data, args: given('Hall') });
    await isSaved(agent, first);
    await isCalled(agent, 'Hall');
  }, 60_000);

  test('has all of it, as if it had been entered', async () => {
    expect(await configOf(agent)).toMatchObject({
      friendly_name: 'Hall',
      panel_id: 'hall_1',
      mqtt_broker: 'mqtt://127.0.0.1:1',
      mqtt_user: 'wall',
      ha_url: 'http://127.0.0.1:9',
      settings: expect.objectContaining({ home_dashboard: '/lovelace/hall' }),
    });
    expect(linesOf(agent, 'Applied the settings from the command line.')[0]).toMatchObject({
      settings: expect.arrayContaining(['friendly_name', 'mqtt_password', 'ha_url']),
    });
    const echo = await until('the echo', () => /^sconce: Given to this panel: .*$/m.exec(agent.output())?.[0]);
    expect(echo).toContain('name Hall, panel id hall_1, Home Assistant at http://127.0.0.1:9, broker at mqtt://');
  });

  test('keeps what its owner changes, and says so by name alone', async () => {
    expect((await post(`${agent.url}/api/v1/config`, { friendly_name: 'Mine', mqtt_password: own })).status).toBe(200);
    writeFileSync(file, `${second}\n`);
    await again('Hall');
    const [kept] = await until('what is kept', () => {
      const lines = linesOf(agent, 'Kept what was set on the panel.');
      return lines.length > 0 && lines;
    });
    expect(kept).toMatchObject({ settings: ['friendly_name', 'mqtt_password'] });
    expect(await configOf(agent)).toMatchObject({ friendly_name: 'Mine', panel_id: 'hall_1' });
    expect(stored(data)).toContain(own);
    expect(stored(data)).not.toContain(second);
  });

  test('follows the command line in what nobody changed', async () => {
    expect((await post(`${agent.url}/api/v1/config`, { friendly_name: 'Hall', mqtt_password: second })).status).toBe(
      200,
    );
    writeFileSync(file, `${first}\n`);
    await again('Kitchen');
    await isSaved(agent, first);
    await isCalled(agent, 'Kitchen');
    expect(linesOf(agent, 'Kept what was set on the panel.')).toEqual([]);
  });

  test('warns of a file that others can read, by the name of its option', async () => {
    chmodSync(file, 0o644);
    await again('Kitchen');
    const warnings = await until('the warning', async () => {
      const { warnings: now } = await statusOf(agent.url);
      return now.length > 0 && now;
    });
    expect(warnings).toContainEqual(expect.stringMatching(/--mqtt-pass-file.*chmod 600/));
    const doctor = await promisify(execFile)(process.execPath, [bundle, 'doctor', '--port', String(agent.port)], {
      timeout: 30_000,
    }).catch((error: { readonly stdout: string }) => error);
    expect(doctor.stdout).toContain('Note: Others on this machine can read the file of --mqtt-pass-file.');
    expect(doctor.stdout + JSON.stringify(warnings)).not.toContain(file);
    chmodSync(file, 0o600);
  });

  test('has its passwords in its own file alone', async () => {
    const pages = [
      '/',
      '/configure',
      '/configure/mqtt',
      '/api/v1/status',
      '/api/v1/diag',
      '/api/v1/config',
      '/api/v1/history',
      '/logs',
    ];
    const texts = await Promise.all(pages.map(async (path) => (await fetch(agent.url + path)).text()));
    for (const text of [...texts, agent.output(), ...ended.map(({ output }) => output())])
      for (const secret of secrets) expect(text).not.toContain(secret);
  });
});

describe('a panel that an installation left something for', () => {
  test('takes the settings at once, and keeps the file for a sign-in that is still to be made', async () => {
    const data = ownFolder();
    // Nothing listens on port 9 of this machine.
    const login = { homeAssistant: 'http://127.0.0.1:9', username: 'wall', password };
    const settings = { friendly_name: 'Hall', mqtt_password: first, ha_url: login.homeAssistant };
    writeFileSync(givenFile(data), givenText({ settings, login }), { mode: 0o600 });
    const agent = await startAgent({ data });
    await isSaved(agent, first);
    await isCalled(agent, 'Hall');
    await until('the settings are gone from it', () => !readFileSync(givenFile(data), 'utf8').includes(first));
    expect(readFileSync(givenFile(data), 'utf8')).toContain(password);
    expect(stored(data)).not.toContain(password);
    expect(await configOf(agent)).toMatchObject({ friendly_name: 'Hall' });
    const tried = await until('the password is tried', async () => {
      const { sign_in: now } = await statusOf(agent.url);
      return now?.password === 'unreachable' && now;
    });
    expect(tried).toMatchObject({ phase: 'needed' });
    await agent.kill('SIGTERM');
    for (const secret of secrets) expect(agent.output()).not.toContain(secret);
  });

  test('leaves nothing of it where there is nothing left to do', async () => {
    const data = ownFolder();
    writeFileSync(givenFile(data), givenText({ settings: { friendly_name: 'Hall' }, login: null }), { mode: 0o600 });
    const agent = await startAgent({ data });
    await until('it is gone', () => !existsSync(givenFile(data)));
    await isCalled(agent, 'Hall');
  });
});
