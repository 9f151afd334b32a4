import type { BrokerFact } from '#machines/mqtt/events.ts';

type Refusal = Pick<Extract<BrokerFact, { type: 'broker.refused' }>, 'reason' | 'code'>;

/** CONNACK codes of refused credentials: 4 and 5 of MQTT 3.1.1, 134, 135 and 140 of MQTT 5. */
const credentialCodes: readonly number[] = [4, 5, 134, 135, 140];
/** CONNACK codes of an unsupported protocol: 1 of MQTT 3.1.1, 132 of MQTT 5. */
const protocolCodes: readonly number[] = [1, 132];

/** Meaning of the broker's CONNACK code; the code in the result names no broker. */
export function refusalOf(connack: number): Refusal {
  if (credentialCodes.includes(connack)) return { reason: 'credentials', code: 'credentials' };
  if (protocolCodes.includes(connack)) return { reason: 'protocol', code: 'protocol' };
  return { reason: 'other', code: `refused-${connack}` };
}
