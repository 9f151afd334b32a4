import { describe, expect, it } from 'vitest';

import { readProfile } from '#profiles/read.ts';

import { bridgeChip, profileOf, relaysChip } from '../hardware/panel/profile.ts';

describe('the profile of the emulated panel', () => {
  for (const chip of [relaysChip, bridgeChip]) {
    it(`is accepted with its relays on ${chip}`, () => {
      const reading = readProfile(Buffer.from(profileOf(chip)));
      expect(reading.ok ? [] : reading.issues).toEqual([]);
    });
  }
});
