import type { Milliseconds } from '../kit/units.ts';
import type { LogLine, LogLineLevel } from '../live-log/events.ts';
import type { LogAllowance, LogBatch, LogFileSize } from './events.ts';
import { leftOutText, lineText } from './records.ts';

/** Most bytes and lines of one of the two files: together 512 kB and 2,000 lines. */
export const fileBytes = 256 * 1024;
export const fileLines = 1000;

/** How long an unimportant line may wait, so that the disk is written to rarely. */
const waitMs: Milliseconds = 5000;
/** Shortest pause between two writes of important lines: the first one is written at once. */
const urgentMs: Milliseconds = 1000;
/** Pause after a write that the disk refused. */
export const retryMs: Milliseconds = 60_000;

/** Average limit per minute, in bytes. */
const minuteBytes = 64 * 1024;
/** Limit after a quiet period, in bytes. */
const burstBytes = 128 * 1024;
/** Share of it reserved for warnings and errors, so that a flood of other lines does not hide them, in bytes. */
const reservedBytes = 32 * 1024;

/** True if a line is important enough to be written at once. */
export const isUrgent = (level: LogLineLevel): boolean => level === 'warn' || level === 'error' || level === 'fatal';

/** How long a line may wait in memory; `sinceMs` is the time since the last write. */
export const waitFor = (level: LogLineLevel, sinceMs: Milliseconds): Milliseconds =>
  isUrgent(level) ? Math.max(0, urgentMs - sinceMs) : waitMs;

/** True if a batch of that size begins a new file; the first batch of a file always fits. */
export const rotates = (file: LogFileSize, next: LogFileSize): boolean =>
  file.bytes > 0 && (file.bytes + next.bytes > fileBytes || file.lines + next.lines > fileLines);

/** The allowance at the start. */
export const begin = (at: Milliseconds): LogAllowance => ({ bytes: burstBytes, at, leftOut: 0 });

const refilled = ({ bytes, at, leftOut }: LogAllowance, now: Milliseconds): LogAllowance => ({
  bytes: Math.min(burstBytes, bytes + (Math.max(0, now - at) * minuteBytes) / 60_000),
  at: now,
  leftOut,
});

/** Size of a text in UTF-8. */
const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/**
 * Selects what to write of the next lines: as many as the allowance has bytes for. The next line that fits is
 * preceded by the number of lines left out; `missed` lines before them are already lost.
 */
export function batch(
  run: string,
  lines: readonly LogLine[],
  missed: number,
  before: LogAllowance,
  now: Milliseconds,
): LogBatch {
  let { bytes, leftOut } = refilled(before, now);
  leftOut += missed;
  let text = '';
  let records = 0;
  for (const line of lines) {
    const told = leftOut === 0 ? '' : leftOutText(run, line.at, leftOut);
    const record = `${told}${lineText(run, line)}`;
    const cost = bytesOf(record);
    if (cost > bytes - (isUrgent(line.level) ? 0 : reservedBytes) || records >= fileLines - 2) {
      leftOut += 1;
      continue;
    }
    bytes -= cost;
    leftOut = 0;
    text += record;
    records += told === '' ? 1 : 2;
  }
  return { text, records, allowance: { bytes, at: now, leftOut } };
}
