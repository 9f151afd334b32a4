import type { Verdict } from '../kit/verdict.ts';

/** What the volume driver is told: percent of the music stream. */
export type VolumeDriverCommand = { readonly type: 'mixer.write'; readonly generation: number; readonly percent: number };

export type VolumeFact =
  | { readonly type: 'mixer.found'; readonly route: string; readonly percent: number; readonly muted: boolean }
  | { readonly type: 'mixer.missing'; readonly verdict: Verdict }
  | { readonly type: 'mixer.observed'; readonly percent: number; readonly muted: boolean }
  | { readonly type: 'mixer.written'; readonly generation: number; readonly percent: number; readonly muted: boolean }
  | { readonly type: 'mixer.refused'; readonly generation: number; readonly reason: string }
  | { readonly type: 'mixer.lost'; readonly reason: string };

export type VolumeEvent =
  /** 0 to 100; above the owner's limit it is held at the limit. */
  | { readonly type: 'volume.set'; readonly percent: number; readonly origin: string }
  | { readonly type: 'volume.limits'; readonly limitPercent: number }
  | { readonly type: 'volume.stop' }
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
