import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { syncFolder } from '#drivers/kit/replace-file.ts';
import { serial } from '#drivers/kit/serial.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { CommitOutcome, DamagedSection, Loaded, ReadAllOutcome, SnapshotOutcome } from '#machines/store/events.ts';

import type { LoadReport, WriteStep } from './adapter.ts';
import { droppedSecrets, forgetInKept } from './credentials.ts';
import {
  documentFormats,
  emptyDocument,
  hasFormerNames,
  identityAlone,
  stateDocument,
  withPresentNames,
  withSections,
} from './document.ts';
import type { StateDocument } from './document.ts';
import { failureOf } from './failure.ts';
import { makeFolder, SECTIONS } from './folder.ts';
import { type Formats, NewerFormat } from './formats.ts';
import { NoFolder, NotLoaded, NotTogether, NotUndecided } from './not-stored.ts';
import { type PersistedFile, persistedFile } from './persisted-file.ts';
import { type SectionDocument, sectionFile, sectionFileName, sectionOf } from './section-file.ts';

/** Sections by name. */
type Sections = Readonly<Record<string, unknown>>;

/** The stored sections. Calls are served in order, one after another. */
export interface StoredSections {
  /** Reads all files, at each start; rejects without changing a file if the document cannot be read at all. */
  readonly load: () => Promise<Loaded>;
  /** Copies of the stored sections; null for any never stored. */
  readonly read: (names: readonly string[]) => Promise<ReadAllOutcome>;
  /** Replaces sections durably, all or none; null removes one. `bytes` is the size of the document's file. */
  readonly write: (sections: Sections) => Promise<{ readonly outcome: CommitOutcome; readonly bytes: number }>;
  /** All stored sections as of one moment. */
  readonly snapshot: () => Promise<SnapshotOutcome>;
  /** The owner's decision to begin without a newer document: the new one has the identity alone. */
  readonly startOver: () => ReturnType<StoredSections['write']>;
  /** Resolves when all calls so far have ended. */
  readonly settled: () => Promise<void>;
}

export interface StoredSectionsOptions {
  /** The data folder. */
  readonly folder: string;
  /** Sections with separate files; the others are in the document. */
  readonly apart?: readonly string[];
  /** False for a process that only reads: it leaves a section where an earlier version put it. */
  readonly moves?: boolean;
  /** The formats of the document; this version's by default. */
  readonly formats?: Formats;
  /** Called after each step of a write. */
  readonly onStep?: (step: WriteStep) => void;
  /** Reads a file's text; from the file system by default. */
  readonly readText?: (path: string) => Promise<string>;
  /** A monotonic clock; by default that of the process. */
  readonly elapsed?: () => Milliseconds;
}

/**
 * How long an unreadable file of a section is not retried, unless its rights or content change. A try takes a second,
 * for which all other sections wait.
 */
const refusedMs: Milliseconds = 300_000;

/** A file that could not be read. */
interface Refused {
  readonly at: Milliseconds;
  /** State of the folder and the file at that time. */
  readonly stamp: string;
  readonly error: unknown;
}

/** Changes with the rights or the content of a path. */
function stampOf(path: string): string {
  try {
    const { ctimeMs, ino } = statSync(path);
    return `${ino} ${ctimeMs}`;
  } catch (error) {
    return failureOf(error);
  }
}

/**
 * Keeps the document and the files of the sections, in memory and on disk. Memory changes only after a durable write,
 * so a failed one changes nothing. It outlives the actor that uses it: a restarted one reads only after its
 * predecessor's last write has ended.
 *
 * If the document has a section that belongs in a file, an earlier version left it there, or its move was interrupted:
 * until it is moved, the document counts.
 */
export function storedSections({
  folder,
  apart = [],
  moves = true,
  formats = documentFormats,
  onStep,
  readText,
  elapsed = () => performance.now(),
}: StoredSectionsOptions): StoredSections {
  const inTurn = serial();
  const options = { ...(onStep && { onStep }), ...(readText && { readText }) };
  /** True if the document's file still has a section under a former name. */
  let hasFormer = false;
  const parse = (json: unknown): StateDocument => {
    const stored = stateDocument().parse(json);
    hasFormer = hasFormerNames(stored);
    return withPresentNames(stored);
  };
  const frozenPart = (json: unknown): StateDocument => identityAlone(json, formats.current);
  const document = persistedFile<StateDocument>(
    { folder, formats, parse, frozenPart, ...options },
    emptyDocument(formats.current),
  );
  const own = join(folder, SECTIONS);
  const files = new Map(apart.map((section) => [section, sectionFile(section, { folder: own, ...options })]));
  /** Files that were read. */
  const known = new Set<PersistedFile<SectionDocument>>();
  let isLoaded = false;
  let hasFolder = false;

  const isInDocument = (section: string): boolean => Object.hasOwn(document.content().sections, section);
  /** The file of a section; null if the section is in the document. */
  const fileOf = (section: string): PersistedFile<SectionDocument> | null =>
    isInDocument(section) ? null : (files.get(section) ?? null);
  const makeOwnFolder = async (): Promise<void> => {
    if (hasFolder) return;
    const failure = makeFolder(own);
    if (failure !== null) throw new NoFolder(failure);
    // A file in it is only as durable as the folder's own name.
    await syncFolder(folder);
    hasFolder = true;
  };
  const refused = new Map<string, Refused>();
  const readFile = async (section: string, file: PersistedFile<SectionDocument>): Promise<LoadReport> => {
    const path = join(own, sectionFileName(section));
    const stamp = [own, path].map(stampOf).join(' ');
    const before = refused.get(section);
    if (before !== undefined && before.stamp === stamp && elapsed() - before.at < refusedMs) throw before.error;
    try {
      const report = await file.read();
      refused.delete(section);
      known.add(file);
      return report;
    } catch (error) {
      refused.set(section, { at: elapsed(), stamp, error });
      throw error;
    }
  };

  /**
   * Moves sections that an earlier version left in the document to their files and removes former names; the document
   * is written last, and once.
   */
  const move = async (from: LoadReport['from']): Promise<void> => {
    const waiting = [...files].filter(([section]) => isInDocument(section));
    if (waiting.length === 0 && !hasFormer) return;
    if (waiting.length > 0) await makeOwnFolder();
    const moved: (readonly [string, PersistedFile<SectionDocument>])[] = [];
    for (const [section, file] of waiting) {
      // oxlint-disable-next-line no-await-in-loop -- one writer
      const { from: found } = await file.read();
      // A newer version has written the file: the document counts until that one is back.
      if (file.isClosed()) continue;
      moved.push([section, file]);
      // The copy from before the last save may be older than the move.
      if (from === 'previous' && found !== 'empty') continue;
      // oxlint-disable-next-line no-await-in-loop -- as above
      await file.replace(sectionOf(document.content().sections[section]));
    }
    const gone = Object.fromEntries(moved.map(([section]) => [section, null]));
    if (moved.length > 0 || hasFormer) await document.replace(withSections(document.content(), gone));
    for (const [, file] of moved) known.add(file);
  };
  const load = async (): Promise<Loaded> => {
    isLoaded = false;
    hasFormer = false;
    known.clear();
    const report = await document.read();
    // If the disk refuses they stay in the document, and the next start retries.
    if (moves) await move(report.from).catch(() => {});
    const damaged: DamagedSection[] = [];
    if (existsSync(own))
      await Promise.all(
        [...files].map(async ([section, file]) => {
          if (isInDocument(section) || known.has(file)) return;
          // A file that cannot be read at all is retried when it is asked for, so that no other section has to wait for
          // it.
          const read = await readFile(section, file).catch(() => null);
          if (read === null) damaged.push({ section, from: 'unreadable' });
          else if (read.newer !== null) damaged.push({ section, from: file.isClosed() ? 'newer' : read.from });
          else if (read.trouble !== null) damaged.push({ section, from: read.from });
        }),
      );
    isLoaded = true;
    return { ...report, bytes: document.bytes(), damaged };
  };
  const readOne = async (name: string): Promise<readonly [string, unknown]> => {
    const file = fileOf(name);
    if (file !== null && !known.has(file) && existsSync(own)) await readFile(name, file);
    const stored = file === null ? document.content().sections[name] : file.content().value;
    // A copy, so that a reader cannot change the content in memory.
    return [name, structuredClone(stored ?? null)];
  };
  const read = async (names: readonly string[]): Promise<ReadAllOutcome> => {
    try {
      if (!isLoaded) throw new NotLoaded();
      return { ok: true, values: Object.fromEntries(await Promise.all(names.map(readOne))) };
    } catch (error) {
      return { ok: false, reason: failureOf(error) };
    }
  };

  const snapshot = async (): Promise<SnapshotOutcome> => {
    if (!isLoaded) return { ok: false, reason: failureOf(new NotLoaded()) };
    if (document.isClosed()) return { ok: false, reason: failureOf(new NewerFormat()) };
    const unreadable: string[] = [];
    const sections = new Map(Object.entries(document.content().sections));
    for (const [section, file] of files) {
      if (isInDocument(section)) continue;
      // oxlint-disable-next-line no-await-in-loop -- one file after another
      const [, value] = await readOne(section).catch(() => [section, undefined] as const);
      if (value === undefined || file.isClosed()) unreadable.push(section);
      else if (value !== null) sections.set(section, value);
    }
    return { ok: true, sections: structuredClone(Object.fromEntries(sections)), unreadable };
  };

  const replaceDocument = async (next: StateDocument): Promise<void> => {
    const before = document.content();
    await document.replace(next);
    const dropped = droppedSecrets(before, next);
    if (dropped.length === 0) return;
    // The copy from before the save still has the removed credential, so a second save replaces it too. If the disk
    // refuses that one, the first still counts, and the next save does it. A file that was set aside may have the
    // credential as well, which cannot be checked, since it is unreadable.
    await document.forgetBroken();
    await forgetInKept(folder, dropped).catch(() => {});
    await document.replace(next).catch(() => {});
  };
  const replaceFile = async (name: string, file: PersistedFile<SectionDocument>, value: unknown): Promise<void> => {
    await makeOwnFolder();
    if (!known.has(file)) await readFile(name, file);
    await file.replace(sectionOf(value));
  };
  /** Clears a file that the document overrides: it would count again once the section is removed from the document. */
  const clearOverridden = async (sections: Sections): Promise<void> => {
    if (!existsSync(own)) return;
    for (const [section, value] of Object.entries(sections)) {
      const file = files.get(section);
      if (value !== null || file === undefined || !isInDocument(section)) continue;
      // oxlint-disable-next-line no-await-in-loop -- one writer
      if (!known.has(file)) await readFile(section, file);
      // oxlint-disable-next-line no-await-in-loop -- as above
      if (file.content().value !== null) await replaceFile(section, file, null);
    }
  };
  const write = async (sections: Sections): Promise<CommitOutcome> => {
    try {
      if (!isLoaded) throw new NotLoaded();
      if (document.isClosed()) throw new NewerFormat();
      // Through JSON, so that memory has what a later start would read, and shares nothing with the caller.
      const plain = stateDocument().shape.sections.parse(JSON.parse(JSON.stringify(sections)));
      const [first, ...others] = Object.keys(plain).map((name) => ({ name, file: fileOf(name), value: plain[name] }));
      if (first?.file == null && others.every(({ file }) => file === null)) {
        await clearOverridden(plain);
        await replaceDocument(withSections(document.content(), plain));
      } else if (first?.file != null && others.length === 0) await replaceFile(first.name, first.file, first.value);
      else throw new NotTogether();
      return { ok: true };
    } catch (error) {
      return { ok: false, reason: failureOf(error) };
    }
  };

  const startOver = async (): Promise<CommitOutcome> => {
    try {
      if (!isLoaded || !document.isClosed()) throw new NotUndecided();
      await document.startOver(document.content());
      return { ok: true };
    } catch (error) {
      return { ok: false, reason: failureOf(error) };
    }
  };
  const withBytes = (act: () => Promise<CommitOutcome>): ReturnType<StoredSections['write']> =>
    inTurn(async () => ({ outcome: await act(), bytes: document.bytes() }));

  return {
    load: () => inTurn(load),
    read: (names) => inTurn(() => read(names)),
    write: (sections) => withBytes(() => write(sections)),
    snapshot: () => inTurn(snapshot),
    startOver: () => withBytes(startOver),
    settled: () => inTurn(() => {}),
  };
}
