import { historyOf } from '../kit/history-event.ts';
import type { ConfigCopiesActor } from './events.ts';

/** Exports with credentials; what jobs change is in the history of those (`../maintenance/history.ts`). */
export const history = [
  historyOf<ConfigCopiesActor>()({
    actor: 'config-copies',
    kind: 'config-copies',
    codes: ['secrets-exported'],
    single: true,
    selector: ({ secretsExported }) => ({ secretsExported }),
    historyEvents: (before, { secretsExported: last }, _, entry) =>
      before === null || last === null || last.at === before.secretsExported?.at
        ? []
        : entry(last.at, 'secrets-exported', last.from),
  }),
];
