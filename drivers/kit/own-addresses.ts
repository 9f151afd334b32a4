import { networkInterfaces } from 'node:os';

/** Current addresses of this machine's interfaces. */
export const ownAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((found) => (found ?? []).map(({ address }) => address));
