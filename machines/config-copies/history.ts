import { historyOf } from '../kit/history-event.ts';
import type { ConfigCopiesActor } from './events.ts';

/** Imports, restored revisions, and exports with credentials. */
export const history = [
  historyOf<ConfigCopiesActor>()({
    actor: 'config-copies',
    kind: 'config-copies',
    codes: ['imported', 'revision-restored', 'secrets-exported'],
    single: true,
    selector: ({ last }) => ({ last }),
    historyEvents: (before, { last }, _, entry) =>
      before === null || last === null || last.at === before.last?.at ? [] : entry(last.at, last.code, last.from),
  }),
];
