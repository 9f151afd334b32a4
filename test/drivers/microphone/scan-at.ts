import { scanMicrophones } from '#drivers/microphone/linux.ts';
import type { MicrophoneScan } from '#machines/microphone/events.ts';

/** A scan below another root, without any sound server of the environment. */
export const scanAt = (root: string): Promise<MicrophoneScan> => scanMicrophones({ root, env: {} });
