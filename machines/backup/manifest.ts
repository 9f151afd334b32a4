import { z } from 'zod';

import { storedRecipient } from '../kit/recipient.ts';
import { once } from '../kit/once.ts';

/** Kind of the archive; another product that writes the same envelope has another one, or none. */
export const BACKUP_KIND = 'sconce-backup';

/** Number of the archive's form; it goes up with a change that an earlier version would misread. */
export const BACKUP_SCHEMA = 1;

/** Most keys of the configuration: ten times those there are. */
const MOST_KEYS = 1000;
/** Most fingerprints that a machine is known by, and the names of unreadable sections that are listed. */
const MOST_ORIGINS = 33;
const MOST_UNREADABLE = 64;

const text = once(() => z.string().max(255));

const bounded = <T>(value: z.ZodType<T>): z.ZodType<Readonly<Record<string, T>>> =>
  z.record(text(), value).refine((record) => Object.keys(record).length <= MOST_KEYS);

/** What is read of a manifest first: whose it is, and if this version can read on. */
export const manifestHead = once(() => z.looseObject({ kind: z.unknown(), schema: z.unknown() }));

/** The whole manifest, schema 1. */
export const backupManifest = once(() =>
  z.object({
    kind: z.literal(BACKUP_KIND),
    schema: z.literal(BACKUP_SCHEMA),
    /** When it was made, milliseconds since the Unix epoch. */
    made_at: z.number().min(0),
    /** Id of the panel that it is from. */
    made_by: text(),
    /** The version of Sconce that made it. */
    version: z.string().max(64),
    /** One digest for each known fingerprint of the machine that it is from. */
    origin: z.array(z.string().regex(/^[0-9a-f]{64}$/)).max(MOST_ORIGINS),
    config: z.object({
      /** Schema number of the settings. */
      schema: z.int().min(1),
      /** Settings and `ha_expose_*` flags as text; secrets only in an encrypted archive. */
      values: bounded(z.string().max(65_536)),
      /** The recipient of each secret among the values; null for one that waits for a person to confirm it. */
      recipients: bounded(storedRecipient().nullable()).exactOptional(),
    }),
    /** The names in use, chosen or automatic. */
    identity: z.object({ panel_id: z.string().regex(/^[a-z0-9_]{0,63}$/), friendly_name: text() }),
    /** True if state of the panel could not be read, so that it is missing. */
    state_unavailable: z.boolean(),
    /** What could not be read. */
    unreadable: z.array(z.string().max(64)).max(MOST_UNREADABLE).default([]),
    /** The other entries with their sizes in bytes. */
    entries: z.array(z.object({ name: z.string().max(128), bytes: z.int().min(0) })).max(8),
  }),
);
export type BackupManifest = z.output<ReturnType<typeof backupManifest>>;
