import { type Verdict, working } from '../kit/verdict.ts';
import type { SensorId } from './events.ts';

/** What each sensor measures, in the middle of a sentence. */
const measures: Readonly<Record<SensorId, string>> = {
  illuminance: 'light in the room',
  temperature: 'temperature',
  humidity: 'humidity',
};

/** What is said of a sensor whose readings can be true; `device` is its name as the kernel gives it. */
export const readVerdict = (kind: SensorId, device: string): Verdict =>
  working('sensor-read', `The ${measures[kind]} is read from ${device}.`);

/** What is said after readings that cannot be true. */
export const doubtfulVerdict = (kind: SensorId): Verdict => ({
  state: 'needs_you',
  reason: 'sensor-implausible',
  detail: `The sensor for the ${measures[kind]} gives impossible values. Check that the profile names the right device and that the sensor is connected well.`,
  missing: 'A possible reading.',
  fix: null,
});

/** What is said of a sensor that was there and is gone. */
export const lostVerdict = (kind: SensorId): Verdict => ({
  state: 'not_here',
  reason: 'sensor-lost',
  detail: `The sensor for the ${measures[kind]} was here and is gone. Sconce looks for it every two seconds.`,
  missing: 'The sensor.',
  fix: null,
});

/** What is said of a sensor that is there and does not answer in time. */
export const silentVerdict = (kind: SensorId): Verdict => ({
  state: 'not_here',
  reason: 'sensor-silent',
  detail: `The sensor for the ${measures[kind]} is here and does not answer. Its values are shown again with its next answer.`,
  missing: 'An answer of the sensor.',
  fix: null,
});
