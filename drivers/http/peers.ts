import { LOOPBACK, type PeerName } from '#machines/kit/peer-name.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { ListenerBounds } from './bounds.ts';
import type { Network, Peer } from './in-flight.ts';

/** The peers of one server, and the networks within which one machine can change its address. */
export interface Peers {
  /** The peer of that name, created if there is none. */
  readonly named: (name: PeerName) => Peer;
  /** Forgets a peer if it has no connection and no response left. */
  readonly forget: (peer: Peer) => void;
  /** Bans a peer for a second. */
  readonly ban: (peer: Peer) => void;
  readonly isBanned: (name: string) => boolean;
}

/** How long a peer is banned, as in the refusal's `Retry-After`. */
const BAN_MS: Milliseconds = 1000;
/** Most peers banned at a time; one more lifts the oldest ban. */
const MOST_BANNED = 256;

/** False for the machine itself. */
export const isOutside = ({ name }: Peer): boolean => name !== LOOPBACK;

export function createPeers(bounds: Pick<ListenerBounds, 'making' | 'loopbackMaking' | 'networkMaking'>): Peers {
  const peers = new Map<string, Peer>();
  const networks = new Map<string, Network>();
  /** End of each ban by the peer's name. */
  const banned = new Map<string, Milliseconds>();

  const networkNamed = (name: string): Network | null => {
    if (name === '') return null;
    const known = networks.get(name);
    if (known !== undefined) return known;
    const network: Network = {
      name,
      places: bounds.networkMaking,
      peers: 0,
      connections: 0,
      making: 0,
      held: new Set(),
    };
    networks.set(name, network);
    return network;
  };
  return {
    named: ({ name, network: networkName }) => {
      const known = peers.get(name);
      if (known !== undefined) return known;
      const places = name === LOOPBACK ? bounds.loopbackMaking : bounds.making;
      const network = networkNamed(networkName);
      const peer: Peer = { name, network, places, connections: 0, making: 0, waiting: 0, ready: [] };
      if (network !== null) network.peers += 1;
      peers.set(name, peer);
      return peer;
    },
    forget: (peer) => {
      if (peer.connections > 0 || peer.making > 0 || peers.get(peer.name) !== peer) return;
      peers.delete(peer.name);
      if (peer.network === null) return;
      peer.network.peers -= 1;
      if (peer.network.peers === 0) networks.delete(peer.network.name);
    },
    ban: (peer) => {
      if (!isOutside(peer)) return;
      const [first] = banned.keys();
      if (banned.size >= MOST_BANNED && first !== undefined) banned.delete(first);
      banned.set(peer.name, performance.now() + BAN_MS);
    },
    isBanned: (name) => {
      const until = banned.get(name);
      if (until === undefined) return false;
      if (performance.now() < until) return true;
      banned.delete(name);
      return false;
    },
  };
}
