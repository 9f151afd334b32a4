import { microphoneIndication } from '#actors/indication.ts';
import type { Part } from '#actors/kit/part.ts';
import { voiceSpec } from '#actors/voice.ts';
import { voicePanel } from '#actors/voice-panel.ts';
import { createOpenTasks } from '#drivers/kit/open-tasks.ts';
import type { MicrophoneDevice } from '#drivers/voice/device.ts';
import { voiceEar } from '#drivers/voice/ear.ts';
import { judgeCheck, judgeHealth } from '#machines/voice/ear-health.ts';
import { chooseSource } from '#machines/voice/ear-source.ts';
import type { PartDeps } from './deps.ts';

const elapsed = (): number => performance.now();

/** Voice with the drivers of its microphone, its mark and its screen. */
export function voicePart({ registry, profile, now, channel, overlay }: PartDeps, device: MicrophoneDevice): Part {
  const open = createOpenTasks();
  return voiceSpec({
    registry,
    ear: voiceEar({ device, channel, elapsed, open, rules: { choose: chooseSource, judgeHealth, judgeCheck } }),
    indication: microphoneIndication(registry, open.closed),
    overlay: overlay.driver,
    panel: voicePanel({ registry, displays: profile.slots.screen.map(({ id }) => id), elapsed, now }),
    now,
    elapsed,
  });
}
