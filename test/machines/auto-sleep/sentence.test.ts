import { describe, expect, it } from 'vitest';

import { gaps, sleepReasons, type SleepView } from '#machines/auto-sleep/events.ts';
import { restingView } from '#machines/auto-sleep/off.ts';
import { sentenceOf } from '#machines/auto-sleep/sentence.ts';

const NOW = 1_795_000_000_000;
const MINUTE = 60_000;

const said = (changes: Partial<SleepView>, offHoursClock: string | null = null): string =>
  sentenceOf({ view: { ...restingView, ...changes }, offHoursClock }, NOW);

describe('the sentence', () => {
  it.each<[string, Partial<SleepView>, string | null, string]>([
    [
      'names the time left and the last presence',
      { phase: 'holding', reason: 'presence_lease', until: NOW + 4 * MINUTE, lastPresenceAt: NOW - 6.5 * MINUTE },
      null,
      'Off in 4 min: nobody in the room, last seen 6 min ago.',
    ],
    [
      'counts seconds below a minute',
      { phase: 'holding', reason: 'touch_lease', until: NOW + 24_100, lastPresenceAt: NOW - 5900 },
      null,
      'Off in 25 s: last touched 5 s ago.',
    ],
    [
      'counts hours',
      { phase: 'holding', reason: 'touch_lease', until: NOW + 90 * MINUTE, lastPresenceAt: NOW - 120 * MINUTE },
      null,
      'Off in 1 h 30 min: last touched 2 h ago.',
    ],
    ['names a person who is there', { phase: 'holding', reason: 'source_active' }, null, 'On: a sensor sees a person.'],
    [
      'ends with what is left',
      { phase: 'holding', reason: 'entity', until: NOW + MINUTE },
      null,
      'On: the entity that you chose came on; 1 min left.',
    ],
    [
      'names the end of the hours by the wall clock',
      { phase: 'sleeping', reason: 'screen_off_hours' },
      '06:30',
      'Off until 06:30, by the hours that you set.',
    ],
    [
      'has hours without an end',
      { phase: 'sleeping', reason: 'screen_off_hours' },
      null,
      'Off, by the hours that you set.',
    ],
    [
      'says since when the room is empty',
      { phase: 'sleeping', reason: 'lease_expired', lastPresenceAt: NOW - 25 * MINUTE },
      null,
      'Off: nobody is there, last seen 25 min ago.',
    ],
    [
      'names the step that helps',
      { phase: 'inhibited', reason: 'no_sources_configured', gap: 'not-calibrated' },
      null,
      'Stays as it is: calibrate the proximity sensor first.',
    ],
    [
      'names the hours that come while auto-sleep is off',
      {},
      '22:30',
      'Auto-sleep is off; the screen goes dark at 22:30.',
    ],
    [
      'counts the hours to those that come in days',
      { offHours: { isActive: false, changesAt: NOW + 26 * 60 * MINUTE, why: null } },
      '22:30',
      'Auto-sleep is off; the screen goes dark in 26 h.',
    ],
    [
      'counts the hours of those that last for days',
      { reason: 'screen_off_hours', offHours: { isActive: true, changesAt: NOW + 1501 * MINUTE, why: null } },
      '00:00',
      'Off for 25 h 1 min, by the hours that you set.',
    ],
    ['is short while all is off', {}, null, 'Auto-sleep is off.'],
  ])('%s', (_, changes, clock, expected) => {
    expect(said(changes, clock)).toBe(expected);
  });

  it('never runs backwards when the clock was set', () => {
    const view = { phase: 'holding', reason: 'presence_lease', until: NOW - MINUTE, lastPresenceAt: NOW + MINUTE };
    expect(said(view as Partial<SleepView>)).toBe('Off in 0 s: nobody in the room, last seen 0 s ago.');
  });

  it('exists for each reason and each gap, as one sentence', () => {
    const all = [
      ...sleepReasons.map((reason) => said({ reason })),
      ...gaps.map((gap) => said({ reason: 'all_sources_unavailable', gap })),
    ];
    for (const sentence of all) expect(sentence).toMatch(/^[A-Z][^.]+[^.\s]\.$/);
    expect(new Set(all).size).toBeGreaterThanOrEqual(all.length - 2);
  });
});
