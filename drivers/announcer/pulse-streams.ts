import { readFileSync, writeFileSync } from 'node:fs';

import { runTool, type ToolEnv } from '#drivers/kit/run-tool.ts';
import type { DuckedStream } from '#machines/announcer/events.ts';
import type { Percent } from '#machines/kit/units.ts';

/** How streams are made quieter, decided elsewhere. */
export interface DuckRules {
  readonly duckedVolumes: (was: readonly number[], percent: Percent) => readonly number[] | null;
  readonly isUntouched: (stream: DuckedStream, volumes: readonly number[]) => boolean;
  /** Most streams that are changed. */
  readonly most: number;
}

interface Stream {
  readonly index: number;
  readonly volumes: readonly number[];
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

const streamOf = (item: unknown): Stream | null => {
  if (!isRecord(item) || typeof item['index'] !== 'number' || !isRecord(item['volume'])) return null;
  const volumes = Object.values(item['volume']).map((channel) => (isRecord(channel) ? channel['value'] : null));
  return volumes.every((volume) => typeof volume === 'number') ? { index: item['index'], volumes } : null;
};

/** The streams of `pactl -f json list sink-inputs`; none where the text is something else. */
export const parseStreams = (text: string): readonly Stream[] => {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed.map(streamOf).filter((stream) => stream !== null) : [];
  } catch {
    return [];
  }
};

const isNumbers = (value: unknown): value is readonly number[] => Array.isArray(value) && value.every((one) => Number.isInteger(one) && one >= 0);

const parseDucked = (text: string): readonly DuckedStream[] => {
  try {
    const parsed: unknown = JSON.parse(text);
    if (!Array.isArray(parsed)) return [];
    return parsed.flatMap((item: unknown) =>
      isRecord(item) && Number.isInteger(item['index']) && isNumbers(item['was']) && isNumbers(item['now']) ? [{ index: Number(item['index']), was: item['was'], now: item['now'] }] : [],
    );
  } catch {
    return [];
  }
};

/** The other streams of the sound system, quieter for a while. */
export interface StreamDucker {
  /** Makes every stream that plays now quieter; 100 leaves them alone. */
  readonly duck: (percent: Percent, signal: AbortSignal) => Promise<void>;
  /** Gives those back their volumes that nobody changed meanwhile. */
  readonly restore: () => Promise<void>;
}

/** Through pactl (PulseAudio, PipeWire); where it is absent nothing is changed. `note` is a file that outlives a killed agent. */
export const pulseStreams = (rules: DuckRules, env: ToolEnv, note: { readonly file: string; readonly remove: () => void }): StreamDucker => {
  const list = async (signal: AbortSignal): Promise<readonly Stream[]> => {
    const listed = await runTool('pactl', ['-f', 'json', 'list', 'sink-inputs'], env, signal);
    return listed.ok ? parseStreams(listed.value) : [];
  };
  // Never cut short: a volume that is half way there could not be told from one that somebody chose.
  const unbroken = new AbortController().signal;
  const set = async (index: number, volumes: readonly number[]): Promise<void> => {
    // A stream that ended meanwhile is no failure.
    await runTool('pactl', ['set-sink-input-volume', String(index), ...volumes.map(String)], env, unbroken);
  };
  const noted = (streams: readonly DuckedStream[]): boolean => {
    try {
      writeFileSync(note.file, JSON.stringify(streams), { mode: 0o600 });
      return true;
    } catch {
      // Without a note nobody could give the volumes back after a kill.
      return false;
    }
  };
  const remembered = (): readonly DuckedStream[] => {
    try {
      return parseDucked(readFileSync(note.file, 'utf8')).slice(0, rules.most);
    } catch {
      return [];
    }
  };
  return {
    duck: async (percent, signal) => {
      if (percent >= 100) return;
      const quieter = (await list(signal)).slice(0, rules.most).flatMap(({ index, volumes: was }) => {
        const now = rules.duckedVolumes(was, percent);
        return now === null ? [] : [{ index, was, now }];
      });
      // Noted first: an agent that is killed in between finds what to give back.
      if (quieter.length === 0 || signal.aborted || !noted(quieter)) return;
      await Promise.all(quieter.map(({ index, now }) => set(index, now)));
    },
    restore: async () => {
      const ducked = remembered();
      if (ducked.length === 0) return;
      const streams = await list(unbroken);
      const back = ducked.filter((stream) => streams.some(({ index, volumes }) => index === stream.index && rules.isUntouched(stream, volumes)));
      await Promise.all(back.map(({ index, was }) => set(index, was)));
      note.remove();
    },
  };
};
