import { type HistoryChange, historyOf } from '../kit/history-event.ts';
import type { SettingsActor, SettingsContext } from './events.ts';

/** Most keys in one entry. */
const namedKeys = 6;

const differing = <T>(
  before: Readonly<Record<string, T>>,
  after: Readonly<Record<string, T>>,
  name = (key: string): string => key,
): readonly string[] =>
  Object.keys(after)
    .filter((key) => before[key] !== after[key])
    .map(name);

type Saved = Pick<SettingsContext, 'revision' | 'values' | 'secrets' | 'expose'>;

const changedKeys = (before: Saved, after: Saved): readonly string[] => [
  ...differing(before.values, after.values),
  ...differing(before.secrets, after.secrets, (key) => (after.secrets[key] === true ? key : `-${key}`)),
  ...differing(before.expose, after.expose, (key) => `ha_expose_${key}`),
];

/**
 * The saved keys, never a value; a removed secret gets a minus. A replaced secret changes no flag, so it shows as
 * `secret`.
 */
function savedKeys(before: Saved, after: Saved): readonly string[] {
  const keys = changedKeys(before, after);
  if (keys.length === 0) return ['secret'];
  return [...keys.slice(0, namedKeys), ...(keys.length > namedKeys ? [`+${keys.length - namedKeys}`] : [])];
}

/** The old and new values of the named keys; secrets are not among `values`. */
const changesOf = (before: Saved, after: Saved, named: readonly string[]): readonly HistoryChange[] =>
  [
    ...differing(before.values, after.values).map((key) => [key, before.values[key], after.values[key]] as const),
    ...differing(before.expose, after.expose).map(
      (key) => [`ha_expose_${key}`, before.expose[key], after.expose[key]] as const,
    ),
  ].flatMap(([key, from, to]) =>
    from === undefined || to === undefined || !named.includes(key) ? [] : [{ key, from, to }],
  );

/** Saved settings, by key, changes of the recipient of a password or token, and the camera turned on and off. */
export const history = [
  historyOf<SettingsActor>()({
    actor: 'settings',
    kind: 'recipient',
    codes: ['bound', 'confirmed', 'moved', 'upgraded'],
    selector: ({ revision, recipientChange }) => (revision === 0 ? null : { recipientChange }),
    historyEvents: (before, { recipientChange: change }, _, entry) =>
      change === null || change.at === before?.recipientChange?.at ? [] : entry(change.at, change.code, change.from),
  }),
  // What a person at the panel agreed to has entries of its own, beside the saved key.
  historyOf<SettingsActor>()({
    actor: 'settings',
    kind: 'camera',
    codes: ['on', 'off'],
    selector: ({ revision, values }) => (revision === 0 ? null : { isOn: values['camera_enabled'] === true }),
    historyEvents: (before, { isOn }, now, entry) =>
      before === null || before.isOn === isOn ? [] : entry(now, isOn ? 'on' : 'off'),
  }),
  historyOf<SettingsActor>()<Saved, string>({
    actor: 'settings',
    kind: 'configuration',
    codes: ['secret'],
    single: true,
    selector: ({ revision, values, secrets, expose }) =>
      revision === 0 ? null : { revision, values, secrets, expose },
    historyEvents: (before, after, now, entry) => {
      if (before === null) return [];
      // What is turned off while the disk refuses to save shows at once, under one revision for all of it.
      if (before.revision === after.revision && changedKeys(before, after).length === 0) return [];
      const keys = savedKeys(before, after);
      return entry(now, keys.join(','), null, changesOf(before, after, keys));
    },
  }),
];
