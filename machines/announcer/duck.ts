import { clamp, type Percent } from '../kit/units.ts';
import type { DuckedStream } from './events.ts';

/** Most streams that are made quieter. */
export const MOST_DUCKED = 32;

/** How far a volume may be from what was asked for and count as it: PipeWire keeps another scale and rounds. */
const ROUNDING = 2;

/** The volumes of a stream while an announcement speaks; null where nothing is to be changed. */
export const duckedVolumes = (was: readonly number[], percent: Percent): readonly number[] | null => {
  const now = was.map((volume) => Math.round((volume * clamp(percent, 0, 100)) / 100));
  return was.length === 0 || now.every((volume, channel) => volume === was[channel]) ? null : now;
};

/** Whether a stream still has the volume it was given, so that nobody changed it meanwhile. */
export const isUntouched = (stream: DuckedStream, volumes: readonly number[]): boolean =>
  volumes.length === stream.now.length && volumes.every((volume, channel) => Math.abs(volume - (stream.now[channel] ?? 0)) <= ROUNDING);
