import { historyOf } from '../kit/history-event.ts';
import type { StoreActor } from './events.ts';

/** Losses of the document or of a section. */
export const history = [
  historyOf<StoreActor>()({
    actor: 'store',
    kind: 'storage',
    codes: ['loss'],
    selector: ({ loss }) => loss,
    historyEvents: (before, after, _now, entry) => (before?.at === after.at ? [] : entry(after.at, 'loss')),
  }),
];
