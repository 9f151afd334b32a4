import type { StateValue } from 'xstate';

import type { ActorInterface } from './actor.ts';
import type { SettingValue } from './setting.ts';
import type { EpochMs } from './units.ts';

/** A saved setting: what it was, and what it is. */
export interface HistoryChange {
  readonly key: string;
  readonly from: SettingValue;
  readonly to: SettingValue;
}

/** An event worth showing to the owner later; never an address, a name or an entered text. */
export interface NewHistoryEntry {
  readonly at: EpochMs;
  /** Such as `broker`; manifests declare their own. */
  readonly kind: string;
  /**
   * Who caused it (`home-assistant`, `http`, `touch`, `elsewhere`; `panel` and `network` are origins of a request); for
   * kind `part`, which part; for kind `command`, which entity; null if no one did.
   */
  readonly by: string | null;
  /** A stable code; for kind `configuration`, the saved keys joined by commas, with a minus before a removed secret. */
  readonly code: string;
  /** The old and new values of saved settings; `note` keeps numbers, switches and choices only. Absent without any. */
  readonly changes?: readonly HistoryChange[];
}

/** Filters of the history page, in display order. */
export const historyAbouts = ['screen', 'dashboard', 'home', 'settings', 'sound', 'camera', 'agent'] as const;
export type HistoryAbout = (typeof historyAbouts)[number];

/** How the history page shows a kind of entries; declared by one manifest, and usable by others. */
export interface HistoryTopic {
  readonly kind: string;
  readonly about: HistoryAbout;
  /** Name of one of the icons in `ui/icons.ts`. */
  readonly icon: string;
}

/** A kind of entries and its codes. */
export interface HistoryKind<C extends string = string> {
  readonly kind: string;
  /** All codes; each has a sentence `happened.<kind>.<code>` among the strings. */
  readonly codes: readonly C[];
  /** Present if each occurrence matters to the owner, so that repetitions are not merged. */
  readonly single?: true;
}

/** How the history watches one actor: which facts it compares, and what a change of them means. */
export interface HistoryRow<I extends string = string> extends HistoryKind {
  /** Registry id of the actor; not every panel has it. */
  readonly actor: I;
  /** The facts to compare, plain JSON; null while unknown. */
  readonly selector: (context: unknown, state: StateValue) => unknown;
  /** The entries for a change; `before` is null at first. `now` is for facts without a timestamp. */
  readonly historyEvents: (before: unknown, after: unknown, now: EpochMs) => readonly NewHistoryEntry[];
}

/** Creates one entry of a row's kind; only codes of the row compile. */
type Writer<C extends string> = (
  at: EpochMs,
  code: C,
  by?: string | null,
  changes?: readonly HistoryChange[],
) => readonly NewHistoryEntry[];

/** A row of one actor, before its kind is added to each entry. */
interface HistorySource<A extends ActorInterface, S, C extends string> extends HistoryKind<C> {
  readonly actor: A['id'];
  readonly selector: (context: A['context'], state: StateValue) => S | null;
  readonly historyEvents: (before: S | null, after: S, now: EpochMs, entry: Writer<C>) => readonly NewHistoryEntry[];
}

/**
 * A history row of one actor: its interface `A` checks the selector, its `codes` check the entries. Pass `string` for
 * `C` if the codes are not a fixed list (saved keys, reasons of others).
 */
export const historyOf =
  <A extends ActorInterface>() =>
  <S, C extends string>({ historyEvents, ...row }: HistorySource<A, S, C>): HistoryRow<A['id']> =>
    // The actor of that id has this context, and the selected value comes back unchanged.
    ({
      ...row,
      historyEvents: (before: S | null, after: S, now: EpochMs) =>
        historyEvents(before, after, now, (at, code, by = null, changes = []) => [
          { at, kind: row.kind, by, code, ...(changes.length > 0 && { changes }) },
        ]),
    }) as unknown as HistoryRow<A['id']>;
