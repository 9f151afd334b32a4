import { parseBrokerAddress } from './broker-address.ts';
import type { BrokerWish, ConnectionInput } from './events.ts';

/** The availability topic of a machine under its panel id, which the broker sets to `offline` by will. */
export const availabilityTopic = (panelId: string, installId: string): string => `sconce/${panelId}/status/${installId.slice(0, 8)}`;

/** What stands for a broker when its protocol is remembered. */
export const brokerOf = (wish: BrokerWish): string => {
  const address = parseBrokerAddress(wish.url ?? '');
  return address.ok ? `${address.value.host}:${address.value.port}` : '';
};

const nobody = { user: '', passwordSet: false, addressFamily: 'Automatic', panelId: '', installId: '' } as const;

/** Everything one connection attempt needs. */
export const connectionOf = (wish: BrokerWish | null, protocol: 4 | 5, generation: number): ConnectionInput => {
  const address = parseBrokerAddress(wish?.url ?? '');
  const { host, port, secure } = address.ok ? address.value : { host: '', port: 0, secure: false };
  const { user, passwordSet, addressFamily, panelId, installId } = wish ?? nobody;
  return {
    generation,
    protocol,
    host,
    port,
    tls: secure,
    user,
    passwordSet,
    addressFamily,
    clientId: `sconce_${panelId}_${installId.slice(0, 8)}`,
    will: { topic: availabilityTopic(panelId, installId), payload: 'offline', retain: true, qos: 1 },
  };
};
