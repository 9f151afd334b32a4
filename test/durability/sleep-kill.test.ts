import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, expect, it } from 'vitest';

import type { AutoSleepDocument, SleepSources } from '#machines/auto-sleep/document.ts';
import { calibrationsSection } from '#machines/proximity/calibration.ts';
import type { StatusDocument } from '#machines/status.ts';
import { serveRoom } from '#test/fakes/sensed-room.mjs';
import { type AgentProcess, clearAway, ownFolder, startAgent } from '../scenarios/agent-process.ts';
import { post, statusOf, until } from '../scenarios/live-agent.ts';
import { overKills, textIn } from './lives.ts';

afterAll(clearAway);

/** Of the panel whose sensors count, and of the one that learns, which needs some lives for that. */
const kills = { sensed: 50, learning: 50 };
const boundMs = 900_000;
const PANEL = 'room';
/** Two touches as far apart are a pause that is learned. */
const PAUSE_MS = 31_000;
/** Longer than the longest lease. */
const ABSENCE_MS = 3_700_000;
/** Raw readings of the simulated sensor without and with a person in front of it. */
const proximity = { clear: 40, near: 800 } as const;

async function save({ url }: AgentProcess, values: Readonly<Record<string, string>>): Promise<void> {
  const answer = await post(`${url}/api/v1/config`, values);
  expect([answer.status, answer.ok ? '' : await answer.text()]).toEqual([200, '']);
}
const touch = ({ url }: AgentProcess, form: object) => post(`${url}/api/v1/simulator`, form);
const act = ({ url }: AgentProcess, a: string) => post(`${url}/api/v1/action`, { a });
async function sleepOf({ url }: AgentProcess) {
  const response = await fetch(`${url}/api/v1/auto-sleep`);
  // The agents of these tests check each answer by its schema.
  return (await response.json()) as AutoSleepDocument;
}
const isScreen =
  (lit: boolean, by?: string) =>
  ({ screen }: StatusDocument): boolean =>
    screen?.lit === lit && (by === undefined || screen.changed?.by === by);
const when = ({ url }: AgentProcess, what: string, holds: (status: StatusDocument) => boolean) =>
  until(what, async () => holds(await statusOf(url)));

const sleepSection = (data: string): string => textIn(data, 'sections', 'auto-sleep.json');

/** A fact that the agent keeps: what it answered, and what it may already have kept of a request without an answer. */
interface Kept<T> {
  known: T;
  asked: T;
}
const possible = <T>({ known, asked }: Kept<T>): readonly T[] => [known, asked];

it.concurrent(
  'keeps which sensors count, and that a hand switched the screen off, over kills at random moments',
  async ({ onTestFinished }) => {
    const sensors = ['a', 'b', 'c'].map((name) => `binary_sensor.${name}`);
    const room = await serveRoom(PANEL, sensors);
    onTestFinished(() => room.stop());
    const data = ownFolder();
    const token = join(data, 'token');
    writeFileSync(token, 'a-token', { mode: 0o600 });
    const options = { data, args: ['--ha-url', room.origin, '--ha-token-file', token] };
    const first = await startAgent(options);
    await save(first, { panel_id: PANEL, auto_sleep_source: 'home_assistant' });
    await when(first, 'the sign-in', ({ sign_in: now }) => now?.phase === 'signed-in');
    expect(room.subscriptions()).toBe(0);
    await save(first, { auto_sleep: 'true' });
    const list = await until('the sensors', async () => {
      const response = await fetch(`${first.url}/api/v1/auto-sleep/sources`);
      // A refusal has neither.
      const { area_key: areaKey, items } = (await response.json()) as Partial<SleepSources>;
      return (
        areaKey !== undefined &&
        items?.length === sensors.length && { areaKey, keys: items.map((one) => one.source_key) }
      );
    });

    const excluded: Kept<readonly string[]> = { known: [], asked: [] };
    const suppressed: Kept<boolean> = { known: false, asked: false };
    const excludedOnDisk = (): readonly string[] =>
      /"excluded":\[([^\]]*)\]/.exec(textIn(data, 'state.json'))?.[1]?.match(/[0-9a-f]{64}/g) ?? [];
    const suppressedOnDisk = (): boolean => sleepSection(data).includes('"isSuppressed":true');
    async function counts(agent: AgentProcess): Promise<void> {
      let seen: AutoSleepDocument | null = null;
      const wanted = sensors.length - excluded.known.length;
      await until(
        () => `${wanted} sensors: ${JSON.stringify(seen)}`,
        async () => (seen = await sleepOf(agent)).source_count === wanted,
      );
    }

    async function leaveOut(agent: AgentProcess, turn: number): Promise<void> {
      const key = list.keys[turn % 2] ?? '';
      const isIncluded = excluded.known.includes(key);
      excluded.asked = isIncluded ? excluded.known.filter((one) => one !== key) : [...excluded.known, key];
      const body = { area_key: list.areaKey, source_key: key, included: isIncluded };
      expect((await post(`${agent.url}/api/v1/auto-sleep/source`, body)).status).toBe(200);
      excluded.known = excluded.asked;
    }
    async function switchByHand(agent: AgentProcess, isOver: () => boolean): Promise<void> {
      suppressed.asked = !suppressed.known;
      await act(agent, suppressed.asked ? 'screen_off' : 'screen_on');
      await until('a hand to be kept', () => isOver() || suppressedOnDisk() === suppressed.asked);
      if (!isOver()) suppressed.known = suppressed.asked;
    }
    const last = await overKills(first, {
      kills: kills.sensed,
      options,
      holds: async (agent) => {
        await counts(agent);
        expect((await sleepOf(agent)).manual_suppression).toBe(suppressed.known);
        // A person comes: not lit by that, but by a hand.
        if (suppressed.known) await switchByHand(agent, () => false);
        await when(agent, 'the screen to be lit', isScreen(true));
      },
      disturb: async (agent, turn, isOver) => {
        await leaveOut(agent, turn);
        await switchByHand(agent, isOver);
      },
      between: () => {
        expect(possible(excluded)).toContainEqual(excludedOnDisk());
        expect(possible(suppressed)).toContain(suppressedOnDisk());
        excluded.known = excluded.asked = excludedOnDisk();
        suppressed.known = suppressed.asked = suppressedOnDisk();
      },
    });
    await counts(last);
    expect(room.subscriptions()).toBe(1);
    await save(last, { auto_sleep: 'false' });
    await until('no sensor to be watched', () => room.subscriptions() === 0);
    await last.kill('SIGTERM');
  },
  boundMs,
);

/** A data folder with a calibrated proximity sensor. */
function calibrated(): string {
  const data = ownFolder();
  const calibration = {
    mode: 'ranged',
    presence: proximity,
    wave: proximity,
    statuses: { presence: 'validated', wave: 'validated' },
    at: Date.now(),
  } as const;
  const section = calibrationsSection([{ source: { driver: 'proximity.simulated', name: 'simulated' }, calibration }]);
  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, 'state.json'), JSON.stringify({ version: 1, sections: { proximity: section } }), {
    mode: 0o600,
  });
  return data;
}

it.concurrent(
  'keeps what was learned, and lights what it put to sleep, over kills at random moments',
  async () => {
    const data = calibrated();
    const jump = join(ownFolder(), 'jump');
    const clock = fileURLToPath(new URL('jumping-clock.cjs', import.meta.url));
    const options = { data, env: { SCONCE_JUMP: jump, NODE_OPTIONS: `--require ${clock}` } };
    const first = await startAgent(options);
    await save(first, { auto_sleep: 'true' });
    await when(first, 'a lease', ({ auto_sleep: { phase } }) => phase === 'holding');

    /** How many pauses the agent has learned. */
    let learned = 0;
    /** True after an absence, which is no pause. */
    let wasAway = false;
    let isAsleep = false;
    const learnedOnDisk = (): number =>
      [...sleepSection(data).matchAll(/"touch":\[([0-9,]*)\]/g)]
        .flatMap(([, counts = '']) => counts.split(',').map(Number))
        .reduce((sum, count) => sum + count, 0);
    const asleepOnDisk = (): boolean => sleepSection(data).includes('"screen":"auto-sleep"');
    async function pass({ child, output }: AgentProcess, ms: number, isOver: () => boolean): Promise<void> {
      const before = output().split('ahead by').length;
      writeFileSync(jump, String(ms));
      child.kill('SIGUSR2');
      await until('the clock to jump', () => isOver() || output().split('ahead by').length > before);
    }
    async function press(agent: AgentProcess, isOver: () => boolean): Promise<void> {
      const before = (await statusOf(agent.url)).input?.last?.at ?? 0;
      await touch(agent, { press: 1 });
      await until('the touch', async () => isOver() || ((await statusOf(agent.url)).input?.last?.at ?? 0) > before);
    }
    async function pause(agent: AgentProcess, isOver: () => boolean): Promise<void> {
      await pass(agent, PAUSE_MS, isOver);
      await press(agent, isOver);
      if (isOver()) return;
      learned += wasAway ? 0 : 1;
      wasAway = false;
      // What is older than a minute is kept: all but the last two.
      await until('the pauses to be kept', () => isOver() || learnedOnDisk() >= learned - 2);
    }
    async function sleep(agent: AgentProcess, turn: number, isOver: () => boolean): Promise<void> {
      await pass(agent, ABSENCE_MS, isOver);
      // Its timer is that of a slower clock: another reason to decide.
      await save(agent, { night_dim_percent: String(20 + (turn % 2)) });
      await until('the sleep to be kept', () => isOver() || asleepOnDisk());
      await until('the screen to sleep', async () => isOver() || isScreen(false)(await statusOf(agent.url)));
    }
    const last = await overKills(first, {
      kills: kills.learning,
      options,
      holds: async (agent) => {
        if (isAsleep) {
          await when(agent, 'the screen to sleep on', isScreen(false, 'auto-sleep'));
          await touch(agent, { proximity: proximity.near });
          await when(agent, 'a person to light it', isScreen(true, 'presence'));
          await touch(agent, { proximity: proximity.clear });
        }
        await when(agent, 'the screen to be lit', isScreen(true));
        // The pause before the first touch of a life is none.
        await touch(agent, { press: 1 });
      },
      disturb: (agent, turn, isOver) => (turn % 4 === 3 ? sleep(agent, turn, isOver) : pause(agent, isOver)),
      between: () => {
        expect(learnedOnDisk()).toBeGreaterThanOrEqual(learned - 2);
        learned = learnedOnDisk();
        isAsleep = asleepOnDisk();
      },
    });
    await last.kill('SIGTERM');
    expect(learned).toBeGreaterThan(0);
  },
  boundMs,
);
