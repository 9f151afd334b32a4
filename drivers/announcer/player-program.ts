import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

import type { SoundKind } from '#machines/announcer/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import { boundProgram } from '#drivers/kit/bound-program.ts';
import { toolEnv, type ToolEnv } from '#drivers/kit/run-tool.ts';

/** How a play ended. */
export type PlayOutcome = 'finished' | 'not-playable' | 'play-timeout';

export interface Sound {
  /** Folder of the file. Its name is plain ASCII without a leading hyphen. */
  readonly folder: string;
  readonly name: string;
  readonly kind: SoundKind;
}

/** A program that plays a file. */
export interface PlayerProgram {
  /** Name of the program, also shown to the owner. */
  readonly tool: string;
  /** A silent command that succeeds if the program can play. */
  readonly probe: readonly [tool: string, ...args: string[]];
  /** Arguments that play a file of the working folder. Whatever the file's bytes ask for, no other file is opened. */
  readonly args: (name: string, kind: SoundKind) => readonly string[];
  /** True if its error output means that nothing was played; the exit status alone does not tell. */
  readonly failed: (errors: string) => boolean;
}

/**
 * mpv with one forced demuxer, which rules out playlists, EDL and cue files, and with no protocol for what a sound
 * might reference. mpv reads the file itself; libavformat's own `file` serves references only and stays forbidden.
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

/** ffplay exits with status 0 even if it cannot open the file or the sound system. */
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
  // An error about a file that it cannot open begins with that file's name.
  failed: (errors) => /^file:|audio open failed|failed to open/im.test(errors),
};

/**
 * GStreamer's parser for each container. If one is missing (aiffparse is in the bad plug-ins), the tool exits at once
 * with status 1.
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

/** Streams that may leave a container: only these reach decodebin, and none of them can reference another source. */
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
 * GStreamer with an explicit parser for the detected kind. Left to guess, decodebin accepts playlists (hlsdemux,
 * dashdemux) and opens what they reference.
 */
export const gstreamer: PlayerProgram = {
  tool: 'gst-launch-1.0',
  // The tool alone plays nothing: this sink is in the good plug-ins, which depend on the base ones.
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

/** The players, in the order in which they are tried. */
export const systemPlayers: readonly PlayerProgram[] = [mpv, ffplay, gstreamer];

/** Longest play: one hour. Nothing longer is an announcement, and a player may hang. */
const PLAY_BOUND_MS: Milliseconds = 3_600_000;

/** Characters of a player's error output that are kept. */
const ERRORS_KEPT = 4096;

export interface PlayOptions {
  readonly env: ToolEnv;
  /** Aborting it ends the sound at once. */
  readonly signal: AbortSignal;
  /** Called with the process id of the player. */
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
    const [tool, args] = boundProgram(player.tool, player.args(sound.name, sound.kind));
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
    // The program is not installed, or the system has no free process or descriptor; there may be no pipe either.
    child.on('error', () => end('not-playable'));
    const { stderr }: { readonly stderr?: Readable | null } = child;
    stderr?.on('data', (chunk: Buffer) => {
      if (errors.length < ERRORS_KEPT) errors += chunk.toString('latin1');
      // GStreamer may hang after it has reported a failure.
      if (player.failed(errors)) kill();
    });
    child.on('close', (status) =>
      end(late ? 'play-timeout' : status === 0 && !player.failed(errors) ? 'finished' : 'not-playable'),
    );
  });
