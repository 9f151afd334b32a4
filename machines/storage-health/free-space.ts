import type { Fix } from '../kit/verdict.ts';
import type { LargeFolder, StorageFacts } from './events.ts';

const MB = 1_000_000;
/** Less than this is not what fills a disk, and freeing it helps for a day. */
const SMALLEST_BYTES = 50 * MB;

const FOLDERS: Readonly<Record<LargeFolder['holds'], { readonly takes: string; readonly fix: Fix }>> = {
  journal: {
    takes: 'The system’s log takes',
    fix: {
      command: 'sudo journalctl --vacuum-size=50M',
      effect: 'Keeps the newest 50 MB of the system’s log.',
    },
  },
  packages: {
    takes: 'Downloaded installation files take',
    fix: {
      command: 'sudo apt-get clean',
      effect: 'Removes downloaded installation files; installed programs stay.',
    },
  },
  crashes: {
    takes: 'Memory dumps of crashed programs take',
    fix: {
      command: 'sudo find /var/lib/systemd/coredump -type f -delete',
      effect: 'Removes the memory dumps of programs that crashed.',
    },
  },
};

/** For a disk that something else fills: only its owner can tell what may go. */
const look: Fix = {
  command: 'sudo du -xh --max-depth=3 / | sort -rh | head -25',
  effect: 'Lists the largest folders; it changes nothing.',
};

/** A size as "1.2 GB" or "340 MB". */
const sizeWords = (bytes: number): string =>
  bytes >= 1000 * MB ? `${(bytes / (1000 * MB)).toFixed(1)} GB` : `${Math.round(bytes / MB)} MB`;

export interface FreeSpaceAdvice {
  /** What takes the space, as a sentence; "" if nothing known does. */
  readonly words: string;
  readonly fix: Fix;
}

/** How to free space on a disk that is full or getting full, from the largest place that is known; null otherwise. */
export function adviseFreeSpace({ held, pressure, large }: StorageFacts): FreeSpaceAdvice | null {
  const isShort = held === null ? pressure === 'warning' || pressure === 'critical' : held.kind === 'storage_full';
  if (!isShort) return null;
  const [largest] = large;
  if (largest === undefined || largest.bytes < SMALLEST_BYTES) return { words: '', fix: look };
  const { takes, fix } = FOLDERS[largest.holds];
  return { words: `${takes} ${sizeWords(largest.bytes)}.`, fix };
}
