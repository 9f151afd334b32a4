import type { Context } from 'hono';
import { z } from '@hono/zod-openapi';
import { mostProfileBytes } from '#machines/profiles/admit.ts';
import type { SelectOutcome } from '#machines/profiles/requests.ts';
import type { Family } from '#routes/kit/family.ts';
import { readObject } from '#routes/kit/body.ts';
import { noStore, noStoreDoc } from '#routes/kit/no-store.ts';
import { problem } from '#routes/kit/problem.ts';
import { askProfiles, readProfileBytes, refusedChange, yamlTypes } from './ask.ts';
import { readExpected, readRef, readSelectionRequest } from './read-body.ts';
import { DeleteBody, Deleted, Imported, Preview, RollbackBody, Scheduled, SelectBody } from './shapes.ts';

/** Largest body of a change in bytes (as panel-assistant: a small form). */
const smallBytes = 16_384;

const yamlBody = { description: 'The exact bytes of a profile.', schema: z.string(), types: yamlTypes };
const receipt = ['restarting', 'save-unknown'] as const;

/** What the first path of an operation says; the further paths are its other names. */
const named = (names: readonly string[]): readonly { readonly path: string; readonly also: string }[] =>
  names.map((name, index) => ({
    path: `/api/v1/profiles/${name}`,
    also: index === 0 ? '' : ` Another name of \`/api/v1/profiles/${names[0] ?? ''}\`.`,
  }));

const scheduled = (c: Context, outcome: SelectOutcome): Response =>
  outcome.status === 'refused'
    ? refusedChange(c, outcome)
    : c.json(
        {
          ok: true,
          status: outcome.status,
          id: outcome.ref?.id ?? null,
          revision: outcome.ref?.revision ?? null,
          catalog_revision: outcome.catalogRevision,
        },
        202,
        noStore,
      );

/** Looking at a profile before it is saved, and saving it. */
export const profileImports: Family = ({ declare, deps }) => {
  const previews = [
    ...named(['preview', 'validate', 'compare']).map((one) => ({
      ...one,
      probe: false,
      summary: 'Judge a profile without saving it',
      more: '',
    })),
    {
      path: '/api/v1/profiles/probe',
      also: '',
      probe: true,
      summary: 'Judge a profile and look for its devices',
      more: ' Each driver looks for its device without touching it.',
    },
  ];
  for (const { path, also, probe, summary, more } of previews) {
    declare(
      {
        method: 'post',
        path,
        tag: 'profiles',
        summary,
        description: `Validation with line and column, what would change against the active profile, what it risks, and a token with which these very bytes can be saved within ten minutes.${more}${also}`,
        guard: 'write',
        protects: null,
        maxBodyBytes: mostProfileBytes,
        body: yamlBody,
        answers: {
          200: {
            description: 'What the profile would be; an invalid one is answered so too.',
            type: 'application/json',
            schema: Preview,
            headers: noStoreDoc,
          },
        },
        problems: ['unsupported-type', ...receipt],
      },
      async (c) => {
        const bytes = await readProfileBytes(c);
        if (bytes instanceof Response) return bytes;
        const asked = await askProfiles(c, deps, {
          type: 'profiles.ask.preview',
          ask: { kind: 'preview', bytes, probe },
        });
        return asked instanceof Response ? asked : c.json(asked.outcome, 200, noStore);
      },
    );
  }
  for (const { path, also } of named(['import', 'save'])) {
    declare(
      {
        method: 'post',
        path,
        tag: 'profiles',
        summary: 'Save a previewed profile, inactive',
        description: `The bytes have to be those that were previewed. Saving the same bytes again changes nothing.${also}`,
        guard: 'write',
        protects: null,
        maxBodyBytes: mostProfileBytes,
        headers: z.object({
          'x-profile-preview-token': z.string().meta({ description: '`preview_token` of the preview of these bytes.' }),
        }),
        body: yamlBody,
        answers: {
          200: { description: 'Saved, durably.', type: 'application/json', schema: Imported, headers: noStoreDoc },
        },
        problems: [
          'unsupported-type',
          'preview-stale',
          'profile-invalid',
          'profile-limit',
          'commit-failed',
          ...receipt,
        ],
      },
      async (c) => {
        const bytes = await readProfileBytes(c);
        if (bytes instanceof Response) return bytes;
        const asked = await askProfiles(c, deps, {
          type: 'profiles.ask.import',
          ask: {
            kind: 'import',
            bytes,
            token: c.req.header('x-profile-preview-token') ?? '',
          },
        });
        if (asked instanceof Response) return asked;
        const { outcome } = asked;
        if (outcome.status === 'refused') return refusedChange(c, outcome);
        return c.json(
          {
            ok: true,
            status: outcome.saved ? 'saved' : 'saved-before',
            ...outcome.ref,
            catalog_revision: outcome.catalogRevision,
          },
          200,
          noStore,
        );
      },
    );
  }
};

/** Choosing what the panel runs with. */
export const profileChanges: Family = ({ declare, deps }) => {
  for (const { path, also } of named(['select', 'activate'])) {
    declare(
      {
        method: 'post',
        path,
        tag: 'profiles',
        summary: 'Select a profile and restart with it',
        description: `Answers first, then the agent restarts. The profile is kept once it has worked for 30 seconds; otherwise the panel goes back by itself to what it used before.${also}`,
        guard: 'write',
        protects: 'PROFILE_ACTIVATE',
        maxBodyBytes: smallBytes,
        body: { description: 'A revision or `auto`, the catalogue revision and the confirmation.', schema: SelectBody },
        answers: {
          202: {
            description: 'Written down; the restart follows.',
            type: 'application/json',
            schema: Scheduled,
            headers: noStoreDoc,
          },
        },
        problems: [
          'invalid-body',
          'not-confirmed',
          'profile-ref-both-forms',
          'profile-unknown',
          'catalog-stale',
          'profile-active-already',
          'profile-on-command-line',
          'profile-invalid',
          'commit-failed',
          ...receipt,
        ],
      },
      async (c) => {
        const body = await readObject(c);
        if (!body.ok) return problem(c, body.reason, body.message);
        const selection = readSelectionRequest(body.value);
        if (!selection.ok) return problem(c, selection.reason, selection.message);
        const expected = readExpected(body.value);
        if (!expected.ok) return problem(c, expected.reason, expected.message);
        const asked = await askProfiles(c, deps, {
          type: 'profiles.ask.select',
          ask: {
            kind: 'select',
            selection: selection.value,
            expected: expected.value,
          },
        });
        return asked instanceof Response ? asked : scheduled(c, asked.outcome);
      },
    );
  }
  declare(
    {
      method: 'post',
      path: '/api/v1/profiles/rollback',
      tag: 'profiles',
      summary: 'Go back to what the panel used before',
      description: 'Answers first, then the agent restarts with `rollback_to` of the list.',
      guard: 'write',
      protects: 'PROFILE_ACTIVATE',
      maxBodyBytes: smallBytes,
      body: { description: 'The catalogue revision and the confirmation.', schema: RollbackBody },
      answers: {
        202: {
          description: 'Written down; the restart follows.',
          type: 'application/json',
          schema: Scheduled,
          headers: noStoreDoc,
        },
      },
      problems: [
        'invalid-body',
        'not-confirmed',
        'catalog-stale',
        'nothing-to-roll-back',
        'profile-on-command-line',
        'profile-invalid',
        'commit-failed',
        ...receipt,
      ],
    },
    async (c) => {
      const body = await readObject(c);
      if (!body.ok) return problem(c, body.reason, body.message);
      const expected = readExpected(body.value);
      if (!expected.ok) return problem(c, expected.reason, expected.message);
      const asked = await askProfiles(c, deps, {
        type: 'profiles.ask.rollback',
        ask: { kind: 'rollback', expected: expected.value },
      });
      return asked instanceof Response ? asked : scheduled(c, asked.outcome);
    },
  );
  declare(
    {
      method: 'post',
      path: '/api/v1/profiles/delete',
      tag: 'profiles',
      summary: 'Delete a saved revision',
      description:
        'What is active, about to be, or what the panel falls back to stays, and so does what comes with Sconce.',
      guard: 'write',
      protects: null,
      maxBodyBytes: smallBytes,
      body: { description: 'A revision, the catalogue revision and the confirmation.', schema: DeleteBody },
      answers: {
        200: { description: 'Deleted, durably.', type: 'application/json', schema: Deleted, headers: noStoreDoc },
      },
      problems: [
        'invalid-body',
        'not-confirmed',
        'profile-ref-both-forms',
        'profile-unknown',
        'catalog-stale',
        'profile-in-use',
        'profile-bundled',
        'commit-failed',
        ...receipt,
      ],
    },
    async (c) => {
      const body = await readObject(c);
      if (!body.ok) return problem(c, body.reason, body.message);
      const ref = readRef(body.value);
      if (!ref.ok) return problem(c, ref.reason, ref.message);
      if (ref.value === null) return problem(c, 'invalid-body', 'Say what to delete: id and revision.');
      const expected = readExpected(body.value);
      if (!expected.ok) return problem(c, expected.reason, expected.message);
      const asked = await askProfiles(c, deps, {
        type: 'profiles.ask.delete',
        ask: { kind: 'delete', ref: ref.value, expected: expected.value },
      });
      if (asked instanceof Response) return asked;
      const { outcome } = asked;
      return outcome.status === 'refused'
        ? refusedChange(c, outcome)
        : c.json(
            { ok: true, status: outcome.status, ...outcome.ref, catalog_revision: outcome.catalogRevision },
            200,
            noStore,
          );
    },
  );
};
