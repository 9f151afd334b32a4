import { describe, expect, it } from 'vitest';

import type { MatchFacts } from '#machines/profile-catalog/reading.ts';
import type { MatchGroup, MatchPredicate } from '#profiles/document.ts';
import { bundledProfiles } from '#profiles/bundled.ts';
import { type Matchable, matchable, matchProfiles } from '#profiles/match.ts';

import { unknownMachine } from './facts.ts';

const board: MatchFacts = {
  ...unknownMachine,
  devicetree_model: 'raspberry pi 4 model b rev 1.4',
  devicetree_compatible: ['raspberrypi,4-model-b', 'brcm,bcm2711'],
  os_id: 'debian',
  os_like: [],
};
const is = (field: MatchPredicate['field'], op: MatchPredicate['op'], ...values: string[]): MatchPredicate => ({
  field,
  op,
  values,
});
const group = (priority: number, ...all: MatchPredicate[]): MatchGroup => ({ priority, all });
const profile = (id: string, priority: number, ...any: MatchGroup[]): Matchable => ({
  id,
  match: { priority, fallback: false, any },
});
const fallback: Matchable = {
  id: 'generic-linux',
  match: { priority: 1000, fallback: true, any: [group(1000, is('os_id', 'equals', 'debian'))] },
};

const yes = is('devicetree_model', 'starts_with', 'raspberry pi');
const no = is('devicetree_model', 'equals', 'another');

describe('a predicate', () => {
  it.each([
    [is('devicetree_model', 'equals', 'raspberry pi 4 model b rev 1.4'), true],
    [is('devicetree_model', 'equals', 'raspberry pi 4'), false],
    [is('devicetree_model', 'starts_with', 'raspberry pi 4'), true],
    [is('devicetree_model', 'starts_with', 'pi 4'), false],
    [is('devicetree_model', 'contains', 'pi 4'), true],
    [is('devicetree_model', 'contains', 'x', 'pi 4'), true],
    [is('devicetree_compatible', 'equals', 'brcm,bcm2711'), true],
    [is('devicetree_compatible', 'equals', 'brcm,bcm2712'), false],
    [is('dmi_product', 'contains', ''), false],
    [is('os_like', 'contains', 'debian'), false],
  ])('%o holds: %s', (predicate, holds) => {
    expect(matchProfiles(board, [profile('a', 1, group(1, predicate)), fallback]).why).toBe(holds ? 'matched' : 'none');
  });
});

describe('matching', () => {
  it.each([
    ['nothing matches', [profile('a', 1, group(1, no))], 'generic-linux', 'none'],
    ['there is no profile', [], 'generic-linux', 'none'],
    ['one matches', [profile('a', 1, group(1, yes))], 'a', 'matched'],
    ['one predicate of a group does not hold', [profile('a', 1, group(1, yes, no))], 'generic-linux', 'none'],
    ['one group of several holds', [profile('a', 1, group(9, no), group(1, yes))], 'a', 'matched'],
    ['a group without predicates', [profile('a', 1, group(1))], 'generic-linux', 'none'],
    [
      'the higher group wins over the higher profile',
      [profile('a', 900, group(1, yes)), profile('b', 1, group(2, yes))],
      'b',
      'matched',
    ],
    [
      'a group that does not hold counts for nothing',
      [profile('a', 1, group(900, no), group(1, yes)), profile('b', 1, group(2, yes))],
      'b',
      'matched',
    ],
    [
      'of equal groups the higher profile wins',
      [profile('a', 1, group(5, yes)), profile('b', 2, group(5, yes))],
      'b',
      'matched',
    ],
    ['two are equal', [profile('a', 2, group(5, yes)), profile('b', 2, group(5, yes))], 'generic-linux', 'tie'],
    [
      'two are equal and a third is better',
      [profile('a', 2, group(5, yes)), profile('b', 2, group(5, yes)), profile('c', 3, group(5, yes))],
      'c',
      'matched',
    ],
  ] as const)('%s', (_what, profiles, id, why) => {
    expect(matchProfiles(board, [...profiles, fallback])).toMatchObject({ id, why });
    expect(matchProfiles(board, [fallback, ...profiles.toReversed()])).toMatchObject({ id, why });
  });
});

const bundled = bundledProfiles().map(({ document }) => matchable(document));

describe('the bundled profiles', () => {
  it('never match a machine that tells nothing', () => {
    expect(matchProfiles(unknownMachine, bundled)).toEqual({ id: 'generic-linux', why: 'none', matches: [] });
  });

  it('never give a machine the simulated panel', () => {
    expect(
      bundled
        .filter(({ match }) => match.any.length === 0)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(['android-generic', 'generic-linux', 'simulated']);
  });

  it.each([
    [
      'raspberry-pi-touch-display-1',
      {
        devicetree_model: 'raspberry pi 4 model b rev 1.4',
        devicetree_panels: ['raspberrypi,7inch-dsi', 'simple-panel'],
      },
    ],
    [
      'raspberry-pi-touch-display-2',
      { devicetree_model: 'raspberry pi 5 model b rev 1.0', devicetree_panels: ['raspberrypi,dsi-7inch'] },
    ],
    ['raspberry-pi-hdmi', { devicetree_model: 'raspberry pi 4 model b rev 1.4' }],
    [
      'raspberry-pi-hdmi',
      { devicetree_model: 'raspberry pi compute module 4 rev 1.1', devicetree_panels: ['another,panel'] },
    ],
    ['laptop-tablet', { dmi_vendor: 'microsoft corporation', dmi_product: 'surface go 2' }],
    ['laptop-tablet', { dmi_vendor: 'dell inc.', dmi_product: 'latitude 7285' }],
    ['generic-linux', { dmi_vendor: 'qemu', dmi_product: 'standard pc (i440fx + piix, 1996)' }],
    ['rk35xx-linux', { devicetree_model: 'wall panel', devicetree_compatible: ['vendor,panel', 'rockchip,rk3566'] }],
    [
      'sonoff-nspanel-pro',
      { android_model: 'px30_evb', android_device: 'px30_evb', android_product: 'nspanel120p_4.8.0' },
    ],
    ['sonoff-nspanel-pro', { android_model: 'px30_evb', android_device: 'px30_evb' }],
    ['generic-linux', { android_model: 'lenovo tb-x306f', android_device: 'x306f' }],
  ])('give %s to %o', (id, known) => {
    expect(matchProfiles({ ...unknownMachine, ...known }, bundled).id).toBe(id);
  });
});
