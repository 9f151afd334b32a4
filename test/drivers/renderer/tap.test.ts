import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { PageSession } from '#drivers/renderer/session.ts';
import { openTaps } from '#drivers/renderer/tap.ts';
import { ok, refuse } from '#machines/kit/result.ts';
import type { TapOutcome } from '#machines/renderer/events.ts';
import { TAP_BOUND_MS } from '#machines/renderer/tap.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** How the page of a test is. */
interface Given {
  /** Calls that are answered when their time is up. */
  readonly silent?: readonly string[];
  readonly size?: unknown;
  readonly answers?: boolean;
  readonly ready?: () => Promise<void>;
}

/** A page of 640 x 400 at zoom 200 where nothing else is said. */
function rig({
  silent = [],
  size = { width: 640, height: 400, ratio: 2 },
  answers = true,
  ready = () => Promise.resolve(),
}: Given = {}) {
  const calls: [string, unknown][] = [];
  const page: PageSession = {
    id: 'session',
    targetId: 'target',
    call: (method, params = {}, withinMs = 5000) => {
      const name = 'type' in params ? String(params.type) : method;
      calls.push([name, 'touchPoints' in params ? params.touchPoints : null]);
      return silent.includes(name)
        ? new Promise((resolve) => setTimeout(() => resolve(refuse('timeout', '')), withinMs))
        : Promise.resolve(ok({ data: Buffer.from('png').toString('base64') }));
    },
    evaluate: () => Promise.resolve(size),
    listen: () => {},
  };
  const tap = openTaps({ page, answers: () => answers, ready });
  return { calls, tap };
}
const at = (x: number, y: number, capture = false) => ({ x, y, capture });
async function within(ms: number, asked: Promise<TapOutcome>): Promise<TapOutcome | 'late'> {
  await vi.advanceTimersByTimeAsync(ms);
  return Promise.race([asked, Promise.resolve('late' as const)]);
}

describe('a tap', () => {
  test('is a finger that comes and goes, at the place of the picture', async () => {
    const { tap, calls } = rig();
    expect(await tap(at(1279, 400))).toEqual({ ok: true, png: null });
    expect(calls).toEqual([
      ['touchStart', [{ x: 639.5, y: 200 }]],
      ['touchEnd', []],
    ]);
  });

  test.each([
    [1280, 0],
    [0, 800],
    [9000, 9000],
  ])('at %i, %i is outside of the picture, and not made', async (x, y) => {
    const { tap, calls } = rig();
    expect(await tap(at(x, y))).toEqual({ ok: false, reason: 'outside', width: 1280, height: 800 });
    expect(calls).toEqual([]);
  });

  test('is followed by a picture a second later where one is wanted', async () => {
    const { tap, calls } = rig();
    const asked = tap(at(1, 1, true));
    await vi.advanceTimersByTimeAsync(999);
    expect(calls.map(([name]) => name)).toEqual(['touchStart', 'touchEnd']);
    expect(await within(1, asked)).toEqual({ ok: true, png: Buffer.from('png') });
    expect(calls.at(-1)?.[0]).toBe('Page.captureScreenshot');
  });

  test('was made although no picture came', async () => {
    const { tap } = rig({ silent: ['Page.captureScreenshot'] });
    expect(await within(7000, tap(at(1, 1, true)))).toEqual({ ok: true, png: null });
  });

  test('is taken back where the page does not take the finger', async () => {
    const { tap, calls } = rig({ silent: ['touchStart'] });
    expect(await within(4000, tap(at(1, 1)))).toEqual({ ok: false, reason: 'no-answer' });
    expect(calls.map(([name]) => name)).toEqual(['touchStart', 'touchCancel']);
  });

  test('is not known where the page does not say that the finger went', async () => {
    const { tap } = rig({ silent: ['touchEnd'] });
    expect(await within(4000, tap(at(1, 1)))).toEqual({ ok: false, reason: 'unknown' });
  });

  test.each([
    ['that crashed', { answers: false }],
    ['whose size is not known', { size: null }],
    ['of no size', { size: { width: 640, height: 400, ratio: 0 } }],
  ])('is not made on a page %s', async (_, options) => {
    const { tap, calls } = rig(options);
    expect(await tap(at(1, 1))).toEqual({ ok: false, reason: 'no-answer' });
    expect(calls).toEqual([]);
  });

  test('has its picture taken before the next one is made', async () => {
    const { tap, calls } = rig();
    const both = [tap(at(1, 1, true)), tap(at(2, 2))];
    await vi.advanceTimersByTimeAsync(1000);
    await Promise.all(both);
    expect(calls.map(([name]) => name)).toEqual([
      'touchStart',
      'touchEnd',
      'Page.captureScreenshot',
      'touchStart',
      'touchEnd',
    ]);
  });

  test('waits for a page that is being thawed', async () => {
    let thawed = (): void => {};
    const { tap, calls } = rig({ ready: () => new Promise((resolve) => (thawed = resolve)) });
    const asked = tap(at(1, 1));
    await vi.advanceTimersByTimeAsync(2900);
    expect(calls).toEqual([]);
    thawed();
    expect(await asked).toEqual({ ok: true, png: null });
  });

  test('is not made where the thaw hangs, and no more than eight wait for it', async () => {
    const { tap, calls } = rig({ ready: () => new Promise(() => {}) });
    const asked = Array.from({ length: 10 }, () => tap(at(1, 1)));
    // Those beyond are told so at once.
    expect(await Promise.all(asked.slice(8))).toEqual([
      { ok: false, reason: 'busy' },
      { ok: false, reason: 'busy' },
    ]);
    await vi.advanceTimersByTimeAsync(6000);
    const outcomes = await Promise.all(asked.slice(0, 8));
    expect(outcomes.map((outcome) => !outcome.ok && outcome.reason)).toEqual([
      'no-answer',
      'no-answer',
      ...Array.from({ length: 6 }, () => 'busy'),
    ]);
    expect(calls).toEqual([]);
  });

  test('is answered before its caller gives up, whatever hangs', async () => {
    const { tap } = rig({
      silent: ['Page.captureScreenshot'],
      ready: () => new Promise((resolve) => setTimeout(resolve, 2900)),
    });
    const asked = Array.from({ length: 8 }, () => tap(at(1, 1, true)));
    expect(
      await within(
        TAP_BOUND_MS - 1,
        Promise.all(asked).then(() => ({ ok: true, png: null })),
      ),
    ).not.toBe('late');
  });

  test('waits for those before it, not for long, and not with too many', async () => {
    const { tap, calls } = rig({ silent: ['touchEnd'] });
    const asked = Array.from({ length: 10 }, () => tap(at(1, 1)));
    await vi.advanceTimersByTimeAsync(8000);
    const outcomes = await Promise.all(asked);
    expect(outcomes.map((outcome) => !outcome.ok && outcome.reason)).toEqual([
      'unknown',
      'unknown',
      ...Array.from({ length: 8 }, () => 'busy'),
    ]);
    expect(calls.filter(([name]) => name === 'touchStart')).toHaveLength(2);
    const more = tap(at(1, 1));
    await vi.advanceTimersByTimeAsync(4000);
    expect(await more).toEqual({ ok: false, reason: 'unknown' });
  });
});
