import type { Recipient } from '../kit/recipient.ts';
import { brokerRecipient } from './broker-address.ts';
import type { Binding, DesiredBroker, FoundBroker, PasswordFact } from './events.ts';

/** The binding of a password that has no broker until a person confirms one. */
export const unconfirmed: Binding = { kind: 'unconfirmed' };

type Noted = Extract<PasswordFact, { readonly type: 'password.noted' }>;

export function bindingOf({ recipient, openMs }: Pick<Noted, 'recipient' | 'openMs'>): Binding {
  if (recipient !== null) return { kind: 'bound', recipient };
  return openMs > 0 ? { kind: 'open' } : unconfirmed;
}

/** A found broker as the recipient of a password. */
export const foundRecipient = ({ name, address, port }: FoundBroker): Recipient => ({
  scheme: 'mqtt',
  host: address,
  port,
  name,
});

/** The broker to connect to, as the recipient of a password; null without one. */
export const targetOf = ({ url, found }: Pick<DesiredBroker, 'url' | 'found'>): Recipient | null =>
  found === null ? brokerRecipient(url ?? '') : foundRecipient(found);

/** A recipient in the form that a person sees. */
export const shownBroker = ({ name, host, port }: Recipient): FoundBroker => ({
  name: name ?? host,
  address: host,
  port,
});

/** The binding during an attempt: an open one is reserved for the first broker that is tried. */
export function triedBinding(binding: Binding | null, target: Recipient | null): Binding | null {
  return binding?.kind === 'open' && target !== null && target.name !== null
    ? { kind: 'tried', recipient: target }
    : binding;
}
