import { z } from 'zod';
import { statusSection } from '../subsystem.ts';
import type { MqttContext } from './events.ts';
import { confirmOf, linkSnapshot } from './phase.ts';
import { judgeBroker } from './verdict.ts';

const protocolOf = ({ protocol }: MqttContext): '5' | '3.1.1' | null =>
  protocol === null ? null : protocol === 5 ? '5' : '3.1.1';

/** The link in the status document. */
export const status = statusSection({
  reads: ['mqtt'],
  shape: () => ({
    mqtt: z
      .object({
        phase: z
          .enum([
            'off',
            'not_configured',
            'discovering',
            'ambiguous',
            'unconfirmed',
            'connecting',
            'connected',
            'auth_failed',
            'unreachable',
            'config_error',
          ])
          .meta({ description: 'Where the link to the broker stands.' }),
        protocol: z
          .enum(['5', '3.1.1'])
          .nullable()
          .meta({ description: 'Version of MQTT in use; null while not connected.' }),
        failure: z.string().nullable().meta({
          description:
            'Stable code of the last failure, such as `ECONNREFUSED` or `credentials`; null while all is well.',
        }),
        attempt: z.int().meta({ description: 'Failed and lost connections in a row.' }),
        failing_since: z
          .int()
          .nullable()
          .meta({ description: 'When the first of them was; null without one. Milliseconds since the Unix epoch.' }),
        connected_at: z
          .int()
          .nullable()
          .meta({ description: 'Since when; null while not connected. Milliseconds since the Unix epoch.' }),
        source: z
          .enum(['configured', 'found', 'none', 'ambiguous'])
          .meta({ description: 'Where the address comes from; `ambiguous`: more than one was found.' }),
        confirm: z.enum(['moved', 'broker']).nullable().meta({
          description: 'What a person has to confirm: that the found broker is the right one, or that it moved.',
        }),
        settings_revision: z.int().meta({
          description: 'Revision of the settings that this is about (`configuration.revision`); 0 before the first.',
        }),
        detail: z.string().meta({ description: 'One sentence; never an address or a name.' }),
      })
      .nullable()
      .meta({ description: 'The link to the broker; null while its part restarts.' }),
  }),
  view: ({ view }) => {
    const snapshot = view('mqtt');
    const mqtt = snapshot && linkSnapshot(snapshot);
    return {
      mqtt:
        mqtt === undefined
          ? null
          : {
              phase: mqtt.phase,
              protocol: protocolOf(mqtt),
              failure: mqtt.failure,
              attempt: mqtt.attempt,
              failing_since: mqtt.failingSince,
              connected_at: mqtt.connectedAt,
              source: mqtt.source,
              confirm: confirmOf(mqtt),
              settings_revision: mqtt.settingsRevision,
              detail: judgeBroker(mqtt).detail,
            },
    };
  },
});
