import { z } from 'zod';
import { type ProfileRef, refOf } from '#machines/profile-catalog/activation.ts';
import { mostProfileBytes } from '#machines/profile-catalog/admit.ts';
import type { ActivationRequest, ChangeRefused, SelectOutcome } from '#machines/profile-catalog/requests.ts';
import { once } from '#machines/kit/once.ts';
import { refuse } from '#machines/kit/result.ts';
import { json } from '#routes/kit/answer.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import type { Family } from '#routes/kit/family.ts';
import type { ProblemCode, Refusal } from '#routes/kit/problem.ts';
import { whyBusy } from '#routes/kit/operation-busy.ts';
import { requestProfiles, readProfileBytes, refusedChange, yamlTypes } from './requests.ts';
import {
  changeRefusal,
  DeleteBody,
  DeleteForm,
  exampleOf,
  namedRefusal,
  RollbackBody,
  SelectBody,
  SelectForm,
} from './bodies.ts';
import { named } from './named.ts';
import { Deleted, Imported, Preview, Scheduled } from './shapes.ts';

/** Largest body of a change in bytes (as panel-assistant: a small form). */
const smallBytes = 16_384;

const yamlBody = once(
  () =>
    ({
      reads: 'raw',
      description: 'The exact bytes of a profile.',
      types: Object.fromEntries(yamlTypes.map((type) => [type, { schema: z.string() }])),
    }) as const,
);
const receipt = ['restarting', 'save-unknown'] as const;

/** What was scheduled, as the answer has it. */
const scheduled = ({ ref, catalogRevision }: Extract<SelectOutcome, { readonly status: 'scheduled' }>) =>
  ({
    ok: true,
    status: 'scheduled',
    id: ref?.id ?? null,
    revision: ref?.revision ?? null,
    catalog_revision: catalogRevision,
  }) as const;

const selectProblems = [
  'profile-unknown',
  'catalog-stale',
  'profile-active-already',
  'profile-on-command-line',
  'platform-not-confirmed',
  'profile-invalid',
  'operation-busy',
  'commit-failed',
] as const;
const rollbackProblems = [
  'catalog-stale',
  'nothing-to-roll-back',
  'profile-on-command-line',
  'profile-invalid',
  'operation-busy',
  'commit-failed',
] as const;
const deleteProblems = [
  'profile-unknown',
  'catalog-stale',
  'profile-in-use',
  'profile-bundled',
  'commit-failed',
] as const;
const importProblems = ['preview-stale', 'profile-invalid', 'profile-limit', 'commit-failed'] as const;

const noToken = refuse(
  'preview-required',
  'A profile is saved only after its preview. Send the same bytes to /api/v1/profiles/preview first, and its preview_token in the header X-Profile-Preview-Token.',
);

/** Previewing a profile, and saving it. */
export const profileImports: Family = ({ declare, deps }) => {
  const previews = [
    ...named([
      ['preview', 'previewProfile'],
      ['validate', 'validateProfile'],
      ['compare', 'compareProfile'],
    ]).map((one) => ({
      ...one,
      probe: false,
      summary: 'Check a profile without saving it',
      more: '',
    })),
    {
      path: '/api/v1/profiles/probe',
      operationId: 'probeProfile',
      deprecated: false,
      also: null,
      probe: true,
      summary: 'Check a profile and look for its devices',
      more: ' Each driver looks for its device without touching it.',
    },
  ];
  for (const { path, operationId, deprecated, also, probe, summary, more } of previews) {
    declare(
      {
        operationId,
        deprecated,
        method: 'post',
        path,
        tag: 'profiles',
        summary,
        description:
          also ??
          `Validation with line and column, the changes against the active profile, its risks, and a token that allows saving these exact bytes within ten minutes.${more}`,
        guard: 'write',
        protects: null,
        maxBodyBytes: mostProfileBytes,
        body: yamlBody,
        answers: () => ({
          200: json('The preview, also of an invalid profile.', Preview()),
        }),
        problems: ['unsupported-type', 'request-too-large', ...receipt],
      },
      async ({ c, answer }) => {
        const profile = await readProfileBytes(c);
        if (!profile.ok) return profile;
        const asked = await requestProfiles(deps, {
          type: 'profiles.ask.preview',
          ask: { kind: 'preview', bytes: profile.bytes, probe },
        });
        return asked.ok ? answer(200, asked.outcome) : asked;
      },
    );
  }
  for (const { path, operationId, deprecated, also } of named([
    ['import', 'importProfile'],
    ['save', 'saveProfile'],
  ])) {
    declare(
      {
        operationId,
        deprecated,
        method: 'post',
        path,
        tag: 'profiles',
        summary: 'Save a previewed profile, inactive',
        description:
          also ??
          'The bytes must be those that were previewed, with the token of that preview in the header: without it the answer is 400 `preview-required`, with an old token or that of other bytes 409 `preview-stale`. Bytes that are in the catalogue, or come with Sconce, are not saved again.',
        guard: 'write',
        protects: null,
        maxBodyBytes: mostProfileBytes,
        headers: () =>
          z.object({
            'x-profile-preview-token': z
              .string()
              .meta({ description: '`preview_token` of the preview of these bytes.' }),
          }),
        body: yamlBody,
        answers: () => ({
          200: json('Saved, durably.', Imported()),
        }),
        problems: ['unsupported-type', 'request-too-large', 'preview-required', ...importProblems, ...receipt],
      },
      async ({ c, answer }) => {
        const token = c.req.header('x-profile-preview-token') ?? '';
        if (token === '') return noToken;
        const profile = await readProfileBytes(c);
        if (!profile.ok) return profile;
        const asked = await requestProfiles(deps, {
          type: 'profiles.ask.import',
          ask: { kind: 'import', bytes: profile.bytes, token },
        });
        if (!asked.ok) return asked;
        const { outcome } = asked;
        if (outcome.status === 'refused') return refusedChange(outcome, importProblems);
        return answer(200, {
          ok: true,
          status: outcome.saved ? 'saved' : 'saved-before',
          ...outcome.ref,
          catalog_revision: outcome.catalogRevision,
        });
      },
    );
  }
};

/** Why the catalogue would refuse a change; null if it would make it. */
async function whyNot<C extends ProblemCode & ChangeRefused['code']>(
  deps: RouteDeps,
  change: ActivationRequest,
  declared: readonly C[],
): Promise<Refusal<C | 'operation-busy' | 'restarting' | 'save-unknown'> | null> {
  const asked = await requestProfiles(deps, { type: 'profiles.ask.judge', ask: { kind: 'judge', change } });
  if (!asked.ok) return asked;
  if (asked.outcome.status === 'refused') return refusedChange(asked.outcome, declared);
  return whyBusy(deps, change.kind === 'select' ? 'profile-select' : 'profile-rollback');
}

interface SentSelection {
  readonly body: z.output<ReturnType<typeof SelectBody>>;
}
interface SentRollback {
  readonly body: z.output<ReturnType<typeof RollbackBody>>;
}

/** A revision in words for a question; the first digits of its hash tell it from others of its id. */
const revisionWords = (ref: ProfileRef | 'auto' | null): string =>
  ref === null || ref === 'auto' ? 'auto' : `${ref.id} ${ref.revision.slice(0, 12)}`;

/** Choosing the profile that the panel runs with. */
export const profileChanges: Family = ({ declare, deps }) => {
  for (const { path, operationId, deprecated, also } of named([
    ['select', 'selectProfile'],
    ['activate', 'activateProfile'],
  ])) {
    declare(
      {
        operationId,
        deprecated,
        method: 'post',
        path,
        tag: 'profiles',
        summary: 'Select a profile and restart with it',
        description:
          also ??
          'Answers first, then the agent restarts. The profile is kept once it has worked for 30 seconds; otherwise the panel returns to the previous one by itself. A profile for another platform, whose rules do not name this machine, needs `confirm_platform` too.',
        guard: 'write',
        protects: ({ body }: SentSelection) => ({
          operation: 'PROFILE_ACTIVATE',
          what: revisionWords(refOf(body.selection)),
        }),
        operations: ['PROFILE_ACTIVATE'],
        check: ({ body }: SentSelection) => whyNot(deps, { kind: 'select', ...body }, selectProblems),
        maxBodyBytes: smallBytes,
        body: () => ({
          description: 'A revision or `auto`, the catalogue revision and the confirmation.',
          schema: SelectBody(),
          form: SelectForm(),
          refusal: namedRefusal,
          ...(deprecated ? {} : { example: { ...exampleOf.ref, ...exampleOf.confirmation } }),
        }),
        answers: () => ({
          202: json('Recorded; the restart follows.', Scheduled()),
        }),
        problems: [...selectProblems, ...receipt],
      },
      async ({ body, answer }) => {
        const asked = await requestProfiles(deps, { type: 'profiles.ask.select', ask: { kind: 'select', ...body } });
        if (!asked.ok) return asked;
        return asked.outcome.status === 'refused'
          ? refusedChange(asked.outcome, selectProblems)
          : answer(202, scheduled(asked.outcome));
      },
    );
  }
  declare(
    {
      operationId: 'rollBackProfile',
      method: 'post',
      path: '/api/v1/profiles/rollback',
      tag: 'profiles',
      summary: 'Go back to the previous profile',
      description: 'Answers first, then the agent restarts with `rollback_to` of the list.',
      guard: 'write',
      protects: () => ({
        operation: 'PROFILE_ACTIVATE',
        what: revisionWords(deps.registry.read('profile-catalog')?.context.catalog?.rollback_to ?? null),
      }),
      operations: ['PROFILE_ACTIVATE'],
      check: ({ body }: SentRollback) =>
        whyNot(deps, { kind: 'rollback', expected: body.expected_catalog_revision }, rollbackProblems),
      maxBodyBytes: smallBytes,
      body: () => ({
        description: 'The catalogue revision and the confirmation.',
        schema: RollbackBody(),
        refusal: changeRefusal,
        example: exampleOf.confirmation,
      }),
      answers: () => ({
        202: json('Recorded; the restart follows.', Scheduled()),
      }),
      problems: [...rollbackProblems, ...receipt],
    },
    async ({ body, answer }) => {
      const asked = await requestProfiles(deps, {
        type: 'profiles.ask.rollback',
        ask: { kind: 'rollback', expected: body.expected_catalog_revision },
      });
      if (!asked.ok) return asked;
      return asked.outcome.status === 'refused'
        ? refusedChange(asked.outcome, rollbackProblems)
        : answer(202, scheduled(asked.outcome));
    },
  );
  declare(
    {
      operationId: 'deleteProfile',
      method: 'post',
      path: '/api/v1/profiles/delete',
      tag: 'profiles',
      summary: 'Delete a saved revision',
      description:
        'The active revision, the next one, the fallback, and those that come with Sconce cannot be deleted.',
      guard: 'write',
      protects: null,
      maxBodyBytes: smallBytes,
      body: () => ({
        description: 'A revision, the catalogue revision and the confirmation.',
        schema: DeleteBody(),
        form: DeleteForm(),
        refusal: namedRefusal,
        example: { ref: exampleOf.ref, ...exampleOf.confirmation },
      }),
      answers: () => ({
        200: json('Deleted, durably.', Deleted()),
      }),
      problems: [...deleteProblems, ...receipt],
    },
    async ({ body, answer }) => {
      const asked = await requestProfiles(deps, { type: 'profiles.ask.delete', ask: { kind: 'delete', ...body } });
      if (!asked.ok) return asked;
      const { outcome } = asked;
      return outcome.status === 'refused'
        ? refusedChange(outcome, deleteProblems)
        : answer(200, { ok: true, status: 'deleted', ...outcome.ref, catalog_revision: outcome.catalogRevision });
    },
  );
};
