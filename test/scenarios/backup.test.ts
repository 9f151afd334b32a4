import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { amount } from '#test/fakes/amount.ts';
import { afterAll, describe, expect, it } from 'vitest';

import { readContainer } from '#drivers/backup/container.ts';
import { inAll } from '#test/fakes/in-all.ts';
import { clearAway, ownFolder, spawnAgent } from './agent-process.ts';
import { everyFile, makeBackup, onDisk, ownMachine, read, restore, save, sconce, startPanel } from './backup-panel.ts';

afterAll(clearAway);

const PASSPHRASE = 'correct horse battery';
const SECRET = 'Marker-Pa55word-51d0';
const OTHER_SECRET = 'Marker-Pa55word-a77e';
const hall = {
  panel_id: 'hall',
  friendly_name: 'Hall',
  mqtt_broker: 'mqtt://127.0.0.1:1',
  mqtt_user: 'someone',
  mqtt_password: SECRET,
  screen_minimum_percent: 7,
  dashboard_zoom: 120,
};
const changed = { friendly_name: 'Cellar', mqtt_password: OTHER_SECRET, screen_minimum_percent: 3 };
/** A moment of the restore: the test does not wait for anything. */
const passed = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
const settings = ({ settings: all }: Readonly<Record<string, unknown>>) => all;

describe('a backup', () => {
  it('brings back what was set on the machine that it is from', async () => {
    const machine = ownMachine('1');
    const panel = await startPanel(machine);
    await save(panel.agent, hall);
    const archive = await makeBackup(panel.agent, { passphrase: PASSPHRASE });
    expect(await read(panel.agent, 'status')).toMatchObject({ maintenance: { last_backup_at: expect.any(Number) } });
    await save(panel.agent, changed);

    const preview = await restore(panel.agent, archive, PASSPHRASE, '?dry_run=1');
    expect(preview).toMatchObject({
      status: 200,
      body: { status: 'preview', origin: 'this-machine', made_by: 'hall', state_unavailable: false },
    });
    expect(preview.body['changes']).toContainEqual({ key: 'friendly_name', from: 'Cellar', to: 'Hall' });
    expect(preview.body['changes']).toContainEqual({ key: 'mqtt_password', from: null, to: null });
    expect(JSON.stringify(preview.body)).not.toMatch(/Marker-/);
    expect(existsSync(join(panel.agent.data, 'restore'))).toBe(false);

    expect(await restore(panel.agent, archive, PASSPHRASE)).toMatchObject({ status: 202, body: { status: 'started' } });
    expect((await panel.agent.ended).code).toBe(75);
    const { agent } = await panel.again();
    expect(settings(await read(agent, 'config'))).toMatchObject({
      friendly_name: 'Hall',
      screen_minimum_percent: 7,
      dashboard_zoom: 120,
    });
    expect(onDisk(agent)).toMatchObject({ secrets: { mqtt_password: SECRET }, restore: { state: 'done' } });
    expect(await read(agent, 'install/status')).toMatchObject({
      running: false,
      kind: 'restore',
      result: { status: 'succeeded', config: { status: 'succeeded' } },
    });
    const all = everyFile(agent);
    expect(all).not.toContain(OTHER_SECRET);
    expect(existsSync(join(agent.data, 'restore'))).toBe(false);
    expect(readdirSync(join(agent.data, 'tmp')).filter((name) => !name.startsWith('announcement-'))).toEqual([]);
    for (const path of ['logs', 'status', 'diag', 'support', 'config', 'install/status'])
      // oxlint-disable-next-line no-await-in-loop -- a few answers
      expect(await (await fetch(`${agent.url}/api/v1/${path}`)).text()).not.toContain(SECRET);
  }, 60_000);

  it('of another form or passphrase changes nothing', async () => {
    const { agent } = await startPanel(ownMachine('2'));
    await save(agent, hall);
    const archive = await makeBackup(agent, { passphrase: PASSPHRASE });
    await save(agent, changed);
    const before = onDisk(agent);
    const damaged = archive.slice();
    damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1;
    const answers = [
      await restore(agent, archive, 'another passphrase'),
      await restore(agent, damaged, PASSPHRASE),
      await restore(agent, archive, null),
      await restore(agent, archive, 'short'),
      await restore(agent, new TextEncoder().encode('no archive at all'), PASSPHRASE),
      await restore(agent, archive, PASSPHRASE, '?dry_run=perhaps'),
    ];
    expect(answers.map(({ status, body }) => [status, body['error']])).toEqual([
      [422, 'wrong-passphrase-or-damaged'],
      [422, 'wrong-passphrase-or-damaged'],
      [400, 'passphrase-required'],
      [400, 'invalid-passphrase'],
      [422, 'bad-archive'],
      [400, 'invalid-query'],
    ]);
    expect(onDisk(agent)).toEqual(before);
    expect(readdirSync(agent.data)).not.toContain('restore');
  }, 60_000);

  it('without a passphrase has neither password nor sign-in, and leaves those of the panel', async () => {
    const panel = await startPanel(ownMachine('3'));
    await save(panel.agent, hall);
    const archive = await makeBackup(panel.agent, { allow_plaintext: true, include_companion: true });
    const file = join(ownFolder(), 'plain.zip');
    writeFileSync(file, archive);
    const container = await readContainer(file);
    if (!('entries' in container)) throw new Error(container.message);
    const text = [...container.entries.values()].map((content) => new TextDecoder().decode(content)).join('\n');
    expect(text).toContain('"friendly_name":"Hall"');
    expect(text).not.toContain(SECRET);
    expect([...container.entries.keys()]).not.toContain('companion/sign-in.json');

    await save(panel.agent, { friendly_name: 'Cellar' });
    expect((await restore(panel.agent, archive, null)).status).toBe(202);
    await panel.agent.ended;
    const { agent } = await panel.again();
    expect(settings(await read(agent, 'config'))).toMatchObject({ friendly_name: 'Hall' });
    expect(onDisk(agent)).toMatchObject({ secrets: { mqtt_password: SECRET } });
  }, 60_000);
});

describe('a restore that is killed', () => {
  it('is all old or all new at the next start', async () => {
    let panel = await startPanel(ownMachine('4'), 60);
    await save(panel.agent, hall);
    const archive = await makeBackup(panel.agent, { passphrase: PASSPHRASE });
    // The last one is killed once it is answered: it was ordered durably.
    for (const afterMs of amount([60, null], [0, 60, 120, 180, 240, 320, null])) {
      const { agent } = panel;
      await save(agent, { ...changed, dashboard_zoom: 80 });
      const answer = restore(agent, archive, PASSPHRASE).catch(() => null);
      await (afterMs === null ? answer : passed(afterMs));
      await agent.kill('SIGKILL');
      await answer;
      // The next start is killed too: it may be carrying the restore out.
      const dying = await spawnAgent({ ...panel.how, data: agent.data, port: agent.port });
      await passed(afterMs ?? 200);
      await dying.kill('SIGKILL');
      panel = await panel.again();
      const now = settings(await read(panel.agent, 'config')) as Readonly<Record<string, unknown>>;
      const { secrets } = onDisk(panel.agent) as { readonly secrets: { readonly mqtt_password: string } };
      const all = [now['friendly_name'], now['screen_minimum_percent'], now['dashboard_zoom'], secrets.mqtt_password];
      const old = ['Cellar', 3, 80, OTHER_SECRET];
      const fresh = ['Hall', 7, 120, SECRET];
      expect([old, fresh]).toContainEqual(all);
      if (afterMs === null) expect(all).toEqual(fresh);
      expect(existsSync(join(panel.agent.data, 'restore'))).toBe(false);
      expect(await read(panel.agent, 'install/status')).toMatchObject({ running: false });
    }
  }, 120_000);
});

describe('the command line', () => {
  it('backs up to a file of its owner, and restores from it', async () => {
    const panel = await startPanel(ownMachine('5'));
    const { data } = panel.agent;
    await save(panel.agent, hall);
    const folder = ownFolder();
    const [file, words] = [join(folder, 'hall.hpb'), join(folder, 'passphrase')];
    writeFileSync(words, `${PASSPHRASE}\n`, { mode: 0o600 });
    const made = await sconce('backup', file, '--passphrase-file', words, '--data', data);
    expect(made).toMatchObject({ code: 0, text: expect.stringMatching(/Saved .*hall\.hpb \(\d+ kB, encrypted\)/) });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).toSorted()).toEqual(['hall.hpb', 'passphrase']);
    await save(panel.agent, changed);

    const shown = await sconce('restore', file, '--passphrase-file', words, '--data', data, '--dry-run');
    expect(shown.code).toBe(0);
    expect(shown.text).toContain('friendly_name: Cellar -> Hall');
    expect(shown.text).not.toMatch(/Marker-/);
    expect(await sconce('restore', file, '--data', data)).toMatchObject({
      code: 1,
      text: expect.stringContaining('passphrase'),
    });

    const running = sconce('restore', file, '--passphrase-file', words, '--data', data);
    expect((await panel.agent.ended).code).toBe(75);
    const { agent } = await panel.again();
    expect(await running).toMatchObject({ code: 0, text: expect.stringContaining('The backup was restored.') });
    expect(settings(await read(agent, 'config'))).toMatchObject({ friendly_name: 'Hall' });

    // A backup that fails leaves the file as it was.
    const before = readFileSync(file);
    await agent.kill();
    expect(await sconce('backup', file, '--plaintext', '--data', data)).toMatchObject({ code: 1 });
    expect(readFileSync(file)).toEqual(before);
    expect(readdirSync(folder).toSorted()).toEqual(['hall.hpb', 'passphrase']);
  }, 90_000);

  inAll(
    'lets another machine take the place of the panel, for the owner of its data folder alone',
    async () => {
      const first = await startPanel(ownMachine('6'));
      await save(first.agent, hall);
      const archive = await makeBackup(first.agent, { passphrase: PASSPHRASE });
      const panel = await startPanel(ownMachine('7'));
      await save(panel.agent, { panel_id: 'attic', friendly_name: 'Attic' });
      const { data } = panel.agent;

      // From elsewhere, names stay.
      const preview = await restore(panel.agent, archive, PASSPHRASE, '?dry_run=1');
      expect(preview.body).toMatchObject({ origin: 'another-machine' });
      const changes = preview.body['changes'] as readonly { readonly key: string }[];
      expect(changes.map(({ key }) => key)).not.toContain('panel_id');
      expect(changes.map(({ key }) => key)).toContain('mqtt_broker');

      // A token that the owner did not leave there is none.
      const forged = await fetch(`${panel.agent.url}/api/v1/restore?replaces=1`, {
        method: 'POST',
        headers: { 'x-backup-passphrase': PASSPHRASE, 'x-backup-owner': '0'.repeat(64) },
        body: archive,
      });
      expect([forged.status, await forged.json()]).toMatchObject([403, { error: 'owner-not-proven' }]);
      // Without one a person is asked, in Relaxed mode and on the panel itself too.
      expect(await restore(panel.agent, archive, PASSPHRASE, '?replaces=1')).toMatchObject({
        status: 202,
        body: { error: 'approval-required' },
      });
      expect(onDisk(panel.agent)).not.toHaveProperty('restore');

      const folder = ownFolder();
      const [file, words] = [join(folder, 'hall.hpb'), join(folder, 'passphrase')];
      writeFileSync(file, archive);
      writeFileSync(words, PASSPHRASE);
      chmodSync(words, 0o600);
      const running = sconce('restore', file, '--replaces', '--passphrase-file', words, '--data', data);
      expect((await panel.agent.ended).code).toBe(75);
      const { agent } = await panel.again();
      expect(await running).toMatchObject({ code: 0 });
      expect(settings(await read(agent, 'config'))).toMatchObject({ panel_id: 'hall', friendly_name: 'Hall' });
      expect(onDisk(agent)).toMatchObject({ secrets: { mqtt_password: SECRET } });
      expect(readdirSync(join(data, 'tmp')).filter((name) => name.startsWith('owner-'))).toEqual([]);
    },
    90_000,
  );
});
