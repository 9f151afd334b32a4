import { networkInterfaces } from 'node:os';
import { panelOrigin } from '#machines/sign-in/panel-origin.ts';

/** Names of interfaces that no other machine on the network can reach. */
const inner = /^(lo|docker|br-|veth|virbr)/;

/**
 * The address by which a phone reaches this panel: the first IPv4 of a real interface, else its IPv6, else loopback.
 */
export function reachableAddress(): string {
  const addresses = Object.entries(networkInterfaces())
    .filter(([name]) => !inner.test(name))
    .flatMap(([, list]) => list ?? [])
    .filter((address) => !address.internal && !address.address.startsWith('fe80:'));
  const chosen = addresses.find((address) => address.family === 'IPv4') ?? addresses[0];
  if (chosen === undefined) return '127.0.0.1';
  return chosen.family === 'IPv6' ? `[${chosen.address}]` : chosen.address;
}

/** Origin of the panel's pages at that address, under which Home Assistant lists a panel that signed in by itself. */
export function reachableOrigin(port: number): string {
  const origin = panelOrigin(`${reachableAddress()}:${port}`, port);
  return origin.ok ? origin.value : `http://127.0.0.1:${port}`;
}
