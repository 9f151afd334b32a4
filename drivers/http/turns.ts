import type { ListenerBounds } from './bounds.ts';
import type { Flight, Peer } from './flight.ts';

/** Which response is made next. */
export interface Turns {
  /** Has a response made, at once or when its turn has come; false where too many of its peer wait already. */
  readonly take: (flight: Flight) => boolean;
  /** A response that is being made goes on without a place. */
  readonly leave: (flight: Flight) => void;
  /** Resolves when it has a place again; never where its peer has gone. */
  readonly rejoin: (flight: Flight) => Promise<void>;
  /** A response is over, or its peer has gone: its place is free once its handler has ended too. */
  readonly over: (flight: Flight) => void;
}

/** What the turns are given. */
export interface TurnsDeps {
  readonly bounds: Pick<ListenerBounds, 'turnMs' | 'waiting'>;
  /** How many connections have come so far. */
  readonly connected: () => number;
  /** Begins a response; sets `work`. */
  readonly make: (flight: Flight) => void;
  /** Hears of a peer for whom nothing is made and nothing is ready. */
  readonly onIdle: (peer: Peer) => void;
  /** Wraps what the event loop calls. */
  readonly guard: (turn: () => void) => () => void;
}

/**
 * Most rounds of the event loop in a row without making anything while newcomers are let in: libuv accepts a single
 * connection in each, so that one behind hundreds of others would wait for hundreds of responses.
 */
const mostRounds = 512;
/** The same in milliseconds: rounds are long where bodies are taken apart between them. */
const mostRestMs = 50;

/** Whether one more response may be made for a peer, by its own places and by those of its network. */
const hasPlace = ({ making, places, network }: Peer): boolean =>
  making < places && (network === null || network.making < network.places);

/** Who may come next where a peer has freed a place: it, and who was held up by its network, least served first. */
const nextInLine = (peer: Peer): readonly Peer[] => {
  const own = peer.ready.length > 0 ? [peer] : [];
  if (peer.network === null) return own;
  return [...new Set([...own, ...peer.network.held])].toSorted((one, other) => one.making - other.making);
};

/**
 * Shares the one thread among the peers. Each has so many places for responses that are made at a time, and so many
 * requests may wait for one. After `turnMs` of making, the event loop goes round, at least twice and until newcomers
 * are let in; then those that wait come peer by peer, whoever was served last behind all others.
 */
export const createTurns = ({ bounds, connected, make, onIdle, guard }: TurnsDeps): Turns => {
  /** Peers with something ready and a free place, in the order in which they are served. */
  const rotation = new Set<Peer>();
  let last: Peer | null = null;
  /** When the first response of this turn was begun; -1 before it. */
  let began = -1;
  let isDue = false;
  /** Connections that had come when it was looked last, and how often in a row there were more. */
  let seen = 0;
  let rounds = 0;
  let restedFrom = 0;

  const wake = (): void => {
    if (isDue) return;
    isDue = true;
    setImmediate(rest);
  };
  const isSpent = (): boolean => began !== -1 && performance.now() - began >= bounds.turnMs;
  const count = (peer: Peer, by: 1 | -1): void => {
    peer.making += by;
    if (peer.network !== null) peer.network.making += by;
  };
  /** Puts a peer with something ready in line, or aside until its network has a place for it. */
  const line = (peer: Peer): void => {
    if (peer.making >= peer.places) return;
    if (hasPlace(peer)) rotation.add(peer);
    else peer.network?.held.add(peer);
  };
  const begin = (flight: Flight, peer: Peer): void => {
    flight.phase = 'making';
    count(peer, 1);
    if (began === -1) {
      began = performance.now();
      wake();
    }
    const { resume } = flight;
    flight.resume = null;
    if (resume === null) make(flight);
    else resume();
  };
  const free = (peer: Peer): void => {
    count(peer, -1);
    if (peer.ready.length === 0) onIdle(peer);
    const next = nextInLine(peer);
    for (const one of next) rotation.add(one);
    if (next.length > 0) wake();
  };
  /** Takes the first one that somebody still waits for. */
  const shift = (peer: Peer): Flight | undefined => {
    for (;;) {
      const flight = peer.ready.shift();
      if (flight === undefined) return undefined;
      peer.waiting -= 1;
      if (flight.via?.socket.writable === true) return flight;
      flight.phase = 'free';
    }
  };
  const serve = (): void => {
    if (last !== null && rotation.delete(last)) rotation.add(last);
    last = null;
    // A peer that is added again is come to again, behind the others.
    for (const peer of rotation) {
      rotation.delete(peer);
      peer.network?.held.delete(peer);
      const flight = hasPlace(peer) ? shift(peer) : undefined;
      if (flight !== undefined) {
        last = peer;
        begin(flight, peer);
      }
      if (peer.ready.length > 0) line(peer);
      if (flight === undefined) continue;
      // What was not made at once takes its time after this turn, which nobody can foresee.
      if (!flight.headersSent || isSpent()) return;
    }
  };
  const turn = guard(() => {
    isDue = false;
    began = -1;
    serve();
  });
  // In one round of the event loop a newcomer is let in, in the next one its request is read.
  const rest = guard(() => {
    began = -1;
    const opened = connected();
    const now = performance.now();
    if (rounds === 0) restedFrom = now;
    const isCrowded = opened !== seen && rounds < mostRounds && now - restedFrom < mostRestMs;
    seen = opened;
    rounds = isCrowded ? rounds + 1 : 0;
    if (rotation.size === 0) isDue = false;
    else setImmediate(isCrowded ? rest : turn);
  });
  const queue = (flight: Flight, peer: Peer): void => {
    flight.phase = 'ready';
    peer.waiting += 1;
    peer.ready.push(flight);
    line(peer);
    if (rotation.has(peer)) wake();
  };
  // Whoever waits for a place of the network comes before those who have not waited.
  const isNext = (peer: Peer): boolean =>
    peer.ready.length === 0 && hasPlace(peer) && (peer.network?.held.size ?? 0) === 0 && !isSpent();
  const release = (flight: Flight, peer: Peer): void => {
    if (flight.phase !== 'making') return;
    flight.phase = 'free';
    free(peer);
  };

  return {
    take: (flight) => {
      const peer = flight.via?.peer;
      if (peer === undefined) return true;
      if (isNext(peer)) begin(flight, peer);
      else if (peer.waiting >= bounds.waiting) return false;
      else queue(flight, peer);
      return true;
    },
    leave: (flight) => {
      const peer = flight.via?.peer;
      if (peer === undefined || flight.phase !== 'making') return;
      flight.phase = 'apart';
      free(peer);
    },
    rejoin: (flight) =>
      new Promise((resolve) => {
        const peer = flight.via?.peer;
        if (peer === undefined || flight.phase !== 'apart') return;
        flight.resume = resolve;
        if (isNext(peer)) begin(flight, peer);
        else queue(flight, peer);
      }),
    over: (flight) => {
      const peer = flight.via?.peer;
      if (peer === undefined) return;
      if (flight.phase === 'making' && !flight.headersSent && flight.work !== null) {
        const end = (): void => release(flight, peer);
        flight.work.then(end, end);
        return;
      }
      release(flight, peer);
      if (flight.phase === 'ready') {
        peer.ready.splice(peer.ready.indexOf(flight), 1);
        peer.waiting -= 1;
      }
      flight.phase = 'free';
    },
  };
};
