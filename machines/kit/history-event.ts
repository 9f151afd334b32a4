import type { StateValue } from 'xstate';

import type { ActorInterface } from './actor.ts';
import type { EpochMs } from './units.ts';

/** Something that happened which an owner asks about later; never an address, a name or a value. */
export interface NewHistoryEntry {
  readonly at: EpochMs;
  /** What it is about, `broker`; the subsystems' manifests name their own. */
  readonly kind: string;
  /**
   * Who did it (`home-assistant`, `http`, `touch`, `elsewhere`; `panel` and `network` say where a request came from)
   * or, of `part`, which one; null where nobody did it.
   */
  readonly by: string | null;
  /**
   * What it was: a stable code, or of `configuration` the saved keys with commas between, with a minus before a secret
   * that was removed.
   */
  readonly code: string;
}

/** What the page of the history can be narrowed down to, in the order in which it is offered. */
export const historyAbouts = ['screen', 'dashboard', 'home', 'settings', 'sound', 'agent'] as const;
export type HistoryAbout = (typeof historyAbouts)[number];

/** A kind of entries as the page of the history shows it; a manifest declares it, and others may have entries of it. */
export interface HistoryTopic {
  readonly kind: string;
  readonly about: HistoryAbout;
  /** Name of one of the icons in `ui/icons.ts`. */
  readonly icon: string;
}

/** What entries of one kind may say. */
export interface HistoryKind<C extends string = string> {
  /** What the entries are about. */
  readonly kind: string;
  /** Every code they have, each with its sentence `happened.<kind>.<code>` in the catalogue of strings. */
  readonly codes: readonly C[];
  /** Present where each time matters to the owner, so that repetitions are not gathered. */
  readonly single?: true;
}

/** How the history watches one actor: which facts are compared, and what a change of them means. */
export interface HistoryRow<I extends string = string> extends HistoryKind {
  /** Registry id of the actor; it need not exist on every panel. */
  readonly actor: I;
  /** What is compared, plain JSON; null while it is not known. */
  readonly selector: (context: unknown, state: StateValue) => unknown;
  /**
   * What happened between two of them; `before` is null at the first. `now` stands where facts carry no time of their
   * own.
   */
  readonly historyEvents: (before: unknown, after: unknown, now: EpochMs) => readonly NewHistoryEntry[];
}

/** Writes one entry of a row's kind; only codes that the row names compile. */
type Writer<C extends string> = (at: EpochMs, code: C, by?: string | null) => readonly NewHistoryEntry[];

/** A row of one actor, before its kind is written into each entry. */
interface HistorySource<A extends ActorInterface, S, C extends string> extends HistoryKind<C> {
  readonly actor: A['id'];
  readonly selector: (context: A['context'], state: StateValue) => S | null;
  readonly historyEvents: (before: S | null, after: S, now: EpochMs, entry: Writer<C>) => readonly NewHistoryEntry[];
}

/**
 * A row of the history of one actor: the interface that is named checks what it selects, the codes it names what it
 * writes. Where codes come from outside the list (saved keys, reasons of others) `C` is given as `string`.
 */
export const historyOf =
  <A extends ActorInterface>() =>
  <S, C extends string>({ historyEvents, ...row }: HistorySource<A, S, C>): HistoryRow<A['id']> =>
    // The actor of that id has this context, and what was selected comes back unchanged.
    ({
      ...row,
      historyEvents: (before: S | null, after: S, now: EpochMs) =>
        historyEvents(before, after, now, (at, code, by = null) => [{ at, kind: row.kind, by, code }]),
    }) as unknown as HistoryRow<A['id']>;
