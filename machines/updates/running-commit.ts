import type { EpochMs } from '../kit/units.ts';

/** A line of Git's log of HEAD: the commit before and after, who and when in seconds, then what was done. */
const moved = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) .*> (\d+) [+-]\d{4}(?:\t|$)/;

/**
 * The commit that HEAD was at at a time, from Git's log of it (`logs/HEAD`): what a process runs that started then.
 * `head` is the current one, which counts if the log does not reach back.
 */
export function commitAt(log: string, head: string, at: EpochMs): string {
  const moves = log.split('\n').flatMap((line) => {
    const [, before = '', after = '', seconds = ''] = moved.exec(line) ?? [];
    return after === '' ? [] : [{ before, after, at: Number(seconds) * 1000 }];
  });
  const later = moves.findIndex((move) => move.at > at);
  if (later === -1) return head;
  const before = moves[later]?.before ?? head;
  // A new clone has nothing before its first commit.
  return /^0+$/.test(before) ? head : before;
}
