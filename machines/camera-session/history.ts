import { historyOf } from '../kit/history-event.ts';
import type { CameraSessionActor, WatcherKind } from './events.ts';

/** The kinds of those that watch, each once, in a fixed order. */
const kindsOf = (watchers: readonly { readonly kind: WatcherKind }[]): readonly WatcherKind[] =>
  [...new Set(watchers.map(({ kind }) => kind))].toSorted();

/** What kinds of programs watched from when to when; never an address. */
export const history = [
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
