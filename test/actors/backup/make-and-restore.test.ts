import { describe, expect, it } from 'vitest';

import { makeBackup } from '#actors/backup/make.ts';
import { restoreBackup } from '#actors/backup/restore.ts';
import type { BackupEvent, MadeBackup } from '#machines/backup/events.ts';
import { backupRig, type RigOptions } from './rig.ts';

const PASSPHRASE = 'correct horse battery';
const SECRET = 'Marker-Pa55word';
const sections = {
  settings: { schema: 1, revision: 2, values: { friendly_name: 'Hall', dashboard_zoom: 120 }, expose: {} },
  secrets: { mqtt_password: SECRET },
  identity: { installId: 'a'.repeat(32), fingerprint: 'b'.repeat(64), fingerprints: [], autoPanelId: 'hall' },
};

type Rig = ReturnType<typeof backupRig>;
const make = ({ deps }: Rig, passphrase: string | null): Promise<MadeBackup> =>
  makeBackup(deps, { type: 'backup.make', requestId: '1', passphrase, companion: null, at: 1000 });
type Restore = Extract<BackupEvent, { readonly type: 'backup.restore' }>;
const restore = ({ deps }: Rig, more: Partial<Restore> = {}) =>
  restoreBackup(deps, {
    type: 'backup.restore',
    requestId: '1',
    path: '/upload',
    passphrase: PASSPHRASE,
    dryRun: false,
    hidesStored: false,
    replaces: false,
    proof: null,
    by: 'network',
    at: 1000,
    ...more,
  });

/** The text of every entry on the disk of a rig. */
const textOf = ({ disk }: Rig): string =>
  [...disk.values()]
    .flatMap((held) => ('passphrase' in held ? held.of : held))
    .map(({ content }) => new TextDecoder().decode(content))
    .join('\n');

describe('a backup', () => {
  it('is encrypted with what is secret, and nothing else stays on the disk', async () => {
    const rig = backupRig({ sections });
    expect(await make(rig, PASSPHRASE)).toEqual({
      status: 'made',
      path: '/tmp/2.hpb',
      name: 'hall-backup-1970-01-01.hpb',
      bytes: 7,
      encrypted: true,
      stateUnavailable: false,
    });
    expect([...rig.disk.keys()]).toEqual(['/tmp/2.hpb']);
    expect(textOf(rig)).toContain(SECRET);
    expect(rig.ends()).toMatchObject([{ type: 'maintenance.end', result: { status: 'succeeded' } }]);
  });

  it('without a passphrase has no secret', async () => {
    const rig = backupRig({ sections });
    expect(await make(rig, null)).toMatchObject({ path: '/tmp/1.zip', encrypted: false });
    expect(textOf(rig)).toContain('Hall');
    expect(textOf(rig)).not.toContain(SECRET);
  });

  it.each<[string, RigOptions]>([
    ['a section', { sections, unreadable: ['screen'] }],
    ['the entities', { sections, filter: { state: 'damaged' } }],
    ['all of it', { silent: true }],
  ])('is made and says so where the panel cannot read %s', async (_, options) => {
    const rig = backupRig(options);
    expect(await make(rig, PASSPHRASE)).toMatchObject({ status: 'made', stateUnavailable: true });
    expect(textOf(rig)).toContain('"state_unavailable":true');
    expect(rig.ends()).toMatchObject([{ result: { status: 'partial', panel: { status: 'failed' } } }]);
  });

  it.each(['write', 'encrypt'] as const)('leaves nothing where the disk refuses to %s', async (step) => {
    const rig = backupRig({ sections, fails: { [step]: 'ENOSPC' } });
    expect(await make(rig, PASSPHRASE)).toEqual({ status: 'failed', reason: 'ENOSPC' });
    expect([...rig.disk.keys()]).toEqual([]);
    expect(rig.ends()).toMatchObject([{ result: { status: 'failed' }, message: expect.stringContaining('ENOSPC') }]);
  });

  it('is not begun beside another operation', async () => {
    const rig = backupRig({ sections, busy: true });
    expect(await make(rig, PASSPHRASE)).toEqual({ status: 'busy', running: null });
    expect(rig.disk.size).toBe(0);
  });
});

/** A rig with an archive of the panel that was made before a change. */
async function withUpload(options: RigOptions = {}): Promise<Rig> {
  const source = backupRig({ sections });
  await make(source, PASSPHRASE);
  const changed = { ...sections, settings: { ...sections.settings, values: { friendly_name: 'Cellar' } } };
  const rig = backupRig({ sections: changed, ...options });
  const archive = source.disk.get('/tmp/2.hpb');
  if (archive !== undefined) rig.disk.set('/upload', archive);
  return rig;
}

describe('a restore', () => {
  it('is staged and ordered, with nothing decrypted left', async () => {
    const rig = await withUpload();
    const outcome = await restore(rig);
    expect(outcome).toMatchObject({ status: 'ordered', preview: { origin: 'this-machine' } });
    expect(JSON.stringify(outcome)).not.toContain(SECRET);
    expect([...rig.disk.keys()]).toEqual(['/upload']);
    expect(rig.committed).toEqual([
      {
        restore: { version: 1, state: 'ordered', by: 'network', at: 1000, digest: 'd'.repeat(64), failure: null },
      },
    ]);
    expect(rig.staged()).toMatchObject({ version: 1 });
    expect(rig.ends()).toMatchObject([{ type: 'maintenance.order' }]);
  });

  it('is only shown on request, whatever else runs', async () => {
    const rig = await withUpload({ busy: true });
    const outcome = await restore(rig, { dryRun: true });
    expect(outcome).toMatchObject({ status: 'preview' });
    expect([rig.committed, rig.staged(), rig.ends()]).toEqual([[], null, []]);
    expect([...rig.disk.keys()]).toEqual(['/upload']);
  });

  it.each<[string, Partial<Restore>, object]>([
    ['the wrong passphrase', { passphrase: 'another one' }, { status: 'refused', code: 'wrong-passphrase-or-damaged' }],
    ['no passphrase', { passphrase: null }, { status: 'refused', code: 'passphrase-required' }],
    ['a token that proves nothing', { proof: 'bad' }, { status: 'not-proven' }],
  ])('is refused with %s', async (_, more, outcome) => {
    const rig = await withUpload();
    expect(await restore(rig, more)).toMatchObject(outcome);
    expect([rig.committed, rig.staged(), rig.ends()]).toEqual([[], null, []]);
    expect([...rig.disk.keys()]).toEqual(['/upload']);
  });

  it('uses a token up only to begin', async () => {
    const rig = await withUpload();
    await restore(rig, { proof: 'good', dryRun: true, replaces: true });
    expect(rig.steps).toEqual([]);
    expect(await restore(rig, { proof: 'good', replaces: true })).toMatchObject({ status: 'ordered' });
    expect(rig.steps).toEqual(['redeem good']);
  });

  it.each<[string, RigOptions]>([
    ['another operation runs', { busy: true }],
    ['a profile is on trial', { onTrial: true }],
  ])('is not begun while %s', async (_, options) => {
    const rig = await withUpload(options);
    expect(await restore(rig)).toEqual({ status: 'busy', running: null });
    expect([rig.committed, rig.staged()]).toEqual([[], null]);
  });

  it('is not judged while the panel cannot read its own state', async () => {
    const rig = await withUpload({ silent: true });
    for (const dryRun of [true, false])
      // oxlint-disable-next-line no-await-in-loop -- one after another
      expect(await restore(rig, { dryRun })).toEqual({ status: 'failed', reason: 'store-silent' });
    expect([rig.committed, rig.staged()]).toEqual([[], null]);
  });

  it('changes nothing where the disk refuses what it brings', async () => {
    const rig = await withUpload({ fails: { stage: 'ENOSPC' } });
    expect(await restore(rig)).toEqual({ status: 'failed', reason: 'ENOSPC' });
    expect(rig.committed).toEqual([]);
    expect(rig.ends()).toMatchObject([{ type: 'maintenance.end', result: { status: 'failed' } }]);
  });

  it('takes the order back where the disk refuses it, and removes what was staged', async () => {
    const rig = await withUpload({ fails: { commit: 'EIO' } });
    expect(await restore(rig)).toEqual({ status: 'failed', reason: 'EIO' });
    expect(rig.committed).toMatchObject([{ restore: { state: 'ordered' } }, { restore: null }]);
    expect(rig.staged()).toBeNull();
  });
});
