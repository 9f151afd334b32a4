import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';

import { errorCode } from '#drivers/kit/error-code.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { serial } from '#drivers/kit/serial.ts';
import { DurableFile, type WriteStep } from '#drivers/store/adapter.ts';
import { FILTER_DOCUMENT } from '#drivers/store/folder.ts';
import type { KeepCommand, KeepFact } from '#machines/entity-filter/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

type Kept = KeepCommand['persisted'];

/** What the document of the entity filter is made with. */
export interface FilterDocumentOptions {
  /** The data folder. */
  readonly folder: string;
  /** Turns the parsed JSON into what was kept, or throws where it is not that. */
  readonly parse: (json: unknown) => Kept;
  /** What is recalled where nothing was kept, or nothing that can be read. */
  readonly empty: Kept;
  /** Largest file that is read and written, in bytes; 32 MiB when absent. */
  readonly mostBytes?: number;
  /** Hears of each step of a write after it was done. */
  readonly onStep?: (step: WriteStep) => void;
}

/** How long what was learned may wait, so that a page which goes on reading does not wear the disk. */
const LEARNED_MS: Milliseconds = 10_000;
/** Above what 50,000 entities of the longest ids take with their evidence. */
const MOST_BYTES = 32 * 1024 * 1024;

/** What is to be kept, and its number in the order in which that came. */
interface Arrival {
  readonly kept: Kept;
  readonly number: number;
}

/** A document that is larger than what is read again. */
class TooLarge extends Error {
  override readonly name = 'TooLarge';
  readonly code = 'EFBIG';
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64');

/**
 * Keeps what was learned and decided of the dashboards' entities in a document of its own, beside that of the settings.
 * What the owner decides is written at once, what was learned 10 s later or at the end; writes are made in order, and
 * the newest counts.
 */
export function filterDocument({ folder, parse, empty, mostBytes = MOST_BYTES, onStep }: FilterDocumentOptions) {
  // Shared by all starts of this one: a restarted driver reads only after its predecessor's last write has ended.
  const inTurn = serial();
  return fromDriver<KeepCommand, undefined, KeepFact>(({ send, onEvent, guard }) => {
    const file = new DurableFile<Kept>({
      folder,
      name: FILTER_DOCUMENT,
      parse,
      readText: async (path) => {
        if ((await stat(path)).size > mostBytes) throw new TooLarge();
        return readFile(path, 'utf8');
      },
      ...(onStep && { onStep }),
    });
    /** Digest of what the disk holds; null before it was read, or where it holds nothing. */
    let held: string | null = null;
    let isRead = false;
    /** Number of the newest that is durable; 0 before the first. */
    let newest = 0;
    let arrivals = 0;
    /** What was learned and waits. */
    let due: Arrival | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;

    const read = async (): Promise<void> => {
      const kept = await file.read();
      if (kept !== null && file.report.from === 'current') held = digestOf(JSON.stringify(kept));
      isRead = true;
      send({ type: 'filters.recalled', persisted: kept ?? empty });
    };
    /** Null once it is durable, else the POSIX name of what the disk refused. */
    const write = async (kept: Kept): Promise<string | null> => {
      const text = JSON.stringify(kept);
      const digest = digestOf(text);
      if (digest === held) return null;
      if (Buffer.byteLength(text) >= mostBytes) return 'EFBIG';
      try {
        await file.write(kept);
      } catch (error) {
        held = null;
        return errorCode(error);
      }
      held = digest;
      return null;
    };
    const keep = async ({ kept, number }: Arrival, requestId: string | null): Promise<void> => {
      // The file could not be read, and this driver is ending: it may hold the newest document.
      if (!isRead) return;
      const failure = await write(kept);
      if (failure === null) newest = number;
      // What was learned is tried again with what is learned next, or at the end.
      else if (requestId === null) due ??= { kept, number };
      send({ type: 'filters.persisted', requestId, failure });
    };
    const keepDue = async (): Promise<void> => {
      clearTimeout(timer);
      timer = undefined;
      const learned = due;
      due = null;
      // A decision that came after it holds it, too.
      if (learned !== null && learned.number > newest) await keep(learned, null);
    };

    guard(() => inTurn(read))();
    onEvent(({ persisted: kept, requestId }) => {
      arrivals += 1;
      const arrival = { kept, number: arrivals };
      if (requestId !== null) return inTurn(() => keep(arrival, requestId));
      due = arrival;
      timer ??= setTimeout(
        guard(() => inTurn(keepDue)),
        LEARNED_MS,
      );
      return undefined;
    });
    return () => {
      clearTimeout(timer);
      return inTurn(keepDue);
    };
  });
}
