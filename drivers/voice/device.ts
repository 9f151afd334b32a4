import type { SimulatedDevice } from '#drivers/simulator/device.ts';

/** The microphone of a profile. It is read at every start, so this file loads nothing that opens one. */
export type MicrophoneDevice =
  | {
      readonly kind: 'system';
      /** The sound system's name of the source, or ALSA's of its card; null takes the default. */
      readonly source: string | null;
    }
  | { readonly kind: 'simulated'; readonly device: Pick<SimulatedDevice, 'microphone' | 'observe'> };

/** Whichever microphone the sound system takes by default. */
export const anyMicrophone: MicrophoneDevice = { kind: 'system', source: null };
