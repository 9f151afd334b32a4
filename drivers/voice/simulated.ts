import { bytesOfSound, soundMs } from '#machines/kit/sound-samples.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { EarFailure, EarSource } from '#machines/voice/events.ts';

import type { OpenMicrophone } from '#drivers/simulator/said-sound.ts';
import type { Recorder, Recording, RecordingHooks } from './recorder.ts';

/** Length of a block, as of the real ones. */
const BLOCK_MS: Milliseconds = 20;
/** Most that is delivered at once after the process was held up. */
const LONGEST_BLOCK_MS: Milliseconds = 1000;

export interface SimulatedRecorderOptions {
  readonly device: { readonly microphone: OpenMicrophone };
  readonly elapsed: () => Milliseconds;
}

/** The faint noise of a room: without it the microphone would count as dead. */
function fillWithNoise(block: Buffer, from: number): void {
  for (let at = from; at < block.length; at += 2) block.writeInt16LE(((at / 2) % 3) - 1, at);
}

function hear(microphone: OpenMicrophone, bytes: number): Buffer {
  const block = Buffer.alloc(bytes);
  const said = microphone.take(bytes).subarray(0, bytes);
  if (microphone.muted) return block;
  block.set(said);
  fillWithNoise(block, said.length - (said.length % 2));
  return block;
}

function record({ device, elapsed }: SimulatedRecorderOptions, { onData, onSure, onMuted }: RecordingHooks): Recording {
  let end: (failure: EarFailure | null) => void = () => {};
  const gone = new Promise<EarFailure | null>((resolve) => {
    end = (failure) => {
      clearInterval(timer);
      resolve(failure);
    };
  });
  let takenUntil = elapsed();
  let wasMuted: boolean | null = null;
  const block = (): void => {
    const { microphone } = device;
    if (!microphone.plugged) return end('no-device');
    const due = Math.min(elapsed() - takenUntil, LONGEST_BLOCK_MS);
    takenUntil = elapsed();
    if (microphone.stalled || due <= 0) return;
    if (wasMuted === null) onSure();
    if (wasMuted !== microphone.muted) onMuted(microphone.muted);
    wasMuted = microphone.muted;
    onData(hear(microphone, bytesOfSound(due)));
  };
  const timer = setInterval(block, BLOCK_MS);
  const refusal = refusalOf(device.microphone);
  if (refusal !== null) end(refusal);
  return { close: () => end(null), gone };
}

function refusalOf({ plugged, permitted, jammed }: OpenMicrophone): EarFailure | null {
  if (!plugged) return 'no-device';
  if (!permitted) return 'refused';
  return jammed ? 'busy' : null;
}

/** The microphone of the simulated panel. What it plays is silent, and takes as long as a real sound. */
export const simulatedRecorder = (options: SimulatedRecorderOptions): Recorder => ({
  system: 'simulated',
  list: () => {
    const { plugged, muted } = options.device.microphone;
    const source: EarSource = {
      name: 'simulated',
      title: 'Simulated microphone',
      kind: 'microphone',
      isDefault: true,
      isMuted: muted,
    };
    return Promise.resolve(plugged ? [source] : []);
  },
  refusal: () => Promise.resolve(refusalOf(options.device.microphone)),
  record: (_, hooks) => record(options, hooks),
  play: (pcm, signal) =>
    new Promise((resolve) => {
      const stop = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        resolve(!signal.aborted);
      };
      const timer = setTimeout(stop, soundMs(pcm.length));
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
    }),
});
