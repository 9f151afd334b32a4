import type { SecurityMode } from '#machines/approvals/events.ts';
import { turnedOff } from '#machines/settings/consents.ts';
import type { SettingsContext } from '#machines/settings/events.ts';
import { mergeSettings } from '#machines/settings/merge.ts';
import { offIn } from '#machines/settings/off-in.ts';
import type { ReadSettings } from '#machines/settings/stored.ts';

import { approvedFor, type Merge } from './judge-merge.ts';

/** A save as it arrived. */
interface Arrival {
  /** Its place among all that arrived, from 1. */
  readonly order: number;
  /** What it turned off that the disk has as on. */
  readonly off: readonly string[];
}

/** What was turned off and may not be durable yet, and the order in which saves arrived. */
export interface Offs {
  /** Takes a save when it arrives; the settings with a consent that it turns off, also those that are off already. */
  readonly arrive: (
    merge: Merge,
    now: { readonly shown: SettingsContext; readonly stored: ReadSettings | null; readonly mode: SecurityMode | null },
  ) => readonly string[];
  /** Turns these off, by whatever else than a save. */
  readonly add: (keys: readonly string[]) => void;
  /** The settings to keep off, each with its order: what a job writes that begins now. */
  readonly pending: () => ReadonlyMap<string, number>;
  /** What was written, or found to be off: it is durable unless it was turned off again since. */
  readonly settle: (written: ReadonlyMap<string, number>) => void;
  /** What that save turned off. */
  readonly offOf: (merge: Merge) => readonly string[];
  /** The settings that were turned off after that save arrived: its approval is older, and counts no longer. */
  readonly since: (merge: Merge) => readonly string[];
}

/** True if a save would be refused as a whole: it then turns nothing off either. */
function isRefused(merge: Merge, shown: SettingsContext, mode: SecurityMode | null): boolean {
  // What is stored is not known yet.
  if (shown.revision === 0) return false;
  const { patch, own, expectDigest } = merge;
  if (expectDigest !== undefined && expectDigest !== shown.digest) return true;
  return mergeSettings({ ...shown, secrets: {} }, patch, own, approvedFor(merge, mode)).status === 'refused';
}

export function createOffs(): Offs {
  const arrivals = new WeakMap<Merge, Arrival>();
  const pending = new Map<string, number>();
  const last = new Map<string, number>();
  let order = 0;

  const add = (keys: readonly string[]): void => {
    order += 1;
    for (const key of keys) {
      pending.set(key, order);
      last.set(key, order);
    }
  };
  return {
    arrive: (merge, { shown, stored, mode }) => {
      const keys = offIn(merge.patch);
      const off = keys.length > 0 && isRefused(merge, shown, mode) ? [] : keys;
      const counts = off.filter((key) => stored?.configuration.values[key] === true);
      add(off);
      arrivals.set(merge, { order, off: counts });
      return off;
    },
    add,
    pending: () => new Map(pending),
    settle: (written) => {
      for (const [key, at] of written) if (pending.get(key) === at) pending.delete(key);
    },
    offOf: (merge) => arrivals.get(merge)?.off ?? [],
    since: (merge) => {
      const at = arrivals.get(merge)?.order ?? order;
      return [...last].filter(([, later]) => later > at).map(([key]) => key);
    },
  };
}

/** What is in force: what is stored, but for what was turned off since. */
export function shownWith(stored: ReadSettings, pending: ReadonlyMap<string, number>): ReadSettings {
  const { values } = stored.configuration;
  const off = turnedOff(
    values,
    [...pending.keys()].filter((key) => values[key] === true),
  );
  // The revision that it is written with.
  return off === values
    ? stored
    : { ...stored, configuration: { ...stored.configuration, values: off }, revision: stored.revision + 1 };
}
