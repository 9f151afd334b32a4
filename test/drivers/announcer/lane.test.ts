import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { announcerLane } from '#drivers/announcer/lane.ts';
import { ffplay, gstreamer, mpv, type Player, systemPlayers } from '#drivers/announcer/player.ts';
import { systemLoudspeaker } from '#drivers/announcer/sound-system.ts';
import type { LaneCommand, LaneFact } from '#machines/announcer/events.ts';

import { runDriver, type RunningDriver } from '../run-driver.ts';
import { pulseInstalled, type PulseServer, pulseServer } from '../volume/pulse-server.ts';
import { laneRules } from './rules.ts';
import { serveFiles, type Source } from './source.ts';
import { AUDIBLE, listen, type Ears, wav } from './tones.ts';

const pulse = await pulseInstalled();
const { players: installed } = await systemLoudspeaker().look(new AbortController().signal);

/** Old sound is gone within this time after a newer announcement was accepted, in milliseconds (the contract of the part). */
const REPLACED_MS = 300;

let folder = '';
let source: Source;
const temporary = (): string[] => (existsSync(join(folder, 'tmp')) ? readdirSync(join(folder, 'tmp')) : []);

beforeAll(async () => {
  source = await serveFiles({ '/880.wav': wav(880, 20), '/440.wav': wav(440, 20), '/short.wav': wav(660, 0.2), '/list': Buffer.from('#EXTM3U\n/etc/passwd\n') });
});
afterAll(() => source.end());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sconce-lane-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const start = (env: PulseServer['env'], players: readonly Player[] = systemPlayers): RunningDriver<LaneCommand, LaneFact> =>
  runDriver<LaneCommand, LaneFact>(announcerLane({ rules: laneRules, loudspeaker: systemLoudspeaker(env, players), dataFolder: folder, ownPort: 1 }));
const play = (path: string, generation: number, duckPercent = 100): LaneCommand => ({ type: 'lane.play', generation, url: `${source.url}${path}`, duckPercent });
const quietNow = (ears: Ears, hertz: number): boolean => ears.heard.slice(-5).every(({ loudness }) => (loudness.get(hertz) ?? 0) < AUDIBLE);

const skipped = !pulse || installed.length === 0;
describe.skipIf(skipped)(`the lane on a real PulseAudio${skipped ? ' (skipped: needs the packages pulseaudio, pulseaudio-utils and mpv)' : ''}`, () => {
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

  it.each([mpv, ffplay, gstreamer].map((player) => [player.tool, player] as const))('with %s: a newer one is heard and the older is gone within 300 ms', async (tool, player) => {
    if (!installed.includes(tool)) return;
    const lane = start(server.env, [player]);
    try {
      lane.tell(play('/880.wav', 1));
      await vi.waitFor(() => expect(ears.last(880)).toBeGreaterThan(0), { timeout: 8000 });
      lane.tell(play('/440.wav', 2));
      const replacedAt = performance.now();
      await vi.waitFor(() => expect(ears.last(440)).toBeGreaterThan(replacedAt), { timeout: 8000 });
      await vi.waitFor(() => expect(quietNow(ears, 880)).toBe(true), { timeout: 8000 });
      expect(ears.last(880) - replacedAt).toBeLessThan(REPLACED_MS);
      expect(temporary()).toHaveLength(1);
    } finally {
      lane.stop();
    }
    const stoppedAt = performance.now();
    await vi.waitFor(() => expect(quietNow(ears, 440)).toBe(true), { timeout: 8000 });
    expect(ears.last(440) - stoppedAt).toBeLessThan(REPLACED_MS);
    await vi.waitFor(() => expect(temporary()).toEqual([]));
  });
});
