import { type After, byTimer } from '#drivers/kit/rounds.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

/** Messages that are handed on as they come; what a broker has retained for a panel is some thirty. */
export const INFLOW_BURST = 64;
/** Time in which one more may be handed on, in milliseconds; beyond the burst that is 250 a second. */
const PAUSE_MS: Milliseconds = 4;
/** How often what waits is handed on, in milliseconds. */
const FLUSH_MS: Milliseconds = 40;
/** Most topics that wait, and bytes of their messages; with more nothing is read from the broker. */
const WAITING_TOPICS = 256;
const WAITING_BYTES = 1024 * 1024;
/**
 * Messages after which the rest of the process gets a turn of the event loop; more than a burst that the publisher
 * carries out (FLOOD_BURST), which it counts by turns.
 */
const ROUND = 32;

/** A message from the broker. */
export interface Arrival {
  readonly topic: string;
  readonly payload: Buffer;
  readonly retained: boolean;
}

/** What a broker sends, on its way to the machine. */
export interface Inflow {
  /** Hands a message on, now or when it is its turn; only the newest of a topic waits. */
  readonly take: (arrival: Arrival) => void;
  /** Calls `next`, which reads the next packet, as soon as there is room for its message. */
  readonly makeRoom: (next: () => void) => void;
  /** Hands nothing on any more. */
  readonly stop: () => void;
}

/** Where the time comes from. */
export interface InflowClock {
  /** Milliseconds of a clock that is never set. */
  readonly now: () => Milliseconds;
  readonly after: After;
  /** Calls back after everything else that is due in the event loop. */
  readonly later: (fn: () => void) => void;
}

const processClock: InflowClock = {
  now: () => performance.now(),
  after: byTimer,
  later: (fn) => void setImmediate(fn),
};

/**
 * Bounds what one who floods the broker costs the panel: a burst is handed on as it comes, and beyond it the newest
 * message of each topic, in the order in which those came. `guard` wraps what a timer calls.
 */
export const createInflow = (
  deliver: (arrival: Arrival) => void,
  guard: (fn: () => void) => () => void,
  { now, after, later }: InflowClock = processClock,
): Inflow => {
  const waiting = new Map<string, Arrival>();
  let bytes = 0;
  let left = INFLOW_BURST;
  let filledAt = now();
  let taken = 0;
  let cancel: (() => void) | null = null;
  let held: (() => void) | null = null;

  const refill = (): void => {
    const gained = Math.floor((now() - filledAt) / PAUSE_MS);
    left = Math.min(INFLOW_BURST, left + gained);
    filledAt = left === INFLOW_BURST ? now() : filledAt + gained * PAUSE_MS;
  };
  const remove = (arrival: Arrival): void => {
    waiting.delete(arrival.topic);
    bytes -= arrival.payload.length;
  };
  const isFull = (): boolean => waiting.size >= WAITING_TOPICS || bytes >= WAITING_BYTES;
  const flush = guard(() => {
    cancel = null;
    refill();
    for (const arrival of waiting.values()) {
      if (left === 0) break;
      left -= 1;
      remove(arrival);
      deliver(arrival);
    }
    if (waiting.size > 0) plan();
    if (held === null || isFull()) return;
    const next = held;
    held = null;
    next();
  });
  const plan = (): void => {
    cancel ??= after(FLUSH_MS, flush);
  };

  return {
    take: (arrival) => {
      refill();
      if (waiting.size === 0 && left > 0) {
        left -= 1;
        deliver(arrival);
        return;
      }
      const older = waiting.get(arrival.topic);
      if (older !== undefined) remove(older);
      waiting.set(arrival.topic, arrival);
      bytes += arrival.payload.length;
      plan();
    },
    makeRoom: (next) => {
      taken += 1;
      if (isFull()) held = next;
      else if (taken % ROUND === 0) later(guard(next));
      else next();
    },
    stop: () => {
      cancel?.();
      held = null;
    },
  };
};
