import type { LookupFunction } from 'node:net';

import { isLocalAddress, LOCAL_ADDRESS } from '#machines/kit/own-address.ts';

import { ownAddresses } from './own-addresses.ts';

/** True if a host is an address that a probe must not connect to; names are checked by `outwardLookup`. */
export const isLocalHost = (host: string): boolean => isLocalAddress(host, ownAddresses());

/**
 * Fails with the code `local-address` if a probe must not connect to any one of a name's addresses. The socket connects
 * to the addresses judged here, so no second lookup can differ.
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
