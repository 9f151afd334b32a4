import { describe, expect, it } from 'vitest';

import type { PresenceFacts } from '#machines/home-presence/events.ts';
import { evidenceOf, isLive, type Moment, momentOf } from '#machines/home-presence/presence.ts';
import { judgePresence } from '#machines/home-presence/verdict.ts';
import { needsYou } from '#machines/kit/verdict.ts';

/** Nothing is known but that the integration carries the entities. */
const nothing: PresenceFacts = {
  socket: 'absent',
  failure: null,
  lifecycle: null,
  page: null,
  signedIn: false,
  answers: null,
  path: null,
  broker: null,
  publishing: { verdict: needsYou('no-broker', 'A.', 'B.'), announced: false, entities: 0 },
};
const session = (state: 'awaited' | 'live' | 'lost'): Pick<PresenceFacts, 'session'> => ({
  session: { state, entities: 31 },
});

describe('a session of the integration', () => {
  it.each<[string, Partial<PresenceFacts>, Moment]>([
    ['proves nothing before the first one', session('awaited'), 'unknown'],
    ['is proof', session('live'), 'there'],
    ['is proof whatever became of the other connection', { ...session('live'), socket: 'reconnecting' }, 'there'],
    ['that was lost may be back in a moment', session('lost'), 'lost'],
    ['announces a restart', { ...session('live'), lifecycle: 'stopping' }, 'restarting'],
    ['that was lost after its notice is a restart', { ...session('lost'), lifecycle: 'stopping' }, 'restarting'],
    ['tells that it starts', { ...session('live'), lifecycle: 'starting' }, 'restarting'],
  ])('%s', (_, change, moment) => {
    expect(momentOf(evidenceOf({ ...nothing, ...change }, null))).toBe(moment);
  });

  it('answers on its connection', () => {
    expect([isLive({ ...nothing, ...session('live') }), isLive({ ...nothing, ...session('lost') })]).toEqual([
      true,
      false,
    ]);
  });

  it.each([
    ['there', 'live', 'working', 'Home Assistant is connected, and shows 31 entities of this panel.'],
    ['unknown', 'awaited', 'checking', 'The panel waits for Home Assistant to connect.'],
    ['restarting', 'lost', 'checking', 'Home Assistant is restarting. The panel waits for it.'],
    [
      'gone',
      'lost',
      'needs_you',
      'The panel gets no answer from Home Assistant. Check that it runs; the panel keeps trying and comes back on its own.',
    ],
  ] as const)('has the verdict, without a word of the broker: %s', (state, at, verdict, detail) => {
    expect(judgePresence({ state }, 'no-integration', { ...nothing, ...session(at), broker: 'will' })).toMatchObject({
      state: verdict,
      detail,
    });
  });
});
