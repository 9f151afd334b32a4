/** The microphone of the simulated panel, as its ear needs it. */
export interface SimulatedMicrophone {
  readonly plugged: boolean;
  /** It delivers zeros; what is said meanwhile is lost. */
  readonly muted: boolean;
  /** It delivers nothing, although it is open. */
  readonly stalled: boolean;
  /** Another program holds it, so it cannot be opened. */
  readonly jammed: boolean;
  /** Takes the next samples that were said (s16le mono, 16 kHz), at most so many bytes; none if nothing is said. */
  readonly take: (bytes: number) => Uint8Array;
}

/** The microphone of a profile. It is read at every start, so this file loads nothing that opens one. */
export type MicrophoneDevice =
  | {
      readonly kind: 'system';
      /** The sound system's name of the source, or ALSA's of its card; null takes the default. */
      readonly source: string | null;
    }
  | { readonly kind: 'simulated'; readonly device: { readonly microphone: SimulatedMicrophone } };

/** Whichever microphone the sound system takes by default. */
export const anyMicrophone: MicrophoneDevice = { kind: 'system', source: null };
