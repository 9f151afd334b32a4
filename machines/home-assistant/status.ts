import { z } from 'zod';

import { wordsOf } from '../kit/health-token.ts';
import { statusSection, textLines } from '../subsystem.ts';
import { reasons } from './events.ts';
import { excessWords } from './excess.ts';
import { lifecycleSources, lifecycleStates } from './health-tokens.ts';
import { judgeNetwork } from './network.ts';
import { HaNetwork } from './network-status.ts';
import { networkOf, parkedBy, phaseOf } from './phase.ts';
import { networkWords } from './words.ts';

/** The connection to Home Assistant and the network verdict in the status document. */
export const status = statusSection({
  reads: ['home-assistant'],
  uses: ['now', 'elapsed'],
  shape: () => ({
    home_assistant: z
      .object({
        connection: z.enum(['closed', 'connecting', 'live', 'reconnecting', 'refused', 'parked']).meta({
          description:
            '`closed` while nothing needs it or there is no sign-in; `refused`: sign in again; `parked`: it sent too much.',
        }),
        parked_until: z.int().nullable().meta({
          description: 'When it is tried again, in milliseconds since the Unix epoch; null while it is not left alone.',
        }),
        reasons: z.array(z.enum(reasons)).meta({ description: 'What needs it now.' }),
        failure: z.string().nullable().meta({ description: 'Stable code of the last failure; null while live.' }),
        lifecycle: z.enum(wordsOf(lifecycleStates)).nullable().meta({
          description:
            'As `ha` of the health line; null while not watched, and until Home Assistant has answered once.',
        }),
        lifecycle_source: z
          .enum(wordsOf(lifecycleSources))
          .nullable()
          .meta({ description: 'As `ha_src` of the health line; null where the panel concluded it.' }),
      })
      .nullable()
      .meta({ description: 'The connection to Home Assistant; null while its part restarts.' }),
    ha_network: HaNetwork(),
  }),
  view: ({ view, now, elapsed }) => {
    const shown = view('home-assistant');
    return {
      home_assistant:
        shown === undefined
          ? null
          : {
              connection: phaseOf(shown),
              parked_until: parkedBy(shown.context, now)?.until ?? null,
              reasons: [...shown.context.reasons],
              failure: shown.context.failure,
              lifecycle: shown.context.lifecycle?.state ?? null,
              lifecycle_source: shown.context.lifecycle?.source ?? null,
            },
      ha_network: judgeNetwork(networkOf(shown), elapsed),
    };
  },
});

/** Warnings about a Home Assistant that sends too much, and about unanswered pings. */
export const warnings = [
  textLines({
    key: 'home-assistant',
    after: 'restore',
    reads: ['home-assistant', 'home-presence'],
    uses: ['now', 'elapsed'],
    lines: ({ view, read, now, elapsed }) => {
      const shown = view('home-assistant');
      const network = judgeNetwork(networkOf(shown), elapsed);
      const excess = shown === undefined ? null : parkedBy(shown.context, now);
      // Pings are missing because the panel backs off.
      return excess === null
        ? [networkWords(network, read('home-presence'))].filter((line) => line !== null)
        : [excessWords(excess.code)];
    },
  }),
];
