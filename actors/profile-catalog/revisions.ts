import type { ProfileFiles } from '#drivers/profiles/files.ts';
import { type ProfileRef, sameRef } from '#machines/profile-catalog/activation.ts';
import type { StoredRevision } from '#machines/profile-catalog/admit.ts';
import { type KnownRevision, unusableIssue } from '#machines/profile-catalog/catalog.ts';
import type { CatalogIssue } from '#machines/profile-catalog/listing.ts';
import type { ProfileDocument, ProfileReading, ProfileSummary } from '#machines/profile-catalog/reading.ts';

import type { BundledProfile, ProfileFormat } from './format.ts';

type Readable = Extract<ProfileReading, { ok: true }>;

/** All revisions, bundled and saved. */
export interface ProfileRevisions {
  /** Reads the catalogue's folder, once. */
  readonly load: () => Promise<void>;
  readonly known: () => readonly KnownRevision[];
  readonly unusable: () => readonly CatalogIssue[];
  readonly local: () => readonly StoredRevision[];
  readonly bundled: () => readonly ProfileRef[];
  /** The exact bytes of a revision; null if it does not exist or its file is damaged. */
  readonly bytes: (ref: ProfileRef) => Promise<{ readonly bytes: Uint8Array } | null>;
  /** The content of a revision; null if it cannot be used now. */
  readonly read: (
    ref: ProfileRef,
  ) => Promise<{ readonly summary: ProfileSummary; readonly document: ProfileDocument } | null>;
  readonly put: (ref: ProfileRef, reading: Readable) => void;
  readonly drop: (ref: ProfileRef) => void;
}

const keyOf = ({ id, revision }: ProfileRef): string => `${id} ${revision}`;

/** The revisions in the folder and in the program. What was read once is not read again for the list. */
export function profileRevisions(files: ProfileFiles, format: ProfileFormat): ProfileRevisions {
  const saved = new Map<string, KnownRevision>();
  const bundled = (): readonly KnownRevision[] =>
    format.bundled().map(({ summary, document }) => ({ summary, matches: format.matches(summary.id, document) }));
  const broken = new Map<string, { readonly ref: ProfileRef; readonly issue: CatalogIssue }>();
  let loaded = false;

  const put = (ref: ProfileRef, { summary, document }: Readable): void => {
    saved.set(keyOf(ref), { summary: { ...summary, origin: 'local' }, matches: format.matches(ref.id, document) });
    broken.delete(keyOf(ref));
  };
  const setAside = (ref: ProfileRef, issue: CatalogIssue): void => void broken.set(keyOf(ref), { ref, issue });
  const readIn = async (ref: ProfileRef): Promise<void> => {
    const found = await files.read(ref);
    if (found.state !== 'read') return setAside(ref, unusableIssue(ref, 'revision-damaged'));
    const reading = format.readSaved(found.value);
    if (!reading.ok) return setAside(ref, unusableIssue(ref, 'revision-invalid', reading.issues));
    return reading.summary.id === ref.id ? put(ref, reading) : setAside(ref, unusableIssue(ref, 'revision-damaged'));
  };
  const bundledOf = (ref: ProfileRef): BundledProfile | undefined =>
    format.bundled().find(({ summary }) => sameRef(summary, ref));
  const bytes: ProfileRevisions['bytes'] = async (ref) => {
    const built = bundledOf(ref) === undefined ? null : format.bundledBytes(ref.id);
    if (built !== null) return { bytes: built };
    const found = await files.read(ref);
    return found.state === 'read' ? { bytes: found.value } : null;
  };

  return {
    load: async () => {
      if (loaded) return;
      // An earlier version may have stored bytes that are bundled now. That copy cannot be deleted, so it is neither
      // listed nor counted towards the limits.
      const own = (await files.list()).filter((ref) => bundledOf(ref) === undefined);
      // oxlint-disable-next-line no-await-in-loop -- one after another: each is read and judged in memory that is free
      // again afterwards
      for (const ref of own) await readIn(ref);
      loaded = true;
    },
    known: () => [...bundled(), ...saved.values()],
    unusable: () => [...broken.values()].map(({ issue }) => issue),
    // Damaged revisions count too, until they are deleted.
    local: () => [
      ...[...saved.values()].map(({ summary: { id, revision, bytes: size } }) => ({ id, revision, bytes: size })),
      ...[...broken.values()].map(({ ref }) => ({ ...ref, bytes: 0 })),
    ],
    bundled: () => format.bundled().map(({ summary: { id, revision } }) => ({ id, revision })),
    bytes,
    read: async (ref) => {
      const built = bundledOf(ref);
      if (built !== undefined) return built;
      const found = await bytes(ref);
      const reading = found === null ? null : format.readSaved(found.bytes);
      return reading?.ok === true ? reading : null;
    },
    put,
    drop: (ref) => {
      saved.delete(keyOf(ref));
      broken.delete(keyOf(ref));
    },
  };
}
