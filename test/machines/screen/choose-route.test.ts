import { describe, expect, it } from 'vitest';

import { assignDisplays, MAX_DISPLAYS } from '#machines/screen/assign-displays.ts';
import { chooseRoutes, needsSlowRoutes } from '#machines/screen/choose-route.ts';
import type { Choice, Distrust, Offer, RouteName, TargetSign } from '#machines/screen/events.ts';

const offers: Readonly<Record<RouteName, Offer>> = {
  adb: { route: 'adb', dims: true, power: true },
  backlight: { route: 'backlight', dims: true, power: true },
  wlopm: { route: 'wlopm', dims: false, power: true },
  kscreen: { route: 'kscreen', dims: false, power: true },
  xset: { route: 'xset', dims: false, power: true },
  ddc: { route: 'ddc', dims: true, power: true },
  dimming: { route: 'dimming', dims: true, power: false },
};
const only = (...names: readonly RouteName[]): readonly Offer[] => names.map((name) => offers[name]);
const caught = (route: RouteName, part: keyof Choice): Distrust => ({ route, part });

describe('which route does what', () => {
  it.each<[string, readonly Offer[], readonly Distrust[], Choice | null, Choice]>([
    [
      'all of them',
      only('dimming', 'ddc', 'xset', 'kscreen', 'wlopm', 'backlight'),
      [],
      null,
      { brightness: 'backlight', power: 'backlight' },
    ],
    [
      'a backlight that cannot switch, and a compositor',
      [{ ...offers.backlight, power: false }, offers.wlopm],
      [],
      null,
      { brightness: 'backlight', power: 'wlopm' },
    ],
    ['a compositor and the monitor', only('ddc', 'kscreen'), [], null, { brightness: 'ddc', power: 'kscreen' }],
    ['an X server', only('xset', 'dimming'), [], null, { brightness: 'dimming', power: 'xset' }],
    [
      'a compositor that was caught',
      only('wlopm', 'ddc'),
      [caught('wlopm', 'power')],
      null,
      { brightness: 'ddc', power: 'ddc' },
    ],
    [
      'one that was caught at one thing keeps the other',
      only('ddc', 'dimming'),
      [caught('ddc', 'power')],
      null,
      { brightness: 'ddc', power: null },
    ],
    [
      'what worked before',
      only('wlopm', 'xset', 'ddc'),
      [],
      { brightness: 'ddc', power: 'xset' },
      { brightness: 'ddc', power: 'xset' },
    ],
    [
      'what worked before and is not offered any more',
      only('wlopm'),
      [],
      { brightness: 'ddc', power: 'xset' },
      { brightness: null, power: 'wlopm' },
    ],
    [
      'what worked before and was caught since',
      only('wlopm', 'xset'),
      [caught('xset', 'power')],
      { brightness: null, power: 'xset' },
      { brightness: null, power: 'wlopm' },
    ],
    ['nothing', [], [], null, { brightness: null, power: null }],
  ])('%s', (_, offered, distrusted, before, choice) => {
    expect(chooseRoutes(offered, distrusted, before)).toEqual(choice);
  });

  it('asks the slow ones only where something is left open', () => {
    expect(needsSlowRoutes([only('backlight')])).toBe(false);
    expect(needsSlowRoutes([only('wlopm')])).toBe(true);
    expect(needsSlowRoutes([only('xset', 'dimming')])).toBe(true);
    expect(needsSlowRoutes([only('backlight')], [caught('backlight', 'power')])).toBe(true);
    expect(needsSlowRoutes([])).toBe(true);
  });
});

const target = (route: RouteName, connector: string | null = null, name: string = connector ?? route): TargetSign => ({
  route,
  connector,
  name,
});

describe('which displays there are', () => {
  it.each<
    [
      string,
      readonly string[],
      readonly TargetSign[],
      readonly { readonly name: string; readonly targets: readonly number[] }[],
    ]
  >([
    ['a backlight and no connector', [], [target('backlight', null, 'panel')], [{ name: 'panel', targets: [0] }]],
    [
      'an X server in a machine without connectors',
      [],
      [target('xset'), target('dimming', 'HDMI-1')],
      [{ name: 'HDMI-1', targets: [1, 0] }],
    ],
    [
      'the one inside comes first and has the backlight',
      ['HDMI-A-1', 'DSI-1'],
      [target('backlight'), target('wlopm', 'HDMI-A-1'), target('wlopm', 'DSI-1')],
      [
        { name: 'DSI-1', targets: [0, 2] },
        { name: 'HDMI-A-1', targets: [1] },
      ],
    ],
    [
      'the only display has the backlight, whatever its connector',
      ['DP-1'],
      [target('backlight')],
      [{ name: 'DP-1', targets: [0] }],
    ],
    [
      'an X server switches them all',
      ['DP-1', 'DP-2'],
      [target('xset')],
      [
        { name: 'DP-1', targets: [0] },
        { name: 'DP-2', targets: [0] },
      ],
    ],
    [
      'names of the X server are those of the kernel without the letter',
      ['HDMI-A-2'],
      [target('dimming', 'HDMI-2')],
      [{ name: 'HDMI-A-2', targets: [0] }],
    ],
    [
      'a backlight that belongs to none of several',
      ['HDMI-A-1', 'HDMI-A-2'],
      [target('backlight', null, 'rpi')],
      [
        { name: 'rpi', targets: [0] },
        { name: 'HDMI-A-1', targets: [] },
        { name: 'HDMI-A-2', targets: [] },
      ],
    ],
    ['a display that no route reaches is one all the same', ['DP-1'], [], [{ name: 'DP-1', targets: [] }]],
    ['nothing at all', [], [], []],
  ])('%s', (_, connected, targets, displays) => {
    expect(assignDisplays(connected, targets)).toEqual(displays);
  });

  it('keeps to the number of lights, in the order of their numbers', () => {
    const names = ['DP-10', 'DP-2', 'DP-1', 'DP-3', 'DP-4'];
    expect(assignDisplays(names, []).map(({ name }) => name)).toEqual(['DP-1', 'DP-2', 'DP-3', 'DP-4']);
    expect(MAX_DISPLAYS).toBe(4);
  });
});
