import type { Connection } from 'home-assistant-js-websocket';

import type { ConnectionCommand, TrafficSample } from '#machines/home-assistant/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import { ANSWER_MS, bounded } from './bounded.ts';

const LONGEST_MS: Milliseconds = 30_000;

/** Measures what Home Assistant sends about states, one sample at a time. */
export interface TrafficSampler {
  /** Null if another sample runs, or if Home Assistant refused it or did not begin in time. */
  readonly sample: (
    wanted: Pick<Extract<ConnectionCommand, { readonly type: 'socket.sample' }>, 'entityIds' | 'ms'>,
  ) => Promise<TrafficSample | null>;
  /** Ends the running sample, with null. */
  readonly stop: () => void;
}

export function trafficSampler(
  connection: Connection,
  deps: {
    readonly guard: <A extends unknown[]>(fn: (...args: A) => void) => (...args: A) => void;
    /** Size in bytes of the message being delivered. */
    readonly messageBytes: () => number;
    /** Milliseconds on a monotonic clock. */
    readonly elapsed: () => Milliseconds;
  },
): TrafficSampler {
  let stop: (() => void) | null = null;

  const count = (entityIds: readonly string[] | null, ms: Milliseconds): Promise<TrafficSample | null> =>
    new Promise((resolve) => {
      /** When the first message arrived, which has all states and does not count; null before. */
      let since: Milliseconds | null = null;
      let [frames, bytes] = [0, 0];
      let over = false;
      const made = connection.subscribeMessage(
        deps.guard(() => {
          if (over) return;
          if (since === null) {
            since = deps.elapsed();
            clearTimeout(timer);
            timer = setTimeout(finish, ms);
            return;
          }
          frames += 1;
          bytes += deps.messageBytes();
        }),
        { type: 'subscribe_entities', ...(entityIds !== null && { entity_ids: entityIds }) },
      );
      const end = (sample: TrafficSample | null): void => {
        if (over) return;
        over = true;
        stop = null;
        clearTimeout(timer);
        void made.then(
          (unsubscribe) => bounded(unsubscribe()),
          () => {},
        );
        resolve(sample);
      };
      const finish = (): void => end(since === null ? null : { frames, bytes, ms: Math.round(deps.elapsed() - since) });
      let timer = setTimeout(finish, ANSWER_MS);
      stop = () => end(null);
      made.catch(() => end(null));
    });

  return {
    sample: ({ entityIds, ms }) => {
      if (stop !== null) return Promise.resolve(null);
      const boundMs = Math.min(Math.max(1, ms), LONGEST_MS);
      // An empty list means all entities to Home Assistant, while no entities send nothing.
      if (entityIds?.length === 0) return Promise.resolve({ frames: 0, bytes: 0, ms: boundMs });
      return count(entityIds, boundMs);
    },
    stop: () => stop?.(),
  };
}
