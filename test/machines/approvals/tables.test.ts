import { describe, expect, it } from 'vitest';

import { afterUntouched, isSilent, mayDrawAttention } from '#machines/approvals/attention.ts';
import { type HoldFacts, isDeliberate } from '#machines/approvals/judge-hold.ts';
import { placeOf } from '#machines/approvals/place-of.ts';
import { noPlaceWords } from '#machines/approvals/place-words.ts';
import { noPlaceReasons } from '#machines/approvals/events.ts';
import { operationOf, operations } from '#machines/operations.ts';
import { subsystems } from '#machines/subsystems.ts';
import type { Manifest } from '#machines/subsystem.ts';

describe('a press on "Approve"', () => {
  const seen: HoldFacts = { visibleSince: 1000, litSince: 0, pressed: { id: 'q', at: 2500 } };
  it.each([
    ['begun when it could be read, and held', seen, 'q', 3500, true],
    ['let go too early', seen, 'q', 3200, false],
    ['begun half a second after it came', { ...seen, pressed: { id: 'q', at: 1500 } }, 'q', 2600, false],
    ['begun on a dark screen', { ...seen, litSince: 2200 }, 'q', 3500, false],
    ['of a question that is hidden', { ...seen, visibleSince: null }, 'q', 3500, false],
    ['while all screens are dark', { ...seen, litSince: null }, 'q', 3500, false],
    ['that began on another question', { ...seen, pressed: { id: 'p', at: 2500 } }, 'q', 3500, false],
    ['that never began', { ...seen, pressed: null }, 'q', 3500, false],
  ])('%s', (_, facts, id, now, approves) => expect(isDeliberate(facts, id, now)).toBe(approves));
});

describe('attention', () => {
  it('lights and sounds at most once a minute', () => {
    expect([mayDrawAttention(null, 0), mayDrawAttention(0, 59_999), mayDrawAttention(0, 60_000)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('is silent after three untouched questions in ten minutes', () => {
    const two = afterUntouched(afterUntouched([], 0), 100_000);
    expect(isSilent(two, 100_000)).toBe(false);
    const three = afterUntouched(two, 200_000);
    expect([isSilent(three, 200_000), isSilent(three, 600_000)]).toEqual([true, false]);
    expect(isSilent(afterUntouched(three, 650_000), 650_000)).toBe(true);
  });
});

describe('the place for questions', () => {
  const shown = { mode: 'builtin', route: 'x11', phase: 'showing' } as const;
  const real = { simulated: false, android: false };
  it.each([
    ['a browser on a display', { ...real, renderer: shown }, { kind: 'screen' }],
    ['the offline page', { ...real, renderer: { ...shown, phase: 'waiting' } }, { kind: 'screen' }],
    ['on Wayland', { ...real, renderer: { ...shown, route: 'wayland' } }, { kind: 'screen' }],
    ['headless', { ...real, renderer: { ...shown, route: 'headless' } }, { kind: 'none', reason: 'headless' }],
    [
      'no renderer',
      { ...real, renderer: { mode: 'none', route: null, phase: 'off' } },
      { kind: 'none', reason: 'no-renderer' },
    ],
    ['Firefox', { ...real, renderer: { ...shown, mode: 'external' } }, { kind: 'none', reason: 'foreign-browser' }],
    ['no browser', { ...real, renderer: { ...shown, phase: 'not-installed' } }, { kind: 'none', reason: 'no-browser' }],
    ['no display', { ...real, renderer: { ...shown, phase: 'no-display' } }, { kind: 'none', reason: 'no-browser' }],
    [
      'a browser that starts',
      { ...real, renderer: { ...shown, route: null, phase: 'starting' } },
      { kind: 'none', reason: 'starting' },
    ],
    [
      'a browser that starts again',
      { ...real, renderer: { ...shown, route: null, phase: 'recovering' } },
      { kind: 'none', reason: 'starting' },
    ],
    ['no renderer part', { ...real, renderer: undefined }, { kind: 'none', reason: 'starting' }],
    ['Android', { simulated: false, android: true, renderer: shown }, { kind: 'none', reason: 'android' }],
    ['simulated on a display', { ...real, simulated: true, renderer: shown }, { kind: 'screen' }],
    [
      'simulated without one',
      { ...real, simulated: true, renderer: { mode: 'none', route: null, phase: 'off' } },
      { kind: 'simulator' },
    ],
  ] as const)('%s', (_, facts, place) => expect(placeOf(facts)).toEqual(place));

  it('says why there is none', () => {
    for (const reason of noPlaceReasons) expect(noPlaceWords({ kind: 'none', reason })).toMatch(/\.$/);
    expect(noPlaceWords({ kind: 'screen' })).toBeNull();
  });
});

describe('operations', () => {
  const manifests: readonly Manifest[] = subsystems;
  const declared = manifests.flatMap((manifest) => Object.keys(manifest.operations ?? {}));

  it('are each declared once', () => {
    expect(declared.length).toBeGreaterThan(0);
    expect(declared.toSorted()).toEqual(Object.keys(operations).toSorted());
    expect(new Set(declared).size).toBe(declared.length);
  });

  it('have upper-case names and a title without a full stop', () => {
    for (const [name, { title }] of Object.entries(operations)) {
      expect(name).toMatch(/^[A-Z]+(?:_[A-Z]+)*$/);
      expect(title).toMatch(/^[A-Z].*[^.]$/);
    }
    expect(operationOf('constructor')).toBeUndefined();
  });
});
