import { describe, expect, it } from 'vitest';

import { nearestName, nearestNames } from '#machines/kit/nearest-name.ts';

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
