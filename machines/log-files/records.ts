import { z } from 'zod';

import { once } from '../kit/once.ts';
import type { EpochMs } from '../kit/units.ts';
import type { StoredEntry, LogLine, RunEnd } from '../live-log/events.ts';
import type { LogRecall, LogRun } from './events.ts';

/** Longest record that is read, in characters: words and facts have 2,000 each, and JSON may take six for one. */
const longestRecord = 32_768;
/** Longest words and facts, in characters: what the log's tail provides, plus an ellipsis. */
const longestText = 2001;

const run = once(() => z.string().regex(/^[0-9a-f]{8}$/));
const at = once(() => z.int().min(0).max(8.64e15));

const Line = once(() =>
  z.strictObject({
    run: run(),
    seq: z.int().min(1),
    at: at(),
    level: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']),
    part: z.string().max(longestText),
    text: z.string().max(longestText),
    facts: z.string().max(longestText),
  }),
);
const Start = once(() => z.strictObject({ run: run(), at: at(), start: z.literal(true), boot: run().nullable() }));
const LeftOut = once(() => z.strictObject({ run: run(), at: at(), left_out: z.int().min(1) }));
const End = once(() => z.strictObject({ run: run(), at: at(), end: z.enum(['stopped', 'crashed']) }));
const Kept = once(() => z.union([Line(), Start(), LeftOut(), End()]));
type Kept = z.output<ReturnType<typeof Kept>>;

const written = (record: Kept): string => `${JSON.stringify(record)}\n`;

/** The record of a line. */
export const lineText = (of: string, line: LogLine): string => written({ run: of, ...line });

/** The record of lines that were left out. */
export const leftOutText = (of: string, when: EpochMs, count: number): string =>
  written({ run: of, at: when, left_out: count });

/** The record of a start. */
export const startText = ({ run: of, at: when, boot }: LogRun): string =>
  written({ run: of, at: when, start: true, boot });

/** The record of an end, after the record of left-out lines, if any. */
export const endText = (of: string, when: EpochMs, end: 'stopped' | 'crashed', leftOut: number): string =>
  `${leftOut === 0 ? '' : leftOutText(of, when, leftOut)}${written({ run: of, at: when, end })}`;

/** Parses a line of a file; null for anything but a record: half a record, foreign bytes. */
function recordOf(text: string): Kept | null {
  if (text.length === 0 || text.length > longestRecord) return null;
  try {
    const parsed = Kept().safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** State of the run whose records are being read. */
interface Reading {
  readonly run: string;
  readonly boot: string | null;
  readonly end: RunEnd | null;
  /** Position of its newest line. */
  readonly seq: number;
}

/** How a run ended, judged from the boot of the machine that the next run started on. */
const endOf = ({ end, boot }: Reading, next: string | null): RunEnd =>
  end ?? (boot !== null && next !== null && boot !== next ? 'power' : 'killed');

/**
 * Reads the texts of the files, older one first, for a run on that boot of the machine. Anything but a record is
 * skipped, and a duplicate line counts once: at the end of a run two writes may have included it.
 */
export function recall(texts: readonly string[], boot: string | null): LogRecall {
  const entries: StoredEntry[] = [];
  let reading: Reading | null = null;
  for (const text of texts.flatMap((file) => file.split('\n'))) {
    const record = recordOf(text);
    if (record === null) continue;
    const bootThen: string | null = 'start' in record ? record.boot : null;
    if (reading === null || reading.run !== record.run) {
      // The oldest records may be the rest of a run whose beginning is gone.
      if (reading !== null || 'start' in record)
        entries.push({ kind: 'started', at: record.at, before: reading && endOf(reading, bootThen) });
      reading = { run: record.run, boot: bootThen, end: null, seq: 0 };
    }
    if ('end' in record) reading = { ...reading, end: record.end };
    else if ('left_out' in record) entries.push({ kind: 'left_out', at: record.at, count: record.left_out });
    else if ('seq' in record && record.seq > reading.seq) {
      reading = { ...reading, seq: record.seq };
      const { at: when, level, part, text: words, facts } = record;
      entries.push({ kind: 'line', at: when, level, part, text: words, facts });
    }
  }
  return { entries, before: reading && endOf(reading, boot) };
}
