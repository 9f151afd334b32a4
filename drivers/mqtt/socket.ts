import { lookup, type LookupOptions } from 'node:dns';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import type { ConnectionInput } from '#machines/mqtt/events.ts';

const ipv4First =
  (look: LookupFunction): LookupFunction =>
  (host, options, callback) => {
    const order: LookupOptions = { ...options, verbatim: false };
    look(host, order, (error, address, family) => callback(error, address, family));
  };

type Place = Pick<ConnectionInput, 'host' | 'port' | 'tls' | 'addressFamily'>;

/**
 * Opens the socket of one connection attempt, by the owner's address family. TLS is always verified, against the
 * certificates in `bundle`, or the runtime's own if that is undefined. Names are resolved by `look`.
 */
export function openSocket(input: Place, bundle: string | undefined, look: LookupFunction = lookup): Socket {
  const where = {
    host: input.host,
    port: input.port,
    ...(input.addressFamily === 'Force IPv4' && { family: 4 }),
    lookup: input.addressFamily === 'Prefer IPv4' ? ipv4First(look) : look,
  };
  if (!input.tls) return connectTcp({ ...where, noDelay: true });
  return connectTls({
    ...where,
    ...(bundle !== undefined && { ca: bundle }),
    ...(isIP(input.host) === 0 && { servername: input.host }),
  }).setNoDelay(true);
}
