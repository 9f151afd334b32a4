import type { ListenerBounds } from './bounds.ts';
import type { InFlight, Peer } from './in-flight.ts';

/** Which response is made next. */
export interface Scheduler {
  /** Has a response made, at once or when its turn has come; false where too many of its peer wait already. */
  readonly take: (inFlight: InFlight) => boolean;
  /** A response that is being made goes on without a place. */
  readonly leave: (inFlight: InFlight) => void;
  /** Resolves when it has a place again; never where its peer has gone. */
  readonly rejoin: (inFlight: InFlight) => Promise<void>;
  /** A response is over, or its peer has gone: its place is free once its handler has ended too. */
  readonly over: (inFlight: InFlight) => void;
}

/** What the turns are given. */
export interface SchedulerDeps {
  readonly bounds: Pick<ListenerBounds, 'turnMs' | 'waiting'>;
  /** How many connections have come so far. */
  readonly connected: () => number;
  /** Begins a response; sets `work`. */
  readonly make: (inFlight: InFlight) => void;
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
function nextInLine(peer: Peer): readonly Peer[] {
  const own = peer.ready.length > 0 ? [peer] : [];
  if (peer.network === null) return own;
  return [...new Set([...own, ...peer.network.held])].toSorted((one, other) => one.making - other.making);
}

/**
 * Shares the one thread among the peers. Each has so many places for responses that are made at a time, and so many
 * requests may wait for one. After `turnMs` of making, the event loop goes round, at least twice and until newcomers
 * are let in; then those that wait come peer by peer, whoever was served last behind all others.
 */
export function createScheduler({ bounds, connected, make, onIdle, guard }: SchedulerDeps): Scheduler {
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
  /** Takes the first one that somebody still waits for. */
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
    // A peer that is added again is come to again, behind the others.
    for (const peer of rotation) {
      rotation.delete(peer);
      peer.network?.held.delete(peer);
      const inFlight = hasPlace(peer) ? shift(peer) : undefined;
      if (inFlight !== undefined) {
        last = peer;
        begin(inFlight, peer);
      }
      if (peer.ready.length > 0) line(peer);
      if (inFlight === undefined) continue;
      // What was not made at once takes its time after this turn, which nobody can foresee.
      if (!inFlight.headersSent || isSpent()) return;
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
  const queue = (inFlight: InFlight, peer: Peer): void => {
    inFlight.phase = 'ready';
    peer.waiting += 1;
    peer.ready.push(inFlight);
    line(peer);
    if (rotation.has(peer)) wake();
  };
  // Whoever waits for a place of the network comes before those who have not waited.
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
