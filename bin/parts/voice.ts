import type { Part } from '#actors/kit/part.ts';
import { type VoiceDeps, voiceSpec } from '#actors/voice.ts';
import type { PartDeps } from './deps.ts';

const elapsed = (): number => performance.now();

/** Voice with the drivers of its microphone, its mark and its screen. */
export const voicePart = (
  { registry, now }: PartDeps,
  drivers: Pick<VoiceDeps, 'ear' | 'indication' | 'overlay' | 'panel'>,
): Part => voiceSpec({ registry, now, elapsed, ...drivers });
