import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { announcementPlayer } from '#drivers/announcer/announcement-player.ts';
import { sharedDuck } from '#drivers/announcer/shared-duck.ts';
import { type Loudspeaker, systemLoudspeaker } from '#drivers/announcer/sound-system.ts';
import type { PlayerCommand, PlayerFact } from '#machines/announcer/events.ts';

import { isFact, runDriver } from '../run-driver.ts';
import { playerRules } from './rules.ts';
import { serveFiles, type Source } from './source.ts';
import { wav } from './tones.ts';

const never = new AbortController().signal;

/** A ducker that notes what it is asked for. */
function noted() {
  const calls: string[] = [];
  const duck = sharedDuck({
    duck: async (percent) => void calls.push(`duck ${percent}`),
    restore: async () => void calls.push('restore'),
  });
  return { calls, duck };
}

describe('the volumes of a turn and of what plays in it', () => {
  it.each<[string, readonly ('hold' | 'play' | '-hold' | '-play')[], readonly string[]]>([
    ['a hold around a play', ['hold', 'play', '-play', '-hold'], ['duck 30', 'duck 30', 'restore']],
    ['a hold that ends in a play', ['hold', 'play', '-hold', '-play'], ['duck 30', 'duck 30', 'restore']],
    ['a play that a hold outlasts', ['play', 'hold', '-play', '-hold'], ['duck 30', 'duck 30', 'restore']],
    [
      'two plays in a hold',
      ['hold', 'play', '-play', 'play', '-play', '-hold'],
      Array(3).fill('duck 30').concat('restore'),
    ],
  ])('are restored once with %s', async (_, steps, expected) => {
    const { calls, duck } = noted();
    for (const step of steps) {
      const reason = step.endsWith('hold') ? 'hold' : 'play';
      // oxlint-disable-next-line no-await-in-loop -- one step after another
      await (step.startsWith('-') ? duck.give(reason) : duck.take(reason, 30, never));
    }
    expect(calls).toEqual(expected);
  });

  it('are not lowered for what is over before its turn comes', async () => {
    const { calls, duck } = noted();
    await Promise.all([duck.take('hold', 30, never), duck.give('hold')]);
    expect(calls).toEqual(['restore']);
  });

  it('are tidied only where nothing needs them lowered', async () => {
    const { calls, duck } = noted();
    await duck.tidy();
    await duck.take('hold', 30, never);
    await duck.tidy();
    expect(calls).toEqual(['restore', 'duck 30']);
  });
});

describe('the answer of a turn', () => {
  let folder = '';
  let source: Source;
  beforeAll(async () => {
    source = await serveFiles({ '/answer': wav(440, 0.2) });
  });
  afterAll(() => source.end());
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sconce-reply-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const temporary = (): string[] => (existsSync(join(folder, 'tmp')) ? readdirSync(join(folder, 'tmp')) : []);

  /** A loudspeaker whose first probe alone comes to an end, and whose play lasts until it is stopped. */
  function patient() {
    let probes = 0;
    const played: string[] = [];
    const loudspeaker: Loudspeaker = {
      ...systemLoudspeaker(process.env, []),
      probe: () => {
        probes += 1;
        return probes === 1 ? Promise.resolve({ players: ['ears'], sound: null }) : new Promise(() => {});
      },
      sound: async () => null,
      play: (player, _, signal) =>
        new Promise((settle) => {
          played.push(player);
          signal.addEventListener('abort', () => settle('finished'), { once: true });
        }),
    };
    const driver = runDriver<PlayerCommand, PlayerFact>(
      announcementPlayer({ rules: playerRules, loudspeaker, dataFolder: folder, ownPort: 1, homeAssistant: () => '' }),
    );
    const play = (generation: number): void =>
      driver.tell({ type: 'player.play', generation, url: `${source.url}/answer`, duckPercent: 100, isPrompt: true });
    return { driver, play, played, probes: () => probes };
  }

  it('begins without another probe', async () => {
    const { driver, play, played, probes } = patient();
    await driver.until(isFact<PlayerFact, 'player.probed'>('player.probed'));
    play(1);
    await driver.until(isFact<PlayerFact, 'player.playing'>('player.playing'));
    expect([probes(), played]).toEqual([1, ['ears']]);
    driver.stop();
  });

  it('has finished once it was stopped, by its own generation alone', async () => {
    const { driver, play } = patient();
    await driver.until(isFact<PlayerFact, 'player.probed'>('player.probed'));
    play(3);
    await driver.until(isFact<PlayerFact, 'player.playing'>('player.playing'));
    driver.tell({ type: 'player.stop', generation: 2 });
    driver.tell({ type: 'player.stop', generation: 3 });
    driver.tell({ type: 'player.stop', generation: 3 });
    await driver.until(isFact<PlayerFact, 'player.finished'>('player.finished'));
    expect(temporary()).toEqual([]);
    // One that is replaced says nothing more, so what follows is of the next one.
    play(4);
    await driver.until(isFact<PlayerFact, 'player.playing'>('player.playing', ({ generation }) => generation === 4));
    driver.tell({ type: 'player.stop', generation: 4 });
    await driver.until(isFact<PlayerFact, 'player.finished'>('player.finished', ({ generation }) => generation === 4));
    expect(driver.facts.flatMap((fact) => (fact.type === 'player.finished' ? fact.generation : []))).toEqual([3, 4]);
    driver.stop();
    await vi.waitFor(() => expect(temporary()).toEqual([]));
  });
});
