import type { StoredEntry, RunEnd } from './events.ts';

const endings: Readonly<Record<RunEnd, string>> = {
  stopped: 'the previous run was stopped in order',
  crashed: 'the previous run crashed',
  killed: 'the previous run was killed',
  power: 'the machine went down during the previous run',
};

/** Characters that would break a line of text, or move the text beside them. */
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

/** The newest entries that fit into this many bytes once written, each with a separator of one byte; oldest first. */
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
