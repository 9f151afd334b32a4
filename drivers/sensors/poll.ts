import { fromDriver } from '#drivers/kit/from-driver.ts';
import { working } from '#machines/kit/verdict.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { SensorDriver, SensorDriverCommand, SensorFact, SensorId } from '#machines/sensors/events.ts';

import { inTurn } from './turns.ts';
import { codeOf, type FindSource, missingVerdict, type SensorSource, unreadableVerdict } from './source.ts';

/** Longest time in which a device that is gone goes unnoticed; the kernel tells nobody. */
const NOTICE_MS: Milliseconds = 2000;
/** Shortest pause between two reads, for a device that answers more slowly than it is to be read. */
const LEAST_PAUSE_MS: Milliseconds = 250;
/** Reads in a row that may fail for a reason that passes (busy, a disturbed bus) before the device counts as lost. */
const MOST_FAILURES = 3;
/** Errors of a device that is not there any more. */
const GONE: ReadonlySet<string> = new Set(['ENOENT', 'ENODEV', 'ENXIO', 'ENOTDIR']);

/** How a sensor is polled. */
export interface PolledSensor {
  readonly kind: SensorId;
  readonly find: FindSource;
  /** The kernel's interface in words, and the name that the profile asks for. */
  readonly way: string;
  readonly named: string | null;
  readonly everyMs: Milliseconds;
  /** Whether the sensor is kept out of sight until it was found once. */
  readonly optional: boolean;
  /** The profile's correction in the unit of the sensor. */
  readonly offset: number;
  /** Milliseconds since the Unix epoch. */
  readonly now?: () => number;
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
  now = Date.now,
}: PolledSensor): SensorDriver =>
  fromDriver<SensorDriverCommand, undefined, SensorFact>((scope) => {
    let source: SensorSource | null = null;
    let looking = false;
    let failures = 0;
    let readAt = 0;
    let timer: NodeJS.Timeout | undefined;

    const later = (): void => {
      clearTimeout(timer);
      const due = Math.max(LEAST_PAUSE_MS, everyMs - (performance.now() - readAt));
      if (!scope.signal.aborted) timer = setTimeout(scope.guard(round), Math.min(due, NOTICE_MS));
    };
    const lose = (code: string): void => {
      source = null;
      scope.send({ type: 'sensor.lost', code, at: now() });
    };
    const read = async (from: SensorSource): Promise<void> => {
      readAt = performance.now();
      try {
        const value = (await inTurn(() => from.read())) + offset;
        failures = 0;
        scope.send({ type: 'sensor.sampled', value, at: now() });
      } catch (error) {
        failures += 1;
        if (GONE.has(codeOf(error)) || failures >= MOST_FAILURES) lose(codeOf(error));
      }
    };
    const round = async (): Promise<void> => {
      if (source === null) return;
      // A timer may be some milliseconds early.
      if (performance.now() - readAt >= everyMs - 20) await read(source);
      else if (!(await source.isThere())) lose('ENOENT');
      if (source !== null) later();
    };
    const look = async (): Promise<void> => {
      if (source !== null || looking) return;
      looking = true;
      try {
        const found = await find();
        if (found === null) {
          scope.send({ type: 'sensor.missing', verdict: missingVerdict(kind, way, named), optional });
          return;
        }
        const value = (await inTurn(() => found.read())) + offset;
        source = found;
        failures = 0;
        readAt = performance.now();
        scope.send({
          type: 'sensor.found',
          device: found.device,
          everyMs,
          verdict: working('sensor-found', `The sensor ${found.device} was found and answers.`),
        });
        scope.send({ type: 'sensor.sampled', value, at: now() });
        later();
      } catch (error) {
        const verdict = unreadableVerdict(kind, named ?? way, codeOf(error));
        // One that is there and may not be read is no longer a question.
        scope.send({ type: 'sensor.missing', verdict, optional: optional && verdict.state === 'not_here' });
      } finally {
        looking = false;
      }
    };

    scope.onEvent(look);
    timer = setTimeout(scope.guard(look), 0);
    return () => clearTimeout(timer);
  });
