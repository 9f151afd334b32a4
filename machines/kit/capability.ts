import type { ActorInterface } from './actor.ts';
import type { SnapshotView } from './snapshot.ts';
import type { Verdict } from './verdict.ts';

/** The page of the panel on which something is put right: its path, or the field of a setting wherever that stands. */
export type Remedy = string | { readonly field: string };

/** One thing a panel may be able to do, and who knows whether it can: an actor of id `I` with the public facts `C`. */
export interface Capability<I extends string = string, C = unknown> {
  /** Stable lower-case id, also what entity rows and settings name as what they need. */
  readonly id: string;
  /** Shown to the owner, sentence case. */
  readonly title: string;
  /** Registry id of the actor whose snapshot is read. */
  readonly actor: I;
  /** The capability that pages show before it; null for the first. */
  readonly after: string | null;
  /** How early a person should care when several need something: lower first; after all others when absent. */
  readonly urgency?: number;
  /** Where on the panel's pages it is put right, by the reason of the verdict; no page helps with any other reason. */
  readonly pages?: Readonly<Record<string, Remedy>>;
  /** What a person is to do, as a headline of a few words, by the reason of the verdict; `*` is for every other one. */
  readonly headlines?: Readonly<Record<string, string>>;
  /** The verdict on a snapshot of that actor. */
  readonly judge: (snapshot: SnapshotView<C>) => Verdict;
  /** Whether there is such a thing at all; rows without it are always there. */
  readonly shown?: (snapshot: SnapshotView<C>) => boolean;
}

/** The capabilities of one actor as rows of the table of all; the interface that is named checks what they read. */
export const capabilitiesOf = <A extends ActorInterface>(
  rows: readonly Capability<A['id'], A['context']>[],
): readonly Capability<A['id']>[] =>
  // A row is only ever given snapshots of the actor it names, whose context has the type that was checked here.
  rows as unknown as readonly Capability<A['id']>[];

/** Verdicts of these reasons, all put right on one page. */
export const onPage = (page: string, reasons: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(reasons.map((reason) => [reason, page]));

/** Verdicts of these reasons, all put right in the field of one setting. */
export const inField = (field: string, reasons: readonly string[]): Readonly<Record<string, Remedy>> =>
  Object.fromEntries(reasons.map((reason) => [reason, { field }]));

/** One headline for verdicts of all these reasons. */
export const headline = (words: string, reasons: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(reasons.map((reason) => [reason, words]));

/** The verdict that an actor keeps among its own facts. */
export const ownVerdict = ({ context }: SnapshotView<{ readonly verdict: Verdict }>): Verdict => context.verdict;
