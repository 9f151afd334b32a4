import { ok, refuse } from '#machines/kit/result.ts';
import type { MixerReading } from '#machines/volume/events.ts';

import type { Mixer } from './mixer.ts';
import { DUMMY_SINK, pulseAudioWatcher } from './pactl.ts';
import { runTool, type ToolEnv } from '#drivers/kit/run-tool.ts';

const SINK = '@DEFAULT_AUDIO_SINK@';

/** Parses `wpctl get-volume` (`Volume: 0.40 [MUTED]`); null if the text has no volume. */
export function parseWpctlVolume(text: string): MixerReading | null {
  const found = /^Volume:\s*(\d+(?:\.\d+)?)(\s*\[MUTED\])?\s*$/m.exec(text);
  return found === null ? null : { percent: Math.round(Number(found[1]) * 100), muted: found[2] !== undefined };
}

/** True if `wpctl inspect` shows the dummy output. */
export const isDummyNode = (text: string): boolean => text.includes(`node.name = "${DUMMY_SINK}"`);

/**
 * PipeWire through WirePlumber's own tool. It cannot wait for changes, so they are noticed through PipeWire's
 * PulseAudio interface or, without it, by reading every two seconds.
 */
export const wpctlMixer = (env: ToolEnv): Mixer => ({
  route: 'wpctl',
  watcher: pulseAudioWatcher,
  read: async (signal) => {
    const volume = await runTool('wpctl', ['get-volume', SINK], env, signal);
    if (!volume.ok) return volume;
    const node = await runTool('wpctl', ['inspect', SINK], env, signal);
    if (node.ok && isDummyNode(node.value)) return refuse('no-output', 'The sound system has no output.');
    const reading = parseWpctlVolume(volume.value);
    return reading === null ? refuse('not-understood', 'wpctl said something unexpected.') : ok(reading);
  },
  write: async (percent, signal) => {
    const set = await runTool('wpctl', ['set-volume', SINK, (percent / 100).toFixed(2)], env, signal);
    if (!set.ok || percent === 0) return set.ok ? ok(null) : set;
    const unmuted = await runTool('wpctl', ['set-mute', SINK, '0'], env, signal);
    return unmuted.ok ? ok(null) : unmuted;
  },
});
