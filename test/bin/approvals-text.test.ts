import { describe, expect, it } from 'vitest';

import { leftWords, type Listing, listingLines, modeLines } from '#bin/approvals-text.ts';
import { isDenied, isRelaxed, listingIn } from '#bin/control-answer.ts';

const play = {
  id: '3f'.repeat(16),
  title: 'Play a sound from the network',
  what: 'http://192.168.1.9/bell.mp3',
  who: '192.168.1.30',
  state: 'pending',
  leftMs: 540_000,
} as const;
const reboot = {
  ...play,
  id: 'a0'.repeat(16),
  title: 'Reboot the panel',
  what: '',
  state: 'approved',
  leftMs: 9_100,
} as const;

const listing: Listing = { mode: 'hardened', place: { kind: 'screen' }, requests: [play, reboot] };

it('reads so in Hardened mode', () => {
  expect(listingLines(listing)).toEqual([
    'Hardened mode: a person at the panel must approve what others ask for.',
    '',
    '  Play a sound from the network',
    '      what: "http://192.168.1.9/bell.mp3"',
    '      who:  192.168.1.30',
    '      left: 9 min',
    '      id:   3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f3f',
    '',
    '  Reboot the panel',
    '      who:  192.168.1.30',
    '      left: 10 s, approved: it may be repeated once',
    '      id:   a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0',
  ]);
});

it('reads so without a place to ask', () => {
  expect(listingLines({ mode: 'relaxed', place: { kind: 'none', reason: 'no-renderer' }, requests: [] })).toEqual([
    'Relaxed mode: only what needs a person in every mode is asked at the panel.',
    'It cannot ask: Sconce was started with --renderer none, so it has no screen to ask on.',
    'Nothing waits.',
  ]);
  expect(modeLines({ mode: 'relaxed', place: { kind: 'simulator' } })).toHaveLength(1);
});

it.each([
  [600_000, '10 min'],
  [90_001, '2 min'],
  [60_001, '1 min'],
  [60_000, '60 s'],
  [1, '1 s'],
  [0, '1 s'],
  [-5, '1 s'],
])('%s ms are left: %s', (ms, words) => expect(leftWords(ms)).toBe(words));

describe('the answer of an agent', () => {
  const answer = { ok: true, ...listing };

  it('is what it lists', () => expect(listingIn({ ...answer, of_tomorrow: 1 })).toEqual(answer));

  it.each([
    ['nothing', null],
    ['a refusal', { ok: false, error: 'unknown' }],
    ['another mode', { ...answer, mode: 'open' }],
    ['another place', { ...answer, place: { kind: 'none', reason: 'x' } }],
    ['an id that is none', { ...answer, requests: [{ ...play, id: 'x' }] }],
    ['a text without an end', { ...answer, requests: [{ ...play, what: 'x'.repeat(501) }] }],
    ['requests without an end', { ...answer, requests: Array.from({ length: 65 }, () => play) }],
  ])('is not %s', (_, value) => expect(listingIn(value)).toBeNull());

  it('says whether something was denied, and the mode', () => {
    expect([isDenied({ ok: true, denied: play.id }), isDenied({ ok: false, error: 'unknown' })]).toEqual([true, false]);
    expect([
      isRelaxed({ ok: true, mode: 'relaxed' }),
      isRelaxed({ ok: true, mode: 'hardened' }),
      isRelaxed('x'),
    ]).toEqual([true, false, false]);
  });
});
