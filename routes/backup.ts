import type { Context } from 'hono';
import { z } from 'zod';
import { RestoreDocument, restoreDocument } from '#machines/backup/document.ts';
import type { BackupEvent, MadeBackup, RestoreOutcome } from '#machines/backup/events.ts';
import { judgePassphrase } from '#machines/backup/passphrase.ts';
import { diskWords, notRestoredWords, tooLargeWords } from '#machines/backup/words.ts';
import type { UploadedFile } from '#machines/http/events.ts';
import { once } from '#machines/kit/once.ts';
import { refuse, type Result } from '#machines/kit/result.ts';
import type { RunningJob } from '#machines/maintenance/events.ts';
import { busyWords } from '#machines/maintenance/words.ts';
import { json } from '#routes/kit/answer.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import { download, file } from '#routes/kit/download.ts';
import type { Family } from '#routes/kit/family.ts';
import { whyBusy } from '#routes/kit/operation-busy.ts';
import { type Refusal, restarting } from '#routes/kit/problem.ts';
import { rawHeaders, utf8Of } from '#routes/kit/raw-header.ts';
import { requestedFrom } from '#routes/kit/requested-from.ts';
import type { Env } from '#routes/kit/route-spec.ts';
import { unlessStopping } from '#routes/kit/stopping.ts';
import { hidesStored } from '#routes/kit/hides-stored.ts';
import { isTrustedLoopback } from '#routes/kit/trusted-loopback.ts';

/** Longest wait for a backup, and for the checks of a restore, in milliseconds: a small panel derives keys slowly. */
const makeMs = 120_000;
const restoreMs = 180_000;

/** Largest body of a request for a backup, in bytes (as panel-assistant: a small form). */
const smallBytes = 16_384;
/** Largest archive that is received, in bytes (contract, "Limits"). */
const mostArchiveBytes = 64 * 1024 * 1024;

const PASSPHRASE = 'X-Backup-Passphrase';
const OWNER = 'X-Backup-Owner';
const STATE = 'X-Backup-State';
/** Media type of an archive, encrypted or not. */
const ARCHIVE = 'application/octet-stream';

const archive = file('The backup.', ARCHIVE);
const stateHeader = {
  [STATE]: '`complete`, or `unavailable`: state of this panel could not be read and is missing.',
};

const companionWords = 'include_companion must be true or false, or left out.';

const MakeBody = once(() =>
  z
    .strictObject({
      include_companion: z.boolean({ error: companionWords }).optional().meta({
        description: 'The sign-in to Home Assistant too; if left out, where the panel is signed in.',
      }),
      passphrase: z.string().optional().meta({ description: 'Encrypts it: 10 to 128 characters.' }),
      allow_plaintext: z.boolean().default(false).meta({
        description: 'Without a passphrase: a file that anyone can read, without passwords and sign-in.',
      }),
    })
    .superRefine(({ passphrase = '', allow_plaintext: isPlain }, ctx) => {
      if (passphrase === '') {
        if (!isPlain)
          ctx.addIssue({
            code: 'custom',
            path: ['passphrase'],
            message: 'Send a passphrase, or allow_plaintext: true for a backup without passwords and sign-in.',
            params: { problem: 'passphrase-required' },
          });
        return;
      }
      const judged = judgePassphrase(passphrase);
      if (!judged.ok)
        ctx.addIssue({
          code: 'custom',
          path: ['passphrase'],
          message: judged.message,
          params: { problem: 'invalid-passphrase' },
        });
    })
    .transform(({ passphrase = '', include_companion: companion }) => {
      const judged = judgePassphrase(passphrase);
      return { passphrase: judged.ok ? judged.value : null, companion: companion ?? null };
    })
    .meta({ id: 'MakeBackup', description: 'How a backup is made.' }),
);

const Started = once(() =>
  RestoreDocument()
    .extend({
      ok: z.literal(true).meta({ description: 'It is durably ordered.' }),
      status: z.literal('started').meta({ description: 'The agent restarts and carries it out.' }),
    })
    .meta({ id: 'RestoreStarted', description: 'A restore that begins; `/api/v1/install/status` tells how it ends.' }),
);

const Previewed = once(() =>
  RestoreDocument()
    .extend({
      ok: z.literal(true).meta({ description: 'It can be restored.' }),
      status: z.literal('preview').meta({ description: 'Nothing was changed.' }),
    })
    .meta({ id: 'RestorePreview', description: 'What a restore would do.' }),
);

const busy = (running: RunningJob | null): Refusal<'operation-busy'> => refuse('operation-busy', busyWords(running));

type MakeCode = 'operation-busy' | 'archive-too-large' | 'no-space' | 'backup-failed';

/** Why there is no backup. */
function notMade(made: Exclude<MadeBackup, { readonly status: 'made' }>): Refusal<MakeCode> {
  switch (made.status) {
    case 'busy':
      return busy(made.running);
    case 'too-large':
      return refuse('archive-too-large', tooLargeWords(made.part));
    case 'failed':
      return refuse(made.reason === 'ENOSPC' ? 'no-space' : 'backup-failed', diskWords(made.reason));
  }
}

const refusedAs = {
  'wrong-passphrase-or-damaged': 'wrong-passphrase-or-damaged',
  'passphrase-required': 'passphrase-required',
  'another-product': 'another-product',
  'newer-version': 'newer-version',
  'bad-archive': 'bad-archive',
  'too-large': 'archive-too-large',
} as const;

type RestoreCode =
  | (typeof refusedAs)[keyof typeof refusedAs]
  | 'rejected'
  | 'operation-busy'
  | 'owner-not-proven'
  | 'no-space'
  | 'commit-failed';

type Unrestored = Exclude<RestoreOutcome, { readonly status: 'preview' | 'ordered' }>;

/** Why nothing is restored. */
function notRestored(outcome: Unrestored): Refusal<RestoreCode> {
  switch (outcome.status) {
    case 'refused':
      return refuse(refusedAs[outcome.code], outcome.message);
    case 'rejected':
      return {
        ...refuse('rejected', 'Nothing was restored: the settings of this backup cannot all be in force together.'),
        reasons: outcome.reasons,
      };
    case 'busy':
      return busy(outcome.running);
    case 'not-proven':
      return refuse(
        'owner-not-proven',
        `Nothing was restored: the token in ${OWNER} is not one that the owner of the data folder left there within the last minute.`,
      );
    case 'failed':
      return refuse(outcome.reason === 'ENOSPC' ? 'no-space' : 'commit-failed', notRestoredWords(outcome.reason));
  }
}

/** The passphrase in the header, as the UTF-8 bytes that were sent; null without one. */
function passphraseOf(c: Context<Env>): Result<string | null, 'invalid-passphrase'> {
  const [sent = '', more] = rawHeaders(c, PASSPHRASE);
  if (more !== undefined) return refuse('invalid-passphrase', `The header ${PASSPHRASE} is sent twice. Send it once.`);
  if (sent === '') return { ok: true, value: null };
  const text = utf8Of(sent);
  return text === null
    ? refuse('invalid-passphrase', `The header ${PASSPHRASE} must have the passphrase in UTF-8.`)
    : judgePassphrase(text);
}

const Query = once(() =>
  z.strictObject({
    dry_run: z.boolean().default(false).meta({ description: '1: only say what it would do.' }),
    replaces: z.boolean().default(false).meta({
      description: '1: this panel takes the place of the one that the backup is from; a person is asked at the panel.',
    }),
  }),
);

interface SentRestore {
  readonly c: Context<Env>;
  readonly query: z.output<ReturnType<typeof Query>>;
  readonly body: UploadedFile;
}

/** The token of the data folder's owner; null without one, and from anywhere but a program on this machine. */
const proofOf = (c: Context<Env>): string | null => (isTrustedLoopback(c) ? (rawHeaders(c, OWNER)[0] ?? null) : null);

const sizeWords = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

/** The file, as it may be compared with the one on the computer that sends it. */
const whatOf = ({ sha256, bytes }: UploadedFile): string =>
  `backup of ${sizeWords(bytes)}, SHA-256 ${sha256.slice(0, 16)}`;

type RestoreEvent = Extract<BackupEvent, { readonly type: 'backup.restore' }>;

/** Asks the part, or says why it was not asked. */
async function ask(
  { registry, now, networkTaps, admission }: RouteDeps,
  { c, query, body }: SentRestore,
  more: Pick<RestoreEvent, 'dryRun' | 'proof'>,
): Promise<RestoreOutcome | Refusal<'invalid-passphrase' | 'restarting' | 'save-unknown'>> {
  const passphrase = passphraseOf(c);
  if (!passphrase.ok) return passphrase;
  const asked = await registry.ask(
    'backup',
    {
      type: 'backup.restore',
      path: body.path,
      passphrase: passphrase.value,
      replaces: query.replaces,
      hidesStored: hidesStored(c, { admission }),
      by: requestedFrom(c, { networkTaps }),
      at: now(),
      ...more,
    },
    restoreMs,
  );
  if (asked.ok) return asked.value;
  return asked.reason === 'timeout'
    ? refuse('save-unknown', 'The restore is taking long: it may still happen. /api/v1/install/status shows its state.')
    : restarting('backup');
}

const isAnswered = (outcome: RestoreOutcome | Refusal): outcome is RestoreOutcome => 'status' in outcome;

const restoreProblems = [
  'passphrase-required',
  'invalid-passphrase',
  'owner-not-proven',
  'operation-busy',
  'archive-too-large',
  'wrong-passphrase-or-damaged',
  'another-product',
  'newer-version',
  'bad-archive',
  'rejected',
  'no-space',
  'commit-failed',
  'save-unknown',
  'restarting',
  'stopping',
] as const;

/** What the preview of a restore on the same machine looks like. */
const previewed = {
  ok: true,
  origin: 'this-machine',
  made_at: 1_700_000_000_000,
  made_by: 'hall_panel',
  version: '1.0.0',
  state_unavailable: false,
  changes: [{ key: 'dashboard_zoom', from: '120', to: '110' }],
  skipped_keys: [],
  parts: [{ part: 'config', does: 'restored', items: 1, why: '' }],
  profile: null,
} as const;

/** Backups: making one, and restoring it. */
export const backupRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'makeBackup',
      method: 'post',
      path: '/api/v1/backup',
      tag: 'configuration',
      summary: 'Make a backup',
      description:
        'Settings, dashboards’ entities, state of this panel, saved profiles, and the sign-in. With a passphrase it is encrypted (`.hpb`); without one it is a `.zip` without passwords and sign-in.',
      guard: 'write',
      protects: 'BACKUP_EXPORT',
      check: () => whyBusy(deps, 'backup'),
      maxBodyBytes: smallBytes,
      admit: unlessStopping(deps),
      body: () => ({
        description: 'How it is made.',
        schema: MakeBody(),
        refusal: {
          code: 'invalid-body',
          fields: { include_companion: 'invalid-include-companion' },
          rules: ['passphrase-required', 'invalid-passphrase'],
        },
        example: { passphrase: 'correct horse battery', include_companion: true },
      }),
      answers: () => ({
        200: { ...archive, headers: { ...archive.headers, ...stateHeader } },
      }),
      problems: ['operation-busy', 'archive-too-large', 'no-space', 'backup-failed', 'restarting', 'stopping'],
    },
    async ({ body, answer }) => {
      const asked = await deps.registry.ask('backup', { type: 'backup.make', ...body, at: deps.now() }, makeMs);
      if (!asked.ok) return restarting('backup');
      const made = asked.value;
      if (made.status !== 'made') return notMade(made);
      const { path, bytes, name, stateUnavailable } = made;
      const response = download({ path, bytes, name, type: ARCHIVE, removes: true });
      response.headers.set(STATE, stateUnavailable ? 'unavailable' : 'complete');
      return answer(200, response);
    },
  );
  declare(
    {
      operationId: 'restoreBackup',
      method: 'post',
      path: '/api/v1/restore',
      tag: 'configuration',
      summary: 'Restore a backup',
      description:
        'The file is received and checked whole; then the restore is ordered, answered, and carried out by a restart. On another machine than the one that it is from, names, settings of the hardware, state of the panel and the sign-in are skipped, unless `replaces` is set.',
      guard: 'write',
      protects: ({ c, query, body }: SentRestore) => {
        if (query.dry_run) return null;
        const isReplacing = query.replaces && proofOf(c) === null;
        return { operation: isReplacing ? 'IDENTITY_REPLACE' : 'BACKUP_RESTORE', what: whatOf(body) };
      },
      operations: ['BACKUP_RESTORE', 'IDENTITY_REPLACE'],
      check: async (sent: SentRestore) => {
        const running = whyBusy(deps, 'restore');
        if (running !== null) return running;
        const outcome = await ask(deps, sent, { dryRun: true, proof: null });
        if (!isAnswered(outcome)) return outcome;
        return outcome.status === 'preview' || outcome.status === 'ordered' ? null : notRestored(outcome);
      },
      maxBodyBytes: mostArchiveBytes,
      admit: unlessStopping(deps),
      query: Query,
      headers: () =>
        z.object({
          [PASSPHRASE]: z.string().optional().meta({ description: 'The UTF-8 bytes of the passphrase.' }),
          [OWNER]: z.string().optional().meta({ description: 'From `sconce restore`, on the panel itself.' }),
        }),
      body: () => ({
        reads: 'file',
        description: 'A backup: `.hpb` or `.zip`.',
        types: { [ARCHIVE]: { schema: z.string().meta({ type: 'string', format: 'binary' }) } },
      }),
      answers: () => ({
        200: json('What it would do.', Previewed(), { example: { ...previewed, status: 'preview' } }),
        202: json('It begins.', Started(), { example: { ...previewed, status: 'started' } }),
      }),
      problems: restoreProblems,
    },
    async ({ c, query, body, answer }) => {
      const isProven = query.replaces && !query.dry_run;
      const outcome = await ask(
        deps,
        { c, query, body },
        { dryRun: query.dry_run, proof: isProven ? proofOf(c) : null },
      );
      if (!isAnswered(outcome)) return outcome;
      if (outcome.status === 'preview')
        return answer(200, { ok: true, status: 'preview', ...restoreDocument(outcome.preview) });
      if (outcome.status === 'ordered')
        return answer(202, { ok: true, status: 'started', ...restoreDocument(outcome.preview) });
      return notRestored(outcome);
    },
  );
};
