import { historyOf } from '../kit/happening.ts';
import type { StoreActor } from './events.ts';

/** A document that was lost. */
export const history = [
  historyOf<StoreActor>()({
    actor: 'store',
    kind: 'storage',
    codes: ['loss'],
    selector: ({ loss }) => loss,
    happenings: (before, after, _now, happened) => (before?.at === after.at ? [] : happened(after.at, 'loss')),
  }),
];
