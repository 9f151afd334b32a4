import { describe, expect, it } from 'vitest';

import { type HomeFacts, homeFeed, type PanelFacts, panelFeed, sourceState } from '#machines/auto-sleep/source-feed.ts';

describe('a state of Home Assistant', () => {
  it.each([
    ['on', 'on'],
    ['off', 'off'],
    ['unavailable', 'unavailable'],
    ['unknown', 'unavailable'],
    ['ON', 'unavailable'],
    [null, 'unavailable'],
    [undefined, 'unavailable'],
  ])('%j is %s', (state, is) => expect(sourceState(state)).toBe(is));
});

describe('the sensors of Home Assistant', () => {
  const [a, b] = [
    { key: 'a', entityId: 'binary_sensor.a' },
    { key: 'b', entityId: 'binary_sensor.b' },
  ];
  const known = { isKnown: true, area: { id: 'hall', name: 'Hall' }, total: 2 };
  const facts: HomeFacts = {
    signIn: 'in',
    isLive: true,
    hasFailed: false,
    area: known,
    included: [a, b],
    states: new Map([
      [a.entityId, 'on'],
      [b.entityId, null],
    ]),
    wasLive: false,
  };
  const live = {
    kind: 'live',
    sources: [
      { key: 'a', state: 'on' },
      { key: 'b', state: 'unavailable' },
    ],
  };
  const none = (why: string) => ({ kind: 'none', why });
  const lost = (why: string) => ({ kind: 'lost', why });

  it.each<[string, Partial<HomeFacts>, unknown, unknown]>([
    ['are live', {}, live, live],
    ['wait for the state of a new one', { states: new Map([[a.entityId, 'on']]) }, null, null],
    [
      'are not known at the start',
      { signIn: null, isLive: false, area: null },
      none('starting'),
      lost('home-assistant-away'),
    ],
    ['are not known before a connection', { isLive: false, area: null }, none('starting'), lost('home-assistant-away')],
    [
      'are away where none is made',
      { isLive: false, hasFailed: true },
      none('home-assistant-away'),
      lost('home-assistant-away'),
    ],
    ['are not known before the first answer', { area: null }, none('starting'), none('starting')],
    ['need a sign-in', { signIn: 'out' }, none('signed-out'), none('signed-out')],
    ['need a sign-in that is accepted', { signIn: 'refused', isLive: false }, none('signed-out'), lost('signed-out')],
    ['need the panel', { area: { isKnown: false, area: null, total: 0 } }, none('no-device'), none('no-device')],
    ['need an area', { area: { isKnown: true, area: null, total: 0 } }, none('no-area'), none('no-area')],
    ['may be none', { area: { ...known, total: 0 }, included: [] }, none('no-sensors'), none('no-sensors')],
    ['may be left out', { included: [] }, none('all-excluded'), none('all-excluded')],
  ])('%s', (_, change, atFirst, later) => {
    expect(homeFeed({ ...facts, ...change })).toEqual(atFirst);
    expect(homeFeed({ ...facts, ...change, wasLive: true })).toEqual(later);
  });
});

describe('the panel’s own sensor', () => {
  const facts: PanelFacts = { isThere: true, isCalibrated: true, near: true, wasLive: false };
  const live = (state: string) => ({ kind: 'live', sources: [{ key: 'k', state }] });
  const none = (why: string) => ({ kind: 'none', why });

  it.each<[string, Partial<PanelFacts>, unknown, unknown]>([
    ['sees a person', {}, live('on'), live('on')],
    ['sees no person', { near: false }, live('off'), live('off')],
    ['is not there', { isThere: false }, none('no-sensor'), { kind: 'lost', why: 'no-sensor' }],
    ['is not calibrated', { isCalibrated: false }, none('not-calibrated'), none('not-calibrated')],
    ['is not read yet', { near: null }, none('starting'), { kind: 'lost', why: 'no-sensor' }],
    ['is not known yet', { isCalibrated: null, near: null }, none('starting'), { kind: 'lost', why: 'no-sensor' }],
  ])('%s', (_, change, atFirst, later) => {
    expect(panelFeed({ ...facts, ...change }, 'k')).toEqual(atFirst);
    expect(panelFeed({ ...facts, ...change, wasLive: true }, 'k')).toEqual(later);
  });
});
