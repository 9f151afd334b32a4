import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';

import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
import type { AnnouncementRefusal, LaneCommand, LaneFact, ReadAt, SoundKind } from '#machines/announcer/events.ts';
import { refuse, type Result } from '#machines/kit/result.ts';

import { download, DOWNLOAD_BOUNDS, type DownloadBounds, type SourceRules } from './download.ts';
import type { DuckRules } from './pulse-streams.ts';
import type { Loudspeaker } from './sound-system.ts';
import { temporaryFiles, type TemporaryFiles } from './temporary.ts';

/** The decisions that the lane carries out; they are made in machines/announcer. */
export interface LaneRules {
  readonly source: SourceRules;
  readonly soundKind: (read: ReadAt) => Result<SoundKind, AnnouncementRefusal>;
  readonly duck: DuckRules;
}

/** What the lane works with. */
export interface LaneOptions {
  readonly rules: LaneRules;
  readonly loudspeaker: Loudspeaker;
  /** The agent's data folder; sounds are kept below it for as long as they are played. */
  readonly dataFolder: string;
  /** The panel's own port: it is no source. */
  readonly ownPort: number;
  readonly bounds?: DownloadBounds;
  /** Files of trusted certificates; the system's own when absent. */
  readonly bundles?: readonly string[];
}

/** Name of the note of quieter streams; swept with the sounds, after what it says was given back. */
const DUCK_NOTE = 'announcement-ducked.json';

const kindOfFile = (path: string, soundKind: LaneRules['soundKind']): Result<SoundKind, AnnouncementRefusal> => {
  let file: number | null = null;
  try {
    const opened = openSync(path, 'r');
    file = opened;
    return soundKind((offset, length) => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(opened, bytes, 0, length, offset));
    });
  } catch {
    return refuse('disk-failed', 'The fetched sound could not be read.');
  } finally {
    if (file !== null) closeSync(file);
  }
};

type Told = (fact: LaneFact) => void;
type Played = AnnouncementRefusal | null;

/** Plays with one player after another until one can; what no player can is the sound's or the sound system's fault. */
const playByTrying = async (speaker: Loudspeaker, sound: Parameters<Loudspeaker['play']>[1], looked: Told, signal: AbortSignal): Promise<Played> => {
  const before = await speaker.look(signal);
  if (signal.aborted) return null;
  looked({ type: 'lane.looked', ...before });
  if (before.players.length === 0) return 'no-player';
  if (before.sound !== null) return 'no-sound';
  for (const player of before.players) {
    // oxlint-disable-next-line no-await-in-loop -- one player after another
    const outcome = await speaker.play(player, sound, signal);
    if (outcome === 'finished' || signal.aborted) return null;
    if (outcome === 'play-timeout') return outcome;
  }
  const after = await speaker.look(signal);
  if (signal.aborted) return null;
  looked({ type: 'lane.looked', ...after });
  return after.sound === null ? 'not-playable' : 'no-sound';
};

/** Fetches one announcement into `name` and plays it; null when it was played, or when it was replaced. */
const perform = async (
  command: Extract<LaneCommand, { readonly type: 'lane.play' }>,
  name: string,
  files: TemporaryFiles,
  options: LaneOptions,
  send: Told,
  signal: AbortSignal,
): Promise<Played> => {
  const { rules, loudspeaker, ownPort, bundles } = options;
  const { generation } = command;
  const path = join(files.folder, name);
  const ducker = loudspeaker.ducker(rules.duck, { file: join(files.folder, DUCK_NOTE), remove: () => files.remove(DUCK_NOTE) });
  send({ type: 'lane.downloading', generation });
  const deps = { rules: rules.source, ownPort, bounds: options.bounds ?? DOWNLOAD_BOUNDS, ...(bundles === undefined ? {} : { bundles }) };
  const fetched = await download(command.url, path, deps, signal);
  if (signal.aborted) return null;
  if (!fetched.ok) return fetched.reason;
  const kind = kindOfFile(path, rules.soundKind);
  if (!kind.ok) return kind.reason;
  try {
    await ducker.duck(command.duckPercent, signal);
    send({ type: 'lane.playing', generation });
    return await playByTrying(loudspeaker, { folder: files.folder, name, kind: kind.value }, send, signal);
  } finally {
    await ducker.restore();
  }
};

/** One announcement at a time: a newer one ends what goes on at once, waits for its end and takes its place. */
export const announcerLane = (options: LaneOptions): DriverLogic<LaneCommand, undefined> =>
  fromDriver<LaneCommand, undefined, LaneFact>(({ send, onEvent, signal }) => {
    const files = temporaryFiles(options.dataFolder);
    const { loudspeaker, rules } = options;
    let current = new AbortController();

    const look = async (): Promise<void> => {
      const looked = await loudspeaker.look(signal);
      if (!signal.aborted) send({ type: 'lane.looked', ...looked });
    };
    // What a killed agent left: streams that are still quiet, and files.
    const tidy = async (): Promise<void> => {
      await loudspeaker.ducker(rules.duck, { file: join(files.folder, DUCK_NOTE), remove: () => files.remove(DUCK_NOTE) }).restore();
      files.sweep();
    };
    const play = async (command: Extract<LaneCommand, { readonly type: 'lane.play' }>, mine: AbortController): Promise<void> => {
      if (mine.signal.aborted) return;
      const name = files.name();
      if (name === null) {
        send({ type: 'lane.refused', generation: command.generation, reason: 'disk-failed' });
        return;
      }
      try {
        const reason = await perform(command, name, files, options, send, mine.signal);
        if (mine.signal.aborted) return;
        if (reason === null) send({ type: 'lane.finished', generation: command.generation });
        else send({ type: 'lane.refused', generation: command.generation, reason });
      } finally {
        files.remove(name);
      }
    };

    let line: Promise<void> = tidy();
    signal.addEventListener('abort', () => current.abort(), { once: true });
    onEvent((command) => {
      if (command.type === 'lane.look') return look();
      current.abort();
      const mine = new AbortController();
      current = mine;
      line = line.then(() => play(command, mine));
      return line;
    });
    // The end of what was playing: its file is gone and the other streams are as they were.
    return Promise.all([line, look()]).then(() => () => line.catch(() => {}));
  });
