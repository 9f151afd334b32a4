import type { networkInterfaces } from 'node:os';

import type { DefaultRoute } from './parse-proc.ts';
import { ownField } from '#machines/kit/own-field.ts';

/** Interfaces with their addresses, as Node lists them. */
export type Interfaces = ReturnType<typeof networkInterfaces>;

/** The default routes of both families. */
export interface Routes {
  readonly ipv4: DefaultRoute | null;
  readonly ipv6: DefaultRoute | null;
}

/** Family of the way out: IPv4 wherever it has one, since that is what a broker found on the network is dialled on. */
export const routeFamily = (routes: Routes): 'ipv4' | 'ipv6' =>
  routes.ipv4 === null && routes.ipv6 !== null ? 'ipv6' : 'ipv4';

const isUsable = (family: 'IPv4' | 'IPv6', address: { family: string; internal: boolean; address: string }): boolean =>
  address.family === family && !address.internal && !address.address.toLowerCase().startsWith('fe80:');

/** The interface and the address by which other machines reach this one. */
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
 * The way by which other machines reach this one: the default route's interface, else the first with an address that is
 * not internal.
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

/**
 * The address that other machines reach: that of the default route's interface, else the first that is not internal.
 */
export const primaryAddress = (routes: Routes, interfaces: Interfaces): string | null =>
  primaryLan(routes, interfaces)?.address ?? null;
