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
  /** Answers what is shown; its title. */
  async function answer(how: 'hold' | 'deny'): Promise<string> {
    const { id, title } = await until('a question', shown);
    expect((await postJson(agent, 'simulator', { approval: id, answer: how })).status).toBe(202);
    await until('the end of the question', async () => (await shown())?.id !== id);
    return title;
  }
  const approve = (): Promise<string> => answer('hold');
  const harden = async (): Promise<void> => {
    await postJson(agent, 'simulator', { security_mode: 'hardened' });
    await approve();
    await until('Hardened mode', async () => (await statusOf(agent.url)).security?.mode === 'hardened');
  };
  /** Asks, is sent to the panel, and asks again once a person has approved it; what the panel said and the answer. */
  async function approved(ask: () => Promise<Answered>): Promise<readonly [string, Answered]> {
    const asked = await ask();
    expect(asked).toMatchObject({ status: 202, body: { ok: false, error: 'approval-required' } });
    const title = await approve();
    return [title, await ask()];
  }
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
    expect(await answer('deny')).toBe('Take the place of another panel');
    expect(await friendlyName()).toBe('Kitchen');
    const preview = await sendRestore(agent, archive, { passphrase, query: 'replaces=1&dry_run=1' });
    expect(preview).toMatchObject({ status: 200, body: { status: 'preview' } });
  });

  it('asks before a backup with passwords and an export with them', async () => {
    await harden();
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
    expect(await shown()).toBeNull();

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
    expect(asked).toMatchObject({ status: 202, body: { error: 'approval-required' } });
    expect(await approve()).toBe('Restore a backup');
    // The approval is for the first file and passphrase.
    const [id, next] = [asked.body['approval_id'], await sendRestore(agent, other, { passphrase, more: fromAfar })];
    expect(next).toMatchObject({ status: 202, body: { error: 'approval-required' } });
    expect(next.body['approval_id']).not.toBe(id);
    const { body } = await sendRestore(agent, archive, { passphrase, more: fromAfar });
    expect(body['status']).toBe('started');
    agent = await afterRestart(agent, options);
    expect(await endedJob(agent)).toMatchObject({ kind: 'restore', result: { status: 'succeeded' } });
    // The mode is of the panel, not of the backup.
    expect(await postJson(agent, 'action', { a: 'reboot' }, fromAfar)).toMatchObject({
      body: { error: 'approval-required' },
    });
  });

  it('asks before it takes the place of another, and then does', async () => {
    // A question of the earlier test is shown.
    await answer('deny');
    const replaces = { passphrase, query: 'replaces=1', more: fromAfar };
    const [title, { status, body }] = await approved(() => sendRestore(agent, archive, replaces));
    expect([title, status, body['status']]).toEqual(['Take the place of another panel', 202, 'started']);
    agent = await afterRestart(agent, options);
    expect(await endedJob(agent)).toMatchObject({ kind: 'restore', result: { status: 'succeeded' } });
  });
});
