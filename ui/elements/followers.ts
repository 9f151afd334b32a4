import type { StatusDocument } from '#machines/status.ts';
import type { Section } from '#machines/status/compare.ts';

export type TakeStatus = (status: StatusDocument) => void;

/** A status handler and the sections it reads; without a list it reads all. */
export type Follower = readonly [take: TakeStatus, reads?: readonly Section[] | undefined];

/** Passes a status to the handlers that read a section in `changed`; to all if `changed` is absent. */
export function notifyFollowers(all: readonly Follower[], status: StatusDocument, changed?: object): void {
  for (const [take, reads] of all) if (!changed || !reads || reads.some((name) => name in changed)) take(status);
}
