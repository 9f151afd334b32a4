import { readFileSync, writeFileSync } from 'node:fs';

import { runTool, type ToolEnv } from '#drivers/kit/run-tool.ts';
import type { DuckedStream, PlayingStream } from '#machines/announcer/events.ts';
import { foreignValue } from '#machines/kit/foreign-json.ts';
import { jsonBounds } from '#machines/kit/json-excess.ts';
import type { Percent } from '#machines/kit/units.ts';

/** A stream and the id of the process that plays it, -1 if unknown. */
interface OwnedStream extends PlayingStream {
  readonly pid: number;
}

/** How streams are made quieter and restored; decided in `machines/announcer/duck.ts`. */
export interface DuckRules {
  readonly duckedVolumes: (was: readonly number[], percent: Percent) => readonly number[] | null;
  readonly givenBack: (
    ducked: readonly DuckedStream[],
    playing: readonly PlayingStream[],
  ) => readonly { readonly index: number; readonly volumes: readonly number[] }[];
  /** True if a stream needs no lowering any more. */
  readonly isDucked: (ducked: readonly DuckedStream[], stream: PlayingStream) => boolean;
  /** Largest number of streams that are changed. */
  readonly most: number;
}

/** Makes the other streams of the sound system quieter for a while. */
export interface StreamDucker {
  /**
   * Makes every current stream quieter; repeated before a restore, those that began meanwhile. Does nothing at 100
   * percent, or if the volumes of an earlier time could not be restored.
   */
  readonly duck: (percent: Percent, signal: AbortSignal) => Promise<void>;
  /** Restores the volumes; if the sound system does not answer, the note is kept for the next attempt. */
  readonly restore: () => Promise<void>;
}

/** The file with the original volumes, from which the successor of a killed agent restores them. */
export interface DuckNote {
  readonly file: string;
  readonly remove: () => void;
}

/**
 * Name by which the agent's own short sounds call themselves, such as the chime of a turn. They are not lowered: the
 * sound system would start the next one with the lowered volume.
 *
 * @public Of the programs that play them.
 */
export const OWN_PROGRAM = 'Sconce';

/** Longest note that is read, in characters; a note with 32 streams is far shorter. */
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

/** Parses the output of `pactl -f json list sink-inputs`; empty if the text is something else. */
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
 * Ducks streams through pactl (PulseAudio, PipeWire); without pactl nothing changes. `isOwn` excludes the players' own
 * streams.
 */
export function pulseaudioStreams(
  rules: DuckRules,
  env: ToolEnv,
  note: DuckNote,
  isOwn: (pid: number) => boolean,
): StreamDucker {
  // Never aborted: a volume halfway there could not be told from one that a person chose.
  const neverAborted = new AbortController().signal;
  const list = async (): Promise<readonly PlayingStream[] | null> => {
    const listed = await runTool('pactl', ['-f', 'json', 'list', 'sink-inputs'], env, neverAborted);
    return listed.ok
      ? parseStreams(listed.value).filter(({ pid, program }) => !isOwn(pid) && program !== OWN_PROGRAM)
      : null;
  };
  const set = async (index: number, volumes: readonly number[]): Promise<void> => {
    // A stream that has ended meanwhile is not a failure.
    await runTool('pactl', ['set-sink-input-volume', String(index), ...volumes.map(String)], env, neverAborted);
  };
  const written = (streams: readonly DuckedStream[]): boolean => {
    try {
      writeFileSync(note.file, JSON.stringify(streams), { mode: 0o600 });
      return true;
    } catch {
      // Without a note the volumes could not be restored after a kill.
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
  /** True from a lowering of this run to its restore: the note is then of streams that are to stay lowered. */
  let isLowered = false;
  const restore = async (): Promise<boolean> => {
    isLowered = false;
    const ducked = read();
    if (ducked.length > 0) {
      // Two attempts: pactl may only have been slow, and music that stays quiet is noticed by everyone.
      const playing = (await list()) ?? (await list());
      if (playing === null) return false;
      await Promise.all(rules.givenBack(ducked, playing).map(({ index, volumes }) => set(index, volumes)));
    }
    note.remove();
    return true;
  };
  return {
    duck: async (percent, signal) => {
      // A note of lowered streams would record the quiet volumes as the chosen ones.
      if (percent >= 100 || !(isLowered || (await restore()))) return;
      const before = read();
      const streams = ((await list()) ?? []).filter((stream) => !rules.isDucked(before, stream));
      const quieter = streams.slice(0, rules.most - before.length).flatMap(({ index, program, volumes: was }) => {
        const now = rules.duckedVolumes(was, percent);
        return now === null ? [] : [{ index, program, was, now }];
      });
      // The note comes first: if the agent is killed in between, its successor can restore the volumes.
      if (quieter.length === 0 || signal.aborted || !written([...before, ...quieter])) return;
      isLowered = true;
      await Promise.all(quieter.map(({ index, now }) => set(index, now)));
    },
    restore: async () => {
      await restore();
    },
  };
}
