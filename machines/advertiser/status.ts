import { z } from 'zod';
import { statusSection, textLines } from '../subsystem.ts';
import { advertiserView } from './responder-state.ts';
import { discoveryState } from './verdict.ts';

/** With `--no-discovery` there is no advertiser; the finder's state shows it. */
const SWITCHED_OFF = { seen: null, misses: 0, rebuilds: 0, renamed: false, reason: 'switched-off' } as const;

/** The advertisement in the status document. */
export const status = statusSection({
  reads: ['advertiser', 'finder'],
  shape: () => ({
    discovery: z
      .object({
        state: z
          .enum(['off', 'starting', 'advertising', 'recovering', 'exhausted'])
          .meta({ description: '`exhausted`: it is not heard, and trying has ended.' }),
        seen: z
          .enum(['visible', 'missing', 'inconclusive', 'unavailable'])
          .nullable()
          .meta({ description: 'What the last question to the network for the own advertisement gave.' }),
        misses: z.int().min(0).meta({ description: 'Unanswered queries in a row.' }),
        rebuilds: z.int().min(0).meta({ description: 'Rebuilds of the responder since the agent started.' }),
        renamed: z.boolean().meta({ description: 'Another machine has the panel id as its name: a number was added.' }),
        reason: z.string().nullable().meta({
          description: 'Stable code of the last failure; `switched-off` with `--no-discovery`; null while all is well.',
        }),
      })
      .nullable()
      .meta({
        description: 'The advertisement of the panel on its network (mDNS); null while its part restarts.',
      }),
  }),
  view: ({ read, view }) => {
    const snapshot = view('advertiser');
    const advertiser = snapshot && advertiserView(snapshot);
    const absent = read('finder')?.outcome === 'off' ? { state: 'off' as const, ...SWITCHED_OFF } : null;
    return {
      discovery:
        advertiser === undefined
          ? absent
          : {
              state: discoveryState(advertiser),
              seen: advertiser.seen,
              misses: advertiser.recovery.misses,
              rebuilds: advertiser.recovery.rebuilds,
              renamed: advertiser.renamed,
              reason: advertiser.recovery.code,
            },
    };
  },
});

/** Warns that the panel cannot see its own announcement and has given up. */
export const warnings = [
  textLines({
    key: 'advertiser',
    after: 'publisher',
    reads: ['advertiser'],
    lines: ({ read }) =>
      read('advertiser')?.recovery.phase === 'exhausted'
        ? ['This panel cannot be found on its network: announcing it again failed three times.']
        : [],
  }),
];
