import { historyOf } from '../kit/history-event.ts';
import type { StoreActor } from './events.ts';

/** Losses of the document or of a section, and settings that a newer version wrote. */
export const history = [
  historyOf<StoreActor>()({
    actor: 'store',
    kind: 'storage',
    codes: ['loss'],
    selector: ({ loss }) => loss,
    historyEvents: (before, after, _now, entry) => (before?.at === after.at ? [] : entry(after.at, 'loss')),
  }),
  historyOf<StoreActor>()({
    actor: 'store',
    kind: 'storage',
    codes: ['newer'],
    selector: ({ newer }) => newer,
    historyEvents: (before, _after, now, entry) => (before === null ? entry(now, 'newer') : []),
  }),
];
