import { z } from 'zod';

import { once } from '../kit/once.ts';
import { isSupervised, verdictWord } from '../kit/status.ts';
import { statusSection } from '../subsystem.ts';
import { relayIds } from './events.ts';

const RelayStatus = once(() =>
  z
    .object({
      state: verdictWord(),
      on: z.boolean().nullable().meta({ description: 'True while it is closed, as read back; null while unknown.' }),
      fault: z.string().nullable().meta({
        description: 'Why the last request failed: name of an error, `not-taken`, `no-answer` or `gone`.',
      }),
    })
    .meta({ id: 'Relay', description: 'A relay of the panel.' }),
);

const unread: z.infer<ReturnType<typeof RelayStatus>> = { state: 'checking', on: null, fault: null };

export const status = statusSection({
  reads: relayIds,
  uses: ['tree'],
  shape: () => ({
    relays: z.partialRecord(z.enum(relayIds), RelayStatus()).meta({
      description:
        'The relays that the profile names, by their ids. The reason for a state is in `capabilities` under the id.',
    }),
  }),
  view: ({ read, tree }) => ({
    relays: Object.fromEntries(
      relayIds.flatMap((id) => {
        const relay = read(id);
        if (relay !== undefined) return [[id, { state: relay.verdict.state, on: relay.closed, fault: relay.fault }]];
        return isSupervised(tree, id) ? [[id, unread]] : [];
      }),
    ),
  }),
});
