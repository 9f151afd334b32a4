import { lookup } from 'node:dns/promises';

import { peerName } from '#machines/kit/peer-name.ts';

/** How long the addresses of a name are used, in milliseconds. */
const FRESH_MS = 5 * 60_000;

/** Most addresses of one name that are compared. */
const MOST = 16;

/** Looks up the addresses of a host name. */
export type LookUp = (host: string) => Promise<readonly string[]>;

const systemLookUp: LookUp = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

function hostOf(url: string): string {
  if (!URL.canParse(url)) return '';
  return new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
}

/**
 * Tells if a peer has the address of the configured Home Assistant, so that a viewer can be named. A name is looked up
 * in the background: until that has ended no peer is it.
 */
export function createHomePeer(
  readUrl: () => string,
  elapsed: () => number,
  lookUp: LookUp = systemLookUp,
): (address: string) => boolean {
  let known: { readonly host: string; readonly at: number; readonly names: ReadonlySet<string> } | null = null;
  const refresh = (host: string): ReadonlySet<string> => {
    const names = new Set<string>();
    known = { host, at: elapsed(), names };
    const literal = peerName(host).name;
    if (literal !== '') return names.add(literal);
    lookUp(host).then(
      (addresses) => {
        for (const address of addresses.slice(0, MOST)) names.add(peerName(address).name);
      },
      // It is looked up again later; meanwhile its viewers are players.
      () => {},
    );
    return names;
  };
  return (address) => {
    const host = hostOf(readUrl());
    if (host === '') return false;
    const isFresh = known !== null && known.host === host && elapsed() - known.at < FRESH_MS;
    const names = isFresh && known !== null ? known.names : refresh(host);
    const { name } = peerName(address);
    return name !== '' && names.has(name);
  };
}
