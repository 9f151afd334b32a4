import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
import { serial } from '#drivers/kit/serial.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';
import type { LogLineLevel } from '#machines/live-log/events.ts';
import type { LogFileRules, LogFilesCommand, LogFilesFact } from '#machines/log-files/events.ts';

import { LogFileStore } from './log-file-store.ts';
import type { LogTail } from './tail.ts';

/** What the log is kept with. */
export interface LogStoreOptions {
  /** The data folder. */
  readonly folder: string;
  readonly tail: LogTail;
  readonly rules: LogFileRules;
  /** The mark of this start of the machine (`bootMark`). */
  readonly boot: string | null;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => EpochMs;
  /** Milliseconds on the clock of this process; that of the platform when absent. */
  readonly elapsed?: () => Milliseconds;
}

/** Keeps the log of this run on the disk. */
export interface LogStore {
  /** Reads what earlier runs left, then writes the lines in batches. */
  readonly driver: DriverLogic<LogFilesCommand, undefined, LogFilesFact>;
  /**
   * Writes what is not on the disk yet and how this run ended, in one go: for the way out of the process, once. What
   * the disk refuses then is lost.
   */
  readonly close: () => void;
}

/**
 * Keeps the newest lines of the log in the data folder, so that the reason for a crash is there after the next start.
 */
export function openLogStore({
  folder,
  tail,
  rules,
  boot,
  now,
  elapsed = () => performance.now(),
}: LogStoreOptions): LogStore {
  const { run, capacity } = tail;
  const files = new LogFileStore(folder, rules);
  // Shared by all starts of the driver: a restarted one goes on where its predecessor's last write has ended.
  const inTurn = serial();
  let allowance = rules.begin(elapsed());
  /** Position of the newest line that is on the disk, or was left out. */
  let taken = 0;
  let isBegun = false;
  let isRead = false;
  let isClosed = false;
  let crashed = false;
  let failure: string | null = null;
  /** When the disk was last written to; long ago before the first time. */
  let wroteAt = Number.NEGATIVE_INFINITY;
  /** When the next write is due. */
  let dueAt = Number.POSITIVE_INFINITY;
  let urgent = false;
  let wake = (): void => {};

  const report = (level: LogLineLevel): void => {
    crashed ||= level === 'fatal';
    const sinceMs = elapsed() - wroteAt;
    const wait = rules.waitFor(level, sinceMs);
    urgent ||= rules.isUrgent(level);
    dueAt = Math.min(dueAt, elapsed() + (failure === null ? wait : Math.max(wait, rules.retryMs - sinceMs)));
    wake();
  };
  tail.onMove(report);

  /** What is to be written now, and where the next batch begins. */
  const next = () => {
    const { lines, missed } = tail.after(taken, capacity);
    const batch = rules.batch(run, lines, missed, allowance, elapsed());
    const start = isBegun ? '' : rules.startText({ run, at: tail.start().at, boot });
    return { ...batch, text: start + batch.text, to: lines.at(-1)?.seq ?? taken };
  };
  const write = async (): Promise<void> => {
    dueAt = Number.POSITIVE_INFINITY;
    const isUrgent = urgent;
    urgent = false;
    const batch = next();
    // Nothing of it has found room; it is counted as left out.
    const refused = batch.text === '' ? null : await files.append(batch.text, batch.records + 1, isUrgent);
    if (batch.text !== '') wroteAt = elapsed();
    failure = refused;
    if (refused !== null) return;
    ({ to: taken, allowance } = batch);
    isBegun ||= batch.text !== '';
  };

  return {
    driver: fromDriver<LogFilesCommand, undefined, LogFilesFact>(({ send, guard }) => {
      let timer: NodeJS.Timeout | undefined;
      let told: string | null = null;
      const flush = guard(() =>
        inTurn(async () => {
          if (isClosed) return;
          await write();
          if (failure !== told) send({ type: 'log-files.told', failure });
          told = failure;
          if (failure !== null) dueAt = Math.min(dueAt, wroteAt + rules.retryMs);
          plan();
        }),
      );
      const plan = (): void => {
        clearTimeout(timer);
        if (isRead && Number.isFinite(dueAt)) timer = setTimeout(flush, Math.max(0, dueAt - elapsed()));
      };
      wake = plan;
      guard(() =>
        inTurn(async () => {
          if (!isRead) tail.recall(rules.recall(await files.read(), boot));
          isRead = true;
          plan();
        }),
      )();
      return () => {
        wake = () => {};
        clearTimeout(timer);
        return inTurn(async () => {
          if (!isClosed && isRead && tail.newest() > taken) await write();
        });
      };
    }),
    close: () => {
      if (isClosed) return;
      isClosed = true;
      const batch = next();
      try {
        const end = rules.endText(run, now(), crashed ? 'crashed' : 'stopped', batch.allowance.leftOut);
        files.appendNow(batch.text + end, batch.records + 2, crashed);
      } catch {
        // The disk refuses, and nobody is left to tell.
      }
    },
  };
}
