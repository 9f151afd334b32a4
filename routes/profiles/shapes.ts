import { z } from '@hono/zod-openapi';
import { profileMaturities } from '#machines/profiles/reading.ts';

/** One revision of a profile. */
export const Ref = z
  .object({
    id: z.string(),
    revision: z.string().meta({ description: 'SHA-256 of the exact bytes, 64 lower-case hexadecimal digits.' }),
  })
  .meta({ id: 'ProfileRef', description: 'One revision of a profile, for ever the same bytes.' });

/** What is wrong in a profile, and where. */
export const Issue = z
  .object({
    severity: z.enum(['error', 'warning']),
    path: z.string(),
    line: z.number().int().nullable(),
    column: z.number().int().nullable(),
    reason: z.string().meta({ description: 'Stable code.' }),
    message: z.string(),
  })
  .meta({ id: 'ProfileIssue', description: 'What is wrong in a profile, and where in the bytes.' });

/** A revision as lists show it. */
export const Summary = z
  .object({
    id: z.string(),
    revision: z.string(),
    origin: z.enum(['bundled', 'local']),
    display_name: z.string(),
    version: z.string(),
    author: z.string(),
    license: z.string(),
    maturity: z.enum(profileMaturities),
    limitations: z.array(z.string()),
    tested_firmware: z.array(z.string()),
    links: z.array(z.object({ label: z.string(), url: z.string() })),
    bytes: z.number().int(),
    drivers: z.array(z.string()),
  })
  .meta({ id: 'ProfileSummary', description: 'One revision of a profile, without its contents.' });

/** One row of the list. */
export const Row = Summary.extend({
  state: z.enum(['bundled', 'inactive', 'pending', 'active', 'last-known-good', 'rolled-back']),
  matches_this_device: z.boolean(),
  selected: z.boolean(),
}).meta({ id: 'ProfileRow', description: 'One revision of a profile and how it stands.' });

/** The catalogue. */
export const Catalog = z
  .object({
    catalog_revision: z
      .number()
      .int()
      .meta({ description: 'Changes with every change of the catalogue; a selection names it.' }),
    selection: z.object({
      mode: z.enum(['auto', 'pinned', 'command_line']),
      id: z.string().nullable(),
      revision: z.string().nullable(),
    }),
    active: Ref.nullable().meta({
      description:
        'What runs; null for a profile of the command line that has no revision, and when every profile was broken.',
    }),
    pending: Ref.nullable().meta({ description: 'What is being tried, or is about to be.' }),
    last_known_good: Ref.nullable().meta({ description: 'The last revision that reached its health point.' }),
    rollback_to: z
      .union([Ref, z.literal('auto')])
      .nullable()
      .meta({ description: 'What a rollback brings back; `auto` for what matches this panel.' }),
    activation: z.object({
      state: z.enum(['active', 'trial', 'rolled_back']),
      since: z.number().meta({ description: 'Milliseconds since the Unix epoch.' }),
      reason: z.string().nullable().meta({ description: 'Stable code.' }),
      detail: z.string().nullable(),
    }),
    issues: z.array(z.object({ code: z.string(), ref: Ref.nullable(), message: z.string() })),
    profiles: z.array(Row),
  })
  .meta({
    id: 'ProfileCatalog',
    description: 'Every revision there is, what is selected and how its activation stands.',
  });

/** A preview. */
export const Preview = z
  .object({
    valid: z.boolean(),
    issues: z.array(Issue),
    summary: Summary.nullable(),
    already_saved: z.boolean(),
    matches_this_device: z.boolean(),
    risks: z.array(z.object({ code: z.string(), detail: z.string() })),
    diff: z
      .array(z.object({ path: z.string(), before: z.string().nullable(), after: z.string().nullable() }))
      .meta({ description: 'Against the active profile.' }),
    preview_token: z.string().nullable().meta({
      description: 'For `X-Profile-Preview-Token`; bound to these bytes, for ten minutes, in this process alone.',
    }),
    preview_expires_at: z.number().nullable(),
    evidence: z
      .array(
        z.object({
          driver: z.string(),
          state: z.enum(['found', 'denied', 'missing', 'unknown']),
          names: z.array(z.string()),
          detail: z.string(),
        }),
      )
      .nullable()
      .meta({ description: 'What a passive look found for each driver; null where none was asked for.' }),
  })
  .meta({ id: 'ProfilePreview', description: 'What a profile would be; nothing was saved or touched.' });

/** What was saved. */
export const Imported = z
  .object({
    ok: z.literal(true),
    status: z.enum(['saved', 'saved-before']),
    id: z.string(),
    revision: z.string(),
    catalog_revision: z.number().int(),
  })
  .meta({
    id: 'ProfileImported',
    description: 'The revision is in the catalogue, inactive unless it was in use before.',
  });

/** What will be tried. */
export const Scheduled = z
  .object({
    ok: z.literal(true),
    status: z.literal('scheduled'),
    id: z.string().nullable(),
    revision: z.string().nullable(),
    catalog_revision: z.number().int(),
  })
  .meta({
    id: 'ProfileScheduled',
    description: 'The agent restarts with this profile in a moment, and falls back by itself when it does not work.',
  });

/** What was deleted. */
export const Deleted = z
  .object({
    ok: z.literal(true),
    status: z.literal('deleted'),
    id: z.string(),
    revision: z.string(),
    catalog_revision: z.number().int(),
  })
  .meta({ id: 'ProfileDeleted', description: 'The revision is gone.' });

const confirmation = {
  expected_catalog_revision: z
    .number()
    .int()
    .meta({ description: '`catalog_revision` of the list that was looked at; a stale one is refused.' }),
  confirm: z.literal(true),
};

/** Which revision, flat or as one object. */
const named = { id: z.string().optional(), revision: z.string().optional(), ref: Ref.optional() };

export const SelectBody = z.object({
  ...named,
  auto: z.literal(true).optional().meta({ description: 'The profile that matches this panel by itself.' }),
  ...confirmation,
});
export const RollbackBody = z.object(confirmation);
export const DeleteBody = z.object({ ...named, ...confirmation });
