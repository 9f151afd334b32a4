import { lookup, type LookupOptions } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import type { ConnectionInput } from '#machines/mqtt/events.ts';

/** Certificates that the system trusts; on Node 20 they have to be handed to each connection. */
const SYSTEM_BUNDLE = '/etc/ssl/certs/ca-certificates.crt';

/** Reads the system's certificates; undefined where there are none, then the runtime's own count. */
export const readSystemBundle = async (path: string = SYSTEM_BUNDLE): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
};

const ipv4First: LookupFunction = (host, options, callback) => {
  const order: LookupOptions = { ...options, verbatim: false };
  lookup(host, order, (error, address, family) => callback(error, address, family));
};

/** Opens the socket of one connection attempt, by the address family that the owner chose; TLS is always verified. */
export const openSocket = (input: ConnectionInput, bundle: string | undefined): Socket => {
  const where = {
    host: input.host,
    port: input.port,
    ...(input.addressFamily === 'Force IPv4' && { family: 4 }),
    ...(input.addressFamily === 'Prefer IPv4' && { lookup: ipv4First }),
  };
  if (!input.tls) return connectTcp({ ...where, noDelay: true });
  return connectTls({
    ...where,
    ...(bundle !== undefined && { ca: bundle }),
    ...(isIP(input.host) === 0 && { servername: input.host }),
  }).setNoDelay(true);
};
