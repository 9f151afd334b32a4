import type { Result } from '#machines/kit/result.ts';
import type { MixerReading } from '#machines/volume/events.ts';

import type { ToolRefusal } from '#drivers/kit/run-tool.ts';

/** Why a mixer cannot be used: its tool failed, its output makes no sense, or the sound system has no output. */
export type MixerRefusal = ToolRefusal | 'not-understood' | 'no-output';

/** A tool that keeps running and prints a line when something changes. */
export interface Watcher {
  readonly tool: string;
  readonly args: readonly string[];
  /** True if a line may mean a change of the volume. */
  readonly concerns: (line: string) => boolean;
}

/** A way to reach the music stream. */
export interface Mixer {
  /** Name of its tool, shown to the owner. */
  readonly route: string;
  /** Reads the volume; values above 100 are not clamped. */
  readonly read: (signal: AbortSignal) => Promise<Result<MixerReading, MixerRefusal>>;
  /** Sets 0 to 100 percent; anything above 0 also ends a mute. */
  readonly write: (percent: number, signal: AbortSignal) => Promise<Result<null, MixerRefusal>>;
  readonly watcher: Watcher;
}
