import type { EarChoice, EarFailure, EarFact, EarSource } from '#machines/voice/events.ts';

/** The decisions that the ear carries out; `machines/voice` makes them. */
type ChooseSource = (
  sources: readonly EarSource[],
  choice: EarChoice,
  panelSource: string | null,
) => EarSource | EarFailure;

/** Most sources that are listed. */
export const MOST_SOURCES = 32;
/** Longest name and title, in characters. */
export const NAME_LENGTH = 256;
export const TITLE_LENGTH = 128;

export interface RecordingHooks {
  /** Samples (s16le mono, 16 kHz), whole ones. */
  readonly onData: (pcm: Buffer) => void;
  /** The source that is really recorded is the chosen one. No sample may leave the panel before this. */
  readonly onSure: () => void;
  /** Reports whether the sound system has muted it. */
  readonly onMuted: (isMuted: boolean) => void;
}

export interface Recording {
  /** Ends it at once; no hook is called after this. */
  readonly close: () => void;
  /** Why it ended by itself, null if it was closed. Resolves once the process is gone; never rejects. */
  readonly gone: Promise<EarFailure | null>;
}

/** A way to record, and to play at the panel. */
export interface Recorder {
  readonly system: 'pulse' | 'alsa' | 'simulated';
  /** The sources, without monitors of loudspeakers; or why there is no list. Opens none. Takes at most 2 s. */
  readonly list: (signal: AbortSignal) => Promise<readonly EarSource[] | 'no-recorder' | 'no-device'>;
  /** Why this source could not be opened, as far as that is known without opening it. */
  readonly refusal: (source: EarSource) => Promise<EarFailure | null>;
  readonly record: (source: EarSource, hooks: RecordingHooks) => Recording;
  /** Plays samples to their end, or until the signal is aborted; false if it could not. Never rejects. */
  readonly play: (pcm: Uint8Array, signal: AbortSignal) => Promise<boolean>;
}

/** The first system that answers, and what it would record. */
export interface Survey {
  readonly system: Extract<EarFact, { readonly type: 'ear.sources' }>['system'];
  readonly sources: readonly EarSource[];
  /** Null if there is nothing to record; `failure` says why. */
  readonly found: { readonly recorder: Recorder; readonly source: EarSource } | null;
  readonly failure: EarFailure | null;
}

export interface Surveying {
  readonly recorders: readonly Recorder[];
  readonly choose: ChooseSource;
  /** The source that the profile names. */
  readonly panelSource: string | null;
}

/** Lists the sources and chooses one. A sound server that starts later than the agent is found by the next survey. */
export async function survey(
  { recorders, choose, panelSource }: Surveying,
  choice: EarChoice,
  signal: AbortSignal,
): Promise<Survey> {
  const failures: EarFailure[] = [];
  for (const recorder of recorders) {
    // oxlint-disable-next-line no-await-in-loop -- one system after another, best first
    const sources = await recorder.list(signal);
    if (typeof sources === 'string') {
      failures.push(sources);
      continue;
    }
    const source = choose(sources, choice, panelSource);
    const about = { system: recorder.system, sources };
    if (typeof source === 'string') return { ...about, found: null, failure: source };
    // oxlint-disable-next-line no-await-in-loop -- the last one
    return { ...about, found: { recorder, source }, failure: await recorder.refusal(source) };
  }
  // The last system is the kernel's: it alone tells a missing device from a missing program.
  return { system: 'none', sources: [], found: null, failure: failures.at(-1) ?? 'no-device' };
}
