import { describe, expect, it } from 'vitest';

import { blankGesture, blankTracker, track, watchGesture } from '#machines/proximity/detector.ts';
import { detectorSettings, type DetectorSettings } from '#machines/proximity/timings.ts';

import { series, type Stretch } from './samples.ts';

const clear = (ms: number): Stretch => ({ raw: 0, ms });
const near = (ms: number): Stretch => ({ raw: 100, ms });

/** Times of the changes between near and far, from the first sample on. */
function turns(stretches: readonly Stretch[], hz = 50): readonly string[] {
  let tracker = blankTracker;
  const seen: string[] = [];
  const samples = series(stretches, { hz, start: 0 });
  for (const { raw, at } of samples) {
    const next = track(tracker, raw, at, detectorSettings);
    if (next.near !== tracker.near) seen.push(`${next.near === true ? 'near' : 'far'} at ${at}`);
    tracker = next;
  }
  return seen;
}

describe('near and far', () => {
  it.each<[string, readonly Stretch[], readonly string[]]>([
    ['the first state counts once it has lasted', [clear(400)], ['far at 160']],
    ['a level between the thresholds begins as far', [{ raw: 50, ms: 400 }], ['far at 160']],
    [
      '65 is near, 64 is not yet',
      [clear(400), { raw: 64, ms: 400 }, { raw: 65, ms: 400 }],
      ['far at 160', 'near at 960'],
    ],
    [
      '31 stays near, 30 is far',
      [near(400), { raw: 31, ms: 400 }, { raw: 30, ms: 400 }],
      ['near at 160', 'far at 960'],
    ],
    ['what is shorter than 150 ms is no change', [clear(400), near(140), clear(400)], ['far at 160']],
    [
      'jitter around the threshold is no change',
      [clear(400), ...Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? near(80) : clear(80))), clear(300)],
      ['far at 160'],
    ],
  ])('%s', (_, stretches, expected) => expect(turns(stretches)).toEqual(expected));
  it('are told at 10 samples each second too', () =>
    expect(turns([clear(1000), near(1000)], 10)).toEqual(['far at 200', 'near at 1200']));
});

/** Moments at which a gesture fired, in milliseconds from the first sample on. */
function fires(stretches: readonly Stretch[], settings: Partial<DetectorSettings> = {}): readonly number[] {
  let gesture = blankGesture;
  const fired: number[] = [];
  for (const { raw, at } of series(stretches, { hz: 50, start: 10_000 })) {
    const step = watchGesture(gesture, raw, at, { ...detectorSettings, ...settings });
    if (step.fired) fired.push(at - 10_000);
    ({ gesture } = step);
  }
  return fired;
}

describe('a single wave', () => {
  it.each<[string, readonly Stretch[], readonly number[]]>([
    ['fires as the hand has been in for 200 ms', [clear(1000), near(600), clear(1000)], [1200]],
    ['is not armed before 700 ms of clear', [clear(600), near(600), clear(1000)], []],
    ['is armed after 700 ms of clear', [clear(700), near(600), clear(1000)], [900]],
    ['does not fire for what is shorter than 200 ms', [clear(1000), near(180), clear(1000)], []],
    ['fires once for a hand that lingers', [clear(1000), near(9000), clear(1000)], [1200]],
    [
      'fires again after a fresh clear interval',
      [clear(1000), near(500), clear(1000), near(500), clear(1000)],
      [1200, 2700],
    ],
    ['does not fire again without one', [clear(1000), near(500), clear(500), near(500), clear(1000)], [1200]],
    ['what stands there at the beginning is no wave', [near(2000), clear(500)], []],
  ])('%s', (_, stretches, expected) => expect(fires(stretches)).toEqual(expected));
  it('rests for a second', () => {
    // Armed again after 700 ms, 900 ms after it fired: the second wave counts once the second is over.
    expect(fires([clear(1000), near(240), clear(720), near(600), clear(1000)])).toEqual([1200, 2200]);
  });
});

describe('a double wave', () => {
  const double = { pattern: 'double' } as const;
  it.each<[string, readonly Stretch[], readonly number[]]>([
    [
      'fires once the hand has gone for the second time',
      [clear(1000), near(400), clear(600), near(400), clear(1000)],
      [2560],
    ],
    ['one wave alone does not', [clear(1000), near(400), clear(4000)], []],
    ['a second one after 1.8 s is a first one', [clear(1000), near(400), clear(2000), near(400), clear(4000)], []],
    ['halves shorter than 200 ms do not count', [clear(1000), near(180), clear(600), near(400), clear(1000)], []],
    ['holding for more than 4 s disarms', [clear(1000), near(400), clear(600), near(5000), clear(1000)], []],
  ])('%s', (_, stretches, expected) => expect(fires(stretches, double)).toEqual(expected));
  it('takes the gap that it is given', () =>
    expect(
      fires([clear(1000), near(400), clear(600), near(400), clear(1000)], { ...double, doubleGapMs: 300 }),
    ).toEqual([]));
});
