import { readFileSync, writeFileSync } from 'node:fs';

import { runTool, type ToolEnv } from '#drivers/kit/run-tool.ts';
import type { DuckedStream, PlayingStream } from '#machines/announcer/events.ts';
import { foreignValue } from '#machines/kit/foreign-json.ts';
import { jsonBounds } from '#machines/kit/json-excess.ts';
import type { Percent } from '#machines/kit/units.ts';

/** A stream and the process that plays it, -1 where it gives none. */
interface OwnedStream extends PlayingStream {
  readonly pid: number;
}

/** How streams are made quieter and given back, decided in machines/announcer/duck.ts. */
export interface DuckRules {
  readonly duckedVolumes: (was: readonly number[], percent: Percent) => readonly number[] | null;
  readonly givenBack: (
    ducked: readonly DuckedStream[],
    playing: readonly PlayingStream[],
  ) => readonly { readonly index: number; readonly volumes: readonly number[] }[];
  /** Most streams that are changed. */
  readonly most: number;
}

/** The other streams of the sound system, quieter for a while. */
export interface StreamDucker {
  /**
   * Makes every stream that plays now quieter; 100 leaves them alone, and so does what could not be given back before.
   */
  readonly duck: (percent: Percent, signal: AbortSignal) => Promise<void>;
  /** Gives them back what they had; where the sound system does not answer, the note stays for the next time. */
  readonly restore: () => Promise<void>;
}

/** Where it is noted what streams had, so that a killed agent's successor can give it back. */
export interface DuckNote {
  readonly file: string;
  readonly remove: () => void;
}

/** Longest note that is read, in characters; one of our own with 32 streams is far below. */
const NOTE_LIMIT = 65_536;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function parseList(text: string): readonly unknown[] {
  const parsed = foreignValue(text, jsonBounds.program);
  return Array.isArray(parsed) ? parsed : [];
}

function streamOf(item: unknown): readonly OwnedStream[] {
  if (!isRecord(item) || typeof item['index'] !== 'number' || !isRecord(item['volume'])) return [];
  const volumes = Object.values(item['volume']).map((channel) => (isRecord(channel) ? channel['value'] : null));
  const properties = isRecord(item['properties']) ? item['properties'] : {};
  const program = properties['application.name'];
  const pid = Number(properties['application.process.id'] ?? -1);
  return volumes.every((volume) => typeof volume === 'number')
    ? [{ index: item['index'], program: typeof program === 'string' ? program : '', pid, volumes }]
    : [];
}

/** The streams of `pactl -f json list sink-inputs`; none where the text is something else. */
export const parseStreams = (text: string): readonly OwnedStream[] => parseList(text).flatMap(streamOf);

const isVolumes = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((one) => Number.isInteger(one) && one >= 0);

const noteOf = (item: unknown): readonly DuckedStream[] =>
  isRecord(item) &&
  Number.isInteger(item['index']) &&
  typeof item['program'] === 'string' &&
  isVolumes(item['was']) &&
  isVolumes(item['now'])
    ? [{ index: Number(item['index']), program: item['program'], was: item['was'], now: item['now'] }]
    : [];

/**
 * Through pactl (PulseAudio, PipeWire); where it is absent nothing is changed. Streams of the players themselves are
 * left out.
 */
export function pulseaudioStreams(
  rules: DuckRules,
  env: ToolEnv,
  note: DuckNote,
  isOwn: (pid: number) => boolean,
): StreamDucker {
  // Never cut short: a volume that is half way there could not be told from one that somebody chose.
  const unbroken = new AbortController().signal;
  const list = async (): Promise<readonly PlayingStream[] | null> => {
    const listed = await runTool('pactl', ['-f', 'json', 'list', 'sink-inputs'], env, unbroken);
    return listed.ok ? parseStreams(listed.value).filter(({ pid }) => !isOwn(pid)) : null;
  };
  const set = async (index: number, volumes: readonly number[]): Promise<void> => {
    // A stream that ended meanwhile is no failure.
    await runTool('pactl', ['set-sink-input-volume', String(index), ...volumes.map(String)], env, unbroken);
  };
  const written = (streams: readonly DuckedStream[]): boolean => {
    try {
      writeFileSync(note.file, JSON.stringify(streams), { mode: 0o600 });
      return true;
    } catch {
      // Without a note nobody could give the volumes back after a kill.
      return false;
    }
  };
  const read = (): readonly DuckedStream[] => {
    try {
      return parseList(readFileSync(note.file, 'utf8').slice(0, NOTE_LIMIT)).flatMap(noteOf).slice(0, rules.most);
    } catch {
      return [];
    }
  };
  const restore = async (): Promise<boolean> => {
    const ducked = read();
    if (ducked.length > 0) {
      // Asked twice: it may only have been slow, and music that stays quiet is what everybody would hear.
      const playing = (await list()) ?? (await list());
      if (playing === null) return false;
      await Promise.all(rules.givenBack(ducked, playing).map(({ index, volumes }) => set(index, volumes)));
    }
    note.remove();
    return true;
  };
  return {
    duck: async (percent, signal) => {
      // A second note would take the quiet volumes for those that were chosen.
      if (percent >= 100 || !(await restore())) return;
      const quieter = ((await list()) ?? []).slice(0, rules.most).flatMap(({ index, program, volumes: was }) => {
        const now = rules.duckedVolumes(was, percent);
        return now === null ? [] : [{ index, program, was, now }];
      });
      // Noted first: an agent that is killed in between finds what to give back.
      if (quieter.length === 0 || signal.aborted || !written(quieter)) return;
      await Promise.all(quieter.map(({ index, now }) => set(index, now)));
    },
    restore: async () => {
      await restore();
    },
  };
}
