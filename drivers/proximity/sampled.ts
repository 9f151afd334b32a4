import { randomUUID } from 'node:crypto';

import { attach, type Probe } from '#drivers/kit/attached.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { type After, byTimer } from '#drivers/kit/rounds.ts';
import { working } from '#machines/kit/verdict.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';
import type { ProximityDriver, ProximityDriverCommand, ProximityFact, WatchInput } from '#machines/proximity/events.ts';

import type { Opened, OpenProximity, OpenSensor } from './sensor.ts';

/** How often an absent sensor is probed for, in milliseconds: it is to be back within five seconds. */
const PROBE_MS: Milliseconds = 2000;
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
  readonly after: After;
}

/** The machine's own time. */
const realClock: SampleClock = { now: () => Date.now(), after: byTimer };

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
  /** Whether the sensor is kept hidden until it was found once. */
  readonly optional?: boolean;
  readonly clock?: SampleClock;
}

/** Reads a proximity sensor again and again and reports what follows; one that is lost is probed for again. */
export const sampledProximity = ({
  open,
  decisions,
  pollHz,
  optional = false,
  clock = realClock,
}: SampledOptions): ProximityDriver =>
  fromDriver<ProximityDriverCommand, undefined, ProximityFact>(({ send, onEvent, guard, signal }) => {
    const watched = decisions.watch();
    /**
     * A reading that the kernel has not answered in time. It holds one of the process's few threads for files, so no
     * other is begun until it ends.
     */
    let isStuck = false;

    const take = (input: WatchInput): void => {
      for (const fact of watched.take(input)) send(fact);
    };
    const taken = (raw: number): Milliseconds => {
      take({ type: 'sample', raw, at: clock.now() });
      return watched.isIdle() ? IDLE_MS : 1000 / pollHz;
    };
    // A file closes only after the reading that is under way, and the end of the agent waits for each close: one whose
    // reading hangs is left to close by itself.
    const closeOf =
      ({ close }: OpenSensor): OpenSensor['close'] =>
      () => {
        const closing = Promise.resolve(close());
        if (!isStuck) return closing;
        closing.catch(() => {});
        return undefined;
      };
    const probeOf = (opened: Opened): Probe<OpenSensor> =>
      'verdict' in opened
        ? { device: null, verdict: opened.verdict }
        : {
            device: { ...opened.sensor, close: closeOf(opened.sensor) },
            verdict: working('proximity-found', 'The sensor was opened.'),
          };
    // A bus that hangs must not look like a sensor that never changes.
    const inTime = (reading: Promise<number>): Promise<number> =>
      new Promise((resolve, reject) => {
        const unbound = clock.after(READ_BOUND_MS, () => {
          isStuck = true;
          reject(new Error('no-answer'));
        });
        const answered = (): void => {
          unbound();
          isStuck = false;
        };
        reading.then(
          (raw) => {
            answered();
            resolve(raw);
          },
          (error: unknown) => {
            answered();
            reject(error instanceof Error ? error : new Error('no-reading', { cause: error }));
          },
        );
      });

    const attached = attach<OpenSensor>(
      { guard, signal },
      {
        probe: () => {
          if (isStuck) return null;
          const opened = open(signal);
          return opened instanceof Promise ? opened.then(probeOf) : probeOf(opened);
        },
        report: ({ device, verdict }) => {
          if (device !== null) take({ type: 'opened', source: device.source, at: clock.now() });
          // One that is there and may not be used is no longer a question.
          else send({ type: 'source.missing', verdict, optional: optional && verdict.state === 'not_here' });
        },
        step: (sensor) => {
          const reading = sensor.read(signal);
          return typeof reading === 'number' ? taken(reading) : inTime(reading).then(taken);
        },
        lost: () => take({ type: 'closed', at: clock.now() }),
        probeMs: PROBE_MS,
        lossMs: PROBE_MS,
        after: clock.after,
      },
    );

    onEvent((command) => {
      if (command.type === 'proximity.probe') {
        attached.now();
        return;
      }
      const at = clock.now();
      if (command.type === 'proximity.adopt') take({ ...command, type: 'adopt', at });
      else take({ type: 'command', command: command.command, id: command.command === 'start' ? randomUUID() : '', at });
      // Somebody wants to see it now, and not at the next turn of an idle sensor.
      if (!watched.isIdle()) attached.nextIn(0);
    });
    return () => attached.stop();
  });
