import { serial } from '#drivers/kit/serial.ts';
import {
  emptyBook,
  type Revision,
  type RevisionBook,
  revisionValues,
  withRevision,
} from '#machines/config-copies/revisions.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';
import type { Configuration } from '#machines/settings/merge.ts';

import { realTimers } from '../kit/registry.ts';
import type { CopiesDeps } from './deps.ts';

/** Pause before a changed record is written; the next start finds what a kill took (`withRevision`). */
const PAUSE_MS: Milliseconds = 1000;

/** The revisions as they are kept. */
export interface RevisionRecord {
  /** Notes what is in force. */
  readonly note: (configuration: Pick<Configuration, 'values' | 'expose'>, at: EpochMs) => Promise<void>;
  /** The next change joins no earlier one, so that a job can be taken back as well. */
  readonly close: () => Promise<void>;
  readonly find: (id: number) => Revision | undefined;
  /** Writes what is due, and nothing after that. */
  readonly end: () => Promise<void>;
}

interface Shown {
  readonly book: RevisionBook;
  readonly failure: string | null;
}

/** Keeps the revisions in their file; `show` gets them, and the code of what the disk refuses. */
export function revisionRecord(
  { file, pauseMs = PAUSE_MS, timers = realTimers }: Pick<CopiesDeps, 'file' | 'pauseMs' | 'timers'>,
  show: (shown: Shown) => void,
): RevisionRecord {
  const inTurn = serial();
  /** Null until the file was read. */
  let book: RevisionBook | null = null;
  let failure: string | null = null;
  let isStart = true;
  let isDue = false;
  let timer: unknown = null;

  const write = async (): Promise<void> => {
    if (book === null || !isDue) return;
    failure = await file.write(book);
    // What the disk refused is written with the next change, or at the end.
    isDue = failure !== null;
    show({ book, failure });
  };
  const writeLater = (): void => {
    timer ??= timers.setTimeout(() => {
      timer = null;
      void inTurn(write);
    }, pauseMs);
  };
  /** The record; null if the file cannot be read now, so that nothing may replace it. */
  const opened = async (): Promise<RevisionBook | null> => {
    if (book !== null) return book;
    const read = await file.read();
    failure = read.ok ? null : read.reason;
    return read.ok ? (read.value ?? emptyBook) : null;
  };
  return {
    note: (configuration, at) =>
      inTurn(async () => {
        const before = await opened();
        if (before === null) return show({ book: emptyBook, failure });
        book = withRevision(before, revisionValues(configuration), { at, isStart });
        isStart = false;
        isDue ||= book !== before;
        if (isDue) writeLater();
        show({ book, failure });
      }),
    close: () =>
      inTurn(() => {
        if (book !== null) book = { ...book, openSince: null };
      }),
    find: (id) => book?.revisions.find((revision) => revision.id === id),
    end: () => {
      timers.clearTimeout(timer);
      return inTurn(write);
    },
  };
}
