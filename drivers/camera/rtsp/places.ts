import { LOOPBACK, type PeerName } from '#machines/kit/peer-name.ts';
import type { StreamBounds } from './bounds.ts';

/** What decides if there is a place for one more. */
export interface Occupant {
  readonly peer: PeerName;
  /** When it came. */
  readonly openedAt: number;
  /** True while it is promised the stream, or plays. */
  readonly isClient: boolean;
  readonly isPlaying: boolean;
}

type PlaceBounds = Pick<
  StreamBounds,
  'clients' | 'clientsPerPeer' | 'waitingPerPeer' | 'waitingPerNetwork' | 'waiting'
>;

const count = (all: readonly Occupant[], passes: (one: Occupant) => boolean): number => all.filter(passes).length;

/** The result for a connection: a place, the place of one that ends for it, or none. */
export type Place<O> = { readonly is: 'free' } | { readonly is: 'of'; readonly occupant: O } | { readonly is: 'none' };

/**
 * The place of a new connection, which does not play yet. When all of these are taken, the oldest one of another peer
 * that asked for nothing ends. The machine itself is bound by the number of all alone: on it may run a program that
 * passes the stream on to many.
 */
export function placeOf<O extends Occupant>(all: readonly O[], peer: PeerName, bounds: PlaceBounds): Place<O> {
  const waiting = all.filter(({ isPlaying }) => !isPlaying);
  if (peer.name !== LOOPBACK) {
    if (count(waiting, (one) => one.peer.name === peer.name) >= bounds.waitingPerPeer) return { is: 'none' };
    const ofNetwork = count(waiting, (one) => one.peer.network === peer.network);
    if (peer.network !== '' && ofNetwork >= bounds.waitingPerNetwork) return { is: 'none' };
  }
  if (waiting.length < bounds.waiting) return { is: 'free' };
  const [oldest] = waiting
    .filter((one) => !one.isClient && one.peer.name !== peer.name)
    .toSorted((one, other) => one.openedAt - other.openedAt);
  return oldest === undefined ? { is: 'none' } : { is: 'of', occupant: oldest };
}

/** Whether one more client of a peer may ask for the stream. */
export function mayWatch(all: readonly Occupant[], peer: PeerName, bounds: PlaceBounds): boolean {
  const clients = all.filter(({ isClient }) => isClient);
  if (clients.length >= bounds.clients) return false;
  return peer.name === LOOPBACK || count(clients, (one) => one.peer.name === peer.name) < bounds.clientsPerPeer;
}
