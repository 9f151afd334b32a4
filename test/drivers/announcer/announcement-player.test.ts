import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { announcementPlayer } from '#drivers/announcer/announcement-player.ts';
import { ffplay, gstreamer, mpv, type PlayerProgram, systemPlayers } from '#drivers/announcer/player-program.ts';
import { type Loudspeaker, systemLoudspeaker } from '#drivers/announcer/sound-system.ts';
import type { PlayerCommand, PlayerFact } from '#machines/announcer/events.ts';

import { leakWarnings } from '../leak-warnings.ts';
import { runDriver, type RunningDriver } from '../run-driver.ts';
import { pulseInstalled, type PulseServer, pulseServer } from '../volume/pulse-server.ts';
import { playerRules } from './rules.ts';
import { serveFiles, type Source } from './source.ts';
import { AUDIBLE, listen, type Ears, wav } from './tones.ts';

const pulse = await pulseInstalled();
const { players: installed } = await systemLoudspeaker().probe(new AbortController().signal);

/**
 * Old sound is gone within this time after a newer announcement was accepted, in milliseconds (the contract of the
 * part).
 */
const REPLACED_MS = 300;

let folder = '';
let source: Source;
const temporary = (): string[] => (existsSync(join(folder, 'tmp')) ? readdirSync(join(folder, 'tmp')) : []);

beforeAll(async () => {
  source = await serveFiles({
    '/880.wav': wav(880, 20),
    '/440.wav': wav(440, 20),
    '/short.wav': wav(660, 0.2),
    '/list': Buffer.from('#EXTM3U\n/etc/passwd\n'),
  });
});
afterAll(() => source.end());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sconce-announcements-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const start = (
  env: PulseServer['env'],
  players: readonly PlayerProgram[] = systemPlayers,
): RunningDriver<PlayerCommand, PlayerFact> =>
  runDriver<PlayerCommand, PlayerFact>(
    announcementPlayer({
      rules: playerRules,
      loudspeaker: systemLoudspeaker(env, players),
      dataFolder: folder,
      ownPort: 1,
      homeAssistant: () => '',
    }),
  );
const play = (path: string, generation: number, duckPercent = 100): PlayerCommand => ({
  type: 'player.play',
  generation,
  url: `${source.url}${path}`,
  duckPercent,
});
const quietNow = (ears: Ears, hertz: number): boolean =>
  ears.heard.slice(-5).every(({ loudness }) => (loudness.get(hertz) ?? 0) < AUDIBLE);

const skipped = !pulse || installed.length === 0;
describe.skipIf(skipped)(
  `announcements on a real PulseAudio${skipped ? ' (skipped: needs the packages pulseaudio, pulseaudio-utils and mpv)' : ''}`,
  () => {
    let server: PulseServer;
    let ears: Ears;
    beforeAll(async () => {
      server = await pulseServer('module-null-sink sink_name=panel');
      ears = await listen(server, 880, 440, 660);
    });
    afterAll(async () => {
      await ears.end();
      await server.end();
    });

    describe.each([mpv, ffplay, gstreamer].map((player) => [player.tool, player] as const))(
      'with %s',
      (tool, player) => {
        it.skipIf(!installed.includes(tool))('a newer one is heard and the older is gone within 300 ms', async () => {
          const announcements = start(server.env, [player]);
          try {
            const begunAt = performance.now();
            announcements.tell(play('/880.wav', 1));
            await vi.waitFor(() => expect(ears.last(880)).toBeGreaterThan(begunAt), { timeout: 8000 });
            announcements.tell(play('/440.wav', 2));
            const replacedAt = performance.now();
            await vi.waitFor(() => expect(ears.last(440)).toBeGreaterThan(replacedAt), { timeout: 8000 });
            await vi.waitFor(() => expect(quietNow(ears, 880)).toBe(true), { timeout: 8000 });
            expect(ears.last(880) - replacedAt).toBeLessThan(REPLACED_MS);
            expect(temporary()).toHaveLength(1);
          } finally {
            announcements.stop();
          }
          const stoppedAt = performance.now();
          await vi.waitFor(() => expect(quietNow(ears, 440)).toBe(true), { timeout: 8000 });
          expect(ears.last(440) - stoppedAt).toBeLessThan(REPLACED_MS);
          await vi.waitFor(() => expect(temporary()).toEqual([]));
        });
      },
    );
  },
);

it('a player that answers too late is still there, unless it never did, or is gone', async () => {
  const scripted = (script: string): Loudspeaker =>
    systemLoudspeaker(process.env, [{ ...mpv, probe: ['sh', '-c', script] }]);
  const { signal } = new AbortController();
  const players = async (speaker: Loudspeaker) => (await speaker.probe(signal)).players;
  const slow = scripted(`test -e "${folder}/gone" && exit 127; test -e "${folder}/slow" && exec sleep 60; :`);
  expect(await players(slow)).toEqual(['mpv']);
  writeFileSync(join(folder, 'slow'), '');
  expect(await players(slow)).toEqual(['mpv']);
  writeFileSync(join(folder, 'gone'), '');
  expect(await players(slow)).toEqual([]);
  expect(await players(scripted('exec sleep 60'))).toEqual([]);
});

describe('after 200 random plays and kills', () => {
  /** Plays for a moment as a process of its own would, and can be ended; nothing is heard. */
  const quick: PlayerProgram = {
    ...mpv,
    tool: 'sh',
    probe: ['sh', '-c', ':'],
    args: (name) => ['-c', `test -s "${name}" && exec sleep 0.03`],
  };

  it('the folder is empty, and the newest is what was played', async () => {
    const speaker = systemLoudspeaker(process.env, [quick]);
    let plays = 0;
    let cut = 0;
    const loudspeaker: Loudspeaker = {
      ...speaker,
      probe: async () => ({ players: ['sh'], sound: null }),
      play: async (player, sound, signal) => {
        plays += 1;
        const outcome = await speaker.play(player, sound, signal);
        if (signal.aborted) cut += 1;
        return outcome;
      },
    };
    // Small linear congruential generator, so that a failure can be had again.
    let seed = 20_261_121;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    const begin = () =>
      runDriver<PlayerCommand, PlayerFact>(
        announcementPlayer({
          rules: playerRules,
          loudspeaker,
          dataFolder: folder,
          ownPort: 1,
          homeAssistant: () => '',
        }),
      );
    let announcements = begin();
    let generation = 0;
    const ended = (fact: PlayerFact): fact is Extract<PlayerFact, { type: 'player.finished' | 'player.refused' }> =>
      fact.type === 'player.finished' || fact.type === 'player.refused';
    const paths = ['/short.wav', '/880.wav', '/list', '/nothing'];
    for (let n = 0; n < 200; n += 1) {
      generation += 1;
      announcements.tell(play(paths[random(paths.length)] ?? '/short.wav', generation));
      const what = random(5);
      const now = generation;
      if (what === 0) {
        announcements.stop();
        announcements = begin();
      } else if (what === 1 || what === 4) {
        // oxlint-disable-next-line no-await-in-loop -- one announcement after another
        await announcements.until((fact): fact is PlayerFact => ended(fact) && fact.generation === now);
      } else if (what === 2) {
        // oxlint-disable-next-line no-await-in-loop -- as above
        await announcements.until(
          (fact): fact is PlayerFact => (fact.type === 'player.playing' || ended(fact)) && fact.generation === now,
        );
      }
    }
    generation += 1;
    announcements.tell(play('/short.wav', generation));
    const last = await announcements.until(ended, announcements.facts.length, 15_000);
    expect(last).toEqual({ type: 'player.finished', generation });
    expect(announcements.crashed()).toBeUndefined();
    await vi.waitFor(() => expect(temporary()).toEqual([]), { timeout: 5000 });
    expect(cut).toBeGreaterThan(5);
    expect(plays - cut).toBeGreaterThan(5);
    announcements.stop();
  }, 60_000);
});

it('plays a test sound of its own, which players can tell is one, and removes it', async () => {
  const heard: { readonly kind: string; readonly loudest: number }[] = [];
  const loudspeaker: Loudspeaker = {
    ...systemLoudspeaker(process.env, []),
    probe: async () => ({ players: ['ears'], sound: null }),
    sound: async () => null,
    play: async (_player, sound) => {
      const samples = readFileSync(join(sound.folder, sound.name)).subarray(44);
      const loud = Array.from({ length: samples.length / 2 }, (_, n) => Math.abs(samples.readInt16LE(n * 2)));
      heard.push({ kind: sound.kind, loudest: Math.max(...loud) });
      return 'finished';
    },
  };
  const announcements = runDriver<PlayerCommand, PlayerFact>(
    announcementPlayer({ rules: playerRules, loudspeaker, dataFolder: folder, ownPort: 1, homeAssistant: () => '' }),
  );
  announcements.tell({ type: 'player.play', generation: 1, url: null, duckPercent: 100 });
  const last = await announcements.until(
    (fact): fact is PlayerFact => fact.type === 'player.finished' || fact.type === 'player.refused',
  );
  expect(last).toEqual({ type: 'player.finished', generation: 1 });
  expect(heard).toHaveLength(1);
  expect(heard[0]?.kind).toBe('wav');
  // Well heard, and not beyond what the format holds.
  expect(heard[0]?.loudest).toBeGreaterThan(8_000);
  expect(heard[0]?.loudest).toBeLessThan(32_767);
  await vi.waitFor(() => expect(temporary()).toEqual([]));
  announcements.stop();
});

it('probes once for everybody who asks at the same time, and anew afterwards', async () => {
  let probes = 0;
  const [tool, done] = [join(folder, 'slow'), join(folder, 'done')];
  const player: PlayerProgram = { ...mpv, probe: ['sh', '-c', 'until [ -e "$0" ]; do sleep 0.02; done', done] };
  const own = systemLoudspeaker(
    process.env,
    Array.from({ length: 5 }, (_, at) => ({ ...player, tool: `${tool}${at}` })),
  );
  const loudspeaker: Loudspeaker = {
    ...own,
    probe: (signal) => {
      probes += 1;
      return own.probe(signal);
    },
  };
  const warned = await leakWarnings(async () => {
    const announcements = runDriver<PlayerCommand, PlayerFact>(
      announcementPlayer({ rules: playerRules, loudspeaker, dataFolder: folder, ownPort: 1, homeAssistant: () => '' }),
    );
    for (let asked = 0; asked < 9; asked += 1) announcements.tell({ type: 'player.probe' });
    writeFileSync(done, '');
    await announcements.until((fact): fact is PlayerFact => fact.type === 'player.probed');
    expect(probes).toBe(1);
    announcements.tell({ type: 'player.probe' });
    await announcements.until((fact): fact is PlayerFact => fact.type === 'player.probed', announcements.facts.length);
    expect(probes).toBe(2);
    announcements.stop();
  });
  expect(warned).toEqual([]);
});
