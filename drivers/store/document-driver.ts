import { Low } from 'lowdb';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { serial } from '#drivers/kit/serial.ts';
import { dropsSecret, emptyDocument, stateDocument, withSections } from './document.ts';
import type { StateDocument } from './document.ts';
import type { CommitOutcome, DocumentCommand, DocumentFact } from '#machines/store/events.ts';
import { DurableFile } from './adapter.ts';
import type { WriteStep } from './adapter.ts';
import { failureOf } from './failure.ts';

/** What the store's driver is started with. */
export interface DocumentInput {
  /** The data folder. */
  readonly folder: string;
}

/** Hooks of the store's driver; nothing is needed outside tests. */
export interface DocumentDriverOptions {
  readonly onStep?: (step: WriteStep) => void;
  /** Reads a file's text; the file system itself when absent. */
  readonly readText?: (path: string) => Promise<string>;
}

/**
 * Holds the one document, in memory and on disk. Commands are answered in order, one after another, reads included;
 * memory changes only after the write is durable, so a failed commit leaves everything as it was.
 */
export const documentDriver = (options: DocumentDriverOptions = {}) => {
  // Shared by all starts of this one: a restarted driver reads only after its predecessor's last write has ended.
  const inTurn = serial();
  return fromDriver<DocumentCommand, DocumentInput, DocumentFact>(({ input, send, onEvent, guard }) => {
    const file = new DurableFile<StateDocument>({
      folder: input.folder,
      parse: (json) => stateDocument.parse(json),
      ...(options.onStep === undefined ? {} : { onStep: options.onStep }),
      ...(options.readText === undefined ? {} : { readText: options.readText }),
    });
    // lowdb holds what was read; its own `write` would change `data` first, and a refused write must change nothing.
    const low = new Low<StateDocument>(file, emptyDocument());

    let loaded = false;

    const load = async (): Promise<void> => {
      await low.read();
      loaded = true;
      send({ type: 'document.loaded', ...file.report, bytes: file.bytes, at: Date.now() });
    };
    const write = async (sections: Readonly<Record<string, unknown>>): Promise<CommitOutcome> => {
      try {
        // Through JSON, so that memory holds what a later start would read, and nothing of the caller's.
        const plain = stateDocument.shape.sections.parse(JSON.parse(JSON.stringify(sections)));
        const before = low.data;
        const next = withSections(before, plain);
        await low.adapter.write(next);
        low.data = next;
        // The copy from before the save still holds a credential that was removed: a second save replaces it too. Where
        // the disk refuses that one, the first has been made all the same, and the next save does it. What was set
        // aside may hold the credential as well, and nobody can read it to tell.
        if (dropsSecret(before, next)) {
          await file.forgetBroken();
          await low.adapter.write(next).catch(() => {});
        }
        return { ok: true };
      } catch (error) {
        return { ok: false, reason: failureOf(error) };
      }
    };
    const serve = async (command: DocumentCommand): Promise<void> => {
      // The document could not be read, and this driver is ending: a write now would replace it with an empty one.
      if (!loaded && command.type !== 'document.close') return;
      switch (command.type) {
        case 'document.read':
          // A copy: what a reader does with it must not reach the document.
          send({
            type: 'document.answered',
            requestId: command.requestId,
            outcome: { ok: true, value: structuredClone(low.data.sections[command.section] ?? null) },
          });
          return;
        case 'document.write':
          send({
            type: 'document.written',
            requestId: command.requestId,
            outcome: await write(command.sections),
            bytes: file.bytes,
            at: Date.now(),
          });
          return;
        case 'document.close':
          send({ type: 'document.closed' });
      }
    };

    guard(() => inTurn(load))();
    onEvent((command) => inTurn(() => serve(command)));
    // A write that is under way when the driver is stopped is finished before the folder is given free.
    return () => inTurn(() => {});
  });
};
