import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

import { firstRecord, type ProfileRef } from '#machines/profile-catalog/activation.ts';
import { inAll } from '#test/fakes/in-all.ts';
import { type AgentProcess, clearAway, ownFolder, startAgent } from './agent-process.ts';
import { post, until } from './live-agent.ts';

const simulated = readFileSync(
  fileURLToPath(new URL('../../profiles/bundled/simulated.yaml', import.meta.url)),
  'utf8',
);

afterAll(clearAway);

/** Puts a simulated panel of that id into a data folder, as an import does. */
function put(data: string, id: string): ProfileRef {
  const yaml = simulated.replace(/^id: .*$/m, `id: ${id}`);
  const ref = { id, revision: createHash('sha256').update(yaml).digest('hex') };
  mkdirSync(join(data, 'profiles', id), { recursive: true, mode: 0o700 });
  writeFileSync(join(data, 'profiles', id, `${ref.revision}.yaml`), yaml);
  return ref;
}

interface Panel {
  readonly agent: AgentProcess;
  readonly other: ProfileRef;
  /** Starts the agent on the same folder once more. */
  readonly again: () => Promise<AgentProcess>;
}

/** A panel with two profiles, of which one is in force; an order is followed by its restart after `answerMs`. */
async function startPanel(answerMs: number): Promise<Panel> {
  const data = ownFolder();
  const [one, other] = [put(data, 'panel-one'), put(data, 'panel-two')];
  const selection = { mode: 'pinned' as const, ...one };
  const record = { ...firstRecord, generation: 3, selection, proven: one };
  writeFileSync(join(data, 'profiles', 'activation.json'), JSON.stringify(record));
  const how = {
    data,
    profile: null,
    args: ['--renderer', 'none'],
    env: { SCONCE_TRIAL_MS: `1500,9000,${answerMs}` },
  };
  const agent = await startAgent(how);
  const again = (): Promise<AgentProcess> => startAgent({ ...how, port: agent.port });
  await isKnown(agent);
  await until('the catalogue', async () => (await fetch(`${agent.url}/api/v1/profiles`)).ok);
  return { agent, other, again };
}

async function status({ url }: AgentProcess): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(`${url}/api/v1/install/status`);
  return (await response.json()) as Readonly<Record<string, unknown>>;
}
const isKnown = ({ url }: AgentProcess) =>
  until('the operations', async () => (await fetch(`${url}/api/v1/install/status`)).ok);

interface Answered {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}
async function send({ url }: AgentProcess, path: string, sent: unknown): Promise<Answered> {
  const response = await post(`${url}/api/v1/${path}`, sent);
  return { status: response.status, body: (await response.json()) as Answered['body'] };
}
const save = (agent: AgentProcess, name: string): Promise<Answered> => send(agent, 'config', { friendly_name: name });
const reset = (agent: AgentProcess): Promise<Answered> =>
  send(agent, 'setup/reset', { scope: 'settings', confirm: true, without_broker: true });
async function select(agent: AgentProcess, { id, revision }: ProfileRef): Promise<Answered> {
  const catalog = (await (await fetch(`${agent.url}/api/v1/profiles`)).json()) as { readonly catalog_revision: number };
  return send(agent, 'profiles/select', {
    id,
    revision,
    expected_catalog_revision: catalog.catalog_revision,
    confirm: true,
  });
}

describe('operations of a whole agent', () => {
  it('are refused beside a reset, which the status tells of before and after the restart', async () => {
    const { agent, other, again } = await startPanel(3000);
    expect((await save(agent, 'Hall')).status).toBe(200);
    expect((await reset(agent)).status).toBe(200);
    expect(await status(agent)).toMatchObject({ running: true, kind: 'reset', component: 'Reset', ordered: true });
    const busy = {
      status: 409,
      body: { error: 'operation-busy', message: expect.stringContaining('a reset has been') },
    };
    expect(await save(agent, 'Kitchen')).toMatchObject(busy);
    expect(await select(agent, other)).toMatchObject(busy);
    expect(await reset(agent)).toMatchObject({ status: 409, body: { error: 'reset-running' } });
    expect((await agent.ended).code).toBe(75);

    const next = await again();
    await isKnown(next);
    expect(await status(next)).toMatchObject({
      running: false,
      kind: 'reset',
      ordered: false,
      message: 'The settings were reset.',
      result: { status: 'succeeded' },
    });
    expect((await save(next, 'Kitchen')).status).toBe(200);
    await next.kill();
  }, 60_000);

  inAll(
    'go on beside a profile on trial but for another operation, until it is kept',
    async () => {
      const { agent, other, again } = await startPanel(3000);
      expect((await select(agent, other)).status).toBe(202);
      expect(await status(agent)).toMatchObject({ running: true, kind: 'profile-select', component: 'Profile' });
      expect(await save(agent, 'Kitchen')).toMatchObject({ status: 409, body: { error: 'operation-busy' } });
      expect(await reset(agent)).toMatchObject({ status: 409, body: { error: 'reset-during-trial' } });
      expect((await agent.ended).code).toBe(75);

      const next = await again();
      await isKnown(next);
      // The trial may be over already on a fast machine.
      expect(await status(next)).toMatchObject({ kind: 'profile-select' });
      expect((await save(next, 'Kitchen')).status).toBe(200);
      await until('the end of the trial', async () => (await status(next))['running'] === false, 15_000);
      expect(await status(next)).toMatchObject({ kind: 'profile-select', result: { status: 'succeeded' } });
      await next.kill();
    },
    60_000,
  );

  it('that begin together change the panel once', async () => {
    const { agent, other } = await startPanel(3000);
    const [first, second, saved] = await Promise.all([reset(agent), select(agent, other), save(agent, 'Kitchen')]);
    const begun = [first, second].filter((answered) => answered.status < 300);
    const lost = [first, second].filter((answered) => answered.status >= 300);
    expect([begun.length, lost.length]).toEqual([1, 1]);
    expect(lost[0]?.status).toBe(409);
    expect(['operation-busy', 'reset-during-trial', 'reset-running']).toContain(lost[0]?.body['error']);
    // It came before the hold, or was refused.
    expect([200, 409]).toContain(saved.status);
    expect((await agent.ended).code).toBe(75);
  }, 60_000);

  it('that a kill interrupted have failed, and nothing is held', async () => {
    const { agent, again } = await startPanel(300);
    await agent.kill();
    const running = { token: 't', kind: 'import', since: 1_795_352_771_000, ordered: false, run: 'before' };
    const value = { version: 1, running, last: null, lastBackupAt: 1_795_352_770_000 };
    mkdirSync(join(agent.data, 'sections'), { recursive: true });
    writeFileSync(join(agent.data, 'sections', 'maintenance.json'), JSON.stringify({ version: 1, value }));
    const next = await again();
    await isKnown(next);
    expect(await status(next)).toMatchObject({
      running: false,
      kind: 'import',
      message: expect.stringContaining('was interrupted'),
      result: { status: 'failed' },
    });
    expect((await save(next, 'Kitchen')).status).toBe(200);
    const document = (await (await fetch(`${next.url}/api/v1/status`)).json()) as {
      readonly maintenance: unknown;
      readonly happened: readonly { readonly sentence: string }[];
    };
    expect(document.happened.map(({ sentence }) => sentence)).toContain('An import of settings failed.');
    expect(document.maintenance).toEqual({ running: null, last_backup_at: 1_795_352_770_000 });
    await next.kill();
  }, 60_000);
});
