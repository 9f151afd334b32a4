import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { answerMicrophone, type Said } from '#bin/microphone.ts';
import type { MicrophoneTask } from '#bin/microphone-arguments.ts';
import { type AgentProcess, clearAway, ownFolder, startAgent } from './agent-process.ts';
import { post, statusOf, until } from './live-agent.ts';
import { afterRestart, getJson, panelOn, postJson } from './panels.ts';

afterAll(clearAway);

type Json = Readonly<Record<string, unknown>>;

const valuesOf = async (agent: AgentProcess): Promise<Json> => (await getJson(agent, 'config'))['settings'] as Json;
const shownAt = async ({ url }: AgentProcess): Promise<Json | null> =>
  ((await (await fetch(`${url}/api/v1/simulator/approvals`)).json()) as Json)['shown'] as Json | null;
async function permissionOf({ url }: AgentProcess): Promise<readonly [string, string]> {
  const { microphone, permissions } = await statusOf(url);
  return [microphone.permission, permissions.microphone];
}
const turn = ({ url }: AgentProcess, on: boolean): Promise<Response> =>
  post(`${url}/api/v1/config`, { voice_enabled: on });

/** Turns voice on, and answers the question that follows; its title. */
async function turnOn(agent: AgentProcess, answer: 'hold' | 'deny'): Promise<unknown> {
  expect((await turn(agent, true)).status).toBe(200);
  const shown = await until('the question', async () => (await shownAt(agent)) ?? false);
  await post(`${agent.url}/api/v1/simulator`, { approval: shown['id'], answer });
  await until('the end of the question', async () => (await shownAt(agent)) === null);
  return shown['title'];
}

const type = (task: MicrophoneTask, { data }: AgentProcess): Promise<Said> =>
  answerMicrophone(task, { folder: data, command: 'sconce microphone', named: '' });

describe('the microphone of a simulated panel', () => {
  it('is asked for once when voice is turned on, and again when it is turned on again', async () => {
    const agent = await startAgent();
    await until('the scan', async () => (await statusOf(agent.url)).microphone.state === 'present');
    expect(await permissionOf(agent)).toEqual(['needed', 'not_required']);
    expect(await turnOn(agent, 'deny')).toBe('Allow the microphone');
    await until('the denial', async () => (await permissionOf(agent))[0] === 'denied');
    // The switch itself stays free.
    expect(await valuesOf(agent)).toMatchObject({ voice_enabled: true, microphone_access: false });
    expect(await permissionOf(agent)).toEqual(['denied', 'missing']);
    expect((await turn(agent, false)).status).toBe(200);
    await turnOn(agent, 'hold');
    await until('the permission', async () => (await permissionOf(agent))[0] === 'allowed');
    expect(await permissionOf(agent)).toEqual(['allowed', 'held']);
    expect(await valuesOf(agent)).toMatchObject({ voice_enabled: true, microphone_access: true });
    // What is allowed is not asked for again.
    await turn(agent, false);
    await turn(agent, true);
    expect([await shownAt(agent), (await permissionOf(agent))[0]]).toEqual([null, 'allowed']);
    await agent.kill('SIGTERM');
  });

  it('is allowed and forgotten by a person on the machine, while the panel runs and while it does not', async () => {
    const agent = await startAgent();
    const file = join(agent.data, 'microphone.json');
    await until('the scan', async () => (await statusOf(agent.url)).microphone.state === 'present');
    expect(await type('allow', agent)).toMatchObject({
      status: 0,
      lines: [/is allowed/, /in force/].map((words) => expect.stringMatching(words)),
    });
    expect(await valuesOf(agent)).toMatchObject({ voice_enabled: false, microphone_access: true });
    await turn(agent, true);
    await until('voice', async () => (await permissionOf(agent))[1] === 'held');
    expect(await shownAt(agent)).toBeNull();
    expect(await type('forget', agent)).toMatchObject({
      status: 0,
      lines: [expect.stringMatching(/is not allowed/), expect.anything()],
    });
    expect(await permissionOf(agent)).toEqual(['needed', 'missing']);
    expect(existsSync(file)).toBe(false);
    await agent.kill('SIGTERM');
    expect(await type('allow', agent)).toMatchObject({ status: 0, lines: [expect.stringMatching(/not running/)] });
    const next = await startAgent({ data: agent.data });
    await until('the permission', async () => (await permissionOf(next))[0] === 'allowed');
    await until('the order to be gone', () => !existsSync(file));
    await next.kill('SIGTERM');
  });
});

// The smallest reset ends it too; that the others do is in the tables of the reset as well.
const scopes = process.env['SCONCE_TEST_ALL'] === '1' ? ['connection', 'settings', 'everything'] : ['connection'];

describe('the permission of a panel', () => {
  it('is kept on its own machine, off on a clone, and ended by each reset', async () => {
    const folder = ownFolder();
    const first = await startAgent(panelOn(1, { data: join(folder, 'first') }));
    expect((await type('allow', first)).status).toBe(0);
    await turn(first, true);
    await until('the permission', async () => (await permissionOf(first))[1] === 'held');
    await first.kill('SIGTERM');
    cpSync(first.data, join(folder, 'kept'), { recursive: true });

    const startCopy = async (name: string, machine: number) => {
      const data = join(folder, name);
      mkdirSync(data, { mode: 0o700 });
      cpSync(join(folder, 'kept'), data, { recursive: true });
      const how = panelOn(machine, { data });
      return { how, copy: await startAgent(how) };
    };
    const clone = async (): Promise<void> => {
      const { copy } = await startCopy('clone', 2);
      await until('the scan', async () => (await statusOf(copy.url)).microphone.state === 'present');
      expect(await valuesOf(copy)).toMatchObject({ voice_enabled: true, microphone_access: false });
      expect([await shownAt(copy), await permissionOf(copy)]).toEqual([null, ['needed', 'missing']]);
      await copy.kill('SIGTERM');
    };
    const reset = async (scope: string): Promise<void> => {
      const { copy, how } = await startCopy(scope, 1);
      await until('the permission', async () => (await permissionOf(copy))[0] === 'allowed');
      const answer = await postJson(copy, 'setup/reset', { scope, confirm: true, without_broker: true });
      expect(answer).toMatchObject({ status: 200, body: { ok: true, scope } });
      const next = await afterRestart(copy, how);
      await until('the scan', async () => (await statusOf(next.url)).microphone.state === 'present');
      expect([scope, (await valuesOf(next))['microphone_access'], (await permissionOf(next))[0]]).toEqual([
        scope,
        false,
        'needed',
      ]);
      await next.kill('SIGTERM');
    };
    await Promise.all([clone(), ...scopes.map(reset)]);
  });
});
