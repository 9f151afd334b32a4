import { type Verdict, working } from '../kit/verdict.ts';
import type { SensorId } from './events.ts';

/** What each sensor measures, for the middle of a sentence. */
const measures: Readonly<Record<SensorId, string>> = {
  illuminance: 'light in the room',
  temperature: 'temperature',
  humidity: 'humidity',
};

/** For a sensor with plausible readings; `device` is the kernel's name of it. */
export const readVerdict = (kind: SensorId, device: string): Verdict =>
  working('sensor-read', `The ${measures[kind]} is read from ${device}.`);

/** After too many implausible readings. */
export const doubtfulVerdict = (kind: SensorId): Verdict => ({
  state: 'needs_you',
  reason: 'sensor-implausible',
  detail: `The sensor for the ${measures[kind]} gives impossible values. Check that the profile names the right device and that the sensor is properly connected.`,
  missing: 'A plausible reading.',
  fix: null,
});

/** For a sensor that was found and then lost. */
export const lostVerdict = (kind: SensorId): Verdict => ({
  state: 'not_here',
  reason: 'sensor-lost',
  detail: `The sensor for the ${measures[kind]} has disappeared. Sconce looks for it every two seconds.`,
  missing: 'The sensor.',
  fix: null,
});

/** For a sensor that is present but does not answer in time. */
export const silentVerdict = (kind: SensorId): Verdict => ({
  state: 'not_here',
  reason: 'sensor-silent',
  detail: `The sensor for the ${measures[kind]} is connected but does not answer. Its values return with its next answer.`,
  missing: 'An answer of the sensor.',
  fix: null,
});
