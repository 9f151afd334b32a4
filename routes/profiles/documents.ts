import { z } from 'zod';
import { profileRef } from '#machines/profile-catalog/activation.ts';
import { showCatalog } from '#machines/profile-catalog/show-catalog.ts';
import type { WantedDocument } from '#machines/profile-catalog/requests.ts';
import type { Family } from '#routes/kit/family.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import { refuse } from '#machines/kit/result.ts';
import { bytes, json, jsonText } from '#routes/kit/answer.ts';
import { type Refusal, restarting } from '#routes/kit/problem.ts';
import { requestProfiles } from './requests.ts';
import { Drivers, Report } from './driver-shapes.ts';
import { Catalog } from './shapes.ts';

const yaml = 'application/yaml';

/** The bytes of a document of the catalogue, or why there are none. */
async function read(
  deps: RouteDeps,
  wanted: WantedDocument,
): Promise<
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer> }
  | Refusal<'restarting' | 'save-unknown' | 'profile-unknown'>
> {
  const asked = await requestProfiles(deps, { type: 'profiles.ask.document', ask: { kind: 'document', wanted } });
  if (!asked.ok) return asked;
  // A copy with a buffer of its own, as the type of a body requires.
  return asked.outcome === null
    ? refuse(
        'profile-unknown',
        'There is no such revision here, or its file is damaged. /api/v1/profiles lists the available ones.',
      )
    : { ok: true, bytes: new Uint8Array(asked.outcome.bytes) };
}

/** JSON documents without parameters. */
const documents = [
  {
    kind: 'schema',
    operationId: 'getProfileSchema',
    guard: 'ordinary',
    summary: 'JSON Schema of profiles',
    description: 'From the same source as the validation; editors use it for completion.',
    answer: () => jsonText('The schema.', z.looseObject({ $schema: z.string().meta({ description: 'Its dialect.' }) })),
  },
  {
    kind: 'drivers',
    operationId: 'getDrivers',
    guard: 'ordinary',
    summary: 'The compiled drivers',
    description: 'Their options with bounds, their requirements and risks, and how each proves its device.',
    answer: () => jsonText('The drivers.', Drivers()),
  },
  {
    kind: 'report',
    operationId: 'getProfileReport',
    guard: 'active',
    summary: 'The active profile with its evidence',
    description:
      'For a report to the author of a profile: what is selected, its contents and what passive probes find. No addresses, names of networks or serial numbers.',
    answer: () => jsonText('The report.', Report()),
  },
] as const;

/** YAML files without parameters. */
const files = [
  {
    kind: 'template',
    operationId: 'getProfileTemplate',
    guard: 'ordinary',
    summary: 'A starter for a new profile',
    description: 'Valid YAML to begin from.',
    name: 'profile.yaml',
  },
  {
    kind: 'device-draft',
    operationId: 'getDeviceDraft',
    guard: 'active',
    summary: 'A draft for this panel',
    description: 'From passive evidence only, with a mark at each unknown; no device is touched.',
    name: 'draft.yaml',
  },
] as const;

const attachment = (name: string): { readonly 'Content-Disposition': string } => ({
  'Content-Disposition': `attachment; filename="${name}"`,
});
const attached = { headers: { 'Content-Disposition': 'An attachment with the name of the file.' } };

/** The catalogue and the documents that it serves. */
export const profileDocuments: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'getProfiles',
      method: 'get',
      path: '/api/v1/profiles',
      tag: 'profiles',
      summary: 'Every profile, what is selected and its state',
      description: 'Bundled and saved revisions; a change of them must name `catalog_revision`.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: () => ({
        200: json('The catalogue.', Catalog()),
      }),
      problems: ['restarting'],
    },
    ({ answer }) => {
      const profiles = deps.registry.read('profile-catalog')?.context;
      const catalog = profiles === undefined ? null : showCatalog(profiles, deps.now());
      return catalog === null ? restarting('profile-catalog') : answer(200, catalog);
    },
  );
  for (const { kind, operationId, guard, summary, description, answer: given } of documents) {
    declare(
      {
        operationId,
        method: 'get',
        path: `/api/v1/profiles/${kind}`,
        tag: 'profiles',
        summary,
        description,
        guard,
        protects: null,
        maxBodyBytes: 0,
        answers: () => ({ 200: given() }),
        problems: ['profile-unknown', 'restarting', 'save-unknown'],
      },
      async ({ answer }) => {
        const document = await read(deps, { kind });
        return document.ok ? answer(200, new TextDecoder().decode(document.bytes)) : document;
      },
    );
  }
  for (const { kind, operationId, guard, summary, description, name } of files) {
    declare(
      {
        operationId,
        method: 'get',
        path: `/api/v1/profiles/${kind}`,
        tag: 'profiles',
        developer: kind === 'device-draft',
        summary,
        description,
        guard,
        protects: null,
        maxBodyBytes: 0,
        answers: () => ({ 200: bytes('The file.', yaml, attached) }),
        problems: ['profile-unknown', 'restarting', 'save-unknown'],
      },
      async ({ answer }) => {
        const file = await read(deps, { kind });
        return file.ok ? answer(200, file.bytes, attachment(name)) : file;
      },
    );
  }
  declare(
    {
      operationId: 'getProfileRevision',
      method: 'get',
      path: '/api/v1/profiles/{id}/revisions/{revision}',
      tag: 'profiles',
      summary: 'The exact bytes of one revision',
      description: 'The profile as it was saved, with its comments.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      params: () =>
        z.object({
          id: profileRef().shape.id.meta({ description: 'Name of the profile.' }),
          revision: profileRef().shape.revision.meta({ description: 'SHA-256 of the exact bytes.' }),
        }),
      unknown: {
        code: 'profile-unknown',
        message:
          'A revision is named by id and by 64 lower-case hexadecimal digits. /api/v1/profiles lists the available ones.',
      },
      answers: () => ({ 200: bytes('The profile as it was saved.', yaml, attached) }),
      problems: ['profile-unknown', 'restarting', 'save-unknown'],
    },
    async ({ params: ref, answer }) => {
      const file = await read(deps, { kind: 'revision', ...ref });
      return file.ok ? answer(200, file.bytes, attachment(`${ref.id}-${ref.revision.slice(0, 12)}.yaml`)) : file;
    },
  );
};
