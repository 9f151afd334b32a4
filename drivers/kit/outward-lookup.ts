import type { LookupFunction } from 'node:net';

import { isLocalAddress, LOCAL_ADDRESS } from '#machines/kit/own-address.ts';

import { ownAddresses } from './own-addresses.ts';

/** Whether a host is written as an address that a probe must not connect to; names are for `outwardLookup`. */
export const isLocalHost = (host: string): boolean => isLocalAddress(host, ownAddresses());

/**
 * Fails with the code `local-address` where any address of a name is one that a probe must not connect to. The judged
 * addresses are those that the socket then connects to, so no other answer can come between.
 */
export const outwardLookup =
  (look: LookupFunction): LookupFunction =>
  (host, options, callback) =>
    look(host, options, (error, found, family) => {
      const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address);
      const own = ownAddresses();
      if (error === null && addresses.some((address) => isLocalAddress(address, own)))
        callback(Object.assign(new Error('the name leads to a local address'), { code: LOCAL_ADDRESS }), '', 0);
      else callback(error, found, family);
    });
