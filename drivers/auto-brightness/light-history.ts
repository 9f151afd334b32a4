import type { DayFiles } from '#drivers/kit/day-files.ts';
import { serial } from '#drivers/kit/serial.ts';
import type { LightMinute } from '#machines/auto-brightness/events.ts';

import type { MinuteKey, MinuteStore } from './minute-files.ts';

/** Most minutes that wait for a write: the seven days that are kept, which Home Assistant may give at once. */
const MOST_WAITING = 10_080;

/** The minutes of the current source and place, as the room's driver keeps them. */
export interface LightHistory {
  /** Writes what is due to the files before, then reads those of this source and place. */
  readonly open: (key: MinuteKey) => Promise<readonly LightMinute[]>;
  /** They are written with the next `flush`. */
  readonly add: (minutes: readonly LightMinute[]) => void;
  /** Writes what is due; null, or the POSIX code. What the disk refused is due again. */
  readonly flush: () => Promise<string | null>;
  /** Removes the files of the current source and place, and what is due; null, or the POSIX code. */
  readonly forget: () => Promise<string | null>;
}

/** Keeps the minutes of one source and place at a time; calls are served in order. */
export function lightHistory(store: MinuteStore): LightHistory {
  const inTurn = serial();
  let files: DayFiles<LightMinute> | null = null;
  let due: readonly LightMinute[] = [];

  /** Writes rows; those that the disk refused are returned. */
  const write = async (to: DayFiles<LightMinute> | null, rows: readonly LightMinute[]): Promise<string | null> => {
    if (to === null || rows.length === 0) return null;
    const fault = await to.append(rows);
    if (fault !== null && to === files) due = [...rows, ...due].slice(-MOST_WAITING);
    return fault;
  };
  const flush = (): Promise<string | null> => {
    const rows = due;
    due = [];
    return inTurn(() => write(files, rows));
  };
  return {
    open: (key) => {
      const rows = due;
      due = [];
      return inTurn(async () => {
        await write(files, rows);
        files = await store.open(key);
        return files.read();
      });
    },
    add: (minutes) => {
      due = [...due, ...minutes].slice(-MOST_WAITING);
    },
    flush,
    forget: () => {
      due = [];
      return inTurn(async () => (files === null ? null : files.forget()));
    },
  };
}
