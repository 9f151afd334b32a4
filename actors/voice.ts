import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';
import type { EarDriver, OverlayDriver, VoiceIndicationDriver, VoicePanelDriver } from '#machines/voice/events.ts';
import { voice } from '#machines/voice/index.ts';
import { voiceMachine } from '#machines/voice/machine.ts';

import { part, type Part } from './kit/part.ts';
import type { Registry, Timers } from './kit/registry.ts';
import { voiceAssist } from './voice-assist.ts';
import { voiceReply } from './voice-reply.ts';
import { voiceSurroundings } from './voice-surroundings.ts';

export interface VoiceDeps {
  readonly registry: Registry;
  /** Records the microphone. */
  readonly ear: EarDriver;
  /** Holds the mark of the microphone. */
  readonly indication: VoiceIndicationDriver;
  /** Draws the button, the tint and the words on the kiosk screen. */
  readonly overlay: OverlayDriver;
  /** Lights the screens, and follows the button of the profile. */
  readonly panel: VoicePanelDriver;
  readonly now: () => EpochMs;
  /** Milliseconds of the monotonic clock. */
  readonly elapsed: () => Milliseconds;
  readonly timers?: Timers;
}

/** Longest wait for the microphone to be closed when voice is turned off, or the agent ends. */
const STOP_WITHIN_MS: Milliseconds = 2000;

/** Voice: off, nothing of it runs. */
export const voiceSpec = ({ registry, ear, indication, overlay, panel, ...clocks }: VoiceDeps): Part =>
  part(
    voice,
    voiceMachine.provide({
      actors: {
        ear,
        indication,
        overlay,
        panel,
        assist: voiceAssist({ registry, ...clocks }),
        reply: voiceReply({ registry, ...clocks }),
        surroundings: voiceSurroundings({ registry, ...clocks }),
      },
    }),
    { stop: { event: { type: 'voice.stop' }, withinMs: STOP_WITHIN_MS } },
  );
