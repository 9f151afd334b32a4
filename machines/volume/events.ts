import type { DriverLogic } from '../kit/placeholder.ts';
import type { Verdict } from '../kit/verdict.ts';

/** Commands of the volume's driver: percent of the music stream, 0 to 100. */
export type VolumeDriverCommand =
  /** Write, read back and answer with the same generation; anything above 0 also unmutes. */
  | { readonly type: 'mixer.write'; readonly generation: number; readonly percent: number }
  /** Probe for a sound route (again); answered by `mixer.found` or `mixer.missing`. Ignored while one is in use. */
  | { readonly type: 'mixer.probe' };

/** A mixer's reading: 0 to 100 (more than 100, set elsewhere, is reported as 100). */
export interface MixerReading {
  readonly percent: number;
  readonly muted: boolean;
}

export type VolumeFact =
  | { readonly type: 'mixer.found'; readonly route: string; readonly percent: number; readonly muted: boolean }
  | { readonly type: 'mixer.missing'; readonly verdict: Verdict }
  | { readonly type: 'mixer.observed'; readonly percent: number; readonly muted: boolean }
  | { readonly type: 'mixer.written'; readonly generation: number; readonly percent: number; readonly muted: boolean }
  | { readonly type: 'mixer.refused'; readonly generation: number; readonly reason: string }
  | { readonly type: 'mixer.lost'; readonly reason: string };

/** Contract of a driver of the music stream's volume. */
export type VolumeDriver = DriverLogic<VolumeDriverCommand, undefined, VolumeFact>;

export type VolumeEvent =
  /** 0 to 100; above the owner's limit it is lowered to the limit. */
  | { readonly type: 'volume.set'; readonly percent: number; readonly origin: string }
  /**
   * Louder or quieter by this many points, counted from the next request or the current write, otherwise from the
   * known volume.
   */
  | { readonly type: 'volume.step'; readonly by: number; readonly origin: string }
  | { readonly type: 'volume.limits'; readonly limitPercent: number }
  /** Probe for a sound route now instead of at the next interval. */
  | { readonly type: 'volume.probe' }
  | VolumeFact;

/** Public facts of the music stream's volume. */
export interface VolumeContext {
  readonly verdict: Verdict;
  /** `wpctl`, `pactl`, `amixer`, `simulated`; null before one was found. */
  readonly route: string | null;
  /** 0 to 100, null while unknown. */
  readonly percent: number | null;
  readonly muted: boolean | null;
  readonly limitPercent: number;
  readonly fault: string | null;
}

export interface VolumeActor {
  readonly id: 'volume';
  readonly context: VolumeContext;
  readonly event: Extract<VolumeEvent, { readonly type: 'volume.set' | 'volume.step' | 'volume.probe' }>;
}
