import type { AdbLink } from '#drivers/adb/link.ts';
import { noAndroidPanel } from '#drivers/adb/verdicts.ts';
import { ok, refuse, type Result } from '#machines/kit/result.ts';
import type { ScreenDriver } from '#machines/screen/events.ts';

import type { DisplayRoute, RouteReading, RouteRefusal, RouteTarget } from './route.ts';
import { type RoutedOptions, routedScreen } from './routed-screen.ts';

/** Range of Android's brightness setting. */
const RAW_MAX = 255;

/** Parses `dumpsys power`: true if the screen is lit; null if the text does not say. */
export function parseWakefulness(text: string): boolean | null {
  const state = /\bmWakefulness=(\w+)/.exec(text)?.[1];
  return state === undefined ? null : state === 'Awake' || state === 'Dreaming';
}

/** Parses `settings get`: a whole number in Android's range, or a fraction of 1, which some systems use. */
export function parseBrightness(text: string): number | null {
  const value = Number(text.trim() === '' ? Number.NaN : text.trim());
  if (!Number.isFinite(value) || value < 0 || value > RAW_MAX) return null;
  return value > 0 && value < 1 ? Math.round(value * RAW_MAX) : Math.round(value);
}

/** `locksettings verify` without a credential succeeds only if none is set. */
const isUnlocked = (text: string): boolean => /verified successfully/i.test(text);

const asRoute = <T>(answer: Result<T>): Result<T, RouteRefusal> =>
  answer.ok ? answer : refuse(answer.reason === 'no-bridge' ? 'gone' : 'failed', answer.message);

const target = (link: AdbLink, canSleep: boolean): RouteTarget => ({
  route: 'adb',
  connector: null,
  name: 'Android screen',
  rawMax: RAW_MAX,
  power: canSleep,
  pollMs: 5_000,
  answerMs: 6_000,
  read: async (wanted, signal) => {
    const reading: { raw: number | null; powered: boolean | null } = { raw: null, powered: null };
    if (wanted.raw) {
      const level = await link.run({ do: 'read-brightness' }, signal);
      if (!level.ok) return asRoute(level);
      reading.raw = parseBrightness(level.value);
      if (reading.raw === null) return refuse('not-understood', 'The panel said something unexpected.');
    }
    if (wanted.powered) {
      const awake = await link.run({ do: 'read-screen' }, signal);
      if (!awake.ok) return asRoute(awake);
      reading.powered = parseWakefulness(awake.value);
      if (reading.powered === null) return refuse('not-understood', 'The panel said something unexpected.');
    }
    return ok<RouteReading>(reading);
  },
  write: async ({ raw, powered }, signal) => {
    if (powered === false) {
      // Read each time: a credential may have been set since, and a locked panel shows no dashboard (contract,
      // "Platform entities").
      const lock = await link.run({ do: 'read-lock' }, signal);
      if (!lock.ok || !isUnlocked(lock.value))
        return refuse('not-permitted', 'The panel is protected by a credential.');
    }
    if (raw !== null) {
      const set = await link.run({ do: 'set-brightness', level: raw }, signal);
      if (!set.ok) return asRoute(set);
    }
    if (powered === null) return ok(null);
    const pressed = await link.run({ do: 'key', key: powered ? 'wakeup' : 'sleep' }, signal);
    return pressed.ok ? ok(null) : asRoute(pressed);
  },
});

/**
 * The screen of an Android panel. A key press puts it to sleep if no credential protects it; otherwise it is only
 * dimmed.
 */
const adbRoute = (link: AdbLink): DisplayRoute => ({
  name: 'adb',
  list: async (signal) => {
    const level = await link.run({ do: 'read-brightness' }, signal);
    if (!level.ok) return asRoute(level);
    const lock = await link.run({ do: 'read-lock' }, signal);
    return ok([target(link, lock.ok && isUnlocked(lock.value))]);
  },
});

/** The screen of the Android panel behind a link. */
export const adbScreen = (link: AdbLink, decisions: RoutedOptions['decisions']): ScreenDriver =>
  routedScreen({
    decisions,
    routes: [adbRoute(link)],
    slowRoutes: [],
    connectors: () => Promise.resolve([]),
    slot: 1,
    sessions: () => Promise.resolve(link.online ? ['adb'] : []),
    changesMs: 2_000,
    judge: () => noAndroidPanel,
  });
