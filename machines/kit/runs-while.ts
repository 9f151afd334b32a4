import type { SettingValue } from './setting.ts';
import type { SnapshotView } from './snapshot.ts';

/** The settings under which an actor runs. Until they hold, its chunk is not loaded and nothing of it runs. */
export interface RunsWhile<C = unknown> {
  /** Keys of the settings that decide. */
  readonly settings: readonly string[];
  /** True if the actor runs with these values. */
  readonly holds: (values: Readonly<Record<string, SettingValue>>) => boolean;
  /** The snapshot for status, entities and verdicts while it is off. */
  readonly off: SnapshotView<C>;
}

/** Runs while `holds` is true of these settings: `whileSettings(['ha_url'], ({ ha_url }) => ha_url !== '', off)`. */
export const whileSettings = <const K extends string, C>(
  settings: readonly K[],
  holds: (values: Readonly<Record<K, SettingValue>>) => boolean,
  off: SnapshotView<C>,
): RunsWhile<C> => ({ settings, holds, off });

/**
 * Runs while this boolean setting is on.
 *
 * @public A part that is off by default takes it (machines/README.md).
 */
export const whileSetting = <C>(key: string, off: SnapshotView<C>): RunsWhile<C> =>
  whileSettings([key], (values) => values[key] === true, off);

/** The settings as read; revision 0 means that the store was not read yet. */
interface KnownSettings {
  readonly revision: number;
  readonly values: Readonly<Record<string, SettingValue>>;
}

/** True if the settings ask for the actor; null while they are unknown. */
export function wantedBy(
  { settings, holds }: Pick<RunsWhile, 'settings' | 'holds'>,
  known: KnownSettings | undefined,
): boolean | null {
  if (known === undefined || known.revision === 0) return null;
  const { values } = known;
  return settings.every((key) => Object.hasOwn(values, key)) ? holds(values) : null;
}
