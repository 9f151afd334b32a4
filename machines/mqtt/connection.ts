import { shortInstall, statusTopic } from '../kit/status-topic.ts';
import { parseBrokerAddress } from './broker-address.ts';
import type { BrokerCommand, ConnectionInput, DesiredBroker, OutgoingMessage, Release } from './events.ts';
import type { LinkFacts } from './facts.ts';

/** The key under which a broker's protocol is remembered. */
export function brokerOf(desired: DesiredBroker): string {
  const address = parseBrokerAddress(desired.url ?? '');
  return address.ok ? `${address.value.host}:${address.value.port}` : '';
}

const anonymous = {
  user: '',
  passwordSet: false,
  passwordMark: null,
  addressFamily: 'Automatic',
  panelId: '',
  installId: '',
} as const;

/** Everything that one connection attempt needs; user name and password only if this broker may get them. */
export function connectionOf(
  desired: DesiredBroker | null,
  protocol: 4 | 5,
  generation: number,
  release: Release,
): ConnectionInput {
  const address = parseBrokerAddress(desired?.url ?? '');
  const { host, port, secure } = address.ok ? address.value : { host: '', port: 0, secure: false };
  const { user, passwordSet, passwordMark, addressFamily, panelId, installId } = desired ?? anonymous;
  return {
    generation,
    protocol,
    host,
    port,
    tls: secure,
    user: release === 'send' ? user : '',
    passwordSet: release === 'send' && passwordSet,
    passwordMark: release === 'send' ? passwordMark : null,
    installId,
    addressFamily,
    clientId: `sconce_${panelId}_${shortInstall(installId)}`,
    will: { topic: statusTopic(panelId, installId), payload: 'offline', retain: true, qos: 1 },
  };
}

/** The protocol to try first with a broker: the one it is known to speak, otherwise the newer one. */
export const spokenTo = (context: LinkFacts, broker: DesiredBroker): 4 | 5 =>
  context.spoken.find((entry) => entry.broker === brokerOf(broker))?.protocol ?? 5;

/** The message that the panel is offline; empty after a withdrawal, which removes the retained one. */
const absence = ({ desired, withdrawn }: LinkFacts): OutgoingMessage => ({
  topic: statusTopic(desired?.panelId ?? '', desired?.installId ?? ''),
  payload: withdrawn ? '' : 'offline',
  retain: true,
  qos: 1,
});

/** Publishes `offline` for a panel without a publisher; the publisher itself publishes `online`. */
export const offlineCommand = (facts: LinkFacts): BrokerCommand => ({
  type: 'mqtt.publish',
  messages: [absence(facts)],
});

/** The same as the last message of the connection. */
export const leaveCommand = (facts: LinkFacts): BrokerCommand => ({ type: 'mqtt.leave', messages: [absence(facts)] });
