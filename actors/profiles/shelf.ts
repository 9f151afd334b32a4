import type { ProfileFiles } from '#drivers/profiles/files.ts';
import { type ProfileRef, sameRef } from '#machines/profiles/activation.ts';
import type { StoredRevision } from '#machines/profiles/admit.ts';
import { type CatalogIssue, type KnownRevision, unusableIssue } from '#machines/profiles/catalog.ts';
import type { ProfileDocument, ProfileReading, ProfileSummary } from '#machines/profiles/events.ts';

import type { ProfileFormat } from './format.ts';

type Readable = Extract<ProfileReading, { ok: true }>;

/** Every revision there is, bundled and saved. */
export interface ProfileShelf {
  /** Reads the catalogue's folder, once. */
  readonly load: () => Promise<void>;
  readonly known: () => readonly KnownRevision[];
  readonly unusable: () => readonly CatalogIssue[];
  readonly local: () => readonly StoredRevision[];
  readonly bundled: () => readonly ProfileRef[];
  /** The exact bytes of a revision; null where there is none, or its file is damaged. */
  readonly bytes: (ref: ProfileRef) => Promise<{ readonly bytes: Uint8Array } | null>;
  /** What a revision says; null where it cannot be used now. */
  readonly read: (ref: ProfileRef) => Promise<{ readonly summary: ProfileSummary; readonly document: ProfileDocument } | null>;
  readonly put: (ref: ProfileRef, reading: Readable) => void;
  readonly drop: (ref: ProfileRef) => void;
}

const keyOf = ({ id, revision }: ProfileRef): string => `${id} ${revision}`;

/** The revisions in the folder and in the program; what was read once is not read again for the list. */
export const profileShelf = (files: ProfileFiles, format: ProfileFormat): ProfileShelf => {
  const saved = new Map<string, KnownRevision>();
  const built: KnownRevision[] = [];
  const broken = new Map<string, { readonly ref: ProfileRef; readonly issue: CatalogIssue }>();
  let loaded = false;

  const put = (ref: ProfileRef, { summary, document }: Readable): void => {
    saved.set(keyOf(ref), { summary: { ...summary, origin: 'local' }, matches: format.matches(document) });
    broken.delete(keyOf(ref));
  };
  const lay = (ref: ProfileRef, issue: CatalogIssue): void => void broken.set(keyOf(ref), { ref, issue });
  const take = async (ref: ProfileRef): Promise<void> => {
    const found = await files.read(ref);
    if (found.state !== 'read') return lay(ref, unusableIssue(ref, 'revision-damaged'));
    const reading = format.read(found.value);
    if (!reading.ok) return lay(ref, unusableIssue(ref, 'revision-invalid', reading.issues));
    return reading.summary.id === ref.id ? put(ref, reading) : lay(ref, unusableIssue(ref, 'revision-damaged'));
  };
  const bytes: ProfileShelf['bytes'] = async (ref) => {
    const own = format.bundled().find((one) => sameRef(one.ref, ref));
    if (own !== undefined) return { bytes: own.bytes };
    const found = await files.read(ref);
    return found.state === 'read' ? { bytes: found.value } : null;
  };

  return {
    load: async () => {
      if (loaded) return;
      for (const one of format.bundled()) {
        const reading = format.read(one.bytes);
        if (reading.ok) built.push({ summary: { ...reading.summary, origin: 'bundled' }, matches: format.matches(reading.document) });
        // oxlint-disable-next-line no-await-in-loop -- a turn of the event loop between two, so that no request waits for all of them
        await new Promise((resolve) => void setImmediate(resolve));
      }
      // oxlint-disable-next-line no-await-in-loop -- one after another: each is read and judged in memory that is free again afterwards
      for (const ref of await files.list()) await take(ref);
      loaded = true;
    },
    known: () => [...built, ...saved.values()],
    unusable: () => [...broken.values()].map(({ issue }) => issue),
    // What is damaged takes a place as well, until it is deleted.
    local: () => [...[...saved.values()].map(({ summary: { id, revision, bytes: size } }) => ({ id, revision, bytes: size })), ...[...broken.values()].map(({ ref }) => ({ ...ref, bytes: 0 }))],
    bundled: () => built.map(({ summary: { id, revision } }) => ({ id, revision })),
    bytes,
    read: async (ref) => {
      const found = await bytes(ref);
      const reading = found === null ? null : format.read(found.bytes);
      return reading?.ok === true ? reading : null;
    },
    put,
    drop: (ref) => {
      saved.delete(keyOf(ref));
      broken.delete(keyOf(ref));
    },
  };
};
