import type { StatusDocument } from '#machines/status.ts';
import type { Section } from '#machines/status/compare.ts';

/** Takes a status. */
export type TakeStatus = (status: StatusDocument) => void;

/** What takes a status, with the sections of it that are read; without a list all of them are. */
export type Follower = readonly [take: TakeStatus, reads?: readonly Section[] | undefined];

/** Hands a status to those who read one of the sections in `changed`; without that, to everyone. */
export function notifyFollowers(all: readonly Follower[], status: StatusDocument, changed?: object): void {
  for (const [take, reads] of all) if (!changed || !reads || reads.some((name) => name in changed)) take(status);
}
