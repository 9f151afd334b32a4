import { ok, refuse, type Result } from '#machines/kit/result.ts';
import type { MixerReading } from '#machines/volume/events.ts';

import type { Mixer, MixerRefusal } from './mixer.ts';
import { runTool, type ToolEnv } from '#drivers/kit/run-tool.ts';

/** Names of a sound card's output control, the most general first. */
const CONTROLS = ['Master', 'PCM', 'Speaker', 'Headphone', 'Digital', 'Line Out'];

/** Parses `amixer sget`: the loudest playback channel, muted if all are off; null without a playback volume. */
export function parseAmixer(text: string): MixerReading | null {
  const channels = text
    .split('\n')
    .filter(
      (line) =>
        /: .*Playback .*\[\d+%\]|: Playback .*\[\d+%\]|Mono: .*\[\d+%\]/.test(line) && !line.includes('Limits:'),
    );
  const percents = channels
    .map((line) => Number(/\[(\d{1,3})%\]/.exec(line)?.[1] ?? Number.NaN))
    .filter((percent) => !Number.isNaN(percent));
  if (percents.length === 0) return null;
  return { percent: Math.max(...percents), muted: channels.every((line) => line.includes('[off]')) };
}

/** Chooses the control from the output of `amixer scontrols`; null if the card has none of the known names. */
export function chooseControl(text: string): string | null {
  const names = new Set([...text.matchAll(/^Simple mixer control '([^']+)'/gm)].map(([, name]) => name));
  return CONTROLS.find((name) => names.has(name)) ?? null;
}

/** An ALSA sound card without a sound server; `-M` selects the perceptual scale, as in alsamixer. */
export function amixerMixer(env: ToolEnv): Mixer {
  let control: string | null = null;
  const readControl = async (name: string, signal: AbortSignal): Promise<Result<MixerReading, MixerRefusal>> => {
    const text = await runTool('amixer', ['-M', 'sget', name], env, signal);
    if (!text.ok) return text;
    const reading = parseAmixer(text.value);
    return reading === null ? refuse('not-understood', 'This control has no volume.') : ok(reading);
  };
  return {
    route: 'amixer',
    // `alsactl monitor` prints one line per changed control.
    watcher: {
      tool: 'alsactl',
      args: ['monitor'],
      concerns: (line) => line.includes('Volume') || line.includes('Switch'),
    },
    read: async (signal) => {
      if (control !== null) return readControl(control, signal);
      const list = await runTool('amixer', ['scontrols'], env, signal);
      if (!list.ok) return list;
      const name = chooseControl(list.value);
      if (name === null) return refuse('not-understood', 'This sound card has no volume that Sconce knows.');
      const reading = await readControl(name, signal);
      if (reading.ok) control = name;
      return reading;
    },
    write: async (percent, signal) => {
      const name = control ?? 'Master';
      const set = await runTool(
        'amixer',
        ['-q', '-M', 'sset', name, `${percent}%`, ...(percent === 0 ? [] : ['unmute'])],
        env,
        signal,
      );
      if (set.ok) return ok(null);
      // Controls without a switch refuse `unmute`.
      const plain =
        percent === 0 ? set : await runTool('amixer', ['-q', '-M', 'sset', name, `${percent}%`], env, signal);
      return plain.ok ? ok(null) : plain;
    },
  };
}
