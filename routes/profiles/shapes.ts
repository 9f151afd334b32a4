import { z } from 'zod';
import { profileMaturities } from '#machines/profile-catalog/reading.ts';
import { once } from '#machines/kit/once.ts';

const id = once(() => z.string().meta({ description: 'Lower-case name of the profile; it never changes.' }));
const revision = once(() =>
  z
    .string()
    .meta({ id: 'ProfileRevision', description: 'SHA-256 of the exact bytes, 64 lower-case hexadecimal digits.' }),
);
const ok = once(() => z.literal(true).meta({ description: 'It is done.' }));
const code = once(() => z.string().meta({ description: 'Stable code.' }));
const catalogRevision = once(() =>
  z
    .int()
    .meta({ id: 'CatalogRevision', description: 'Changes with every change of the catalogue; a selection names it.' }),
);
/** Where a profile comes from. */
export const Origin = once(() =>
  z
    .enum(['bundled', 'local'])
    .meta({ id: 'ProfileOrigin', description: '`bundled` came with Sconce, `local` was imported.' }),
);

/** How well a profile is tested. */
export const Maturity = once(() =>
  z.enum(profileMaturities).meta({
    id: 'ProfileMaturity',
    description: '`draft` is untried, `experimental` tried in part, `verified` works on the hardware.',
  }),
);

const matches = once(() => z.boolean().meta({ description: 'True if its rules match this machine.' }));

/** One revision of a profile. */
const Ref = once(() =>
  z
    .object({ id: id(), revision: revision() })
    .meta({ id: 'ProfileRef', description: 'One revision of a profile; its bytes never change.' }),
);

// A union with null: the library describes a nullable reference as something that null never matches.
const refOrNone = (description: string) => z.union([Ref(), z.null()]).meta({ description });

/** What is wrong in a profile, and where. */
const Issue = once(() =>
  z
    .object({
      severity: z.enum(['error', 'warning']).meta({ description: 'With an `error` the profile cannot be used.' }),
      path: z.string().meta({ description: 'The field, such as `match.any[0]`; "" for the whole profile.' }),
      line: z.int().nullable().meta({ description: 'From 1; null if it has no position.' }),
      column: z.int().nullable().meta({ description: 'From 1; null if it has no position.' }),
      reason: code(),
      message: z.string().meta({ description: 'What is wrong, and what to write instead.' }),
    })
    .meta({ id: 'ProfileIssue', description: 'What is wrong in a profile, and where in the bytes.' }),
);

/** What a profile can do to the panel. */
export const Risk = once(() =>
  z
    .object({ code: code(), detail: z.string().meta({ description: 'One sentence.' }) })
    .meta({ id: 'ProfileRisk', description: 'What it can do to the panel.' }),
);

/** What a passive probe found for one driver. */
export const Evidence = once(() =>
  z
    .object({
      driver: z.string().meta({ description: 'Id of the driver.' }),
      state: z
        .enum(['found', 'denied', 'missing', 'unknown'])
        .meta({ description: '`denied`: it is there but may not be opened.' }),
      names: z.array(z.string()).meta({ description: 'What was found, by name.' }),
      detail: z.string().meta({ description: 'One sentence.' }),
    })
    .meta({ id: 'DriverEvidence', description: 'What a passive probe found for one driver.' }),
);

/** A revision as lists show it. */
const Summary = once(() =>
  z
    .object({
      id: id(),
      revision: revision(),
      origin: Origin(),
      display_name: z.string().meta({ description: 'Its name for people.' }),
      version: z.string().meta({ description: 'Its version, as the profile states it.' }),
      author: z.string().meta({ description: 'Who wrote it.' }),
      license: z.string().meta({ description: 'SPDX identifiers.' }),
      maturity: Maturity(),
      limitations: z.array(z.string()).meta({ description: 'What does not work, in sentences.' }),
      tested_firmware: z.array(z.string()).meta({ description: 'Systems on which it was run.' }),
      links: z
        .array(
          z.object({
            label: z.string().meta({ description: 'Its text.' }),
            url: z.string().meta({ description: 'https address.' }),
          }),
        )
        .meta({ description: 'Pages about the panel.' }),
      bytes: z.int().min(0).meta({ description: 'Its size.' }),
      drivers: z.array(z.string()).meta({ description: 'Ids of the drivers that it uses.' }),
    })
    .meta({ id: 'ProfileSummary', description: 'One revision of a profile, without its contents.' }),
);

/** One row of the list. */
export const Row = once(() =>
  Summary()
    .and(
      z.object({
        state: z
          .enum(['bundled', 'inactive', 'pending', 'active', 'last-known-good', 'rolled-back'])
          .meta({ description: 'Its state; `bundled` and `inactive` are not in use.' }),
        matches_this_device: matches(),
        selected: z.boolean().meta({ description: 'True if the next start uses it.' }),
      }),
    )
    .meta({ id: 'ProfileRow', description: 'One revision of a profile and its state.' }),
);

/** What is selected, and the state of its activation. */
export const Standing = once(() =>
  z
    .object({
      catalog_revision: catalogRevision(),
      selection: z
        .object({
          mode: z
            .enum(['auto', 'pinned', 'command_line'])
            .meta({ description: '`auto` is what matches this panel, `command_line` what `--profile` names.' }),
          id: z.string().nullable().meta({ description: 'Name of the profile; null if unknown.' }),
          revision: z.string().nullable().meta({ description: 'Its revision; null if unknown.' }),
        })
        .meta({ description: 'What the next start uses.' }),
      active: refOrNone(
        'What runs; null for a profile from the command line that has no revision, and if every profile was broken.',
      ),
      pending: refOrNone('What is being tried, or is about to be.'),
      last_known_good: refOrNone('The last revision that reached its health point.'),
      rollback_to: z
        .union([Ref(), z.literal('auto'), z.null()])
        .meta({ description: 'What a rollback brings back; `auto` for what matches this panel.' }),
      activation: z
        .object({
          state: z.enum(['active', 'trial', 'rolled_back']).meta({
            description: '`trial` until the profile has proved itself; `rolled_back` if the last one did not.',
          }),
          since: z.int().meta({ description: 'Milliseconds since the Unix epoch.' }),
          reason: z.string().nullable().meta({ description: 'Stable code of why it was rolled back.' }),
          detail: z.string().nullable().meta({ description: 'The same in a sentence.' }),
        })
        .meta({ description: 'The state of the selection.' }),
      issues: z
        .array(
          z.object({
            code: code(),
            ref: refOrNone('The revision; null if it has none.'),
            message: z.string().meta({ description: 'One sentence.' }),
          }),
        )
        .meta({ description: 'What is wrong with the catalogue, or with the choice of this start.' }),
    })
    .meta({ id: 'ProfileStanding', description: 'What is selected, and the state of its activation.' }),
);

export const Catalog = once(() =>
  Standing()
    .and(
      z.object({
        trial: z
          .object({
            elapsed_ms: z.int().meta({ description: 'Milliseconds since it was selected.' }),
            held_ms: z
              .int()
              .meta({ description: 'How long all conditions have held without a break, in milliseconds.' }),
            hold_ms: z.int().meta({ description: 'How long they have to hold, in milliseconds.' }),
          })
          .nullable()
          .meta({ description: 'Progress of a trial; null while there is none.' }),
        profiles: z.array(Row()).meta({ description: 'Every revision, the bundled ones first.' }),
      }),
    )
    .meta({
      id: 'ProfileCatalog',
      description: 'All revisions, what is selected and the state of its activation.',
    }),
);

export const Preview = once(() =>
  z
    .object({
      valid: z.boolean().meta({ description: 'True if it can be saved.' }),
      issues: z.array(Issue()).meta({ description: 'In the order of the bytes.' }),
      summary: z.union([Summary(), z.null()]).meta({ description: 'Null if the profile cannot be read.' }),
      already_saved: z.boolean().meta({ description: 'True if these bytes are in the catalogue.' }),
      matches_this_device: matches(),
      risks: z.array(Risk()).meta({ description: 'What it can do.' }),
      absent: z
        .array(z.string())
        .meta({ description: 'Ids of capabilities that the panel would lack; empty for an invalid profile.' }),
      diff: z
        .array(
          z.object({
            path: z.string().meta({ description: 'Which field.' }),
            before: z.string().nullable().meta({ description: 'Null if it is new.' }),
            after: z.string().nullable().meta({ description: 'Null if it is gone.' }),
          }),
        )
        .meta({ description: 'Differences from the active profile.' }),
      preview_token: z.string().nullable().meta({
        description: 'For `X-Profile-Preview-Token`; valid for these bytes, for ten minutes, in this process only.',
      }),
      preview_expires_at: z
        .int()
        .nullable()
        .meta({ description: 'When the token expires, in milliseconds since the Unix epoch.' }),
      evidence: z
        .array(Evidence())
        .nullable()
        .meta({ description: 'What passive probes found for each driver; null if none was requested.' }),
    })
    .meta({ id: 'ProfilePreview', description: 'A preview of a profile; nothing was saved or touched.' }),
);

/** What was saved. */
export const Imported = once(() =>
  z
    .object({
      ok: ok(),
      status: z
        .enum(['saved', 'saved-before'])
        .meta({ description: '`saved-before`: these bytes were there already.' }),
      id: id(),
      revision: revision(),
      catalog_revision: catalogRevision(),
    })
    .meta({
      id: 'ProfileImported',
      description: 'The revision is in the catalogue, inactive unless it was in use before.',
    }),
);

/** What will be tried. */
export const Scheduled = once(() =>
  z
    .object({
      ok: ok(),
      status: z.literal('scheduled').meta({ description: 'It is recorded, and tried at the restart.' }),
      id: z.string().nullable().meta({ description: 'Name of the profile; null for automatic matching.' }),
      revision: z.string().nullable().meta({ description: 'Its revision; null for automatic matching.' }),
      catalog_revision: catalogRevision(),
    })
    .meta({
      id: 'ProfileScheduled',
      description: 'The agent restarts with this profile in a moment, and falls back by itself if it does not work.',
    }),
);

/** What was deleted. */
export const Deleted = once(() =>
  z
    .object({
      ok: ok(),
      status: z.literal('deleted').meta({ description: 'It is gone.' }),
      id: id(),
      revision: revision(),
      catalog_revision: catalogRevision(),
    })
    .meta({ id: 'ProfileDeleted', description: 'The revision is gone.' }),
);
