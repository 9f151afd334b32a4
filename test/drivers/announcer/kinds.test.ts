import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  gstreamer,
  mpv,
  type PlayerProgram,
  type PlayOutcome,
  runPlayer,
  systemPlayers,
} from '#drivers/announcer/player-program.ts';
import type { SoundKind } from '#machines/announcer/events.ts';
import { amount } from '#test/fakes/amount.ts';

import { pulseInstalled, type PulseServer, pulseServer } from '../volume/pulse-server.ts';
import { listen, type Ears, wav } from './tones.ts';

const never = new AbortController().signal;
const succeeds = (tool: string, ...args: string[]): boolean => spawnSync(tool, args).status === 0;
/** By their own word, however long it takes: the agent itself asks for a moment alone. */
const installed = systemPlayers
  .filter(({ probe: [program, ...args] }) => succeeds(program, ...args))
  .map(({ tool }) => tool);
const skipped = !(await pulseInstalled()) || installed.length === 0 || !succeeds('ffmpeg', '-version');
const hasTool = succeeds('gst-launch-1.0', '--version');
const hasElement = (element: string): boolean => hasTool && succeeds('gst-inspect-1.0', '--exists', element);
/** A list is opened by an element of the bad plug-ins; AAC is decoded by libav. */
/** Only in a suite that runs: what stands in a skipped one is skipped with it. */
const gstreamerSkipped = !skipped && !['autoaudiosink', 'aiffparse', 'hlsdemux', 'avdec_aac'].every(hasElement);
const gstreamerNeeds =
  ' (skipped: needs the packages gstreamer1.0-tools, gstreamer1.0-plugins-good, gstreamer1.0-plugins-bad and gstreamer1.0-libav)';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sconce-kinds-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const encode = (name: string, ...args: readonly string[]): void =>
  void execFileSync('ffmpeg', ['-v', 'error', '-y', ...args, join(folder, name)]);

/** An ID3v2 tag as long as one with a picture. */
function tag(): Buffer {
  const header = Buffer.from('ID3\x04\0\0\0\x06\0\0', 'latin1');
  return Buffer.concat([header, Buffer.alloc(6 * 128 * 128, 'no frame ')]);
}

const KINDS: readonly (readonly [SoundKind, file: string])[] = [
  ['wav', 'sound.wav'],
  ['mp3', 'sound.mp3'],
  ['aac', 'sound.aac'],
  ['ogg', 'sound.ogg'],
  ['flac', 'sound.flac'],
  ['mp4', 'sound.mp4'],
  ['matroska', 'sound.mkv'],
  ['aiff', 'sound.aiff'],
  ['au', 'sound.au'],
];
const TAGGED: readonly (readonly [SoundKind, file: string])[] = [
  ['mp3', 'tagged.mp3'],
  ['aac', 'tagged.aac'],
  ['flac', 'tagged.flac'],
];
const FILMS: readonly (readonly [SoundKind, file: string])[] = [
  ['mp4', 'film.mp4'],
  ['matroska', 'film.mkv'],
];

const EVERY = [...KINDS, ...TAGGED, ...FILMS];
/** A plain, a tagged, a paged and a boxed kind, and one with a picture. */
const SOME = EVERY.filter(([, file]) =>
  ['sound.wav', 'tagged.mp3', 'sound.ogg', 'sound.mp4', 'film.mkv'].includes(file),
);

const list = (local: string): string => `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1,\n${local}\n#EXT-X-ENDLIST\n`;
const manifest = (local: string): string =>
  `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT1S" minBufferTime="PT1S" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011"><Period><AdaptationSet mimeType="audio/mp4"><Representation id="1" bandwidth="1000"><BaseURL>file://${local}</BaseURL></Representation></AdaptationSet></Period></MPD>`;

describe.skipIf(skipped)(
  `the kinds of sound${skipped ? ' (skipped: needs the packages pulseaudio, pulseaudio-utils, ffmpeg and mpv)' : ''}`,
  () => {
    let server: PulseServer;
    let ears: Ears;
    /** What a list names: a pipe, so that the end of its opening is seen. */
    const local = (): string => join(folder, 'local.wav');
    beforeAll(async () => {
      server = await pulseServer('module-null-sink sink_name=panel');
      ears = await listen(server, 880);
      const sound = join(folder, 'tone.wav');
      writeFileSync(sound, wav(880, 0.2));
      execFileSync('mkfifo', [local()]);
      for (const [, file] of KINDS) encode(file, '-i', sound);
      for (const [kind, file] of TAGGED)
        writeFileSync(join(folder, file), Buffer.concat([tag(), readFileSync(join(folder, `sound.${kind}`))]));
      const picture = ['-f', 'lavfi', '-i', 'testsrc=duration=0.2:size=64x64'];
      for (const [, file] of FILMS)
        encode(file, ...picture, '-i', sound, '-map', '0', '-map', '1', '-c:v', 'mpeg4', '-c:a', 'aac');
      const words = join(folder, 'words.srt');
      writeFileSync(words, `1\n00:00:00,000 --> 00:00:01,000\n${list(local())}\n`);
      encode('words.mp4', '-i', words, '-c:s', 'mov_text');
      encode('words.mkv', '-i', words, '-c:s', 'srt');
    }, 60_000);
    afterAll(async () => {
      await ears.end();
      await server.end();
    });

    const play = (player: PlayerProgram, name: string, kind: SoundKind): Promise<PlayOutcome> =>
      runPlayer(player, { folder, name, kind }, { env: server.env, signal: never, boundMs: 10_000 });

    const lacking = (player: PlayerProgram): boolean =>
      player === gstreamer ? gstreamerSkipped : !installed.includes(player.tool);
    describe.each(systemPlayers.map((player) => [player.tool, player] as const))('with %s', (_, player) => {
      const why = lacking(player) ? (player === gstreamer ? gstreamerNeeds : ' (skipped: not installed)') : '';
      // GStreamer is told of each kind what it is; the others are left to guess, some by the same library.
      const played = amount(
        player === gstreamer ? [...KINDS, ...SOME.filter((one) => !KINDS.includes(one))] : SOME,
        EVERY,
      );
      it.skipIf(lacking(player)).each(played)(`plays %s from %s${why}`, async (kind, file) => {
        const since = performance.now();
        expect(await play(player, file, kind)).toBe('finished');
        expect(ears.last(880)).toBeGreaterThan(since);
      });
    });

    describe.skipIf(gstreamerSkipped)(`GStreamer${gstreamerSkipped ? gstreamerNeeds : ''}`, () => {
      /** Plays a file while a program waits for a reader of what it names. */
      const playWatched = async (player: PlayerProgram, name: string, kind: SoundKind) => {
        const waiting = spawn('sh', ['-c', 'echo; : > "$0"', local()], { stdio: ['ignore', 'pipe', 'ignore'] });
        const ended = new Promise<number | null>((resolve) => waiting.once('exit', resolve));
        await new Promise((resolve) => waiting.stdout.once('data', resolve));
        const outcome = await play(player, name, kind);
        waiting.kill('SIGKILL');
        return { outcome, opened: (await ended) === 0 };
      };
      const careless: PlayerProgram = {
        ...gstreamer,
        args: (name) => ['-q', 'filesrc', `location=./${name}`, '!', 'decodebin', '!', 'fakesink'],
      };

      it('would open what a list names if it were left to guess: the list is a real one', async () => {
        writeFileSync(join(folder, 'list'), list(local()));
        expect((await playWatched(careless, 'list', 'mp3')).opened).toBe(true);
      });

      // A tagged, a paged and a boxed kind; the others are read by the same elements.
      const disguised = amount(
        KINDS.filter(([kind]) => ['mp3', 'ogg', 'mp4'].includes(kind)),
        KINDS,
      );
      const disguises = disguised.flatMap(([kind]) =>
        [
          ['an m3u8', list],
          // Of a kind that has tags, and of all in `bin/test all`.
          ...(amount(kind === 'mp3', true)
            ? [
                ['an m3u8 after a tag', (path: string) => `${tag().toString('latin1')}${list(path)}`],
                ['a DASH manifest', manifest],
              ]
            : []),
        ].map(([title, text]) => [title, kind, text] as [string, SoundKind, (path: string) => string]),
      );
      it.each(disguises)('opens nothing that %s as %s names', async (_, kind, text) => {
        writeFileSync(join(folder, 'list'), text(local()), 'latin1');
        expect(await playWatched(gstreamer, 'list', kind)).toEqual({ outcome: 'not-playable', opened: false });
      });

      it.each([
        ['mp4', 'words.mp4'],
        ['matroska', 'words.mkv'],
      ] as const)('opens nothing that the words in %s name', async (kind, file) =>
        expect(await playWatched(gstreamer, file, kind)).toEqual({ outcome: 'not-playable', opened: false }),
      );
    });
  },
);

it.skipIf(!hasTool)(
  `GStreamer without its plug-ins cannot play it${hasTool ? '' : ' (skipped: needs the package gstreamer1.0-tools)'}`,
  async () => {
    const env = {
      ...process.env,
      GST_PLUGIN_SYSTEM_PATH_1_0: folder,
      GST_PLUGIN_PATH_1_0: folder,
      GST_REGISTRY_1_0: join(folder, 'registry'),
    };
    writeFileSync(join(folder, 'plain.wav'), wav(880, 0.1));
    for (const [kind] of KINDS)
      // oxlint-disable-next-line no-await-in-loop -- one registry
      expect(await runPlayer(gstreamer, { folder, name: 'plain.wav', kind }, { env, signal: never })).toBe(
        'not-playable',
      );
  },
);

it('ends a player that has said that it failed and goes on', async () => {
  const hanging: PlayerProgram = { ...mpv, tool: 'sh', args: () => ['-c', 'echo ERROR >&2; exec sleep 60'] };
  const player: PlayerProgram = { ...hanging, failed: (errors) => errors.includes('ERROR') };
  expect(await runPlayer(player, { folder, name: 'any', kind: 'wav' }, { env: process.env, signal: never })).toBe(
    'not-playable',
  );
});
