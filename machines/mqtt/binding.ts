import type { Recipient } from '../kit/recipient.ts';
import { brokerRecipient } from './broker-address.ts';
import type { Binding, DesiredBroker, FoundBroker, PasswordFact } from './events.ts';

/** The binding of a password that is for no broker until a person confirms one. */
export const unconfirmed: Binding = { kind: 'unconfirmed' };

type Noted = Extract<PasswordFact, { readonly type: 'password.noted' }>;

/** The binding of a password that is noted. */
export function bindingOf({ recipient, openMs }: Pick<Noted, 'recipient' | 'openMs'>): Binding {
  if (recipient !== null) return { kind: 'bound', recipient };
  return openMs > 0 ? { kind: 'open' } : unconfirmed;
}

/** A broker that was found, as the recipient of a password. */
export const foundRecipient = ({ name, address, port }: FoundBroker): Recipient => ({
  scheme: 'mqtt',
  host: address,
  port,
  name,
});

/** The broker that is to be connected to, as the recipient of a password; null where there is none. */
export const targetOf = ({ url, found }: Pick<DesiredBroker, 'url' | 'found'>): Recipient | null =>
  found === null ? brokerRecipient(url ?? '') : foundRecipient(found);

/** A recipient as a person is shown it. */
export const shownBroker = ({ name, host, port }: Recipient): FoundBroker => ({
  name: name ?? host,
  address: host,
  port,
});

/** The binding while a broker is connected to: an open one is for the first that is tried. */
export function triedBinding(binding: Binding | null, target: Recipient | null): Binding | null {
  return binding?.kind === 'open' && target !== null && target.name !== null
    ? { kind: 'tried', recipient: target }
    : binding;
}
