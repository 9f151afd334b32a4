import { describe, expect, test } from 'vitest';

import { gaps } from '#machines/auto-sleep/events.ts';
import { documentOf } from '#machines/auto-sleep/view.ts';
import { fullSleepDocument, hoursOf, sensorsOf } from '#test/fakes/sleeping-room.ts';
import { pathOf, RoomLast, sensorStretches } from '#ui/parts/room-last.tsx';
import { RoomSleep, type RoomSleepProps } from '#ui/parts/room-sleep.tsx';
import { changeWords, ruleWords, sentenceAt } from '#ui/parts/sleep-words.ts';

import { markupOf } from './markup.ts';

const now = Date.UTC(2026, 10, 26, 21, 2);
const doc = fullSleepDocument(now);
const off = documentOf('off', { values: {}, areaName: null, now });

const draw = (more: Partial<RoomSleepProps> = {}): string =>
  markupOf(<RoomSleep doc={doc} sources={sensorsOf(3, 11)} hasScreen={true} now={now} isLive={true} {...more} />);

const stateIn = (markup: string): string | undefined => markup.match(/mark mark-(\w+)/)?.[1];

describe('the card', () => {
  test.each([
    [{}, 'working'],
    [{ doc: off }, 'off'],
    [{ hasScreen: false }, 'not_here'],
    [{ doc: { ...doc, gap: 'no-sensor' as const } }, 'not_here'],
    [{ doc: { ...doc, phase: 'unavailable' as const } }, 'checking'],
    [{ doc: { ...doc, phase: 'inhibited' as const, reason: 'source_loss' as const } }, 'needs_you'],
    [{ doc: { ...doc, phase: 'inhibited' as const, reason: 'manual_suppression' as const } }, 'working'],
  ])('%j is in one word: %s', (more, word) => expect(stateIn(draw(more))).toBe(word));

  test.each(gaps.filter((gap) => gap !== 'starting'))('says what helps: %s', (gap) => {
    const step = draw({ doc: { ...doc, gap } }).match(/<div class="step">[\s\S]*?<\/div>/)?.[0] ?? '';
    expect(step).toMatch(/<p>[A-Z][^<]+\.<\/p>/);
    expect(step).not.toContain('room.sleep');
  });

  test.each([
    ['not-calibrated', '/proximity-setup'],
    ['signed-out', '/sign-in'],
    ['no-device', '/configure/mqtt'],
  ] as const)('leads from %s to %s', (gap, href) => expect(draw({ doc: { ...doc, gap } })).toContain(`href="${href}"`));

  test('says in one line what counts, and lists sensors only if they do', () => {
    expect(draw()).toContain('The presence sensors of Hall in Home Assistant count.');
    const touch = draw({ doc: { ...doc, source: 'touch', learned_lease_ms: 30_000 } });
    expect(touch).toContain('the screen goes off 30 s after the last');
    for (const markup of [touch, draw({ doc: off })]) expect(markup).not.toContain('id="room-sensors"');
  });

  test('tells of a hand that switched the screen off', () => {
    expect(draw()).not.toContain('It was switched off by hand');
    expect(draw({ doc: { ...doc, manual_suppression: true } })).toContain('It was switched off by hand');
  });

  test('has no button that works without scripts', () => {
    const buttons = [...draw({ isLive: false }).matchAll(/<button[^>]*>/g)].map(([button]) => button);
    for (const button of buttons) expect(button).toMatch(/disabled|class="moment"/);
  });
});

describe('the sensors', () => {
  test('are named, with what each reports, and if it counts', () => {
    const markup = draw();
    expect(markup).toContain('binary_sensor.hall_presence_1');
    expect([...markup.matchAll(/aria-checked="(\w+)" aria-labelledby="room-sensor-\d"/g)].map(([, is]) => is)).toEqual([
      'true',
      'false',
      'true',
    ]);
    expect(markup).toMatch(/sees a person[\s\S]*left out[\s\S]*sees nobody/);
    expect(markup).toContain('8 more are not used.');
  });

  test('are awaited until Home Assistant has answered', () => {
    expect(draw({ sources: null })).toContain('They are listed here once Home Assistant has answered.');
    expect(draw({ sources: sensorsOf(0) })).toContain('There is no motion, occupancy or presence sensor');
  });
});

test.each([
  [240_000, 'Off in 4 min: nobody in the room, last seen 6 min ago.'],
  [181_000, 'Off in 4 min: nobody in the room, last seen 6 min ago.'],
  [59_500, 'Off in 60 s: nobody in the room, last seen 6 min ago.'],
  [7_200_000, 'Off in 2 h: nobody in the room, last seen 6 min ago.'],
  [-500, 'Off in 0 s: nobody in the room, last seen 6 min ago.'],
])('%d ms before the end the sentence is "%s"', (left, words) => {
  expect(sentenceAt(doc, now + 240_000 - left)).toBe(words);
});

test('only the time left is counted down', () => {
  const entity = { ...doc, detail: 'On: the entity that you chose came on; 2 min left.' };
  expect(sentenceAt(entity, now + 200_000)).toBe('On: the entity that you chose came on; 40 s left.');
  const ended = { ...doc, detail: 'Off: nobody is there, last seen 6 min ago.' };
  expect(sentenceAt(ended, now)).toBe(ended.detail);
});

test.each([
  [{ active: false, changes_epoch_ms: null, why: null }, 'no hours set'],
  [{ active: false, changes_epoch_ms: now + 12_000_000, why: null }, 'begins in 3 h 20 min'],
  [{ active: true, changes_epoch_ms: now + 60_000, why: null }, 'now, for another 1 min'],
  [{ active: true, changes_epoch_ms: null, why: null }, 'now'],
])('hours %j are "%s"', (rule, words) => expect(ruleWords(rule, now)).toBe(words));

test.each([
  [{ lit: true, by: 'presence', reason: 'source_active' as const }, 'On: a sensor saw a person (Hall presence 1)'],
  [{ lit: true, by: 'presence', reason: 'touch_lease' as const }, 'On: a person came'],
  [{ lit: false, by: 'auto-sleep', reason: 'lease_expired' as const }, 'Off: nobody was there'],
  [{ lit: false, by: 'clock', reason: 'screen_off_hours' as const }, 'Off: by the hours that you set'],
  [{ lit: true, by: 'home-assistant', reason: null }, 'On: by Home Assistant'],
  [{ lit: true, by: 'touch', reason: null }, 'On: by a touch or key press'],
  [{ lit: true, by: 'later', reason: null }, 'On: by later'],
])('%j reads as "%s"', (change, words) => {
  const [{ source_key: key } = { source_key: null }] = sensorsOf(1).items;
  expect(changeWords({ epoch_ms: now, source_key: key, ...change }, sensorsOf(3))).toBe(words);
});

describe('the last hours', () => {
  const span = { from: 0, to: 1000 };

  test('are lanes of stretches, each until the next', () => {
    const states = [
      { epoch_ms: -5, state: 'off' as const },
      { epoch_ms: 100, state: 'on' as const },
      { epoch_ms: 300, state: 'unavailable' as const },
    ];
    expect(sensorStretches(states, span)).toEqual([
      { from: 0, to: 100, kind: 'off' },
      { from: 100, to: 300, kind: 'on' },
      { from: 300, to: 1000, kind: 'away' },
    ]);
  });

  test('join what is closer than the drawing is fine, and show the shortest', () => {
    const at = (from: number, to: number) => ({ from, to, kind: 'on' as const });
    expect(pathOf([at(0, 100), at(100.2, 200)], 'on', span)).toBe('M0 0H200v24H0z');
    expect(pathOf([at(5, 5.1)], 'on', span)).toBe('M5 0H6v24H5z');
    expect(pathOf([at(0, 5)], 'away', span)).toBe('');
  });

  test('are in words beside each lane, by the names of the sensors', () => {
    const names = new Map(sensorsOf(3).items.map((item) => [item.source_key, item.name]));
    const markup = markupOf(<RoomLast history={hoursOf(now)} names={names} />);
    expect(markup).toMatch(/Hall presence 1: saw a person for 3 h of 6 h/);
    expect(markup).toMatch(/Hall presence 3: saw a person for .*, away for 1 h/);
    expect(markup).toContain('Decided: stays on for 4 h 30 min, may go off for 30 min, left as it is for 1 h');
    expect(markupOf(<RoomLast history={hoursOf(now)} names={new Map()} />)).toContain('Sensor 1: saw');
  });
});
