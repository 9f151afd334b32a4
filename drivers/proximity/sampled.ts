import { randomUUID } from 'node:crypto';

import { attach, type Probe } from '#drivers/kit/attached.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { type After, byTimer } from '#drivers/kit/rounds.ts';
import { working } from '#machines/kit/verdict.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';
import type { ProximityDriver, ProximityDriverCommand, ProximityFact, WatchInput } from '#machines/proximity/events.ts';

import type { Opened, OpenProximity, OpenSensor } from './sensor.ts';

/** Interval of probes for a missing sensor, which must be back within five seconds. */
const PROBE_MS: Milliseconds = 2000;
/** Pause between two readings while none are used; twenty a second would waste half a percent of a core. */
const IDLE_MS: Milliseconds = 1000;
/** Time limit of one reading; a sensor on a slow bus takes tens of milliseconds. */
const READ_BOUND_MS: Milliseconds = 1000;

export interface SampleClock {
  readonly now: () => EpochMs;
  readonly after: After;
}

const realClock: SampleClock = { now: () => Date.now(), after: byTimer };

/**
 * Interprets samples, as plain functions with private state. They are passed to the driver so that single samples never
 * leave it.
 */
export interface ProximityDecisions {
  /** Starts watching a sensor. `take` is given each input and returns the facts that follow. */
  readonly watch: () => {
    readonly take: (input: WatchInput) => readonly ProximityFact[];
    /** True if the readings are not used; checking that the sensor is still there is then enough. */
    readonly isIdle: () => boolean;
  };
}

export interface SampledOptions {
  readonly open: OpenProximity;
  readonly decisions: ProximityDecisions;
  /** Readings per second, 10 to 50. */
  readonly pollHz: number;
  /** True to hide the sensor until it has been found once. */
  readonly optional?: boolean;
  readonly clock?: SampleClock;
}

/** Polls a proximity sensor and sends the facts that follow; probes for a lost sensor until it is back. */
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
     * True while a reading is overdue. It occupies one of the process's few file threads, so no other starts until it
     * ends.
     */
    let isStuck = false;

    const take = (input: WatchInput): void => {
      for (const fact of watched.take(input)) send(fact);
    };
    const taken = (raw: number): Milliseconds => {
      take({ type: 'sample', raw, at: clock.now() });
      return watched.isIdle() ? IDLE_MS : 1000 / pollHz;
    };
    // A file closes only after its current reading, and the agent's shutdown waits for each close. A file whose reading
    // hangs is therefore left to close by itself.
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
    // A hanging bus must not look like a sensor that never changes.
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
          // A sensor that exists but may not be used is not hidden, even if optional.
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
      // The command needs readings now, not at the next slow turn of an idle sensor.
      if (!watched.isIdle()) attached.nextIn(0);
    });
    return () => attached.stop();
  });
