import { partLine, verdictFacts } from '../kit/diag.ts';
import { textLines } from '../subsystem.ts';
import { relayIds } from './events.ts';

/** A line for each relay. */
export const diag = [
  textLines({
    order: 61,
    reads: relayIds,
    lines: ({ read, tree }) =>
      relayIds.map((id) => {
        const relay = read(id);
        return partLine(
          id,
          tree,
          id,
          relay && {
            ...verdictFacts(relay.verdict),
            closed: relay.closed,
            wanted: relay.wanted ?? 'none',
            restore: relay.restore,
            fault: relay.fault ?? 'none',
          },
        );
      }),
  }),
];
