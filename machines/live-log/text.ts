import type { StoredEntry, RunEnd } from './events.ts';

const endings: Readonly<Record<RunEnd, string>> = {
  stopped: 'the run before was stopped in order',
  crashed: 'the run before crashed',
  killed: 'the run before was killed',
  power: 'the machine went down during the run before',
};

/** Whatever would break a line of text, or move what stands beside it. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

function wordsOf(entry: StoredEntry): string {
  switch (entry.kind) {
    case 'started':
      return `----- Sconce started here${entry.before === null ? '' : `: ${endings[entry.before]}`}.`;
    case 'left_out':
      return `----- ${entry.count} ${entry.count === 1 ? 'line' : 'lines'} left out here: they came too fast.`;
    case 'line': {
      const { level, part, text, facts } = entry;
      return `${level.padEnd(5)} ${part === '' ? '' : `${part}: `}${text}${facts === '' ? '' : ` ${facts}`}`;
    }
  }
}

/** An entry of the kept log as one line of text, its time in UTC, without a line break. */
export const entryText = (entry: StoredEntry): string =>
  `${new Date(entry.at).toISOString()} ${wordsOf(entry).replaceAll(BREAKS, ' ')}`;

/**
 * The newest entries that stay within so many bytes once written, each with a separator of one byte; the oldest first.
 */
export function newestWithin(
  entries: readonly StoredEntry[],
  write: (entry: StoredEntry) => string,
  mostBytes: number,
): readonly StoredEntry[] {
  const encoder = new TextEncoder();
  let bytes = 0;
  let from = entries.length;
  for (const entry of entries.toReversed()) {
    bytes += encoder.encode(write(entry)).length + 1;
    if (bytes > mostBytes) break;
    from -= 1;
  }
  return entries.slice(from);
}
