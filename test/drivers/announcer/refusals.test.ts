import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { announcementPlayer } from '#drivers/announcer/announcement-player.ts';
import { ffplay, mpv, type PlayerProgram, runPlayer, systemPlayers } from '#drivers/announcer/player-program.ts';
import { type Loudspeaker, systemLoudspeaker } from '#drivers/announcer/sound-system.ts';
import type { PlayerCommand, PlayerFact, SoundKind } from '#machines/announcer/events.ts';
import { isOnPanel } from '#machines/announcer/source.ts';

import { isFact, runDriver } from '../run-driver.ts';
import { pulseInstalled, type PulseServer, pulseServer } from '../volume/pulse-server.ts';
import { playerRules } from './rules.ts';
import { serveFiles, type Source } from './source.ts';
import { listen, type Ears, wav } from './tones.ts';

const { players: installed } = await systemLoudspeaker().probe(new AbortController().signal);
const skipped = !(await pulseInstalled()) || installed.length === 0;
const never = new AbortController().signal;

let folder = '';
let source: Source;
beforeAll(async () => {
  source = await serveFiles({
    '/sound': wav(880, 0.2),
    '/long': wav(440, 60),
    '/m3u8': Buffer.from('#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1,\n/tmp/local.aac\n#EXT-X-ENDLIST\n'),
    '/text': Buffer.from('<html>the page of some other program</html>'),
    '/broken': Buffer.concat([wav(880, 0.1).subarray(0, 12), Buffer.from('nothing of a WAV follows')]),
  });
});
afterAll(() => source.end());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sconce-refusals-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const startPlayer = (loudspeaker: Loudspeaker, ownPort = 1, rules = playerRules, homeAssistant = '') =>
  runDriver<PlayerCommand, PlayerFact>(
    announcementPlayer({ rules, loudspeaker, dataFolder: folder, ownPort, homeAssistant: () => homeAssistant }),
  );
async function refusal(loudspeaker: Loudspeaker, path: string, ownPort = 1): Promise<string> {
  const driver = startPlayer(loudspeaker, ownPort);
  driver.tell({ type: 'player.play', generation: 1, url: `${source.url}${path}`, duckPercent: 30 });
  const fact = await driver.until(isFact<PlayerFact, 'player.refused'>('player.refused'), 0, 15_000);
  expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
  driver.stop();
  return fact.reason;
}
/** A machine without a sound server: an empty run-time folder. */
const silentEnv = () => ({
  ...process.env,
  PULSE_SERVER: undefined,
  HOME: folder,
  XDG_RUNTIME_DIR: folder,
  DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent',
});

describe('announcements without sound', () => {
  it('says that no player is installed', async () => {
    const none: PlayerProgram = { ...mpv, tool: 'no-such-player', probe: ['no-such-player'] };
    expect(await refusal({ ...systemLoudspeaker(silentEnv(), [none]) }, '/sound')).toBe('no-player');
  });

  it('says that the sound system is absent, and plays when it came up meanwhile', async () => {
    const absent = { state: 'not_here', reason: 'no-sound-card', detail: 'None.', missing: null, fix: null } as const;
    const speaker: Loudspeaker = {
      probe: async () => ({ players: ['mpv'], sound: absent }),
      sound: async () => null,
      play: async () => 'finished',
      ducker: systemLoudspeaker(silentEnv()).ducker,
    };
    expect(await refusal(speaker, '/sound')).toBe('no-sound');
    let up = false;
    const late = startPlayer({ ...speaker, probe: async () => ({ players: ['mpv'], sound: up ? null : absent }) });
    await late.until(isFact<PlayerFact, 'player.probed'>('player.probed'));
    up = true;
    late.tell({ type: 'player.play', generation: 1, url: `${source.url}/sound`, duckPercent: 100 });
    await late.until(isFact<PlayerFact, 'player.finished'>('player.finished'));
    late.stop();
  });

  it('never asks a player about a list, nor the panel about itself', async () => {
    const play = vi.fn<Loudspeaker['play']>(async () => 'finished');
    const speaker: Loudspeaker = {
      probe: async () => ({ players: ['mpv'], sound: null }),
      sound: async () => null,
      play,
      ducker: systemLoudspeaker(silentEnv()).ducker,
    };
    expect(await refusal(speaker, '/m3u8')).toBe('playlist');
    expect(await refusal(speaker, '/sound', source.port)).toBe('own-address');
    expect(await refusal(speaker, '/nothing')).toBe('source-gone');
    expect(play).not.toHaveBeenCalled();
  });

  describe('ordered from outside, of what listens on the panel itself', () => {
    const speaker = (play: Loudspeaker['play']): Loudspeaker => ({
      probe: async () => ({ players: ['mpv'], sound: null }),
      sound: async () => null,
      play,
      ducker: systemLoudspeaker(silentEnv()).ducker,
    });
    const asWired = { ...playerRules, source: { ...playerRules.source, isOnPanel } };
    const told = async (path: string, play: Loudspeaker['play'], homeAssistant = ''): Promise<string> => {
      const driver = startPlayer(speaker(play), 1, asWired, homeAssistant);
      driver.tell({ type: 'player.play', generation: 1, url: new URL(path, source.url).href, duckPercent: 100 });
      const fact = await driver.until(
        (one): one is Extract<PlayerFact, { readonly type: 'player.refused' | 'player.finished' }> =>
          one.type === 'player.refused' || one.type === 'player.finished',
      );
      driver.stop();
      return fact.type === 'player.refused' ? fact.reason : 'played';
    };

    it.each([
      ['a closed port', 'http://127.0.0.1:9/', 'source-unreachable'],
      ['a closed port by name', 'http://localhost:9/', 'source-unreachable'],
      ['a server that has no such path', '/nothing', 'source-gone'],
      ['a server that sends a list', '/m3u8', 'playlist'],
      ['a server that sends something else', '/text', 'not-audio'],
      ['a server whose sound no player takes', '/broken', 'not-playable'],
    ])('tells nothing: %s', async (_, path, ofHomeAssistant) => {
      expect(await told(path, async () => 'not-playable')).toBe('source-on-panel');
      // The same of Home Assistant itself, whose owner has to find out what is wrong.
      const { origin } = new URL(path, source.url);
      expect(await told(path, async () => 'not-playable', origin)).toBe(ofHomeAssistant);
    });

    it('plays what is a sound', async () => expect(await told('/sound', async () => 'finished')).toBe('played'));
  });

  it('tries the next player with what the first cannot play', async () => {
    const tried: string[] = [];
    const speaker: Loudspeaker = {
      probe: async () => ({ players: ['first', 'second', 'third'], sound: null }),
      sound: async () => null,
      play: async (player) => {
        tried.push(player);
        return player === 'second' ? 'finished' : 'not-playable';
      },
      ducker: systemLoudspeaker(silentEnv()).ducker,
    };
    const driver = startPlayer(speaker);
    driver.tell({ type: 'player.play', generation: 1, url: `${source.url}/sound`, duckPercent: 100 });
    await driver.until(isFact<PlayerFact, 'player.finished'>('player.finished'));
    expect(tried).toEqual(['first', 'second']);
    driver.stop();
  });

  it('says that its folder cannot be made', async () => {
    writeFileSync(join(folder, 'tmp'), 'no folder');
    const driver = startPlayer(systemLoudspeaker(silentEnv(), []));
    driver.tell({ type: 'player.play', generation: 1, url: `${source.url}/sound`, duckPercent: 100 });
    expect((await driver.until(isFact<PlayerFact, 'player.refused'>('player.refused'))).reason).toBe('disk-failed');
    expect(driver.crashed()).toBeUndefined();
    driver.stop();
  });
});

describe.skipIf(skipped)(
  `the players${skipped ? ' (skipped: needs the packages pulseaudio, pulseaudio-utils and mpv)' : ''}`,
  () => {
    let server: PulseServer;
    let ears: Ears;
    beforeAll(async () => {
      server = await pulseServer('module-null-sink sink_name=panel');
      ears = await listen(server, 880);
    });
    afterAll(async () => {
      await ears.end();
      await server.end();
    });
    const here = systemPlayers.filter(({ tool }) => installed.includes(tool));

    it.each(here.map((player) => [player.tool, player] as const))(
      '%s plays a sound, and says so of what it cannot play',
      async (_, player) => {
        const since = performance.now();
        mkdirSync(join(folder, 'with space'));
        writeFileSync(join(folder, 'with space', 'sound'), wav(880, 0.2));
        expect(
          await runPlayer(
            player,
            { folder: join(folder, 'with space'), name: 'sound', kind: 'wav' },
            { env: server.env, signal: never },
          ),
        ).toBe('finished');
        expect(ears.last(880)).toBeGreaterThan(since);
        writeFileSync(join(folder, 'broken'), 'nothing of a WAV');
        expect(
          await runPlayer(player, { folder, name: 'broken', kind: 'wav' }, { env: server.env, signal: never }),
        ).toBe('not-playable');
      },
    );

    it.each(here.map((player) => [player.tool, player] as const))('%s is ended after its bound', async (_, player) => {
      writeFileSync(join(folder, 'long'), wav(880, 20));
      expect(
        await runPlayer(
          player,
          { folder, name: 'long', kind: 'wav' },
          { env: server.env, signal: never, boundMs: 300 },
        ),
      ).toBe('play-timeout');
    });

    // Behind the judgement of the bytes stands the player's own: what a list names is not opened even where one got
    // through.
    const lists: readonly (readonly [string, SoundKind, (local: string) => string])[] = [
      ['a concat list as WAV', 'wav', (local) => `ffconcat version 1.0\nfile ${local}\n`],
      ['an m3u8 as MP3', 'mp3', (local) => `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1,\n${local}\n#EXT-X-ENDLIST\n`],
      ['an EDL as WAV', 'wav', (local) => `# mpv EDL v0\n${local}\n`],
      ['a pls as WAV', 'wav', (local) => `[playlist]\nFile1=${local}\n`],
    ];
    it.each(
      here.flatMap((player) => lists.map(([title, kind, text]) => [player.tool, title, kind, text, player] as const)),
    )('%s opens nothing that %s names', async (_tool, _title, kind, text, player) => {
      const local = join(folder, 'local.wav');
      writeFileSync(local, wav(880, 1));
      writeFileSync(join(folder, 'list'), text(local));
      await vi.waitFor(() => expect(ears.heard.at(-1)?.at).toBeGreaterThan(ears.last(880) + 600), { timeout: 8000 });
      const since = performance.now();
      expect(await runPlayer(player, { folder, name: 'list', kind }, { env: server.env, signal: never })).toBe(
        'not-playable',
      );
      expect(ears.last(880)).toBeLessThan(since);
    });

    it('would open it without these flags: the lists above are real ones', async () => {
      const local = join(folder, 'local.wav');
      writeFileSync(local, wav(880, 0.5));
      writeFileSync(join(folder, 'list'), `ffconcat version 1.0\nfile ${local}\n`);
      const since = performance.now();
      const careless: PlayerProgram = {
        ...ffplay,
        args: (name) => ['-nodisp', '-autoexit', '-safe', '0', '-f', 'concat', '-i', `file:${name}`],
      };
      await runPlayer(careless, { folder, name: 'list', kind: 'wav' }, { env: server.env, signal: never });
      expect(ears.last(880)).toBeGreaterThan(since);
    });

    it('says that no player can play it', async () =>
      expect(await refusal(systemLoudspeaker(server.env), '/broken')).toBe('not-playable'));

    it('finds the sound system again that was not up at the start', async () => {
      const { probe } = systemLoudspeaker(silentEnv());
      expect((await probe(never)).sound).not.toBeNull();
      expect((await systemLoudspeaker(server.env).probe(never)).sound).toBeNull();
    });

    it('say it when the sound system dies while one plays', async () => {
      const mortal = await pulseServer('module-null-sink sink_name=panel');
      const driver = startPlayer(systemLoudspeaker(mortal.env));
      driver.tell({ type: 'player.play', generation: 1, url: `${source.url}/long`, duckPercent: 100 });
      await driver.until(isFact<PlayerFact, 'player.playing'>('player.playing'), 0, 10_000);
      await vi.waitFor(async () => expect(await mortal.pactl('list', 'short', 'sink-inputs')).not.toBe(''), {
        timeout: 8000,
      });
      await mortal.kill();
      expect((await driver.until(isFact<PlayerFact, 'player.refused'>('player.refused'), 0, 20_000)).reason).toBe(
        'no-sound',
      );
      // The verdict follows.
      await vi.waitFor(
        () => expect(driver.facts.findLast((fact) => fact.type === 'player.probed')).not.toMatchObject({ sound: null }),
        { timeout: 8000 },
      );
      driver.stop();
      await mortal.end();
    }, 40_000);

    it.skipIf(!existsSync('/usr/bin/setpriv'))('end with an agent that is killed', async () => {
      writeFileSync(join(folder, 'long'), wav(880, 20));
      const program = join(folder, 'agent.cjs');
      const contents = `import { runPlayer, mpv, ffplay, gstreamer } from './drivers/announcer/player-program.ts';
const player = [mpv, ffplay, gstreamer].find(({ tool }) => tool === process.argv[2]);
void runPlayer(player, { folder: process.argv[3], name: 'long', kind: 'wav' }, { env: process.env, signal: new AbortController().signal });`;
      buildSync({
        stdin: { contents, resolveDir: join(import.meta.dirname, '../../..'), loader: 'ts' },
        bundle: true,
        platform: 'node',
        format: 'cjs',
        outfile: program,
        logLevel: 'error',
      });
      const agent = spawn(process.execPath, [program, here[0]?.tool ?? '', folder], {
        env: { ...server.env },
        stdio: 'ignore',
      });
      await vi.waitFor(
        () => expect(ears.heard.slice(-3).every(({ loudness }) => (loudness.get(880) ?? 0) > 0.1)).toBe(true),
        { timeout: 8000 },
      );
      agent.kill('SIGKILL');
      await vi.waitFor(() => expect(ears.heard.at(-1)?.at).toBeGreaterThan(ears.last(880) + 200), { timeout: 8000 });
    });
  },
);
