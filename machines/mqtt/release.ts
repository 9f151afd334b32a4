import type { Binding, DesiredBroker, FoundBroker, Release } from './events.ts';

/** What is decided about a broker before it is connected to. */
export interface ReleaseParts extends Pick<DesiredBroker, 'source' | 'passwordSet' | 'found'> {
  /** Null while the stored one was not read. */
  readonly binding: Binding | null;
}

/** Whether two found brokers are the same one, in all parts. */
export const isSameFound = (one: FoundBroker, other: FoundBroker): boolean =>
  one.name === other.name && one.address === other.address && one.port === other.port;

/**
 * What the broker gets. A configured one gets the password, which was entered for it. A found one gets it where it is
 * bound to that very broker, or is still to be bound. Anybody on the network may answer for a host name: one that was
 * found at another address is asked without the password first, and one of another name not at all.
 */
export const releaseOf = ({ source, passwordSet, found, binding }: ReleaseParts): Release => {
  if (source !== 'found' || found === null || !passwordSet) return 'send';
  if (binding === null || binding.kind === 'unconfirmed') return 'wait';
  if (binding.kind === 'open' || isSameFound(binding.broker, found)) return 'send';
  return binding.broker.name === found.name ? 'ask' : 'wait';
};
