import type { networkInterfaces } from 'node:os';

import type { DefaultRoute } from './parse-proc.ts';
import { ownField } from '#machines/kit/own-field.ts';

export type Interfaces = ReturnType<typeof networkInterfaces>;

export interface Routes {
  readonly ipv4: DefaultRoute | null;
  readonly ipv6: DefaultRoute | null;
}

/** Family of the default route: IPv4 if it has one, since a broker found on the network is contacted over IPv4. */
export const routeFamily = (routes: Routes): 'ipv4' | 'ipv6' =>
  routes.ipv4 === null && routes.ipv6 !== null ? 'ipv6' : 'ipv4';

const isUsable = (family: 'IPv4' | 'IPv6', address: { family: string; internal: boolean; address: string }): boolean =>
  address.family === family && !address.internal && !address.address.toLowerCase().startsWith('fe80:');

/** Interface and address by which other machines reach this one. */
export interface PrimaryLan {
  readonly interface: string;
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
}

function lanOf(interfaces: Interfaces, name: string, family: 'IPv4' | 'IPv6'): PrimaryLan | null {
  const address = ownField(interfaces, name)?.find((candidate) => isUsable(family, candidate))?.address;
  return address === undefined ? null : { interface: name, address, family: family === 'IPv4' ? 'ipv4' : 'ipv6' };
}

/**
 * Finds the interface by which other machines reach this one: that of the default route, else the first in the alphabet
 * with a usable address, IPv4 before IPv6. Null if there is none.
 */
export function primaryLan(routes: Routes, interfaces: Interfaces): PrimaryLan | null {
  const routed =
    (routes.ipv4 && lanOf(interfaces, routes.ipv4.interface, 'IPv4')) ??
    (routes.ipv6 && lanOf(interfaces, routes.ipv6.interface, 'IPv6'));
  if (routed) return routed;
  const names = Object.keys(interfaces).toSorted();
  for (const family of ['IPv4', 'IPv6'] as const) {
    for (const name of names) {
      const lan = lanOf(interfaces, name, family);
      if (lan !== null) return lan;
    }
  }
  return null;
}

/** The address of `primaryLan`, null if there is none. */
export const primaryAddress = (routes: Routes, interfaces: Interfaces): string | null =>
  primaryLan(routes, interfaces)?.address ?? null;
