import { clamp, type Percent } from '../kit/units.ts';
import type { DuckedStream, PlayingStream } from './events.ts';

/** Most streams that are lowered. */
export const MOST_DUCKED = 32;

/** Tolerance between a requested and a reported volume: PipeWire uses another scale and rounds. */
const ROUNDING = 2;

/** The volumes of a stream during an announcement; null if nothing changes. */
export function duckedVolumes(was: readonly number[], percent: Percent): readonly number[] | null {
  const now = was.map((volume) => Math.round((volume * clamp(percent, 0, 100)) / 100));
  return was.length === 0 || now.every((volume, channel) => volume === was[channel]) ? null : now;
}

const isGiven = ({ now }: DuckedStream, volumes: readonly number[]): boolean =>
  volumes.length === now.length &&
  volumes.every((volume, channel) => Math.abs(volume - (now[channel] ?? 0)) <= ROUNDING);

/** What a stream was lowered from: itself, or an earlier one of its program, whose volume it began with. */
function noted(ducked: readonly DuckedStream[], { index, program }: PlayingStream): DuckedStream | undefined {
  const own = ducked.find((one) => one.index === index);
  return own ?? ducked.find((one) => one.program !== '' && one.program === program);
}

/** True if a stream needs no lowering: it was lowered, or began with the lowered volume of its program's last one. */
export function isDucked(ducked: readonly DuckedStream[], stream: PlayingStream): boolean {
  const before = noted(ducked, stream);
  return before !== undefined && (before.index === stream.index || isGiven(before, stream.volumes));
}

/**
 * Which streams get their volumes back: those that still have the lowered one, so that a person's change is not
 * overwritten, and newer ones of the same program, as the sound system starts a new stream with the volume of the
 * last.
 */
export const givenBack = (
  ducked: readonly DuckedStream[],
  playing: readonly PlayingStream[],
): readonly { readonly index: number; readonly volumes: readonly number[] }[] =>
  playing.flatMap((stream) => {
    const before = noted(ducked, stream);
    return before !== undefined && isGiven(before, stream.volumes)
      ? [{ index: stream.index, volumes: before.was }]
      : [];
  });
