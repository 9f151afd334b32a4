import { afterEach, expect, it, vi } from 'vitest';

import type { RouteTarget } from '#drivers/screen/route.ts';
import { routedScreen } from '#drivers/screen/routed-screen.ts';
import { judgeRoutes } from '#drivers/screen/verdicts.ts';
import { ok } from '#machines/kit/result.ts';
import type { ScreenDriverCommand, ScreenFact } from '#machines/screen/events.ts';

import { runDriver } from '../run-driver.ts';
import { decisions } from './decisions.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Lets everything run that waits for nothing but its turn. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A screen that is reached by this one route. */
const screenOf = (target: RouteTarget) =>
  runDriver<ScreenDriverCommand, ScreenFact>(
    routedScreen({
      decisions,
      routes: [{ name: target.route, list: async () => ok([target]) }],
      slowRoutes: [],
      connectors: async () => [],
      slot: 1,
      judge: judgeRoutes,
      changesMs: null,
    }),
  );

it('a poll that overtakes one that was due leaves one to come, not two', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const waiting: (() => void)[] = [];
  let held = false;
  const target: RouteTarget = {
    route: 'xset',
    connector: null,
    name: 'X11',
    rawMax: null,
    power: true,
    pollMs: 2000,
    answerMs: 6000,
    read: () =>
      new Promise((resolve) => {
        const answer = (): void => resolve(ok({ raw: null, powered: true }));
        if (held) waiting.push(answer);
        else answer();
      }),
    write: async () => ok(null),
  };
  const driver = screenOf(target);
  await turns();
  expect(driver.facts.map(({ type }) => type)).toEqual(['display.found']);
  held = true;
  vi.advanceTimersByTime(2000);
  driver.tell({ type: 'display.read' });
  await turns();
  expect(waiting).toHaveLength(2);
  for (const answer of waiting.splice(0)) answer();
  await turns();
  expect(vi.getTimerCount()).toBe(1);
  driver.stop();
});

it('a poll that runs while a write is under way takes none of it for a change made elsewhere', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let raw = 10;
  let release = (): void => {};
  const target: RouteTarget = {
    route: 'backlight',
    connector: null,
    name: 'panel',
    rawMax: 200,
    power: false,
    pollMs: 500,
    answerMs: 2000,
    read: async () => ok({ raw, powered: null }),
    write: (part) =>
      new Promise((resolve) => {
        raw = part.raw ?? raw;
        release = () => resolve(ok(null));
      }),
  };
  const driver = screenOf(target);
  await turns();
  driver.tell({ type: 'display.write', generation: 1, raw: 150, powered: null });
  await turns();
  expect(raw).toBe(150);
  await vi.advanceTimersByTimeAsync(500);
  await turns();
  release();
  await turns();
  await vi.advanceTimersByTimeAsync(500);
  await turns();
  expect(driver.facts.map(({ type }) => type)).toEqual(['display.found', 'display.written']);
  driver.stop();
});
