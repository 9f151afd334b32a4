import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { announcementPlayer } from '#drivers/announcer/announcement-player.ts';
import { OWN_PROGRAM, parseStreams, pulseaudioStreams } from '#drivers/announcer/pulseaudio-streams.ts';
import { systemLoudspeaker } from '#drivers/announcer/sound-system.ts';
import type { PlayerCommand, PlayerFact } from '#machines/announcer/events.ts';

import { isFact, runDriver } from '../run-driver.ts';
import { pulseInstalled, type PulseServer, pulseServer } from '../volume/pulse-server.ts';
import { playerRules } from './rules.ts';
import { serveFiles, type Source } from './source.ts';
import { wav } from './tones.ts';

const { players } = await systemLoudspeaker().probe(new AbortController().signal);
const skipped = !(await pulseInstalled()) || players.length === 0;
type PlayCommand = Extract<PlayerCommand, { readonly type: 'player.play' }>;
const QUIET = [19_661, 9830];
const LOUD = [65_536, 32_768];

describe.skipIf(skipped)(
  `other streams while an announcement plays${skipped ? ' (skipped: needs the packages pulseaudio, pulseaudio-utils and mpv)' : ''}`,
  () => {
    let server: PulseServer;
    let source: Source;
    let folder = '';
    let music: ChildProcess;
    const own = (): string[] => {
      const tmp = join(folder, 'tmp');
      return existsSync(tmp) ? readdirSync(tmp) : [];
    };
    const streams = async () => parseStreams(await server.pactl('-f', 'json', 'list', 'sink-inputs'));
    const musicVolumes = async (): Promise<readonly number[]> =>
      (await streams()).find(({ pid }) => pid === music.pid)?.volumes ?? [];
    const player = () =>
      runDriver<PlayerCommand, PlayerFact>(
        announcementPlayer({
          rules: playerRules,
          loudspeaker: systemLoudspeaker(server.env),
          dataFolder: folder,
          ownPort: 1,
          homeAssistant: () => '',
        }),
      );
    const play = (path: string, generation: number, duckPercent: number): PlayCommand => ({
      type: 'player.play',
      generation,
      url: `${source.url}${path}`,
      duckPercent,
    });
    const volumesBecome = (expected: readonly number[]): Promise<void> =>
      vi.waitFor(async () => expect(await musicVolumes()).toEqual(expected), { timeout: 8000 });

    beforeAll(async () => {
      server = await pulseServer('module-null-sink sink_name=panel');
      source = await serveFiles({ '/long': wav(880, 20), '/short': wav(440, 0.2) });
    });
    afterAll(async () => {
      await source.end();
      await server.end();
    });
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'sconce-streams-'));
      music = spawn('pacat', ['--raw', '--channels=2', '/dev/zero'], { env: { ...server.env }, stdio: 'ignore' });
      await vi.waitFor(async () => expect(await musicVolumes()).toHaveLength(2), { timeout: 8000 });
      const [stream] = (await streams()).filter(({ pid }) => pid === music.pid);
      await server.pactl('set-sink-input-volume', String(stream?.index), ...LOUD.map(String));
    });
    afterEach(() => {
      music.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    });

    it('go down and come back to exactly what they were', async () => {
      const driver = player();
      driver.tell(play('/long', 1, 30));
      await volumesBecome(QUIET);
      driver.tell(play('/short', 2, 30));
      await driver.until(isFact<PlayerFact, 'player.finished'>('player.finished'), 0, 15_000);
      expect(await musicVolumes()).toEqual(LOUD);
      expect(own()).toEqual([]);
      driver.stop();
    });

    it('come back when the part is stopped in between', async () => {
      const driver = player();
      driver.tell(play('/long', 1, 30));
      await volumesBecome(QUIET);
      driver.stop();
      await volumesBecome(LOUD);
      await vi.waitFor(() => expect(own()).toEqual([]));
    });

    it('keep what somebody chose meanwhile', async () => {
      const driver = player();
      driver.tell(play('/long', 1, 30));
      await volumesBecome(QUIET);
      const [stream] = (await streams()).filter(({ pid }) => pid === music.pid);
      await server.pactl('set-sink-input-volume', String(stream?.index), '40000', '40000');
      driver.tell(play('/short', 2, 100));
      await driver.until(isFact<PlayerFact, 'player.finished'>('player.finished'), 0, 15_000);
      expect(await musicVolumes()).toEqual([40_000, 40_000]);
      driver.stop();
    });

    it('are left alone at 100 percent', async () => {
      const driver = player();
      driver.tell(play('/long', 1, 100));
      await driver.until(isFact<PlayerFact, 'player.playing'>('player.playing'));
      await vi.waitFor(async () => expect(await streams()).toHaveLength(2), { timeout: 8000 });
      expect(await musicVolumes()).toEqual(LOUD);
      driver.stop();
    });

    it('stay lowered for a turn, across its answer, with what began meanwhile', async () => {
      const driver = player();
      driver.tell({ type: 'player.hold-duck', duckPercent: 30 });
      await volumesBecome(QUIET);
      const later = spawn('pacat', ['--raw', '-n', 'Later', '/dev/zero'], { env: { ...server.env }, stdio: 'ignore' });
      const laterVolume = async (): Promise<number | undefined> =>
        (await streams()).find(({ pid }) => pid === later.pid)?.volumes[0];
      try {
        await vi.waitFor(async () => expect(await laterVolume()).toBe(65_536), { timeout: 8000 });
        driver.tell({ ...play('/short', 1, 30), isPrompt: true });
        await driver.until(isFact<PlayerFact, 'player.finished'>('player.finished'), 0, 15_000);
        expect([await musicVolumes(), await laterVolume()]).toEqual([QUIET, QUIET[0]]);
        driver.tell({ type: 'player.release-duck' });
        await volumesBecome(LOUD);
        await vi.waitFor(async () => expect(await laterVolume()).toBe(65_536), { timeout: 8000 });
        await vi.waitFor(() => expect(own()).toEqual([]));
      } finally {
        later.kill('SIGKILL');
        driver.stop();
      }
    });

    it('that were released during an answer come back at its end', async () => {
      const driver = player();
      driver.tell({ type: 'player.hold-duck', duckPercent: 30 });
      driver.tell({ ...play('/long', 1, 30), isPrompt: true });
      await driver.until(isFact<PlayerFact, 'player.playing'>('player.playing'));
      await volumesBecome(QUIET);
      driver.tell({ type: 'player.release-duck' });
      // The sound system answers in order, so a restore would be seen after this probe.
      driver.tell({ type: 'player.probe' });
      await driver.until(isFact<PlayerFact, 'player.probed'>('player.probed'), driver.facts.length);
      expect(await musicVolumes()).toEqual(QUIET);
      driver.tell({ type: 'player.stop', generation: 1 });
      await volumesBecome(LOUD);
      driver.stop();
    });

    it('that were held by an agent that was killed, or by a part that was stopped, come back', async () => {
      const killed = player();
      killed.tell({ type: 'player.hold-duck', duckPercent: 30 });
      await volumesBecome(QUIET);
      const next = player();
      await volumesBecome(LOUD);
      next.tell({ type: 'player.hold-duck', duckPercent: 30 });
      await volumesBecome(QUIET);
      next.stop();
      await volumesBecome(LOUD);
      killed.stop();
    });

    it('of the agent itself are left alone', async () => {
      const chime = spawn('pacat', ['--raw', '-n', OWN_PROGRAM, '/dev/zero'], {
        env: { ...server.env },
        stdio: 'ignore',
      });
      const driver = player();
      try {
        const chimeVolumes = async () => (await streams()).find(({ pid }) => pid === chime.pid)?.volumes;
        await vi.waitFor(async () => expect(await chimeVolumes()).toEqual([65_536, 65_536]), { timeout: 8000 });
        driver.tell({ type: 'player.hold-duck', duckPercent: 30 });
        await volumesBecome(QUIET);
        expect(await chimeVolumes()).toEqual([65_536, 65_536]);
      } finally {
        chime.kill('SIGKILL');
        driver.stop();
        await volumesBecome(LOUD);
      }
    });

    it('that a killed agent left quiet are given back at the next start, and its files are gone', async () => {
      const [stream] = (await streams()).filter(({ pid }) => pid === music.pid);
      const index = stream?.index ?? -1;
      await server.pactl('set-sink-input-volume', String(index), ...QUIET.map(String));
      mkdirSync(join(folder, 'tmp'));
      writeFileSync(
        join(folder, 'tmp', 'announcement-ducked.json'),
        JSON.stringify([{ index, program: 'pacat', was: LOUD, now: QUIET }]),
      );
      writeFileSync(join(folder, 'tmp', 'announcement-left-over'), 'RIFF');
      writeFileSync(join(folder, 'tmp', 'of-another-part'), '');
      const driver = player();
      await volumesBecome(LOUD);
      await vi.waitFor(() => expect(own()).toEqual(['of-another-part']));
      driver.stop();
    });
  },
);

describe('a sound system that does not answer for a while', () => {
  it('gets the volumes back that were chosen, however late', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sconce-streams-'));
    const state = (name: string): string => join(folder, name);
    const note = state('note.json');
    const level = state('volume');
    const volume = (): number => Number(readFileSync(level, 'utf8'));
    writeFileSync(
      state('pactl'),
      `#!/bin/sh
[ -e ${state('deaf')} ] && exit 1
case "$1" in
  -f) printf '[{"index":7,"volume":{"mono":{"value":%s}},"properties":{"application.name":"Music"}}]' "$(cat ${level})" ;;
  *) echo "$3" >${level} ;;
esac
`,
      { mode: 0o755 },
    );
    writeFileSync(state('volume'), '60000');
    const ducker = pulseaudioStreams(
      playerRules.duck,
      { PATH: `${folder}:/usr/bin:/bin` },
      { file: note, remove: () => rmSync(note, { force: true }) },
      () => false,
    );
    const never = new AbortController().signal;
    await ducker.duck(30, never);
    expect(volume()).toBe(18_000);
    writeFileSync(state('deaf'), '');
    await ducker.restore();
    rmSync(state('deaf'));
    // A further announcement neither loses what was chosen nor takes the quiet volume for it.
    await ducker.duck(50, never);
    expect(volume()).toBe(30_000);
    await ducker.restore();
    expect([volume(), existsSync(note)]).toEqual([60_000, false]);
    rmSync(folder, { recursive: true });
  });
});

describe('the list of streams', () => {
  it.each([
    ['', []],
    ['{}', []],
    ['[{"index":1}]', []],
    ['[{"index":1,"volume":{"mono":{"value":"x"}}}]', []],
  ])('%j has none', (text, expected) => expect(parseStreams(text)).toEqual(expected));
  it('is read with who plays it', () =>
    expect(
      parseStreams(
        '[{"index":3,"volume":{"front-left":{"value":5},"front-right":{"value":6}},"properties":{"application.name":"Music","application.process.id":"77"}}]',
      ),
    ).toEqual([{ index: 3, program: 'Music', pid: 77, volumes: [5, 6] }]));
});
