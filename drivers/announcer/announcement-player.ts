import { closeSync, openSync, readSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { serial } from '#drivers/kit/serial.ts';
import type { AnnouncementRefusal, PlayerCommand, PlayerFact, ReadAt, SoundKind } from '#machines/announcer/events.ts';
import { ok, refuse, type Result } from '#machines/kit/result.ts';

import { download, DOWNLOAD_BOUNDS, type DownloadBounds, type SourceRules } from './download.ts';
import type { DuckRules } from './pulseaudio-streams.ts';
import { type SharedDuck, sharedDuck } from './shared-duck.ts';
import type { Loudspeaker } from './sound-system.ts';
import { testSound } from './test-sound.ts';
import { temporaryFiles, type TemporaryFiles } from './temporary.ts';
import { missing, type Played, playByTrying, type Probed, WATCH_MS } from './watched-play.ts';

/** Decisions that the player carries out; `machines/announcer` makes them. */
export interface PlayerRules {
  readonly source: SourceRules;
  readonly soundKind: (read: ReadAt) => Result<SoundKind, AnnouncementRefusal>;
  readonly duck: DuckRules;
}

export interface PlayerOptions {
  readonly rules: PlayerRules;
  readonly loudspeaker: Loudspeaker;
  /** The agent's data folder; sounds are kept below it while they play. */
  readonly dataFolder: string;
  /** The panel's own port, which is refused as a source. */
  readonly ownPort: number;
  /** The configured origin of Home Assistant, "" for none. */
  readonly homeAssistant: () => string;
  readonly bounds?: DownloadBounds;
  /** Files of trusted certificates; the system's by default. */
  readonly bundles?: readonly string[];
}

type PlayCommand = Extract<PlayerCommand, { readonly type: 'player.play' }>;

interface Performing {
  readonly options: PlayerOptions;
  readonly files: TemporaryFiles;
  readonly duck: SharedDuck;
  readonly probe: () => Promise<Probed>;
  /** What the last probe found, if it found what a play needs; else a probe. */
  readonly known: () => Promise<Probed>;
  readonly send: (fact: PlayerFact) => void;
}

/** File that records which streams were made quieter; kept until their volumes are restored. */
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

/** Writes the built-in test sound where a fetched one would be. */
async function writeTestSound(path: string): Promise<Awaited<ReturnType<typeof download>>> {
  try {
    await writeFile(path, testSound(), { mode: 0o600, flag: 'wx' });
    return ok({ onPanel: false });
  } catch {
    return refuse('disk-failed', 'The test sound could not be written.');
  }
}

/** Fetches one announcement into `name` and plays it; null if it was played or replaced by a newer one. */
async function perform(
  command: PlayCommand,
  name: string,
  performing: Performing,
  signal: AbortSignal,
): Promise<Played> {
  const { files, duck, probe, known, send } = performing;
  const { rules, loudspeaker, ownPort, homeAssistant, bundles, bounds = DOWNLOAD_BOUNDS } = performing.options;
  const { generation, isPrompt = false } = command;
  const path = join(files.folder, name);
  send({ type: 'player.downloading', generation });
  const deps = {
    rules: rules.source,
    ownPort,
    homeAssistant: homeAssistant(),
    bounds,
    ...(bundles === undefined ? {} : { bundles }),
  };
  const fetching = command.url === null ? writeTestSound(path) : download(command.url, path, deps, signal);
  const [fetched, first] = await Promise.all([fetching, isPrompt ? known() : probe()]);
  if (signal.aborted) return null;
  if (!fetched.ok) return fetched.reason;
  const publicReason = (reason: Played): Played =>
    reason === null ? null : rules.source.toldOf(reason, fetched.value.onPanel);
  const kind = kindOfFile(path, rules.soundKind);
  if (!kind.ok) return publicReason(kind.reason);
  // A sound server may have started while the sound was fetched.
  const probed = missing(first) === null ? first : await probe();
  const lacks = missing(probed);
  if (lacks !== null || signal.aborted) return lacks;
  try {
    const isHeld = duck.has('hold');
    const lowered = duck.take('play', command.duckPercent, signal);
    // Held streams are lowered already; one that began since is lowered while the player starts.
    if (!isHeld) await lowered;
    if (signal.aborted) return null;
    send({ type: 'player.playing', generation });
    const playing = {
      sound: { folder: files.folder, name, kind: kind.value },
      everyMs: isPrompt ? WATCH_MS.answer : WATCH_MS.announcement,
    };
    return publicReason(await playByTrying(loudspeaker, probed.players, playing, probe, signal));
  } finally {
    await duck.give('play');
  }
}

/** The play under way. */
interface Current {
  readonly generation: number;
  readonly controller: AbortController;
}

/**
 * Plays one announcement at a time: a newer one stops the current one, waits for its cleanup and takes its place. Other
 * streams are lowered while one plays, and while they are held lowered.
 */
export const announcementPlayer = (options: PlayerOptions) =>
  fromDriver<PlayerCommand, undefined, PlayerFact>(({ send, onEvent, signal }) => {
    const files = temporaryFiles(options.dataFolder);
    const { loudspeaker, rules } = options;
    const ducker = loudspeaker.ducker(rules.duck, {
      file: join(files.folder, DUCK_NOTE),
      remove: () => files.remove(DUCK_NOTE),
    });
    const duck = sharedDuck(ducker);
    const inTurn = serial();
    let current: Current | null = null;

    let underWay: Promise<Probed> | null = null;
    let last: Probed | null = null;
    const probeOnce = async (): Promise<Probed> => {
      const probed = await loudspeaker.probe(signal).finally(() => {
        underWay = null;
      });
      last = probed;
      if (!signal.aborted) send({ type: 'player.probed', ...probed });
      // Volumes that could not be restored while the sound system was away are restored now.
      if (probed.sound === null) {
        // A failure needs no report: the ducker tries again at the next probe.
        duck.tidy().catch(() => {});
      }
      return probed;
    };
    // Each probe runs every tool, so concurrent callers share one.
    const probe = (): Promise<Probed> => (underWay ??= probeOnce());
    const known = async (): Promise<Probed> => (last !== null && missing(last) === null ? last : probe());
    // Cleans up after a killed agent: streams that are still quiet, and files.
    const cleanUp = async (): Promise<void> => {
      await duck.tidy();
      files.sweep(DUCK_NOTE);
    };
    const performing: Performing = { options, files, duck, probe, known, send };
    const play = async (command: PlayCommand, { controller }: Current): Promise<void> => {
      const mine = controller.signal;
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
    const begin = (command: PlayCommand): Promise<void> => {
      current?.controller.abort();
      const mine: Current = { generation: command.generation, controller: new AbortController() };
      current = mine;
      return inTurn(() => play(command, mine));
    };
    const stop = async (generation: number): Promise<void> => {
      if (current?.generation !== generation || current.controller.signal.aborted) return;
      current.controller.abort();
      // Once its cleanup is over, nothing of it sounds.
      await inTurn(() => {});
      send({ type: 'player.finished', generation });
    };
    const cleanedUp = inTurn(cleanUp);
    signal.addEventListener('abort', () => current?.controller.abort(), { once: true });
    onEvent((command) => {
      switch (command.type) {
        case 'player.probe':
          return probe().then(() => {});
        case 'player.play':
          return begin(command);
        case 'player.stop':
          return stop(command.generation);
        case 'player.hold-duck':
          // For the note; without it nothing is lowered.
          return files.prepare() ? duck.take('hold', command.duckPercent, signal) : undefined;
        case 'player.release-duck':
          return duck.give('hold');
      }
    });
    // Waits for the current play: its file is then removed and the other streams are restored.
    return Promise.all([cleanedUp, probe()]).then(() => async () => {
      await inTurn(() => {});
      await duck.give('hold');
    });
  });
