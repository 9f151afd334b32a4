import { describe, expect, it } from 'vitest';

import type { Choice, RouteFinding, RouteStep, RouteTrust } from '#machines/screen/events.ts';
import { answerRefusal, followRoutes, isHonoured, untried, writeOrder } from '#machines/screen/route-trust.ts';

const both: Choice = { brightness: 'backlight', power: 'backlight' };
const mixed: Choice = { brightness: 'ddc', power: 'wlopm' };
const caught = [{ route: 'wlopm', part: 'power' }] as const;
const proved = { display: 'HDMI-A-1', choice: mixed };

describe('the trust in the routes', () => {
  it.each<[string, Partial<RouteTrust>, RouteFinding, Partial<RouteTrust>, RouteStep['order']]>([
    [
      'a route that cannot be read is trusted with nothing',
      { distrusted: caught },
      { type: 'route.unread', route: 'ddc' },
      { distrusted: [...caught, { route: 'ddc', part: 'power' }, { route: 'ddc', part: 'brightness' }] },
      'keep',
    ],
    [
      'a failed write costs that part, and what worked for this display',
      { proved },
      { type: 'route.failed', route: 'wlopm', part: 'power', display: 'HDMI-A-1' },
      { distrusted: caught, proved: null },
      'keep',
    ],
    [
      'what worked for another display stays',
      { proved },
      { type: 'route.failed', route: 'wlopm', part: 'power', display: 'DP-1' },
      { distrusted: caught, proved },
      'keep',
    ],
    [
      'the next probe tries all again',
      { distrusted: caught },
      { type: 'routes.exhausted' },
      { distrusted: [] },
      'keep',
    ],
    [
      'other routes than the preferred ones are in use',
      {},
      { type: 'routes.preferred', display: 'HDMI-A-1', choice: mixed, held: { display: 'HDMI-A-1', choice: both } },
      { proved },
      'choose',
    ],
    [
      'the preferred routes are in use',
      {},
      { type: 'routes.preferred', display: 'HDMI-A-1', choice: mixed, held: { display: 'HDMI-A-1', choice: mixed } },
      { proved },
      'keep',
    ],
    [
      'another display is in use',
      {},
      { type: 'routes.preferred', display: 'HDMI-A-1', choice: mixed, held: { display: 'DP-1', choice: both } },
      { proved },
      'keep',
    ],
    [
      'no display is in use yet',
      {},
      { type: 'routes.preferred', display: 'HDMI-A-1', choice: mixed, held: null },
      { proved },
      'keep',
    ],
    [
      'the first list is no change',
      { distrusted: caught },
      { type: 'surroundings.listed', surroundings: 'a', isDark: false },
      { distrusted: caught, surroundings: 'a' },
      'keep',
    ],
    [
      'other surroundings: nothing before counts',
      { distrusted: caught, proved, surroundings: 'a' },
      { type: 'surroundings.listed', surroundings: 'b', isDark: false },
      { distrusted: [], proved: null, surroundings: 'b' },
      'choose',
    ],
    [
      'other surroundings while it is dark are noticed later',
      { distrusted: caught, proved, surroundings: 'a' },
      { type: 'surroundings.listed', surroundings: 'b', isDark: true },
      { distrusted: caught, proved, surroundings: 'a' },
      'keep',
    ],
    ['a reading ends the row', { failedReadings: 2 }, { type: 'reading.made' }, { failedReadings: 0 }, 'keep'],
    [
      'two failed readings are borne',
      { failedReadings: 1 },
      { type: 'reading.failed', isGone: false, isDark: false },
      { failedReadings: 2 },
      'keep',
    ],
    [
      'the third loses the display',
      { failedReadings: 2 },
      { type: 'reading.failed', isGone: false, isDark: false },
      { failedReadings: 3 },
      'lose',
    ],
    [
      'one that is gone is lost at once',
      {},
      { type: 'reading.failed', isGone: true, isDark: false },
      { failedReadings: 1 },
      'lose',
    ],
    [
      'a dark one is never lost',
      { failedReadings: 9 },
      { type: 'reading.failed', isGone: true, isDark: true },
      { failedReadings: 10 },
      'keep',
    ],
  ])('%s', (_, before, finding, after, order) =>
    expect(followRoutes({ ...untried, ...before }, finding)).toEqual({ trust: { ...untried, ...after }, order }),
  );
});

it.each<[Choice, boolean, readonly (keyof Choice)[]]>([
  [both, true, ['brightness', 'power']],
  [mixed, false, ['brightness', 'power']],
  // A monitor that sleeps takes no brightness over its cable.
  [mixed, true, ['power', 'brightness']],
  [{ brightness: 'ddc', power: null }, true, ['power', 'brightness']],
  [{ brightness: 'ddc', power: 'ddc' }, true, ['brightness', 'power']],
])('by %o, lighting %s, is written %j', (choice, isLighting, order) =>
  expect(writeOrder(choice, isLighting)).toEqual(order),
);

it.each([
  [null, false, true],
  [true, true, true],
  [false, true, false],
])('told %s and read %s is honoured: %s', (told, powered, honoured) =>
  expect(isHonoured(told, { raw: 1, powered })).toBe(honoured),
);

it.each([
  ['power', null, { report: 'lost', reason: 'failed' }],
  ['power', { power: false }, { report: null, reason: 'power-not-honoured' }],
  ['power', { power: true }, { report: 'found', reason: 'route-changed' }],
  ['brightness', { power: false }, { report: 'found', reason: 'route-changed' }],
] as const)('a write of %s with %o next is answered %o', (part, next, answer) =>
  expect(answerRefusal(part, next, 'failed')).toEqual(answer),
);
