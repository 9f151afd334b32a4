import { partLine } from '../kit/diag.ts';
import { textLines } from '../subsystem.ts';

/** The line on the link to the service manager. */
export const diag = [
  textLines({
    order: 25,
    reads: ['service'],
    lines: ({ read, tree }) => {
      const service = read('service');
      return [
        partLine(
          'service',
          tree,
          'service',
          service && {
            listening: service.listening,
            ready: service.ready,
            heartbeat_ms: service.heartbeatMs ?? 'none',
            failure: service.failure ?? 'none',
          },
        ),
      ];
    },
  }),
];
