import type { EventObject } from 'xstate';

import { attach, type AttachedDevice, gone, isGone, type Probe } from '#drivers/kit/attached.ts';
import { errorCode } from '#drivers/kit/error-code.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { working } from '#machines/kit/verdict.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { SensorDriver, SensorFact, SensorId } from '#machines/sensors/events.ts';

import { type FindSource, missingVerdict, type SensorSource, unreadableVerdict } from './source.ts';
import type { ReadInTurn } from './read-queue.ts';

/** Longest time until a lost device is noticed; the kernel does not report the loss. */
const NOTICE_MS: Milliseconds = 2000;
/** Shortest pause between two reads, for a device that answers more slowly than the configured interval. */
const LEAST_PAUSE_MS: Milliseconds = 250;
/** Consecutive reads that may fail temporarily (busy, disturbed bus) before the device counts as lost. */
const MOST_FAILURES = 3;
/** How much too early a timer may fire. */
const TIMER_SLACK_MS: Milliseconds = 20;

export interface PolledSensor {
  readonly kind: SensorId;
  readonly find: FindSource;
  /** The kernel's interface in words. */
  readonly way: string;
  readonly named: string | null;
  readonly everyMs: Milliseconds;
  /** True to hide the sensor until it has been found once. */
  readonly optional: boolean;
  /** The profile's correction, in the unit of the sensor. */
  readonly offset: number;
  /** The queue in which all sensors of the panel are read. */
  readonly inTurn: ReadInTurn;
  /** Milliseconds since the Unix epoch. */
  readonly now?: () => number;
}

/** A sensor that was found and answers. */
interface AnsweringSensor extends SensorSource, AttachedDevice {
  /** The reading at the probe. */
  readonly first: number;
}

/** Polls a sensor in sysfs, which does not report changes. */
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
          // A sensor that exists but may not be read is not hidden, even if optional.
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
    // Do not wait for a reading on a hanging bus: there is nothing to release.
    return () => void attached.stop();
  });
