import { historyOf } from '../kit/history-event.ts';
import type { SettingsActor } from '../settings/events.ts';
import type { CameraSessionActor, WatcherKind } from './events.ts';

/** The kinds of those that watch, each once, in a fixed order. */
const kindsOf = (watchers: readonly { readonly kind: WatcherKind }[]): readonly WatcherKind[] =>
  [...new Set(watchers.map(({ kind }) => kind))].toSorted();

/** When the camera was turned on and off, and what kinds of programs watched from when to when; never an address. */
export const history = [
  historyOf<SettingsActor>()({
    actor: 'settings',
    kind: 'camera',
    codes: ['on', 'off'],
    selector: ({ revision, values }) => (revision === 0 ? null : { isOn: values['camera_enabled'] === true }),
    historyEvents: (before, { isOn }, now, entry) =>
      before === null || before.isOn === isOn ? [] : entry(now, isOn ? 'on' : 'off'),
  }),
  historyOf<CameraSessionActor>()({
    actor: 'camera-session',
    kind: 'camera',
    codes: ['watched', 'left'],
    selector: ({ watchers }) => kindsOf(watchers),
    historyEvents: (before, after, now, entry) => [
      ...(before ?? []).filter((kind) => !after.includes(kind)).flatMap((kind) => entry(now, 'left', kind)),
      ...after.filter((kind) => before?.includes(kind) !== true).flatMap((kind) => entry(now, 'watched', kind)),
    ],
  }),
];
