import type { EventObject } from 'xstate';

import { attach, type AttachedDevice, gone, isGone, type Probe } from '#drivers/kit/attached.ts';
import { errorCode } from '#drivers/kit/error-code.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { working } from '#machines/kit/verdict.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { SensorDriver, SensorFact, SensorId } from '#machines/sensors/events.ts';

import { type FindSource, missingVerdict, type SensorSource, unreadableVerdict } from './source.ts';
import type { ReadInTurn } from './read-queue.ts';

/** Longest time in which a device that is gone goes unnoticed; the kernel tells nobody. */
const NOTICE_MS: Milliseconds = 2000;
/** Shortest pause between two reads, for a device that answers more slowly than it is to be read. */
const LEAST_PAUSE_MS: Milliseconds = 250;
/** Reads in a row that may fail for a reason that passes (busy, a disturbed bus) before the device counts as lost. */
const MOST_FAILURES = 3;
/** How much earlier than asked for a timer may fire. */
const TIMER_SLACK_MS: Milliseconds = 20;

/** How a sensor is polled. */
export interface PolledSensor {
  readonly kind: SensorId;
  readonly find: FindSource;
  /** The kernel's interface in words, and the name that the profile asks for. */
  readonly way: string;
  readonly named: string | null;
  readonly everyMs: Milliseconds;
  /** Whether the sensor is kept hidden until it was found once. */
  readonly optional: boolean;
  /** The profile's correction in the unit of the sensor. */
  readonly offset: number;
  /** The turns in which all sensors of the panel are read. */
  readonly inTurn: ReadInTurn;
  /** Milliseconds since the Unix epoch. */
  readonly now?: () => number;
}

/** A sensor that was found and has answered. */
interface AnsweringSensor extends SensorSource, AttachedDevice {
  /** What it read at the probe. */
  readonly first: number;
}

/** Reads a sensor of sysfs again and again: its values change without a notice, so they are polled. */
export const polledSensor = ({
  kind,
  find,
  way,
  named,
  everyMs,
  optional,
  offset,
  inTurn,
  now = Date.now,
}: PolledSensor): SensorDriver =>
  fromDriver<EventObject, undefined, SensorFact>((scope) => {
    let failures = 0;
    let readAt = 0;

    const sampled = (value: number): void => scope.send({ type: 'sensor.sampled', value: value + offset, at: now() });
    const read = async (source: SensorSource): Promise<void> => {
      readAt = performance.now();
      try {
        sampled(await inTurn(() => source.read()));
        failures = 0;
      } catch (error) {
        failures += 1;
        if (isGone(error) || failures >= MOST_FAILURES) throw error;
      }
    };
    const probe = async (): Promise<Probe<AnsweringSensor>> => {
      try {
        const found = await find();
        if (found === null) return { device: null, verdict: missingVerdict(kind, way, named) };
        const first = await inTurn(() => found.read());
        return {
          device: { ...found, first, close: () => {} },
          verdict: working('sensor-found', `The sensor ${found.device} was found and answers.`),
        };
      } catch (error) {
        return { device: null, verdict: unreadableVerdict(kind, named ?? way, errorCode(error)) };
      }
    };
    const attached = attach<AnsweringSensor>(scope, {
      probe,
      report: ({ device, verdict }) => {
        if (device === null) {
          // One that is there and may not be read is no longer a question.
          scope.send({ type: 'sensor.missing', verdict, optional: optional && verdict.state === 'not_here' });
          return;
        }
        failures = 0;
        readAt = performance.now();
        scope.send({ type: 'sensor.found', device: device.device, everyMs, verdict });
        sampled(device.first);
      },
      step: async (source) => {
        if (performance.now() - readAt >= everyMs - TIMER_SLACK_MS) await read(source);
        else if (!(await source.isThere())) throw gone();
        return Math.min(Math.max(LEAST_PAUSE_MS, everyMs - (performance.now() - readAt)), NOTICE_MS);
      },
      lost: (error) => scope.send({ type: 'sensor.lost', code: errorCode(error), at: now() }),
    });
    // A reading on a bus that hangs is not waited for: there is nothing to give back.
    return () => void attached.stop();
  });
