/** Longest part of a host that is shown, in characters; of a longer one its end, which says whose it is. */
const HOST_LENGTH = 60;

/**
 * An address from `findUrl` in words for a question at the panel: the host comes first and can be read in full, since
 * what precedes an "@" or begins a long name may look like the host of another.
 */
export function addressWords(address: string): string {
  const { protocol, host, pathname, search, hash } = new URL(address);
  const owner = host.length <= HOST_LENGTH ? host : `…${host.slice(-HOST_LENGTH)}`;
  return `${protocol}//${owner}${pathname}${search}${hash}`;
}
