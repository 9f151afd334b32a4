import { z } from 'zod';
import { mostBundleBytes, SentBundle } from '#machines/config-copies/bundle.ts';
import { once } from '#machines/kit/once.ts';
import { refuse } from '#machines/kit/result.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import { json } from '#routes/kit/answer.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import type { Family } from '#routes/kit/family.ts';
import { whyBusy } from '#routes/kit/operation-busy.ts';
import { type Refusal, restarting } from '#routes/kit/problem.ts';
import { hidesStored } from '#routes/kit/hides-stored.ts';
import { requestedFrom } from '#routes/kit/requested-from.ts';
import type { Sent } from '#routes/kit/route-spec.ts';
import { unlessStopping } from '#routes/kit/stopping.ts';
import { importQuestion } from './question.ts';
import { changeProblems, refusedImport, type RefusedImport, refusedRestore, unknownSave } from './refusals.ts';
import { exampleBundle, Imported, ImportPreview, RevisionRestored } from './shapes.ts';

/** Longest wait for a job: for saves that came before it, and twice for the disk. */
const jobMs: Milliseconds = 30_000;

const Query = once(() =>
  z.strictObject({
    dry_run: z.enum(['1']).optional().meta({ description: '`1` changes nothing and tells what would be changed.' }),
    mode: z.enum(['restore', 'fleet']).default('restore').meta({
      description:
        '`restore` takes what is for this panel; `fleet` only what any panel may have, and never credentials.',
    }),
    strict: z.enum(['1']).optional().meta({ description: '`1` refuses all of it if one key is unknown or not valid.' }),
    expected_cfg: z.string().max(64).optional().meta({
      description: '`expected_cfg` of the preview: nothing is changed if the configuration has changed since.',
    }),
  }),
);

const Params = once(() => z.object({ id: z.int().min(1).meta({ description: 'The `id` of a revision.' }) }));

interface SentImport extends Pick<Sent, 'c'> {
  readonly query: z.output<ReturnType<typeof Query>>;
  readonly body: z.output<ReturnType<typeof SentBundle>>;
}
interface SentRestore {
  readonly params: z.output<ReturnType<typeof Params>>;
}

const importProblems = [
  'bad-bundle',
  'wrong-kind-or-schema',
  'bad-expected-cfg',
  'stale-preview',
  ...changeProblems,
] as const;
const restoreProblems = ['bad-id', 'not-found', ...changeProblems] as const;

const badDigest = refuse(
  'bad-expected-cfg',
  'expected_cfg must be the eight hexadecimal digits of a preview, in lower case.',
);
const badId = {
  code: 'bad-id',
  message: 'The id of a revision is a whole number from /api/v1/config/revisions.',
} as const;

type ImportRefusal = Refusal<(typeof importProblems)[number]>;

/** Imports what was sent; with `dryRun` it only tells what that would do. */
async function importSent(deps: RouteDeps, { c, query, body }: SentImport, dryRun: boolean) {
  const { mode, strict, expected_cfg: expectedCfg = null } = query;
  if (expectedCfg !== null && !/^[0-9a-f]{8}$/.test(expectedCfg)) return badDigest;
  const asked = await deps.registry.ask(
    'config-copies',
    {
      type: 'config.import',
      bundle: body,
      options: { mode, strict: strict !== undefined, dryRun, hidesStored: hidesStored(c, deps), expectedCfg },
      from: requestedFrom(c, deps),
      at: deps.now(),
    },
    jobMs,
  );
  if (!asked.ok) return asked.reason === 'absent' || dryRun ? restarting('config-copies') : unknownSave;
  return { ok: true as const, outcome: asked.value };
}

type ImportAnswer = Extract<Awaited<ReturnType<typeof importSent>>, { readonly ok: true }>['outcome'];

const isRefused = (outcome: ImportAnswer): outcome is RefusedImport =>
  !['applied', 'partial', 'no-op', 'preview'].includes(outcome.status);

function importedWords(applied: number, errors: number): string {
  if (applied === 0) return 'Nothing had to be changed; nothing was written.';
  const done = applied === 1 ? 'One value was changed.' : `${applied} values were changed.`;
  if (errors === 0) return done;
  return `${done} ${errors === 1 ? 'One key' : `${errors} keys`} could not be taken.`;
}

/** Importing a configuration, and returning to an earlier one. */
export const configCopyChanges: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'importConfig',
      method: 'post',
      path: '/api/v1/config/import',
      tag: 'configuration',
      summary: 'Import an exported configuration',
      description:
        'One save, all or nothing; keys that cannot be taken are listed with their reasons, and settings that contradict each other refuse all of it. From another machine the name, the panel id and what is for its hardware are left out, as are credentials. What a person must turn on at the panel is never taken.',
      guard: 'write',
      protects: ({ query, body }: SentImport) =>
        query.dry_run === undefined
          ? {
              operation: 'CONFIG_IMPORT',
              what: importQuestion(
                body,
                query.mode,
                deps.registry.read('settings')?.context ?? { values: {}, expose: {} },
              ),
            }
          : null,
      operations: ['CONFIG_IMPORT'],
      check: async (sent: SentImport): Promise<ImportRefusal | null> => {
        const busy = whyBusy(deps, 'import');
        if (busy !== null) return busy;
        const asked = await importSent(deps, sent, true);
        if (!asked.ok) return asked;
        return isRefused(asked.outcome) ? refusedImport(asked.outcome) : null;
      },
      maxBodyBytes: mostBundleBytes,
      admit: unlessStopping(deps),
      query: Query,
      body: () => ({
        description: 'A file from `/api/v1/config/export`.',
        schema: SentBundle(),
        form: null,
        refusal: {
          code: 'bad-bundle',
          fields: { kind: 'wrong-kind-or-schema', schema: 'wrong-kind-or-schema' },
        },
        example: exampleBundle,
      }),
      answers: () => ({
        200: json('Imported durably, or what would be.', z.union([Imported(), ImportPreview()]), {
          example: {
            ok: true,
            status: 'applied',
            applied: ['log_level'],
            skipped: [],
            warnings: [],
            errors: [],
            message: 'One value was changed.',
          },
        }),
      }),
      problems: importProblems,
    },
    async ({ c, query, body, answer }) => {
      const asked = await importSent(deps, { c, query, body }, query.dry_run !== undefined);
      if (!asked.ok) return asked;
      const { outcome } = asked;
      if (isRefused(outcome)) return refusedImport(outcome);
      const { applied, skipped, warnings, errors } = outcome;
      const lists = { applied, skipped, warnings, errors };
      if (outcome.status === 'preview')
        return answer(200, {
          ok: true,
          status: 'preview',
          expected_cfg: outcome.expectedCfg,
          changes: outcome.changes,
          ...lists,
        });
      return answer(200, {
        ok: true,
        status: outcome.status,
        ...lists,
        message: importedWords(applied.length, errors.length),
      });
    },
  );
  declare(
    {
      operationId: 'restoreConfigRevision',
      method: 'post',
      path: '/api/v1/config/revisions/{id}/restore',
      tag: 'configuration',
      summary: 'Return to an earlier configuration',
      description:
        'One save: a setting that has its default there returns to it. Credentials stay, unless their address changes: then they are cleared. It turns on nothing that a person must turn on at the panel. The configuration before it stays among the revisions.',
      guard: 'write',
      protects: ({ params }: SentRestore) => ({
        operation: 'CONFIG_IMPORT',
        what: `the settings of revision ${params.id}`,
      }),
      operations: ['CONFIG_IMPORT'],
      check: ({ params }: SentRestore) => {
        const copies = deps.registry.read('config-copies')?.context;
        if (copies === undefined) return restarting('config-copies');
        if (!copies.revisions.some(({ id }) => id === params.id)) return refusedRestore({ status: 'not-found' });
        return whyBusy(deps, 'revision-restore');
      },
      maxBodyBytes: 1024,
      admit: unlessStopping(deps),
      params: Params,
      unknown: badId,
      answers: () => ({
        200: json('Restored durably, or nothing to change.', RevisionRestored(), {
          example: {
            ok: true,
            status: 'restored',
            applied: ['dashboard_zoom'],
            cleared: [],
            skipped: [],
            message: 'One value was changed.',
          },
        }),
      }),
      problems: restoreProblems,
    },
    async ({ c, params, answer }) => {
      const asked = await deps.registry.ask(
        'config-copies',
        { type: 'config.restore-revision', id: params.id, from: requestedFrom(c, deps), at: deps.now() },
        jobMs,
      );
      if (!asked.ok) return asked.reason === 'absent' ? restarting('config-copies') : unknownSave;
      const outcome = asked.value;
      if (outcome.status === 'no-op')
        return answer(200, {
          ok: true,
          status: 'no-op',
          applied: [],
          cleared: [],
          skipped: [],
          message: importedWords(0, 0),
        });
      if (outcome.status !== 'restored') return refusedRestore(outcome);
      const { applied, cleared, skipped } = outcome;
      return answer(200, {
        ok: true,
        status: 'restored',
        applied,
        cleared,
        skipped,
        message: importedWords(applied.length, 0),
      });
    },
  );
};
