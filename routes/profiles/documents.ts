import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { profileRef } from '#machines/profiles/activation.ts';
import type { WantedDocument } from '#machines/profiles/requests.ts';
import type { Family } from '#routes/kit/family.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import { noStore, noStoreDoc } from '#routes/kit/no-store.ts';
import { problem, restarting } from '#routes/kit/problem.ts';
import { askProfiles } from './ask.ts';
import { Catalog } from './shapes.ts';

const yaml = 'application/yaml';

const serve = async (
  c: Context,
  deps: RouteDeps,
  wanted: WantedDocument,
  type: string,
  attachment: string | null,
): Promise<Response> => {
  const asked = await askProfiles(c, deps, { type: 'profiles.ask.document', ask: { kind: 'document', wanted } });
  if (asked instanceof Response) return asked;
  if (asked.outcome === null)
    return problem(
      c,
      'profile-unknown',
      'There is no such revision here, or its file is damaged. Read /api/v1/profiles for those there are.',
    );
  // A copy in memory of its own, which is what the type of a body asks for.
  return c.body(new Uint8Array(asked.outcome.bytes), 200, {
    'Content-Type': type,
    ...noStore,
    ...(attachment === null ? {} : { 'Content-Disposition': `attachment; filename="${attachment}"` }),
  });
};

/** Documents without parameters. */
const fixed = [
  {
    kind: 'schema',
    type: 'application/json',
    guard: 'ordinary',
    summary: 'JSON Schema of profiles',
    description: 'From the same source as the validation; editors complete with it.',
    attachment: null,
  },
  {
    kind: 'drivers',
    type: 'application/json',
    guard: 'ordinary',
    summary: 'The compiled drivers',
    description: 'Their options with bounds, what each needs and risks, and how it proves its device.',
    attachment: null,
  },
  {
    kind: 'template',
    type: yaml,
    guard: 'ordinary',
    summary: 'A starter for a new profile',
    description: 'Valid YAML to begin from.',
    attachment: 'profile.yaml',
  },
  {
    kind: 'device-draft',
    type: yaml,
    guard: 'active',
    summary: 'A draft for this panel',
    description: 'From passive evidence alone, with a mark where nothing is known; no device is touched.',
    attachment: 'draft.yaml',
  },
  {
    kind: 'report',
    type: 'application/json',
    guard: 'active',
    summary: 'The active profile with its evidence',
    description:
      'For a report to the author of a profile: what is selected, what it says and what a passive look finds. No addresses, names of networks or serial numbers.',
    attachment: null,
  },
] as const;

/** The catalogue and the documents it gives out. */
export const profileDocuments: Family = ({ declare, deps }) => {
  declare(
    {
      method: 'get',
      path: '/api/v1/profiles',
      tag: 'profiles',
      summary: 'Every profile, what is selected and how it stands',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: {
        200: { description: 'The catalogue.', type: 'application/json', schema: Catalog, headers: noStoreDoc },
      },
      problems: ['restarting'],
    },
    (c) => {
      const catalog = deps.registry.read('profiles')?.context.catalog ?? null;
      return catalog === null ? restarting(c, 'profiles') : c.json(catalog, 200, noStore);
    },
  );
  for (const { kind, type, guard, summary, description, attachment } of fixed) {
    declare(
      {
        method: 'get',
        path: `/api/v1/profiles/${kind}`,
        tag: 'profiles',
        summary,
        description,
        guard,
        protects: null,
        maxBodyBytes: 0,
        answers: {
          200: {
            description: 'The document.',
            type,
            schema: type === yaml ? z.string() : z.unknown(),
            headers: noStoreDoc,
          },
        },
        problems: ['profile-unknown', 'restarting', 'save-unknown'],
      },
      (c) => serve(c, deps, { kind }, type, attachment),
    );
  }
  declare(
    {
      method: 'get',
      path: '/api/v1/profiles/{id}/revisions/{revision}',
      tag: 'profiles',
      summary: 'The exact bytes of one revision',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      params: z.object({ id: z.string(), revision: z.string() }),
      answers: {
        200: {
          description: 'The profile as it was saved.',
          type: yaml,
          schema: z.string(),
          headers: { ...noStoreDoc, 'Content-Disposition': 'An attachment, named by id and revision.' },
        },
      },
      problems: ['profile-unknown', 'restarting', 'save-unknown'],
    },
    (c) => {
      const ref = profileRef.safeParse({ id: c.req.param('id'), revision: c.req.param('revision') });
      if (!ref.success)
        return problem(
          c,
          'profile-unknown',
          'A revision is named by id and by 64 lower-case hexadecimal digits. Read /api/v1/profiles for those there are.',
        );
      return serve(
        c,
        deps,
        { kind: 'revision', ...ref.data },
        yaml,
        `${ref.data.id}-${ref.data.revision.slice(0, 12)}.yaml`,
      );
    },
  );
};
