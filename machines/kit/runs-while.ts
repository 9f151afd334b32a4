import type { SettingValue } from './setting.ts';
import type { SnapshotView } from './snapshot.ts';

/** Settings under which an actor runs. While they do not ask for it, its chunk is not loaded and nothing of it runs. */
export interface RunsWhile<C = unknown> {
  /** Keys of the settings that decide it. */
  readonly settings: readonly string[];
  /** Whether it runs, by the values of these settings. */
  readonly holds: (values: Readonly<Record<string, SettingValue>>) => boolean;
  /** What status, entities and verdicts are made from while it is off. */
  readonly off: SnapshotView<C>;
}

/** Runs while the values of these settings say so: `whileSettings(['ha_url'], ({ ha_url }) => ha_url !== '', off)`. */
export const whileSettings = <const K extends string, C>(
  settings: readonly K[],
  holds: (values: Readonly<Record<K, SettingValue>>) => boolean,
  off: SnapshotView<C>,
): RunsWhile<C> => ({ settings, holds, off });

/**
 * Runs while this switch among the settings is on.
 *
 * @public A part that is off by default takes it (machines/README.md).
 */
export const whileSetting = <C>(key: string, off: SnapshotView<C>): RunsWhile<C> =>
  whileSettings([key], (values) => values[key] === true, off);

/** What is read of the settings; revision 0 is what they are before the store was read. */
interface KnownSettings {
  readonly revision: number;
  readonly values: Readonly<Record<string, SettingValue>>;
}

/** Whether the settings want the actor to run; null while they are not known. */
export function wantedBy(
  { settings, holds }: Pick<RunsWhile, 'settings' | 'holds'>,
  known: KnownSettings | undefined,
): boolean | null {
  if (known === undefined || known.revision === 0) return null;
  const { values } = known;
  return settings.every((key) => Object.hasOwn(values, key)) ? holds(values) : null;
}
