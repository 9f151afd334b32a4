import { isSameRecipient } from '../kit/recipient.ts';
import { targetOf } from './binding.ts';
import type { Binding, DesiredBroker, Release } from './events.ts';

/** What the release is decided from. */
export interface ReleaseParts extends Pick<DesiredBroker, 'url' | 'source' | 'passwordSet' | 'found'> {
  /** Null until the stored recipient was read. */
  readonly binding: Binding | null;
}

/**
 * What the broker gets. It gets the password if that is for this very broker, or if the password was just saved and
 * this is the only broker that is found. Anyone on the network can answer for a host name, so a broker at another
 * address is first tried without the password, and one with another name not at all.
 */
export function releaseOf({ url, source, passwordSet, found, binding }: ReleaseParts): Release {
  const target = targetOf({ url, found });
  if (target === null || !passwordSet) return 'send';
  if (binding === null || binding.kind === 'unconfirmed') return 'wait';
  if (binding.kind === 'open') return source === 'found' ? 'send' : 'wait';
  const { recipient } = binding;
  if (isSameRecipient(recipient, target)) return 'send';
  return binding.kind === 'bound' && found !== null && recipient.name === target.name ? 'ask' : 'wait';
}
