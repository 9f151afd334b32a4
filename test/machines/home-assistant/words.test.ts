import { describe, expect, it } from 'vitest';

import { networkWords } from '#machines/home-assistant/words.ts';
import type { HomePresenceContext, PresenceState } from '#machines/home-presence/events.ts';

const presence = (path: HomePresenceContext['path'], state: PresenceState = 'there') => ({
  path,
  judged: { state, evidence: [] },
});

describe('what is said of pings without an answer', () => {
  it.each([
    ['severe', presence('severe'), /lets nothing through\. Check the Wi-Fi or the cable/],
    ['warning', presence('warning'), /loses packets\. Check the Wi-Fi or the cable/],
    ['severe', presence('healthy'), /the network to it works/],
    ['warning', presence('healthy'), /the network to it works/],
    ['severe', presence(null), /not known/],
    ['severe', undefined, /not known/],
    ['severe', presence('severe', 'gone'), null],
    ['healthy', presence('severe'), null],
    ['settling', presence('severe'), null],
    [null, presence('severe'), null],
  ] as const)('%s, %o: %s', (verdict, of, words) => {
    const said = networkWords({ ha_net: verdict, unprobed: false }, of);
    if (words === null) expect(said).toBeNull();
    else expect(said).toMatch(words);
  });

  it('that none could be sent for five minutes, also of one that is gone', () => {
    const none = { ha_net: 'healthy', unprobed: true } as const;
    for (const state of ['there', 'gone'] as const) {
      const sentence = 'No ping could be sent to Home Assistant for five minutes';
      expect(networkWords(none, presence(null, state))).toBe(`${sentence}, so nothing is known of the network to it.`);
      expect(networkWords(none, presence('healthy', state))).toBe(`${sentence}.`);
    }
  });
});
