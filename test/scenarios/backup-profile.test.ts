import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

import { firstRecord } from '#machines/profile-catalog/activation.ts';
import { clearAway, ownFolder } from './agent-process.ts';
import { type BackupPanel, makeBackup, ownMachine, read, restore, save, startPanel } from './backup-panel.ts';
import { post, until } from './live-agent.ts';

afterAll(clearAway);

const PASSPHRASE = 'correct horse battery';

describe('a backup with another profile', () => {
  const simulated = readFileSync(
    fileURLToPath(new URL('../../profiles/bundled/simulated.yaml', import.meta.url)),
    'utf8',
  );

  /** A panel that uses the first of two saved profiles. */
  async function withProfiles(): Promise<BackupPanel> {
    const data = ownFolder();
    const [first] = ['panel-one', 'panel-two'].map((id) => {
      const yaml = simulated.replace(/^id: .*$/m, `id: ${id}`);
      const ref = { id, revision: createHash('sha256').update(yaml).digest('hex') };
      mkdirSync(join(data, 'profiles', id), { recursive: true, mode: 0o700 });
      writeFileSync(join(data, 'profiles', id, `${ref.revision}.yaml`), yaml);
      return ref;
    });
    if (first === undefined) throw new Error('no profile');
    const record = { ...firstRecord, generation: 3, selection: { mode: 'pinned', ...first }, proven: first };
    writeFileSync(join(data, 'profiles', 'activation.json'), JSON.stringify(record));
    return startPanel(ownMachine('8'), 300, { data }, { profile: null, args: ['--renderer', 'none'], holdMs: 5000 });
  }
  async function profiles({ agent }: BackupPanel) {
    const list = await until('the catalogue', async () => {
      const response = await fetch(`${agent.url}/api/v1/profiles`);
      return response.ok && ((await response.json()) as Readonly<Record<string, unknown>>);
    });
    return list as {
      readonly catalog_revision: number;
      readonly activation: { readonly state: string };
      readonly active: { readonly id: string };
      readonly profiles: readonly { readonly id: string; readonly revision: string }[];
    };
  }
  async function select(panel: BackupPanel, id: string): Promise<BackupPanel> {
    const { catalog_revision: expected, profiles: all } = await profiles(panel);
    const ref = all.find((one) => one.id === id);
    const body = { id, revision: ref?.revision, expected_catalog_revision: expected, confirm: true };
    expect((await post(`${panel.agent.url}/api/v1/profiles/select`, body)).status).toBe(202);
    await panel.agent.ended;
    const next = await panel.again();
    await until('the profile', async () => (await profiles(next)).activation.state === 'active', 20_000);
    return next;
  }

  it('tries it, and the result is partial where it is taken back', async () => {
    const first = await withProfiles();
    await until('the profile', async () => (await profiles(first)).activation.state === 'active', 20_000);
    await save(first.agent, { friendly_name: 'Hall' });
    const archive = await makeBackup(first.agent, { passphrase: PASSPHRASE });
    const second = await select(first, 'panel-two');
    await save(second.agent, { friendly_name: 'Cellar' });

    const started = await restore(second.agent, archive, PASSPHRASE);
    expect(started).toMatchObject({ status: 202, body: { profile: 'panel-one' } });
    await second.agent.ended;
    const trying = await second.again();
    expect((await profiles(trying)).activation.state).toBe('trial');
    // While it is tried, no other restore begins.
    expect(await restore(trying.agent, archive, PASSPHRASE)).toMatchObject({
      status: 409,
      body: { error: 'operation-busy' },
    });
    await trying.agent.kill('SIGKILL');
    const back = await trying.again();
    expect((await profiles(back)).activation.state).toBe('rolled_back');
    const ended = await until('the result', async () => {
      const status = await read(back.agent, 'install/status');
      return JSON.stringify(status).includes('rolled_back') && status;
    });
    expect(ended).toMatchObject({
      kind: 'restore',
      message: expect.stringContaining('did not work'),
      result: { status: 'partial', config: { status: 'succeeded' }, profiles: { status: 'rolled_back' } },
    });
    expect(await read(back.agent, 'config')).toMatchObject({ settings: { friendly_name: 'Hall' } });
  }, 120_000);
});
