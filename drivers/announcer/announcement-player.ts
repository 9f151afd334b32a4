import { closeSync, openSync, readSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { serial } from '#drivers/kit/serial.ts';
import type { AnnouncementRefusal, PlayerCommand, PlayerFact, ReadAt, SoundKind } from '#machines/announcer/events.ts';
import { ok, refuse, type Result } from '#machines/kit/result.ts';

import { download, DOWNLOAD_BOUNDS, type DownloadBounds, type SourceRules } from './download.ts';
import type { PlayOutcome, Sound } from './player-program.ts';
import type { DuckRules, StreamDucker } from './pulseaudio-streams.ts';
import type { Loudspeaker } from './sound-system.ts';
import { testSound } from './test-sound.ts';
import { temporaryFiles, type TemporaryFiles } from './temporary.ts';

/** The decisions that the announcement player carries out; they are made in machines/announcer. */
export interface PlayerRules {
  readonly source: SourceRules;
  readonly soundKind: (read: ReadAt) => Result<SoundKind, AnnouncementRefusal>;
  readonly duck: DuckRules;
}

/** What the announcement player works with. */
export interface PlayerOptions {
  readonly rules: PlayerRules;
  readonly loudspeaker: Loudspeaker;
  /** The agent's data folder; sounds are kept below it for as long as they are played. */
  readonly dataFolder: string;
  /** The panel's own port: it is no source. */
  readonly ownPort: number;
  /** The origin of Home Assistant as it is set now, "" where none is. */
  readonly homeAssistant: () => string;
  readonly bounds?: DownloadBounds;
  /** Files of trusted certificates; the system's own when absent. */
  readonly bundles?: readonly string[];
}

type PlayCommand = Extract<PlayerCommand, { readonly type: 'player.play' }>;

/** What one announcement is performed with. */
interface Performing {
  readonly options: PlayerOptions;
  readonly files: TemporaryFiles;
  readonly ducker: StreamDucker;
  readonly probe: () => Promise<Probed>;
  readonly send: (fact: PlayerFact) => void;
}

/** Name of the note of quieter streams; it stays until what it says was given back. */
const DUCK_NOTE = 'announcement-ducked.json';

function kindOfFile(path: string, soundKind: PlayerRules['soundKind']): Result<SoundKind, AnnouncementRefusal> {
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
}

type Played = AnnouncementRefusal | null;
type Probed = Awaited<ReturnType<Loudspeaker['probe']>>;

const missing = ({ players, sound }: Probed): AnnouncementRefusal | null =>
  players.length === 0 ? 'no-player' : sound === null ? null : 'no-sound';

/**
 * How often the sound system is probed while a player plays, in milliseconds: without one, mpv waits and says
 * nothing.
 */
const WATCH_MS = 2000;
/** How many probes in a row must fail: one alone may have been too slow. */
const MISSES = 2;

/** Says so when the sound system has gone; ends with `over`. */
async function watchSound(speaker: Loudspeaker, over: AbortSignal, gone: () => void): Promise<void> {
  for (let misses = 0; misses < MISSES;) {
    // oxlint-disable-next-line no-await-in-loop -- one probe after another
    await pause(WATCH_MS, undefined, { signal: over }).catch(() => {});
    if (over.aborted) return;
    // oxlint-disable-next-line no-await-in-loop -- as above
    misses = (await speaker.sound(over)) === null ? 0 : misses + 1;
  }
  if (!over.aborted) gone();
}

/** Plays with one player for as long as there is a sound system. */
async function playWatched(
  speaker: Loudspeaker,
  player: string,
  sound: Sound,
  signal: AbortSignal,
): Promise<PlayOutcome | 'no-sound'> {
  const over = new AbortController();
  const gone = new AbortController();
  const watched = watchSound(speaker, over.signal, () => gone.abort());
  const outcome = await speaker.play(player, sound, AbortSignal.any([signal, gone.signal]));
  over.abort();
  await watched;
  return gone.signal.aborted ? 'no-sound' : outcome;
}

/** Plays with one player after another until one can; what no player can is the sound's or the sound system's fault. */
async function playByTrying(
  speaker: Loudspeaker,
  players: readonly string[],
  sound: Sound,
  probe: () => Promise<Probed>,
  signal: AbortSignal,
): Promise<Played> {
  for (const player of players) {
    // oxlint-disable-next-line no-await-in-loop -- one player after another
    const outcome = await playWatched(speaker, player, sound, signal);
    if (outcome === 'finished' || signal.aborted) return null;
    if (outcome === 'play-timeout') return outcome;
    if (outcome === 'no-sound') break;
  }
  return missing(await probe()) ?? 'not-playable';
}

/** Puts the player's own test sound where a fetched one would be. */
async function layTestSound(path: string): Promise<Awaited<ReturnType<typeof download>>> {
  try {
    await writeFile(path, testSound(), { mode: 0o600, flag: 'wx' });
    return ok({ onPanel: false });
  } catch {
    return refuse('disk-failed', 'The test sound could not be written.');
  }
}

/** Fetches one announcement into `name` and plays it; null when it was played, or when it was replaced. */
async function perform(
  command: PlayCommand,
  name: string,
  performing: Performing,
  signal: AbortSignal,
): Promise<Played> {
  const { files, ducker, probe, send } = performing;
  const { rules, loudspeaker, ownPort, homeAssistant, bundles, bounds = DOWNLOAD_BOUNDS } = performing.options;
  const { generation } = command;
  const path = join(files.folder, name);
  send({ type: 'player.downloading', generation });
  const deps = {
    rules: rules.source,
    ownPort,
    homeAssistant: homeAssistant(),
    bounds,
    ...(bundles === undefined ? {} : { bundles }),
  };
  const fetching = command.url === null ? layTestSound(path) : download(command.url, path, deps, signal);
  const [fetched, first] = await Promise.all([fetching, probe()]);
  if (signal.aborted) return null;
  if (!fetched.ok) return fetched.reason;
  const told = (reason: Played): Played =>
    reason === null ? null : rules.source.toldOf(reason, fetched.value.onPanel);
  const kind = kindOfFile(path, rules.soundKind);
  if (!kind.ok) return told(kind.reason);
  // A sound server may have come up while the sound was fetched.
  const probed = missing(first) === null ? first : await probe();
  const lacks = missing(probed);
  if (lacks !== null || signal.aborted) return lacks;
  try {
    await ducker.duck(command.duckPercent, signal);
    if (signal.aborted) return null;
    send({ type: 'player.playing', generation });
    const sound = { folder: files.folder, name, kind: kind.value };
    return told(await playByTrying(loudspeaker, probed.players, sound, probe, signal));
  } finally {
    await ducker.restore();
  }
}

/** One announcement at a time: a newer one ends what goes on at once, waits for its end and takes its place. */
export const announcementPlayer = (options: PlayerOptions) =>
  fromDriver<PlayerCommand, undefined, PlayerFact>(({ send, onEvent, signal }) => {
    const files = temporaryFiles(options.dataFolder);
    const { loudspeaker, rules } = options;
    const ducker = loudspeaker.ducker(rules.duck, {
      file: join(files.folder, DUCK_NOTE),
      remove: () => files.remove(DUCK_NOTE),
    });
    const inTurn = serial();
    let current = new AbortController();

    let underWay: Promise<Probed> | null = null;
    const probeOnce = async (): Promise<Probed> => {
      const probed = await loudspeaker.probe(signal).finally(() => {
        underWay = null;
      });
      if (!signal.aborted) send({ type: 'player.probed', ...probed });
      // What could not be given back while the sound system was away is now.
      if (probed.sound === null) {
        // The ducker itself reports nothing: what it cannot give back now it gives back the next time.
        inTurn(() => ducker.restore()).catch(() => {});
      }
      return probed;
    };
    // Each probe runs every tool: whoever asks during one gets its answer.
    const probe = (): Promise<Probed> => (underWay ??= probeOnce());
    // What a killed agent left: streams that are still quiet, and files.
    const tidy = async (): Promise<void> => {
      await ducker.restore();
      files.sweep(DUCK_NOTE);
    };
    const performing: Performing = { options, files, ducker, probe, send };
    const play = async (command: PlayCommand, mine: AbortSignal): Promise<void> => {
      if (mine.aborted) return;
      const name = files.name();
      if (name === null) {
        send({ type: 'player.refused', generation: command.generation, reason: 'disk-failed' });
        return;
      }
      try {
        const reason = await perform(command, name, performing, mine);
        if (mine.aborted) return;
        if (reason === null) send({ type: 'player.finished', generation: command.generation });
        else send({ type: 'player.refused', generation: command.generation, reason });
      } finally {
        files.remove(name);
      }
    };

    const tidied = inTurn(tidy);
    signal.addEventListener('abort', () => current.abort(), { once: true });
    onEvent((command) => {
      if (command.type === 'player.probe') return probe().then(() => {});
      current.abort();
      current = new AbortController();
      const mine = current.signal;
      return inTurn(() => play(command, mine));
    });
    // The end of what was playing: its file is gone and the other streams are as they were.
    return Promise.all([tidied, probe()]).then(() => () => inTurn(() => {}));
  });
