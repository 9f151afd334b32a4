import { describe, expect, it } from 'vitest';

import { closestName, nearestName, nearestNames } from '#machines/kit/closest-name.ts';

describe('the closest name', () => {
  it.each<[string, readonly string[], number, string | null]>([
    ['relai', ['relay', 'sound'], 1, 'relay'],
    // One swap of neighbours is one edit.
    ['rleay', ['relay'], 1, 'relay'],
    ['rely', ['relay'], 1, 'relay'],
    ['relayy', ['relay'], 1, 'relay'],
    ['relay', ['RELAY'], 0, 'RELAY'],
    ['rexxy', ['relay'], 1, null],
    ['rexxy', ['relay'], 2, 'relay'],
    ['ab', ['ax', 'xb'], 1, 'ax'],
    ['ab', ['xx', 'ab'], 2, 'ab'],
    ['', ['relay'], 4, null],
    ['relay', [], 9, null],
  ])('of %j among %j with %i edits is %j', (word, names, edits, closest) => {
    expect(closestName(word, names, () => edits)).toBe(closest);
  });

  it('allows each name its own number of edits', () => {
    expect(closestName('lug', ['log', 'lag_level'], (name) => (name.length > 3 ? 9 : 0))).toBe('lag_level');
  });
});

describe('the nearest name', () => {
  it.each([
    ['freindly_name', 'friendly_name'],
    ['Log-Level', 'log_level'],
    ['panel_id', 'panel-id'],
    ['completely_else', null],
    ['x'.repeat(100_000), null],
    ['', null],
  ])('of %j is %j', (word, name) => expect(nearestName(word, ['friendly_name', 'log_level', 'panel-id'])).toBe(name));
});

describe('the nearest names', () => {
  const profiles = ['auto', 'linux', 'pi-touch-display-1', 'pi-touch-display-2', 'raspberry-pi-hdmi', 'simulated'];
  const options = ['name', 'mqtt-broker', 'mqtt-user', 'mqtt-pass-file', 'ha-url', 'ha-user', 'ha-pass-file'];
  it.each<[string, readonly string[], readonly string[]]>([
    ['simulatde', profiles, ['simulated']],
    ['pi-tuch', profiles, ['pi-touch-display-1', 'pi-touch-display-2']],
    ['hdmi', profiles, ['raspberry-pi-hdmi']],
    ['toaster', profiles, []],
    ['now', ['no-packages'], []],
    ['nmae', options, ['name']],
    ['broker', options, ['mqtt-broker']],
    ['user', options, ['mqtt-user', 'ha-user']],
    ['pass_file', options, ['ha-pass-file']],
    ['x', ['a-x', 'b-x', 'c-x', 'd-x'], []],
    ['', options, []],
    ['-', options, []],
    ['-'.repeat(1000), options, []],
  ])('of %j among %j are %j', (word, names, near) => expect(nearestNames(word, names)).toEqual(near));
});
