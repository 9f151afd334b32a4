import { accessSync, constants } from 'node:fs';
import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

import type { SoundKind } from '#machines/announcer/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import { toolEnv, type ToolEnv } from '#drivers/kit/run-tool.ts';

/** How one playing ended: to its end, or why not. */
export type PlayOutcome = 'finished' | 'not-playable' | 'play-timeout';

/** A sound that is played from a file. */
export interface Sound {
  /** Folder and name of the file; the name is plain ASCII without a leading hyphen. */
  readonly folder: string;
  readonly name: string;
  readonly kind: SoundKind;
}

/** A program that plays a file. */
export interface PlayerProgram {
  /** Name of its program, also what is shown to the owner. */
  readonly tool: string;
  /** A command line that ends well where it can play; nothing is heard of it. */
  readonly probe: readonly [tool: string, ...args: string[]];
  /**
   * Arguments to play a file of the working folder: nothing but that one file is opened, whatever its bytes ask for.
   */
  readonly args: (name: string, kind: SoundKind) => readonly string[];
  /**
   * Whether what it wrote on its error output means that nothing was played; its exit status does not tell everything.
   */
  readonly failed: (errors: string) => boolean;
}

/**
 * mpv: one forced demuxer, so that lists, EDL and cue files are no choice, and no protocol for what a sound might name.
 * It reads the file itself; libavformat's own `file` is for references only and stays forbidden.
 */
export const mpv: PlayerProgram = {
  tool: 'mpv',
  probe: ['mpv', '--no-config', '--version'],
  args: (name, kind) => [
    '--no-config',
    '--no-video',
    '--no-terminal',
    '--load-scripts=no',
    '--ytdl=no',
    '--resume-playback=no',
    '--autoload-files=no',
    '--access-references=no',
    '--load-unsafe-playlists=no',
    '--demuxer=lavf',
    `--demuxer-lavf-format=${kind}`,
    '--demuxer-lavf-o=protocol_whitelist=none',
    '--audio-client-name=Sconce',
    '--volume=100',
    '--',
    `./${name}`,
  ],
  failed: () => false,
};

/** ffplay ends with status 0 also when it could not open the file or the sound system. */
export const ffplay: PlayerProgram = {
  tool: 'ffplay',
  probe: ['ffplay', '-version'],
  args: (name, kind) => [
    '-nodisp',
    '-autoexit',
    '-vn',
    '-sn',
    '-loglevel',
    'error',
    '-protocol_whitelist',
    'file',
    '-f',
    kind,
    '-i',
    `file:${name}`,
  ],
  // It begins the line on a file that it cannot open with that file's name.
  failed: (errors) => /^file:|audio open failed|failed to open/im.test(errors),
};

/**
 * The element of GStreamer that takes each container apart. Where one is missing (aiffparse comes with the bad
 * plug-ins) the tool ends at once, with status 1.
 */
const GSTREAMER_PARSERS: Readonly<Record<SoundKind, string>> = {
  wav: 'wavparse',
  mp3: 'mpegaudioparse',
  aac: 'aacparse',
  ogg: 'oggdemux',
  flac: 'flacparse',
  mp4: 'qtdemux',
  matroska: 'matroskademux',
  aiff: 'aiffparse',
  au: 'auparse',
};

/** What may come out of a container: only these reach decodebin, and none of them can name another source. */
const GSTREAMER_CODECS = [
  'audio/x-raw',
  'audio/mpeg',
  'audio/x-vorbis',
  'audio/x-opus',
  'audio/x-flac',
  'audio/x-alac',
  'audio/x-speex',
  'audio/x-alaw',
  'audio/x-mulaw',
  'audio/x-adpcm',
  'audio/x-ac3',
  'audio/x-eac3',
  'audio/x-dts',
  'audio/x-wavpack',
  'audio/AMR',
  'audio/AMR-WB',
].join(';');

/**
 * GStreamer: a pipeline that begins at the file and takes it for the kind that it was found to be. Left to guess,
 * decodebin takes a list for one (hlsdemux, dashdemux) and opens what that names.
 */
export const gstreamer: PlayerProgram = {
  tool: 'gst-launch-1.0',
  // The tool alone plays nothing: this sink comes with the good plug-ins, which bring the base ones along.
  probe: ['gst-inspect-1.0', '--exists', 'autoaudiosink'],
  args: (name, kind) => [
    '-q',
    'filesrc',
    `location=./${name}`,
    '!',
    GSTREAMER_PARSERS[kind],
    '!',
    GSTREAMER_CODECS,
    '!',
    'decodebin',
    '!',
    'audioconvert',
    '!',
    'audioresample',
    '!',
    'autoaudiosink',
  ],
  failed: (errors) => /^ERROR/m.test(errors),
};

/** The players in the order of trying. */
export const systemPlayers: readonly PlayerProgram[] = [mpv, ffplay, gstreamer];

/** Longest playing in milliseconds: one hour; what takes longer is no announcement, and a player may hang. */
const PLAY_BOUND_MS: Milliseconds = 3_600_000;

/** Most of a player's error output that is kept. */
const ERRORS_KEPT = 4096;

const SETPRIV = '/usr/bin/setpriv';

/** The kernel then ends the player with an agent that was killed, so that no orphan goes on talking. */
function bound(tool: string, args: readonly string[]): readonly [string, readonly string[]] {
  try {
    accessSync(SETPRIV, constants.X_OK);
    return [SETPRIV, ['--pdeathsig', 'KILL', tool, ...args]];
  } catch {
    return [tool, args];
  }
}

/** How a player is run. */
export interface PlayOptions {
  readonly env: ToolEnv;
  /** Aborting it ends the sound at once. */
  readonly signal: AbortSignal;
  /** Hears of the process that plays. */
  readonly started?: (pid: number) => void;
  readonly boundMs?: Milliseconds;
}

/** Plays to the end, or until the signal is aborted; never rejects. */
export const runPlayer = (
  player: PlayerProgram,
  sound: Sound,
  { env, signal, started, boundMs = PLAY_BOUND_MS }: PlayOptions,
): Promise<PlayOutcome> =>
  new Promise((settle) => {
    let errors = '';
    let late = false;
    const [tool, args] = bound(player.tool, player.args(sound.name, sound.kind));
    const child = spawn(tool, args, { cwd: sound.folder, env: toolEnv(env), stdio: ['ignore', 'ignore', 'pipe'] });
    if (child.pid !== undefined) started?.(child.pid);
    const kill = (): void => void child.kill('SIGKILL');
    const timer = setTimeout(() => {
      late = true;
      kill();
    }, boundMs);
    const end = (outcome: PlayOutcome): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
      process.off('exit', kill);
      settle(outcome);
    };
    signal.addEventListener('abort', kill, { once: true });
    process.on('exit', kill);
    if (signal.aborted) kill();
    // A program that is not installed, or a system without a free process or descriptor; without one there is no pipe
    // either.
    child.on('error', () => end('not-playable'));
    const { stderr }: { readonly stderr?: Readable | null } = child;
    stderr?.on('data', (chunk: Buffer) => {
      if (errors.length < ERRORS_KEPT) errors += chunk.toString('latin1');
      // GStreamer may hang for ever once it has said that it failed.
      if (player.failed(errors)) kill();
    });
    child.on('close', (status) =>
      end(late ? 'play-timeout' : status === 0 && !player.failed(errors) ? 'finished' : 'not-playable'),
    );
  });
