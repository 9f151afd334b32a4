/** What decides if a connection has to make room. */
export interface Occupant {
  /** The peer, with the number of its open connections. */
  readonly peer: { readonly connections: number };
  /** Responses under way on it, streams among them. */
  readonly responses: number;
  /** Sequence number of its last use. */
  readonly used: number;
}

/** Most connections of a peer that passes for a browser, which opens six to one host. */
const OF_BROWSER = 8;

const isIdle = ({ responses }: Occupant): boolean => responses === 0;

const longestUnused = <O extends Occupant>(among: readonly O[]): O | undefined =>
  among.reduce<O | undefined>((found, one) => (found === undefined || one.used < found.used ? one : found), undefined);

/** Those of the peers with most connections. */
function ofGreediest<O extends Occupant>(among: readonly O[]): readonly O[] {
  const most = Math.max(...among.map(({ peer }) => peer.connections));
  return among.filter(({ peer }) => peer.connections === most);
}

/**
 * The connection of `others` that ends for a peer that will have `size` of its own; undefined if there is none. An idle
 * one of a peer with more than its share comes first, then an idle one of the peer with most. One in use ends only if
 * its peer has more than any browser opens: many peers with a few connections each must not cut the responses of a peer
 * with a few more, nor deny a browser its second connection because each of them has a single one.
 */
export function chooseEvicted<O extends Occupant>(others: readonly O[], size: number): O | undefined {
  const peers = new Set(others.map(({ peer }) => peer)).size + 1;
  const share = (others.length + size - 1) / peers;
  const idle = others.filter((one) => isIdle(one) && (size <= OF_BROWSER || one.peer.connections >= size));
  return (
    longestUnused(idle.filter(({ peer }) => peer.connections > share)) ??
    longestUnused(ofGreediest(idle)) ??
    longestUnused(ofGreediest(others).filter(({ peer }) => peer.connections > Math.max(size, OF_BROWSER)))
  );
}
