import { ok, refuse } from '#machines/kit/result.ts';

import type { Mixer, Watcher } from './mixer.ts';
import { runTool, type ToolEnv } from '#drivers/kit/run-tool.ts';

const SINK = '@DEFAULT_SINK@';

/** Name of the dummy output that PulseAudio and PipeWire create if there is no other. */
export const DUMMY_SINK = 'auto_null';

/** Parses `pactl get-sink-volume`: percent of the loudest channel; null if the text has none. */
export function parseSinkVolume(text: string): number | null {
  const percents = [...text.matchAll(/\/\s*(\d{1,4})%/g)].map(([, digits]) => Number(digits));
  return percents.length === 0 ? null : Math.max(...percents);
}

/** Parses `pactl get-sink-mute`; null if the text has no mute state. */
export function parseSinkMute(text: string): boolean | null {
  const word = /^Mute:\s*(yes|no)\s*$/m.exec(text)?.[1];
  return word === undefined ? null : word === 'yes';
}

/** `pactl subscribe`. Only sinks and the server (its default sink) matter, not the clients that the readings create. */
export const pulseAudioWatcher: Watcher = {
  tool: 'pactl',
  args: ['subscribe'],
  concerns: (line) => / on (sink|server) /.test(`${line} `),
};

/** PulseAudio, or PipeWire through its PulseAudio interface. */
export const pactlMixer = (env: ToolEnv): Mixer => ({
  route: 'pactl',
  watcher: pulseAudioWatcher,
  read: async (signal) => {
    const pactl = (...args: string[]) => runTool('pactl', args, env, signal);
    const sink = await pactl('get-default-sink');
    if (!sink.ok) return sink;
    if (sink.value.trim() === DUMMY_SINK || sink.value.trim() === '')
      return refuse('no-output', 'The sound system has no output.');
    const volume = await pactl('get-sink-volume', SINK);
    if (!volume.ok) return volume;
    const mute = await pactl('get-sink-mute', SINK);
    if (!mute.ok) return mute;
    const percent = parseSinkVolume(volume.value);
    const muted = parseSinkMute(mute.value);
    return percent === null || muted === null
      ? refuse('not-understood', 'pactl said something unexpected.')
      : ok({ percent, muted });
  },
  write: async (percent, signal) => {
    const set = await runTool('pactl', ['set-sink-volume', SINK, `${percent}%`], env, signal);
    if (!set.ok || percent === 0) return set.ok ? ok(null) : set;
    const unmuted = await runTool('pactl', ['set-sink-mute', SINK, '0'], env, signal);
    return unmuted.ok ? ok(null) : unmuted;
  },
});
