import { z } from 'zod';
import { diagLine } from '../kit/diag.ts';
import { statusSection, textLines } from '../subsystem.ts';
import type { MqttContext } from './events.ts';
import { shownLink } from './phase.ts';
import { judgeBroker } from './verdict.ts';

const protocolOf = ({ protocol }: MqttContext): '5' | '3.1.1' | null =>
  protocol === null ? null : protocol === 5 ? '5' : '3.1.1';

/** The link's field of the status document. */
export const status = statusSection({
  reads: ['mqtt'],
  shape: {
    mqtt: z
      .object({
        phase: z.enum([
          'off',
          'discovering',
          'ambiguous',
          'connecting',
          'connected',
          'auth_failed',
          'unreachable',
          'config_error',
        ]),
        protocol: z.enum(['5', '3.1.1']).nullable(),
        failure: z.string().nullable(),
        attempt: z.number().int(),
        connected_at: z.number().int().nullable(),
        source: z.enum(['configured', 'found', 'none', 'ambiguous']),
        detail: z.string().meta({ description: 'One sentence; never an address or a name.' }),
      })
      .nullable(),
  },
  project: ({ view }) => {
    const snapshot = view('mqtt');
    const mqtt = snapshot && shownLink(snapshot);
    return {
      mqtt:
        mqtt === undefined
          ? null
          : {
              phase: mqtt.phase,
              protocol: protocolOf(mqtt),
              failure: mqtt.failure,
              attempt: mqtt.attempt,
              connected_at: mqtt.connectedAt,
              source: mqtt.source,
              detail: judgeBroker(mqtt).detail,
            },
    };
  },
});

/** How the link to the broker is. */
export const diag = [
  textLines({
    order: 43,
    reads: ['mqtt'],
    lines: ({ view }) => {
      const snapshot = view('mqtt');
      const mqtt = snapshot && shownLink(snapshot);
      return [
        diagLine('mqtt', {
          phase: mqtt?.phase,
          protocol: (mqtt === undefined ? null : protocolOf(mqtt)) ?? 'none',
          failure: mqtt?.failure ?? 'none',
          source: mqtt?.source,
          attempt: mqtt?.attempt,
        }),
      ];
    },
  }),
];
