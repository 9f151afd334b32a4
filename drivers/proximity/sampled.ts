import { randomUUID } from 'node:crypto';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';
import type { ProximityDriver, ProximityDriverCommand, ProximityFact, WatchInput } from '#machines/proximity/events.ts';

import type { OpenProximity, OpenSensor } from './sensor.ts';

/** How often an absent sensor is looked for, in milliseconds: it is to be back within five seconds. */
const LOOK_MS: Milliseconds = 2000;
/**
 * Pause between two readings that nobody uses, in milliseconds; twenty a second would cost half a percent of a core for
 * nothing.
 */
const IDLE_MS: Milliseconds = 1000;
/** Longest time for one reading, in milliseconds; a sensor on a slow bus takes tens. */
const READ_BOUND_MS: Milliseconds = 1000;

/** Where the time comes from. */
export interface SampleClock {
  readonly now: () => EpochMs;
  /** Calls back once after so many milliseconds; returns how to take that back. */
  readonly after: (ms: Milliseconds, fn: () => void) => () => void;
}

/** The machine's own time. */
export const realClock: SampleClock = {
  now: () => Date.now(),
  after: (ms, fn) => {
    const timer = setTimeout(fn, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * What samples mean, as plain functions over a state of their own: given to the driver, so that single samples never
 * leave it.
 */
export interface ProximityDecisions {
  /** Begins to watch a sensor; what it returns takes one thing that happened and says what follows. */
  readonly watch: () => {
    readonly take: (input: WatchInput) => readonly ProximityFact[];
    /** Whether nobody uses the readings: it is then enough to see whether the sensor is still there. */
    readonly isIdle: () => boolean;
  };
}

/** What a sampled sensor is made of. */
export interface SampledOptions {
  readonly open: OpenProximity;
  readonly decisions: ProximityDecisions;
  /** Readings each second, 10 to 50. */
  readonly pollHz: number;
  /** Whether the sensor is kept out of sight until it was found once. */
  readonly optional?: boolean;
  readonly clock?: SampleClock;
}

/**
 * Reads a proximity sensor again and again and reports what follows; absence and loss are told, and it is looked for
 * again.
 */
export const sampledProximity = ({
  open,
  decisions,
  pollHz,
  optional = false,
  clock = realClock,
}: SampledOptions): ProximityDriver =>
  fromDriver<ProximityDriverCommand, undefined, ProximityFact>(({ send, onEvent, guard, signal }) => {
    const judge = decisions.watch();
    let sensor: OpenSensor | null = null;
    let looking = false;
    /**
     * A reading that the kernel has not answered yet. It holds one of the process's few threads for files, so no other
     * is begun until it ends.
     */
    let stuck = false;
    /** A reading that is still within its time. */
    let answering = false;
    let cancel = (): void => {};

    const take = (input: WatchInput): void => {
      for (const fact of judge.take(input)) send(fact);
    };
    const later = (ms: Milliseconds, work: () => void | Promise<void>): void => {
      cancel();
      if (!signal.aborted) cancel = clock.after(ms, guard(work));
    };
    const lose = (): void => {
      void Promise.resolve(sensor?.close()).catch(() => {});
      sensor = null;
      take({ type: 'closed', at: clock.now() });
      later(LOOK_MS, look);
    };
    const taken = (raw: number): void => {
      take({ type: 'sample', raw, at: clock.now() });
      later(judge.isIdle() ? IDLE_MS : 1000 / pollHz, sample);
    };
    const sample = (): void | Promise<void> => {
      const from = sensor;
      if (from === null || answering) return;
      let reading: number | Promise<number>;
      try {
        reading = from.read(signal);
      } catch {
        lose();
        return;
      }
      if (typeof reading === 'number') {
        taken(reading);
        return;
      }
      answering = true;
      // A bus that hangs must not look like a sensor that never changes.
      const unbound = clock.after(
        READ_BOUND_MS,
        guard(() => {
          stuck = true;
          answering = false;
          if (sensor === from) lose();
        }),
      );
      const answered = (): void => {
        unbound();
        stuck = false;
        answering = false;
      };
      return reading.then(
        (raw) => {
          answered();
          if (!signal.aborted && sensor === from) taken(raw);
        },
        () => {
          answered();
          if (!signal.aborted && sensor === from) lose();
        },
      );
    };
    const look = async (): Promise<void> => {
      if (looking || sensor !== null) return;
      if (stuck) {
        later(LOOK_MS, look);
        return;
      }
      looking = true;
      const opened = await open(signal);
      looking = false;
      if (signal.aborted) {
        if ('sensor' in opened) await opened.sensor.close();
        return;
      }
      if ('verdict' in opened) {
        // One that is there and may not be used is no longer a question.
        send({
          type: 'source.missing',
          verdict: opened.verdict,
          optional: optional && opened.verdict.state === 'not_here',
        });
        later(LOOK_MS, look);
        return;
      }
      ({ sensor } = opened);
      take({ type: 'opened', source: sensor.source, at: clock.now() });
      await sample();
    };

    onEvent((command) => {
      if (command.type === 'proximity.look') return look();
      const at = clock.now();
      if (command.type === 'proximity.adopt') take({ ...command, type: 'adopt', at });
      else take({ type: 'command', command: command.command, id: command.command === 'start' ? randomUUID() : '', at });
      // Somebody wants to see it now, and not at the next turn of an idle sensor.
      if (sensor !== null && !judge.isIdle()) later(0, sample);
      return undefined;
    });
    guard(look)();
    return () => {
      cancel();
      return sensor?.close();
    };
  });
