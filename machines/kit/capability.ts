import type { ActorInterface } from './actor.ts';
import type { SnapshotView } from './snapshot.ts';
import type { Verdict } from './verdict.ts';

/** The page of the panel that helps with a verdict: its path, or the field of a setting on whatever page has it. */
export type Remedy = string | { readonly field: string };

/** One thing a panel may be able to do, and the actor that knows: id `I`, public facts `C`. */
export interface Capability<I extends string = string, C = unknown> {
  /** Stable lower-case id; entity rows and settings refer to it. */
  readonly id: string;
  /** Shown to the owner, sentence case. */
  readonly title: string;
  /** Registry id of the actor whose snapshot is read. */
  readonly actor: I;
  /** The capability that pages show before it; null for the first. */
  readonly after: string | null;
  /** Priority when several need attention: lower first, absent last. */
  readonly urgency?: number;
  /** The page that helps, by the reason of the verdict; no page helps with other reasons. */
  readonly pages?: Readonly<Record<string, Remedy>>;
  /** What the owner should do, as a headline of a few words, by the reason of the verdict; `*` covers all others. */
  readonly headlines?: Readonly<Record<string, string>>;
  /** The verdict on a snapshot of that actor. */
  readonly judge: (snapshot: SnapshotView<C>) => Verdict;
  /** True if the panel has such a thing at all; rows without it are always listed. */
  readonly shown?: (snapshot: SnapshotView<C>) => boolean;
}

/** The capabilities of one actor as rows of the common table; its interface `A` checks what they read. */
export const capabilitiesOf = <A extends ActorInterface>(
  rows: readonly Capability<A['id'], A['context']>[],
): readonly Capability<A['id']>[] =>
  // A row is only ever given snapshots of the actor it names, whose context has the type that was checked here.
  rows as unknown as readonly Capability<A['id']>[];

/** One page for verdicts of these reasons. */
export const onPage = (page: string, reasons: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(reasons.map((reason) => [reason, page]));

/** One setting's field for verdicts of these reasons. */
export const inField = (field: string, reasons: readonly string[]): Readonly<Record<string, Remedy>> =>
  Object.fromEntries(reasons.map((reason) => [reason, { field }]));

/** One headline for verdicts of these reasons. */
export const headline = (words: string, reasons: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(reasons.map((reason) => [reason, words]));

/** True unless the last look at the machine found nothing of its kind, or it was not looked for yet. */
export const isHere = ({ state }: Pick<Verdict, 'state'>): boolean => state !== 'not_here' && state !== 'checking';

/** The same, of the verdict that an actor keeps among its own facts. */
export const isFound = ({ context }: SnapshotView<{ readonly verdict: Verdict }>): boolean => isHere(context.verdict);

/** The verdict that an actor keeps among its own facts. */
export const ownVerdict = ({ context }: SnapshotView<{ readonly verdict: Verdict }>): Verdict => context.verdict;
