import { isSameRecipient } from '../kit/recipient.ts';
import { targetOf } from './binding.ts';
import type { Binding, DesiredBroker, Release } from './events.ts';

/** What is decided about a broker before it is connected to. */
export interface ReleaseParts extends Pick<DesiredBroker, 'url' | 'source' | 'passwordSet' | 'found'> {
  /** Null while the stored recipient was not read. */
  readonly binding: Binding | null;
}

/**
 * What the broker gets. It gets the password where that is for this very broker, or where the password was saved just
 * now and this is the first broker that is found. Anybody on the network may answer for a host name: one that was found
 * at another address is asked without the password first, and one of another name not at all.
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
