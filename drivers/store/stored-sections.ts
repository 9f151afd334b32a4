import { serial } from '#drivers/kit/serial.ts';
import type { CommitOutcome, Loaded } from '#machines/store/events.ts';

import type { WriteStep } from './adapter.ts';
import { dropsSecret, emptyDocument, stateDocument, withSections } from './document.ts';
import type { StateDocument } from './document.ts';
import { failureOf } from './failure.ts';
import { keptFile } from './kept-file.ts';

/** Sections by name. */
export type Sections = Readonly<Record<string, unknown>>;

/** The stored sections, as their owner uses them. Calls are served in order, one after another. */
export interface StoredSections {
  /** Reads the document, at each start; rejects, with every file as it was, where it cannot be read at all. */
  readonly load: () => Promise<Loaded>;
  /** Copies of what is stored; null for what never was. */
  readonly read: (names: readonly string[]) => Promise<Sections>;
  /** Replaces sections, durably, all or none; null removes one. `bytes` is the size of the document's file. */
  readonly write: (sections: Sections) => Promise<{ readonly outcome: CommitOutcome; readonly bytes: number }>;
  /** Resolves when all that was begun has ended. */
  readonly settled: () => Promise<void>;
}

/** What the stored sections are made with. */
export interface StoredSectionsOptions {
  /** The data folder. */
  readonly folder: string;
  /** Called after each step of a write. */
  readonly onStep?: (step: WriteStep) => void;
  /** Reads a file's text; the file system itself when absent. */
  readonly readText?: (path: string) => Promise<string>;
}

/** The document could not be read: what is in its files may be newer than anything that is in memory. */
class NotLoaded extends Error {
  override readonly name = 'NotLoaded';
  readonly code = 'unreadable';
}

/**
 * Holds the document in memory and on disk. Memory changes only after the write is durable, so a failed one leaves
 * everything as it was. It outlives the actor that uses it: a restarted one reads only after its predecessor's last
 * write has ended.
 */
export const storedSections = ({ folder, onStep, readText }: StoredSectionsOptions): StoredSections => {
  const inTurn = serial();
  const options = { ...(onStep && { onStep }), ...(readText && { readText }) };
  const document = keptFile<StateDocument>(
    { folder, parse: (json) => stateDocument.parse(json), ...options },
    emptyDocument(),
  );
  let isLoaded = false;

  const replaceDocument = async (next: StateDocument): Promise<void> => {
    const before = document.content();
    await document.replace(next);
    if (!dropsSecret(before, next)) return;
    // The copy from before the save still holds a credential that was removed: a second save replaces it too. Where
    // the disk refuses that one, the first has been made all the same, and the next save does it. What was set aside
    // may hold the credential as well, and nobody can read it to tell.
    await document.forgetBroken();
    await document.replace(next).catch(() => {});
  };
  const write = async (sections: Sections): Promise<CommitOutcome> => {
    try {
      if (!isLoaded) throw new NotLoaded();
      // Through JSON, so that memory holds what a later start would read, and nothing of the caller's.
      const plain = stateDocument.shape.sections.parse(JSON.parse(JSON.stringify(sections)));
      await replaceDocument(withSections(document.content(), plain));
      return { ok: true };
    } catch (error) {
      return { ok: false, reason: failureOf(error) };
    }
  };

  return {
    load: () =>
      inTurn(async () => {
        isLoaded = false;
        const report = await document.read();
        isLoaded = true;
        return { ...report, bytes: document.bytes() };
      }),
    read: (names) =>
      inTurn(() => {
        if (!isLoaded) throw new NotLoaded();
        const { sections } = document.content();
        // A copy: what a reader does with it must not reach the document.
        return Object.fromEntries(names.map((name) => [name, structuredClone(sections[name] ?? null)]));
      }),
    write: (sections) => inTurn(async () => ({ outcome: await write(sections), bytes: document.bytes() })),
    settled: () => inTurn(() => {}),
  };
};
