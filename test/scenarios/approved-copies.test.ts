import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type AgentProcess, clearAway, startAgent } from './agent-process.ts';
import { statusOf, until } from './live-agent.ts';
import {
  afterRestart,
  type Answered,
  endedJob,
  fromAfar,
  getJson,
  makeBackup,
  panelOn,
  type PanelOptions,
  postJson,
  sendRestore,
} from './panels.ts';

afterAll(clearAway);

const passphrase = 'correct horse battery';
const settings = { friendly_name: 'Hall', mqtt_broker: 'mqtt://127.0.0.1:1', mqtt_password: 'hall-password' };

interface Shown {
  readonly id: string;
  readonly title: string;
}

describe('a panel that asks before it obeys', () => {
  let options: PanelOptions;
  let agent: AgentProcess;
  let archive: Buffer;
  let other: Buffer;
  let bundle: unknown;

  /** The question at the panel; null for none. */
  const shown = async (): Promise<Shown | null> =>
    (await getJson(agent, 'simulator/approvals'))['shown'] as Shown | null;
  /** Waits for that question at the panel and approves it; its title. */
  async function approve({ status, body }: Answered): Promise<string> {
    expect([status, body['ok'], body['error']]).toEqual([202, false, 'approval-required']);
    const id = body['approval_id'];
    // How the question before it ended is shown for three seconds.
    const title = await until('the question', async () => {
      const question = await shown();
      return question?.id === id && question?.title;
    });
    await postJson(agent, 'simulator', { approval: id, answer: 'hold' });
    await until('the approval', async () => (await getJson(agent, `approvals/${String(id)}`))['state'] === 'approved');
    return title;
  }
  /** Asks, and again once a person has approved it; what the panel said and the answer. */
  async function approved(ask: () => Promise<Answered>): Promise<readonly [string, Answered]> {
    const title = await approve(await ask());
    return [title, await ask()];
  }
  const isHardened = async (): Promise<boolean> => (await statusOf(agent.url)).security?.mode === 'hardened';
  const friendlyName = async (): Promise<unknown> => (await getJson(agent, 'config'))['friendly_name'];

  beforeAll(async () => {
    options = panelOn(1);
    agent = await startAgent(options);
    await postJson(agent, 'config', settings);
    archive = await makeBackup(agent, passphrase);
    other = await makeBackup(agent, passphrase);
    bundle = await getJson(agent, 'config/export?include_secrets=1');
    await postJson(agent, 'config', { friendly_name: 'Kitchen' });
  });

  it('asks in every mode before it takes the place of another', async () => {
    const replaces = { passphrase, query: 'replaces=1', more: fromAfar };
    expect(await sendRestore(agent, archive, replaces)).toMatchObject({
      status: 202,
      body: { error: 'approval-required' },
    });
    expect((await until('a question', shown)).title).toBe('Take the place of another panel');
    expect(await friendlyName()).toBe('Kitchen');
    const preview = await sendRestore(agent, archive, { passphrase, query: 'replaces=1&dry_run=1' });
    expect(preview).toMatchObject({ status: 200, body: { status: 'preview' } });
  });

  it('asks before a backup with passwords and an export with them', async () => {
    await agent.kill();
    // As a panel keeps that it is in Hardened mode.
    writeFileSync(join(options.data, 'hardened'), '', { mode: 0o600 });
    agent = await startAgent({ ...options, port: agent.port });
    expect(await isHardened()).toBe(true);
    const [title, { status, body }] = await approved(async () => {
      const response = await fetch(`${agent.url}/api/v1/config/export?include_secrets=1`, {
        headers: fromAfar,
      });
      return { status: response.status, body: (await response.json()) as Answered['body'] };
    });
    expect([title, status, body['values']]).toMatchObject([
      'Export the settings with passwords',
      200,
      { mqtt_password: 'hall-password' },
    ]);
    // Without them no one is asked.
    expect(await getJson(agent, 'config/export')).toMatchObject({ kind: 'sconce-config' });

    const ask = async (): Promise<Answered> => {
      const response = await fetch(`${agent.url}/api/v1/backup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...fromAfar },
        body: JSON.stringify({ passphrase }),
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      const isArchive = bytes.subarray(0, 4).toString() === 'HPB1';
      return { status: response.status, body: isArchive ? {} : (JSON.parse(bytes.toString()) as Answered['body']) };
    };
    expect(await approved(ask)).toEqual(['Make a backup with passwords and sign-in', { status: 200, body: {} }]);
  });

  it('asks before an import', async () => {
    const [title, { status, body }] = await approved(() => postJson(agent, 'config/import', bundle, fromAfar));
    expect([title, status, body['status']]).toEqual(['Replace the settings', 200, 'applied']);
    expect(await friendlyName()).toBe('Hall');
  });

  it('asks before a restore, for this file alone', async () => {
    const asked = await sendRestore(agent, archive, { passphrase, more: fromAfar });
    expect(await approve(asked)).toBe('Restore a backup');
    // The approval is for the first file and passphrase.
    const [id, next] = [asked.body['approval_id'], await sendRestore(agent, other, { passphrase, more: fromAfar })];
    expect(next).toMatchObject({ status: 202, body: { error: 'approval-required' } });
    expect(next.body['approval_id']).not.toBe(id);
    const { body } = await sendRestore(agent, archive, { passphrase, more: fromAfar });
    expect(body['status']).toBe('started');
    agent = await afterRestart(agent, options);
    expect(await endedJob(agent)).toMatchObject({ kind: 'restore', result: { status: 'succeeded' } });
    // The mode is of the panel, not of the backup.
    expect(await isHardened()).toBe(true);
  });

  it('asks before it takes the place of another, and then does', async () => {
    const replaces = { passphrase, query: 'replaces=1', more: fromAfar };
    const [title, { status, body }] = await approved(() => sendRestore(agent, archive, replaces));
    expect([title, status, body['status']]).toEqual(['Take the place of another panel', 202, 'started']);
    agent = await afterRestart(agent, options);
    expect(await endedJob(agent)).toMatchObject({ kind: 'restore', result: { status: 'succeeded' } });
  });
});
