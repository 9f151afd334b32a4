import { readPersisted } from '#machines/entity-filter/document.ts';
import type { PersistedState } from '#machines/entity-filter/persisted.ts';
import { note, recallEntries } from '#machines/history/record.ts';
import { maintenanceEnded } from '#machines/maintenance/stored.ts';
import { resetWords } from '#machines/maintenance/words.ts';
import type { ResetOrder } from '#machines/reset/events.ts';
import { recordSection } from '#machines/reset/record.ts';
import { isReset } from '#machines/reset/scope.ts';
import { readMarks, withMarks } from '#machines/settings/provision.ts';
import { inSchema, readStored, withChanges } from '#machines/settings/stored.ts';

export type Sections = Readonly<Record<string, unknown>>;

const keysOf = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];

/** A change that returns each of these keys to its default. */
const nulls = (keys: readonly string[]): Readonly<Record<string, null>> =>
  Object.fromEntries(keys.map((key) => [key, null]));

/** The sections of settings and credentials after a reset. */
function settingsAfter({ settings, secrets }: Sections, { scope }: ResetOrder) {
  const stored = inSchema(settings);
  const [values, expose] = [stored['values'], stored['expose']];
  const changes = {
    values: nulls(keysOf(values).filter((key) => isReset(scope, key))),
    secrets: nulls(keysOf(secrets).filter((key) => isReset(scope, key))),
    expose: scope === 'connection' ? {} : nulls(keysOf(expose)),
  };
  const { revision } = readStored({ settings, secrets });
  const after = withChanges({ settings, secrets }, changes, revision + 1);
  const given = readMarks(settings);
  if (given === null) return after;
  // The values from the command line come back at the next start: no one has changed them since.
  const marks = Object.fromEntries(Object.entries(given.marks).filter(([key]) => !isReset(scope, key)));
  return { ...after, settings: withMarks(after.settings, { ...given, marks }) };
}

/** What goes with the connection: who is trusted, paired or agreed to, and what was learned of its Home Assistant. */
const ofConnection: ReadonlySet<string> = new Set([
  'broker',
  'consents',
  'setup',
  'home_assistant',
  'companion',
  'auto-brightness',
  'auto-sleep',
  'auto-sleep-sources',
]);

/** The history with an entry for the reset; after a reset of everything it is the only one. */
function historyAfter(stored: unknown, { scope, by, at }: ResetOrder) {
  const before = scope === 'everything' ? [] : recallEntries(stored);
  return { version: 1, entries: note(before, { at, kind: 'reset', by, code: scope }) };
}

/** The record of operations, in which the reset has ended; a reset of everything leaves no other trace in it. */
const maintenanceAfter = (stored: unknown, { scope, at }: ResetOrder): unknown =>
  maintenanceEnded(scope === 'everything' ? null : stored, {
    kind: 'reset',
    at,
    message: resetWords[scope],
    result: { status: 'succeeded' },
  });

/**
 * The stored sections after a reset. A reset of everything keeps only the machine's identity. Otherwise credentials and
 * their recipients go, as do what Home Assistant gave (the place, the sensors of the room) and the record that it sent
 * too much, and the setup starts over; the list of announced entities stays, so that those left behind can still be
 * removed.
 */
export function sectionsAfter(sections: Sections, order: ResetOrder): Sections {
  const done = recordSection({ ...order, state: 'done' });
  const history = historyAfter(sections['history'], order);
  const maintenance = maintenanceAfter(sections['maintenance'], order);
  if (order.scope === 'everything') {
    const { identity } = sections;
    return { ...(identity !== undefined && { identity }), history, maintenance, reset: done };
  }
  const rest = Object.fromEntries(Object.entries(sections).filter(([name]) => !ofConnection.has(name)));
  return { ...rest, ...settingsAfter(sections, order), history, maintenance, reset: done };
}

/** What happens to the files beside the durable document. */
export interface FilesAfter {
  /** True if the saved profiles and the selection go. */
  readonly profiles: boolean;
  /** True if what was learned of the room's light goes. */
  readonly light: boolean;
  /** True if the documents of other formats go, and what a restore has staged. */
  readonly copies: boolean;
  /** The entity filter's document afterwards; `remove` or `keep` for all of it. */
  readonly filter: 'keep' | 'remove' | ((json: unknown) => PersistedState);
}

/** The learned data, without that of the Home Assistant at `server`. */
export const withoutServer = (kept: PersistedState, server: string): PersistedState => ({
  ...kept,
  accounts: kept.accounts.filter((account) => account.server !== server),
});

/**
 * What a reset does to the other files; `sections` are those from before it. Light that the panel's own sensor measured
 * stays with a new Home Assistant; light that an entity of the old one measured does not.
 */
export function filesAfter(sections: Sections, { scope }: ResetOrder): FilesAfter {
  if (scope === 'everything') return { profiles: true, light: true, copies: true, filter: 'remove' };
  if (scope === 'settings') return { profiles: false, light: false, copies: false, filter: 'keep' };
  const { settings, secrets } = sections;
  const { values } = readStored({ settings, secrets }).configuration;
  const { ha_url: server, auto_brightness_ha_entity: sensor } = values;
  return {
    profiles: false,
    copies: false,
    light: typeof sensor === 'string' && sensor !== '',
    filter: typeof server === 'string' && server !== '' ? (json) => withoutServer(readPersisted(json), server) : 'keep',
  };
}
