import type { ListenerBounds } from './bounds.ts';
import type { InFlight, Peer } from './in-flight.ts';

/** Decides which response is made next. */
export interface Scheduler {
  /** Makes a response, at once or in turn; false if too many of its peer wait already. */
  readonly take: (inFlight: InFlight) => boolean;
  /** Lets a response that is being made continue without a place. */
  readonly leave: (inFlight: InFlight) => void;
  /** Resolves when it has a place again; never if its peer has gone. */
  readonly rejoin: (inFlight: InFlight) => Promise<void>;
  /** Called when a response is over or its peer has gone: its place is free once its handler is done too. */
  readonly over: (inFlight: InFlight) => void;
}

export interface SchedulerDeps {
  readonly bounds: Pick<ListenerBounds, 'turnMs' | 'waiting'>;
  /** Number of connections so far. */
  readonly connected: () => number;
  /** Begins a response; sets `work`. */
  readonly make: (inFlight: InFlight) => void;
  /** Called with a peer for which nothing is being made and nothing is ready. */
  readonly onIdle: (peer: Peer) => void;
  /** Wraps the callbacks of the event loop. */
  readonly guard: (turn: () => void) => () => void;
}

/**
 * Most iterations of the event loop in a row that make nothing while newcomers are let in: libuv accepts one connection
 * in each, so one behind hundreds of others would wait for hundreds of responses.
 */
const mostRounds = 512;
/** The same in milliseconds: iterations are long if bodies are parsed between them. */
const mostRestMs = 50;

/** True if both a peer and its network have a free place. */
const hasPlace = ({ making, places, network }: Peer): boolean =>
  making < places && (network === null || network.making < network.places);

/**
 * Peers that may come next after a peer freed a place: itself, and those held up by its network, least served first.
 */
function nextInLine(peer: Peer): readonly Peer[] {
  const own = peer.ready.length > 0 ? [peer] : [];
  if (peer.network === null) return own;
  return [...new Set([...own, ...peer.network.held])].toSorted((one, other) => one.making - other.making);
}

/**
 * Shares the one thread among the peers. Each has a number of places for responses that are made at a time, and a
 * bounded queue of requests for them. After `turnMs` of work the event loop turns, at least twice and until newcomers
 * are let in; then the peers take turns, the one served last behind all others.
 */
export function createScheduler({ bounds, connected, make, onIdle, guard }: SchedulerDeps): Scheduler {
  /** Peers with a ready response and a free place, in the order in which they are served. */
  const rotation = new Set<Peer>();
  let last: Peer | null = null;
  /** When the first response of this turn was begun; -1 before. */
  let began = -1;
  let isDue = false;
  /** Number of connections at the last check, and for how many checks in a row there were more. */
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
  /** Queues a peer with a ready response, or holds it until its network has a place. */
  const queuePeer = (peer: Peer): void => {
    if (peer.making >= peer.places) return;
    if (hasPlace(peer)) rotation.add(peer);
    else peer.network?.held.add(peer);
  };
  const begin = (inFlight: InFlight, peer: Peer): void => {
    inFlight.phase = 'making';
    count(peer, 1);
    if (began === -1) {
      began = performance.now();
      wake();
    }
    const { resume } = inFlight;
    inFlight.resume = null;
    if (resume === null) make(inFlight);
    else resume();
  };
  const free = (peer: Peer): void => {
    count(peer, -1);
    if (peer.ready.length === 0) onIdle(peer);
    const next = nextInLine(peer);
    for (const one of next) rotation.add(one);
    if (next.length > 0) wake();
  };
  /** Takes the first response whose connection is still open. */
  const shift = (peer: Peer): InFlight | undefined => {
    for (;;) {
      const inFlight = peer.ready.shift();
      if (inFlight === undefined) return undefined;
      peer.waiting -= 1;
      if (inFlight.via?.socket.writable === true) return inFlight;
      inFlight.phase = 'free';
    }
  };
  const serve = (): void => {
    if (last !== null && rotation.delete(last)) rotation.add(last);
    last = null;
    // A peer that is added again is visited again, behind the others.
    for (const peer of rotation) {
      rotation.delete(peer);
      peer.network?.held.delete(peer);
      const inFlight = hasPlace(peer) ? shift(peer) : undefined;
      if (inFlight !== undefined) {
        last = peer;
        begin(inFlight, peer);
      }
      if (peer.ready.length > 0) queuePeer(peer);
      if (inFlight === undefined) continue;
      // A response that is not made at once takes an unknown time after this turn.
      if (!inFlight.headersSent || isSpent()) return;
    }
  };
  const turn = guard(() => {
    isDue = false;
    began = -1;
    serve();
  });
  // In one iteration of the event loop a newcomer is let in, in the next its request is read.
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
  const queue = (inFlight: InFlight, peer: Peer): void => {
    inFlight.phase = 'ready';
    peer.waiting += 1;
    peer.ready.push(inFlight);
    queuePeer(peer);
    if (rotation.has(peer)) wake();
  };
  // Peers that wait for a place of the network come before those that have not waited.
  const isNext = (peer: Peer): boolean =>
    peer.ready.length === 0 && hasPlace(peer) && (peer.network?.held.size ?? 0) === 0 && !isSpent();
  const release = (inFlight: InFlight, peer: Peer): void => {
    if (inFlight.phase !== 'making') return;
    inFlight.phase = 'free';
    free(peer);
  };

  return {
    take: (inFlight) => {
      const peer = inFlight.via?.peer;
      if (peer === undefined) return true;
      if (isNext(peer)) begin(inFlight, peer);
      else if (peer.waiting >= bounds.waiting) return false;
      else queue(inFlight, peer);
      return true;
    },
    leave: (inFlight) => {
      const peer = inFlight.via?.peer;
      if (peer === undefined || inFlight.phase !== 'making') return;
      inFlight.phase = 'apart';
      free(peer);
    },
    rejoin: (inFlight) =>
      new Promise((resolve) => {
        const peer = inFlight.via?.peer;
        if (peer === undefined || inFlight.phase !== 'apart') return;
        inFlight.resume = resolve;
        if (isNext(peer)) begin(inFlight, peer);
        else queue(inFlight, peer);
      }),
    over: (inFlight) => {
      const peer = inFlight.via?.peer;
      if (peer === undefined) return;
      if (inFlight.phase === 'making' && !inFlight.headersSent && inFlight.work !== null) {
        const end = (): void => release(inFlight, peer);
        inFlight.work.then(end, end);
        return;
      }
      release(inFlight, peer);
      if (inFlight.phase === 'ready') {
        peer.ready.splice(peer.ready.indexOf(inFlight), 1);
        peer.waiting -= 1;
      }
      inFlight.phase = 'free';
    },
  };
}
