import { shortInstall, statusTopic } from '../kit/status-topic.ts';
import { parseBrokerAddress } from './broker-address.ts';
import type { BrokerWish, ConnectionInput } from './events.ts';

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
    clientId: `sconce_${panelId}_${shortInstall(installId)}`,
    will: { topic: statusTopic(panelId, installId), payload: 'offline', retain: true, qos: 1 },
  };
};
