import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
import { serial } from '#drivers/kit/serial.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';
import type { LogLineLevel } from '#machines/live-log/events.ts';
import type { LogFileRules, LogFilesCommand, LogFilesFact } from '#machines/log-files/events.ts';

import { LogFileStore } from './log-file-store.ts';
import type { LogTail } from './tail.ts';

export interface LogStoreOptions {
  /** The data folder. */
  readonly folder: string;
  readonly tail: LogTail;
  readonly rules: LogFileRules;
  /** The mark of this boot (`bootMark`). */
  readonly boot: string | null;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => EpochMs;
  /** Milliseconds on a monotonic clock; by default that of the platform. */
  readonly elapsed?: () => Milliseconds;
}

/** Keeps the log of this run on the disk. */
export interface LogStore {
  /** Reads what earlier runs left, then writes the lines in batches. */
  readonly driver: DriverLogic<LogFilesCommand, undefined, LogFilesFact>;
  /**
   * Writes the remaining lines and how this run ended, synchronously; called once, at the end of the process. If the
   * disk refuses, they are lost.
   */
  readonly close: () => void;
}

/** Keeps the newest lines of the log in the data folder, so that the next start has the reason for a crash. */
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
  // Shared by all starts of the driver: a restarted one continues after its predecessor's last write.
  const inTurn = serial();
  let allowance = rules.begin(elapsed());
  /** Position of the newest line that was written or left out. */
  let taken = 0;
  let isBegun = false;
  let isRead = false;
  let isClosed = false;
  let crashed = false;
  let failure: string | null = null;
  /** Time of the last write. */
  let wroteAt = Number.NEGATIVE_INFINITY;
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

  /** The batch to write now, and where the next one begins. */
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
    // Empty if nothing fits; its lines then count as left out.
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
      let reported: string | null = null;
      const flush = guard(() =>
        inTurn(async () => {
          if (isClosed) return;
          await write();
          if (failure !== reported) send({ type: 'log-files.told', failure });
          reported = failure;
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
        // The disk refuses, and the process ends: there is no place to report it to.
      }
    },
  };
}
