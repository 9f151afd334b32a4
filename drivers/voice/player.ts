import type { ToolEnv } from '#drivers/kit/run-tool.ts';
import { soundMs } from '#machines/kit/sound-samples.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import { runProgram } from './capture.ts';

type PlayerTool = 'paplay' | 'aplay';

/** Arguments that play s16le mono samples at 16 kHz from the standard input: nothing of them is on a disk. */
const ARGS: Readonly<Record<PlayerTool, readonly string[]>> = {
  // With the server's own choice of latency paplay ends up to 2 s late (measured with PulseAudio 16.1).
  paplay: ['--raw', '--format=s16le', '--rate=16000', '--channels=1', '--latency-msec=50', '--client-name=Sconce'],
  aplay: ['-q', '-t', 'raw', '-f', 'S16_LE', '-r', '16000', '-c', '1', '-'],
};

/** A player may take this much longer than the sound: it then hangs. */
const LATE_MS: Milliseconds = 3000;

/** Plays samples with one program; false if it is missing, failed or hung. */
async function playWith(tool: PlayerTool, pcm: Uint8Array, env: ToolEnv, signal: AbortSignal): Promise<boolean> {
  const player = runProgram(tool, ARGS[tool], { env, input: pcm });
  const timer = setTimeout(player.kill, soundMs(pcm.length) + LATE_MS);
  signal.addEventListener('abort', player.kill, { once: true });
  const { endedWell } = await player.gone;
  signal.removeEventListener('abort', player.kill);
  clearTimeout(timer);
  return endedWell;
}

/** Plays samples with the first of these programs that can. */
export const playerOf =
  (tools: readonly PlayerTool[], env: ToolEnv) =>
  async (pcm: Uint8Array, signal: AbortSignal): Promise<boolean> => {
    for (const tool of tools) {
      if (signal.aborted) return false;
      // oxlint-disable-next-line no-await-in-loop -- one player after another
      if (await playWith(tool, pcm, env, signal)) return true;
    }
    return false;
  };
