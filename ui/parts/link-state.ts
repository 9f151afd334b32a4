import type { StatusDocument } from '#machines/status/document.ts';
import type { StateWord } from './state-mark.tsx';

type MqttPhase = NonNullable<StatusDocument['mqtt']>['phase'];
type PlatformPhase = NonNullable<StatusDocument['platform']>['phase'];

const ofBroker: Readonly<Record<MqttPhase, StateWord>> = {
  off: 'off',
  discovering: 'checking',
  ambiguous: 'needs_you',
  connecting: 'checking',
  connected: 'working',
  auth_failed: 'needs_you',
  unreachable: 'needs_you',
  config_error: 'needs_you',
};

const ofPlatform: Readonly<Record<PlatformPhase, StateWord>> = {
  waiting: 'off',
  claiming: 'checking',
  duplicate: 'needs_you',
  announcing: 'checking',
  live: 'working',
};

/** The word for the link to the broker. */
export const brokerState = (mqtt: StatusDocument['mqtt']): StateWord => (mqtt === null ? 'checking' : ofBroker[mqtt.phase]);

/** The word for what the platform sees of this panel. */
export const platformState = (platform: StatusDocument['platform']): StateWord => (platform === null ? 'checking' : ofPlatform[platform.phase]);

/** One word for the whole way to the platform: the broker's until it is connected, then the platform's. */
export const linkState = (status: StatusDocument): StateWord => {
  const broker = brokerState(status.mqtt);
  return broker === 'working' ? platformState(status.platform) : broker;
};
