import { type After, byTimer } from '#drivers/kit/rounds.ts';
import type { TopicRank } from '#machines/mqtt/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

/** Messages that are handed on as they come; what a broker has retained for a panel is some thirty. */
export const INFLOW_BURST = 64;
/**
 * Time in which one more may be handed on, in milliseconds: beyond the burst that is 1000 a second, which is more than
 * one who waits for each answer can send.
 */
const PAUSE_MS: Milliseconds = 1;
/** How often what waits is handed on, in milliseconds. */
const FLUSH_MS: Milliseconds = 40;
/**
 * Most messages of one topic that wait, the newest of them: a light may be told its colour and its brightness in two.
 */
const OF_TOPIC = 4;
/** Most topics that wait, and most of those that anybody can make up; more than that is dropped. */
const WAITING_TOPICS = 256;
const MADE_UP_TOPICS = 16;

/** A message from the broker. */
export interface Arrival {
  readonly topic: string;
  readonly payload: string;
  readonly retained: boolean;
}

/** What a broker sends, on its way to the machine. */
export interface Inflow {
  /** Hands a message on, now or when it is its turn. */
  readonly take: (arrival: Arrival) => void;
  /** Hands nothing on any more. */
  readonly stop: () => void;
}

/** What the inflow needs. */
export interface InflowDeps {
  readonly deliver: (arrival: Arrival) => void;
  readonly rankOf: (topic: string) => TopicRank;
  /** Wraps what a timer calls. */
  readonly guard: (fn: () => void) => () => void;
  /** Milliseconds of a clock that is never set; the process's own when absent. */
  readonly now?: () => Milliseconds;
  readonly after?: After;
}

/**
 * Bounds what one who floods the broker costs the panel: a burst is handed on as it comes, and beyond it the newest
 * messages of each topic, in the order in which they came.
 */
export const createInflow = ({
  deliver,
  rankOf,
  guard,
  now = () => performance.now(),
  after = byTimer,
}: InflowDeps): Inflow => {
  const waiting: Arrival[] = [];
  /** Of each topic that waits, how many of its messages. */
  const counts = new Map<string, number>();
  let madeUp = 0;
  let left = INFLOW_BURST;
  let filledAt = now();
  let cancel: (() => void) | null = null;

  const refill = (): void => {
    const gained = Math.floor((now() - filledAt) / PAUSE_MS);
    left = Math.min(INFLOW_BURST, left + gained);
    filledAt = left === INFLOW_BURST ? now() : filledAt + gained * PAUSE_MS;
  };
  const removed = (topic: string): void => {
    const count = (counts.get(topic) ?? 0) - 1;
    if (count > 0) counts.set(topic, count);
    else {
      counts.delete(topic);
      if (rankOf(topic) === 'made-up') madeUp -= 1;
    }
  };
  const flush = guard(() => {
    cancel = null;
    refill();
    for (const arrival of waiting.splice(0, left)) {
      left -= 1;
      removed(arrival.topic);
      deliver(arrival);
    }
    if (waiting.length > 0) plan();
  });
  const plan = (): void => {
    cancel ??= after(FLUSH_MS, flush);
  };
  /** The newest stands in the last place of its topic, and the oldest is gone: no topic loses its turn to another. */
  const replaceOldest = (arrival: Arrival): void => {
    let next = arrival;
    for (let at = waiting.length - 1; at >= 0; at -= 1) {
      const here = waiting[at];
      if (here === undefined || here.topic !== arrival.topic) continue;
      waiting[at] = next;
      next = here;
    }
  };
  const wait = (arrival: Arrival, rank: TopicRank): void => {
    const { topic } = arrival;
    const count = counts.get(topic) ?? 0;
    if (count === OF_TOPIC) {
      replaceOldest(arrival);
      return;
    }
    if (count === 0 && (counts.size >= WAITING_TOPICS || (rank === 'made-up' && madeUp >= MADE_UP_TOPICS))) return;
    if (count === 0 && rank === 'made-up') madeUp += 1;
    counts.set(topic, count + 1);
    waiting.push(arrival);
    plan();
  };

  return {
    take: (arrival) => {
      const rank = rankOf(arrival.topic);
      if (rank === 'none') return;
      refill();
      if (waiting.length === 0 && left > 0) {
        left -= 1;
        deliver(arrival);
      } else wait(arrival, rank);
    },
    stop: () => cancel?.(),
  };
};
