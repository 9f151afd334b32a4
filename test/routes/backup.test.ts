import type { SecurityMode } from '#machines/approvals/events.ts';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

import { createAdmission } from '#actors/approvals/admission.ts';
import { initialFacts } from '#machines/approvals/initial.ts';
import type { BackupEvent, MadeBackup, RestoreOutcome, RestorePreview } from '#machines/backup/events.ts';
import { createApp } from '#routes/app.ts';
import type { Env } from '#routes/kit/route-spec.ts';
import { fakeDeps } from '#test/fakes/route-deps.ts';

const folder = mkdtempSync(join(tmpdir(), 'sconce-backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'made');

const preview: RestorePreview = {
  origin: 'this-machine',
  madeAt: 1,
  madeBy: 'hall',
  version: '1.0.0',
  stateUnavailable: true,
  changes: [{ key: 'mqtt_password', from: null, to: null }],
  skippedKeys: [{ key: 'panel_id', reason: 'identity-of-another-panel', message: 'It is of another panel.' }],
  parts: [{ part: 'companion', does: 'skipped', items: 2, why: 'Another panel is signed in by it.' }],
  profile: 'my-panel',
};
const upload = { path: '/nowhere', bytes: 9, sha256: 'c'.repeat(64) };
const running = {
  token: 'x',
  kind: 'import',
  changes: true,
  since: Date.UTC(2026, 10, 26, 12, 3),
  message: 'x',
  isOrdered: false,
} as const;

/** A panel whose part gives this answer; every question waits for a person. */
function panel(outcome: MadeBackup | RestoreOutcome | 'absent' | 'timeout', mode: SecurityMode = 'relaxed') {
  const asked: BackupEvent[] = [];
  const operations: string[] = [];
  const deps = fakeDeps({ elapsed: () => 5, verifyAnswers: true }, { approvals: { ...initialFacts, mode } });
  deps.registry.answer = (id, event) => {
    if (event.type === 'approval.request') {
      // What the admission asks.
      operations.push((event as unknown as { readonly request: { readonly operation: string } }).request.operation);
      return { ok: true, value: { status: 'pending', id: 'a'.repeat(32), place: { kind: 'screen' } } };
    }
    if (id !== 'backup') return { ok: false, reason: 'absent' };
    asked.push(event as unknown as BackupEvent);
    return typeof outcome === 'string' ? { ok: false, reason: outcome } : { ok: true, value: outcome };
  };
  const admission = createAdmission({ registry: deps.registry, elapsed: deps.elapsed });
  const app = createApp({ ...deps, admission });
  const send = async (path: string, env: Env['Bindings'], init: RequestInit) => {
    const response = await app.fetch(
      new Request(`http://panel.invalid/api/v1/${path}`, { method: 'POST', ...init }),
      env,
    );
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return { asked, operations, send };
}

const peers = { itself: '127.0.0.1', neighbour: '192.0.2.9' } as const;
/** The environment of a request with these raw headers. */
const from = (peer: keyof typeof peers, ...headers: readonly string[]): Env['Bindings'] => ({
  peer: peers[peer],
  upload,
  incoming: { rawHeaders: ['Host', `${peers[peer]}:8888`, ...headers] },
});
const json = (body: unknown): RequestInit => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

describe('POST /backup', () => {
  const made = (stateUnavailable: boolean): MadeBackup => {
    writeFileSync(file, 'HPB1 and more');
    return { status: 'made', path: file, name: 'hall.hpb', bytes: 13, encrypted: true, stateUnavailable };
  };
  it.each([
    [false, 'complete'],
    [true, 'unavailable'],
  ])('sends the file and says what is missing, and the file is gone: %s', async (isMissing, state) => {
    const { send, asked } = panel(made(isMissing));
    const answer = await send('backup', from('neighbour'), json({ passphrase: 'Gro\u0308\u00dfe 1234' }));
    expect([answer.status, answer.text, answer.headers.get('x-backup-state')]).toEqual([200, 'HPB1 and more', state]);
    expect(answer.headers.get('content-disposition')).toContain('hall.hpb');
    // In the form that its key is made from.
    expect(asked).toMatchObject([{ type: 'backup.make', passphrase: 'Gr\u00f6\u00dfe 1234', companion: null }]);
    expect(existsSync(file)).toBe(false);
  });

  it('takes a form', async () => {
    const { send, asked } = panel(made(false));
    await send('backup', from('neighbour'), {
      body: new URLSearchParams({ allow_plaintext: '1', include_companion: '0' }),
    });
    expect(asked).toMatchObject([{ passphrase: null, companion: false }]);
  });

  it.each([
    [{}, 'passphrase-required'],
    [{ passphrase: '' }, 'passphrase-required'],
    [{ passphrase: 'too short' }, 'invalid-passphrase'],
    [{ passphrase: ' correct horse' }, 'invalid-passphrase'],
    [{ passphrase: 'x'.repeat(129) }, 'invalid-passphrase'],
    [{ passphrase: 'too short', allow_plaintext: true }, 'invalid-passphrase'],
    [{ allow_plaintext: true, include_companion: 'maybe' }, 'invalid-include-companion'],
    [{ allow_plaintext: true, include: 1 }, 'invalid-body'],
  ])('refuses %j', async (body, error) => {
    const { send, asked } = panel(made(false));
    const answer = await send('backup', from('neighbour'), json(body));
    expect([answer.status, JSON.parse(answer.text), asked]).toMatchObject([400, { error }, []]);
  });

  it.each<[MadeBackup | 'absent' | 'timeout', number, string]>([
    [{ status: 'busy', running }, 409, 'operation-busy'],
    [{ status: 'busy', running: null }, 409, 'operation-busy'],
    [{ status: 'too-large', part: 'profiles' }, 413, 'archive-too-large'],
    [{ status: 'failed', reason: 'ENOSPC' }, 507, 'no-space'],
    [{ status: 'failed', reason: 'EIO' }, 500, 'backup-failed'],
    ['absent', 503, 'restarting'],
  ])('says why there is none: %j', async (outcome, status, error) => {
    const answer = await panel(outcome).send('backup', from('neighbour'), json({ allow_plaintext: true }));
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([status, { ok: false, error }]);
  });
});

describe('POST /restore', () => {
  const body = { body: 'HPB1' };
  const ordered: RestoreOutcome = { status: 'ordered', preview };

  it('shows what it would do, without a question', async () => {
    const { send, asked, operations } = panel({ status: 'preview', preview });
    const answer = await send('restore?dry_run=1&replaces=1', from('neighbour'), body);
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
      200,
      {
        ok: true,
        status: 'preview',
        made_by: 'hall',
        state_unavailable: true,
        profile: 'my-panel',
        skipped_keys: [{ key: 'panel_id', reason: 'identity-of-another-panel' }],
        parts: [{ part: 'companion', does: 'skipped', items: 2 }],
      },
    ]);
    expect(asked).toMatchObject([{ dryRun: true, replaces: true, proof: null, path: '/nowhere', by: 'network' }]);
    expect(operations).toEqual([]);
  });

  it.each<[SecurityMode, keyof typeof peers, boolean]>([
    ['hardened', 'neighbour', true],
    ['hardened', 'itself', false],
    ['relaxed', 'neighbour', false],
  ])('is shown without which credentials are stored, in %s mode to %s: %s', async (mode, peer, hidesStored) => {
    const { send, asked } = panel({ status: 'preview', preview }, mode);
    await send('restore?dry_run=1', from(peer), body);
    expect(asked).toMatchObject([{ dryRun: true, hidesStored }]);
  });

  it('begins', async () => {
    const { send, asked } = panel(ordered);
    const answer = await send('restore', from('itself'), body);
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([202, { ok: true, status: 'started' }]);
    expect(asked).toMatchObject([{ dryRun: false, replaces: false, passphrase: null, by: 'panel' }]);
  });

  it('reads the passphrase from the bytes of its header, as UTF-8', async () => {
    const { send, asked } = panel(ordered);
    const bytes = Buffer.from('Gro\u0308\u00dfe 1234 \u{1f510}', 'utf8').toString('latin1');
    await send('restore', from('itself', 'x-backup-PASSPHRASE', bytes), body);
    expect(asked).toMatchObject([{ passphrase: 'Gr\u00f6\u00dfe 1234 \u{1f510}' }]);
  });

  it.each([
    ['no UTF-8', ['X-Backup-Passphrase', 'Gr\u00f6\u00dfe 1234 12']],
    ['too short', ['X-Backup-Passphrase', 'short']],
    ['twice', ['X-Backup-Passphrase', 'correct horse', 'X-Backup-Passphrase', 'correct horse']],
  ])('refuses a passphrase that is %s', async (_, headers) => {
    const { send, asked } = panel(ordered);
    const answer = await send('restore', from('itself', ...headers), body);
    expect([answer.status, JSON.parse(answer.text), asked]).toMatchObject([400, { error: 'invalid-passphrase' }, []]);
  });

  it.each<[RestoreOutcome | 'absent' | 'timeout', number, string]>([
    [{ status: 'refused', code: 'wrong-passphrase-or-damaged', message: 'It is.' }, 422, 'wrong-passphrase-or-damaged'],
    [{ status: 'refused', code: 'passphrase-required', message: 'It is.' }, 400, 'passphrase-required'],
    [{ status: 'refused', code: 'another-product', message: 'It is.' }, 422, 'another-product'],
    [{ status: 'refused', code: 'newer-version', message: 'It is.' }, 422, 'newer-version'],
    [{ status: 'refused', code: 'bad-archive', message: 'It is.' }, 422, 'bad-archive'],
    [{ status: 'refused', code: 'too-large', message: 'It is.' }, 413, 'archive-too-large'],
    [{ status: 'rejected', reasons: { x: 'It is.' } }, 422, 'rejected'],
    [{ status: 'busy', running }, 409, 'operation-busy'],
    [{ status: 'not-proven' }, 403, 'owner-not-proven'],
    [{ status: 'failed', reason: 'ENOSPC' }, 507, 'no-space'],
    [{ status: 'failed', reason: 'EIO' }, 500, 'commit-failed'],
    ['timeout', 503, 'save-unknown'],
    ['absent', 503, 'restarting'],
  ])('says why nothing is restored: %j', async (outcome, status, error) => {
    const answer = await panel(outcome).send('restore', from('itself'), body);
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([status, { ok: false, error }]);
  });

  describe('in the place of another panel', () => {
    const token = 'd'.repeat(64);
    it.each<[string, keyof typeof peers, readonly string[]]>([
      ['of the network', 'neighbour', []],
      ['of the network with a token', 'neighbour', ['X-Backup-Owner', token]],
      ['of a program on the panel', 'itself', []],
    ])('asks a person in Relaxed mode, for a request %s', async (_, peer, headers) => {
      const { send, asked, operations } = panel({ status: 'preview', preview });
      const answer = await send('restore?replaces=1', from(peer, ...headers), body);
      expect([answer.status, JSON.parse(answer.text)]).toMatchObject([202, { error: 'approval-required' }]);
      expect(operations).toEqual(['IDENTITY_REPLACE']);
      expect(asked).toMatchObject([{ dryRun: true, proof: null }]);
    });

    it('asks no one where the owner of the data folder proves who they are, on the panel itself', async () => {
      const { send, asked, operations } = panel(ordered);
      const answer = await send('restore?replaces=1', from('itself', 'X-Backup-Owner', token), body);
      expect([answer.status, operations]).toEqual([202, []]);
      expect(asked).toMatchObject([{ dryRun: false, replaces: true, proof: token }]);
    });

    it('refuses what would be refused anyway, before a person is asked', async () => {
      const { send, operations } = panel({ status: 'refused', code: 'bad-archive', message: 'It is.' });
      const answer = await send('restore?replaces=1', from('neighbour'), body);
      expect([answer.status, operations]).toEqual([422, []]);
    });
  });
});
