import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';

import { errorCode } from '#drivers/kit/error-code.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { serial } from '#drivers/kit/serial.ts';
import { DurableFile, type WriteStep } from '#drivers/store/adapter.ts';
import { FILTER_DOCUMENT } from '#drivers/store/folder.ts';
import type { KeepCommand, KeepFact } from '#machines/entity-filter/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

type Persisted = KeepCommand['persisted'];

export interface FilterDocumentOptions {
  /** The data folder. */
  readonly folder: string;
  /** Turns parsed JSON into the persisted state, or throws if it is something else. */
  readonly parse: (json: unknown) => Persisted;
  /** Reported if nothing was persisted, or nothing readable. */
  readonly empty: Persisted;
  /** Largest file that is read or written, in bytes; 32 MiB by default. */
  readonly mostBytes?: number;
  /** Called after each step of a write. */
  readonly onStep?: (step: WriteStep) => void;
}

/** Delay before learned entities are written, so that a page that keeps reading does not wear the disk. */
const LEARNED_MS: Milliseconds = 10_000;
/** More than 50,000 entities with ids of maximum length and their evidence take. */
const MOST_BYTES = 32 * 1024 * 1024;

/** A state to persist, and its number in the order of arrival. */
interface Arrival {
  readonly state: Persisted;
  readonly number: number;
}

/** The document is larger than the driver reads. */
class TooLarge extends Error {
  override readonly name = 'TooLarge';
  readonly code = 'EFBIG';
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64');

/**
 * Persists the dashboards' entities, learned and decided, in a document separate from the settings. Decisions of the
 * owner are written at once, learned entities after 10 s or at the end. Writes are made in order, and the newest
 * counts.
 */
export function filterDocument({ folder, parse, empty, mostBytes = MOST_BYTES, onStep }: FilterDocumentOptions) {
  // Shared by all starts of this driver: a restarted one reads only after its predecessor's last write has ended.
  const inTurn = serial();
  return fromDriver<KeepCommand, undefined, KeepFact>(({ send, onEvent, guard }) => {
    const file = new DurableFile<Persisted>({
      folder,
      name: FILTER_DOCUMENT,
      parse,
      readText: async (path) => {
        if ((await stat(path)).size > mostBytes) throw new TooLarge();
        return readFile(path, 'utf8');
      },
      ...(onStep && { onStep }),
    });
    /** Digest of what the disk holds; null before it was read, or if it holds nothing. */
    let held: string | null = null;
    let isRead = false;
    /** Number of the newest durable state; 0 before the first. */
    let newest = 0;
    let arrivals = 0;
    /** A learned state that waits to be written. */
    let due: Arrival | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;

    const read = async (): Promise<void> => {
      const state = await file.read();
      if (state !== null && file.report.from === 'current') held = digestOf(JSON.stringify(state));
      isRead = true;
      send({ type: 'filters.recalled', persisted: state ?? empty });
    };
    /** Null once it is durable, else the POSIX error name. */
    const write = async (state: Persisted): Promise<string | null> => {
      const text = JSON.stringify(state);
      const digest = digestOf(text);
      if (digest === held) return null;
      if (Buffer.byteLength(text) >= mostBytes) return 'EFBIG';
      try {
        await file.write(state);
      } catch (error) {
        held = null;
        return errorCode(error);
      }
      held = digest;
      return null;
    };
    const persist = async ({ state, number }: Arrival, requestId: string | null): Promise<void> => {
      // The file could not be read, and the driver is ending: do not overwrite what may be the newest document.
      if (!isRead) return;
      const failure = await write(state);
      if (failure === null) newest = number;
      // A learned state is retried with the next one, or at the end.
      else if (requestId === null) due ??= { state, number };
      send({ type: 'filters.persisted', requestId, failure });
    };
    const persistDue = async (): Promise<void> => {
      clearTimeout(timer);
      timer = undefined;
      const learned = due;
      due = null;
      // A later decision already contains it.
      if (learned !== null && learned.number > newest) await persist(learned, null);
    };

    guard(() => inTurn(read))();
    onEvent(({ persisted: state, requestId }) => {
      arrivals += 1;
      const arrival = { state, number: arrivals };
      if (requestId !== null) return inTurn(() => persist(arrival, requestId));
      due = arrival;
      timer ??= setTimeout(
        guard(() => inTurn(persistDue)),
        LEARNED_MS,
      );
      return undefined;
    });
    return () => {
      clearTimeout(timer);
      return inTurn(persistDue);
    };
  });
}
