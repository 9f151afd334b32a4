import { describe, expect, it } from 'vitest';

import type { OwnDevice } from '#machines/home-assistant/events.ts';
import {
  evidenceCodes,
  type Evidence,
  type PresenceFacts,
  type PresenceState,
  type EntityLookup,
} from '#machines/home-presence/events.ts';
import { evidenceOf, type Moment, momentOf, stateAfter } from '#machines/home-presence/presence.ts';
import { firstEntity, lookupOf } from '#machines/home-presence/lookup.ts';
import { judgePresence } from '#machines/home-presence/verdict.ts';
import { needsYou, verdictOf, type VerdictState, working } from '#machines/kit/verdict.ts';

const own = working('live', '24 entities are announced at the broker.');
const announced = { verdict: own, announced: true, entities: 24 };
/** Nothing is known but what the panel has announced. */
const nothing: PresenceFacts = {
  socket: 'absent',
  failure: null,
  lifecycle: null,
  page: null,
  signedIn: false,
  answers: null,
  path: null,
  broker: null,
  publishing: announced,
};
const signedIn: Partial<PresenceFacts> = { signedIn: true, answers: true };
const live: Partial<PresenceFacts> = { ...signedIn, socket: 'live' };
const closed: Partial<PresenceFacts> = { ...signedIn, socket: 'reconnecting', failure: 'closed' };

describe('whether Home Assistant is there', () => {
  it.each<[string, Partial<PresenceFacts>, EntityLookup | null, Moment, readonly Evidence[]]>([
    ['nothing is known', {}, null, 'unknown', []],
    ['no sign-in, and its birth came', { broker: 'birth' }, null, 'there', ['broker-birth']],
    ['no sign-in, and its will came', { broker: 'will' }, null, 'lost', ['broker-will']],
    ['it answered the sign-in', signedIn, null, 'there', ['sign-in-answered']],
    ['it does not answer the sign-in', { signedIn: true, answers: false }, null, 'lost', ['sign-in-unanswered']],
    [
      'an old answer, and a will since',
      { ...signedIn, broker: 'will' },
      null,
      'lost',
      ['sign-in-answered', 'broker-will'],
    ],
    ['the connection is live', live, null, 'there', ['socket-live', 'sign-in-answered']],
    [
      'the connection is live, and the integration left the broker',
      { ...live, broker: 'will' },
      'integration-disabled',
      'there',
      ['socket-live', 'sign-in-answered', 'broker-will', 'entities-missing'],
    ],
    ['it refuses the sign-in', { socket: 'refused' }, null, 'there', ['socket-refused']],
    [
      'it refused the sign-in, and its will came since',
      { socket: 'refused', broker: 'will' },
      null,
      'lost',
      ['socket-refused', 'broker-will'],
    ],
    [
      'it refused the sign-in, and the page is away since',
      { socket: 'refused', page: 'away' },
      null,
      'gone',
      ['socket-refused', 'page-away'],
    ],
    // As with a broker that lost it.
    [
      'the page is connected, and the will came',
      { page: 'connected', broker: 'will' },
      null,
      'there',
      ['page-connected', 'broker-will'],
    ],
    [
      'there is no way to its network',
      { ...closed, failure: 'ENETUNREACH' },
      null,
      'lost',
      ['socket-lost', 'sign-in-answered'],
    ],
    [
      'there is no way to its machine',
      { ...closed, failure: 'EHOSTUNREACH' },
      null,
      'lost',
      ['socket-lost', 'sign-in-answered'],
    ],
    ['the connection was lost', closed, null, 'lost', ['socket-lost', 'sign-in-answered']],
    [
      'the connection was lost, and the entities were found before',
      closed,
      'shown',
      'lost',
      ['socket-lost', 'sign-in-answered'],
    ],
    ['the connection was never made', { socket: 'connecting', failure: 'ECONNREFUSED' }, null, 'lost', ['socket-lost']],
    ['the connection is being made for the first time', { socket: 'connecting' }, null, 'unknown', []],
    [
      'nothing answers on the connection',
      { ...closed, failure: 'silent' },
      null,
      'gone',
      ['socket-silent', 'sign-in-answered'],
    ],
    ['the page is away', { ...closed, page: 'away' }, null, 'gone', ['socket-lost', 'page-away', 'sign-in-answered']],
    [
      'a page that still shows old states',
      { ...closed, failure: 'silent', page: 'connected' },
      null,
      'gone',
      ['socket-silent', 'page-connected', 'sign-in-answered'],
    ],
    [
      'it said that it stops',
      { ...closed, lifecycle: 'stopping', page: 'away' },
      null,
      'restarting',
      ['socket-lost', 'says-stopping', 'page-away', 'sign-in-answered'],
    ],
    [
      'it says that it starts',
      { ...live, lifecycle: 'starting' },
      null,
      'restarting',
      ['socket-live', 'says-starting', 'sign-in-answered'],
    ],
  ])('%s', (_, facts, lookup, moment, evidence) => {
    const found = evidenceOf({ ...nothing, ...facts }, lookup);
    expect([momentOf(found), found]).toEqual([moment, evidence]);
  });

  it('is concluded from codes of the closed list alone, in its order', () => {
    const all = evidenceOf({ ...nothing, ...live, broker: 'birth', page: 'connected' }, 'shown');
    expect(evidenceCodes.filter((code) => all.includes(code))).toEqual(all);
  });

  it.each<[PresenceState, Moment, boolean, PresenceState]>([
    ['there', 'lost', false, 'there'],
    ['unknown', 'lost', false, 'unknown'],
    ['gone', 'lost', false, 'gone'],
    ['gone', 'restarting', false, 'gone'],
    ['gone', 'restarting', true, 'restarting'],
    ['gone', 'there', true, 'there'],
    ['there', 'restarting', false, 'restarting'],
  ])('was %s, is %s now (live: %s): %s', (before, moment, isLive, after) => {
    expect(stateAfter(before, moment, isLive)).toBe(after);
  });
});

describe('what it shows of the panel', () => {
  const device: OwnDevice = {
    kind: 'own-device',
    identifier: 'sconce_hall',
    state: 'live',
    deviceId: 'c0ffee',
    entityIds: [],
    integration: 'present',
  };
  it.each<[Partial<OwnDevice>, EntityLookup | null, EntityLookup]>([
    [{}, 'shown', 'shown'],
    [{ state: 'unavailable' }, null, 'missing'],
    [{ state: 'absent' }, null, 'missing'],
    [{ state: 'absent', integration: 'absent' }, null, 'no-integration'],
    [{ state: 'disabled', integration: 'disabled' }, 'integration-disabled', 'integration-disabled'],
    [{ state: 'disabled' }, 'device-disabled', 'device-disabled'],
    [{ state: 'unavailable', integration: 'waits-for-password' }, 'waits-for-password', 'waits-for-password'],
  ])('%o', (change, atFirst, certain) => {
    expect([lookupOf({ ...device, ...change }, false), lookupOf({ ...device, ...change }, true)]).toEqual([
      atFirst,
      certain,
    ]);
  });

  it.each([
    [['button.a', 'light.hall_screen'], 'light.hall_screen'],
    [['switch.b', 'button.a'], 'button.a'],
    [[], null],
  ])('of %o names %s', (ids, first) => expect(firstEntity(ids)).toBe(first));
});

describe('the verdict', () => {
  const taken = needsYou('panel-id-taken', 'Another machine.', 'An id.');
  const waiting = verdictOf('off', 'waiting-for-broker', 'As soon as the broker is connected.');
  const partly = verdictOf('working', 'live-in-part', '23 entities are announced.', 'One entity was left out.');
  const of = (verdict: typeof own, isAnnounced = true) => ({
    publishing: { verdict, announced: isAnnounced, entities: 24 },
  });
  it.each<[PresenceState, EntityLookup | null, Partial<PresenceFacts>, VerdictState, string]>([
    ['there', 'shown', signedIn, 'working', 'shown'],
    ['there', null, signedIn, 'working', 'live'],
    ['there', null, {}, 'working', 'live'],
    ['unknown', null, {}, 'checking', 'live-unconfirmed'],
    ['there', 'missing', signedIn, 'needs_you', 'not-shown'],
    ['there', 'integration-disabled', signedIn, 'needs_you', 'mqtt-disabled'],
    ['there', 'waits-for-password', signedIn, 'needs_you', 'mqtt-waits-for-password'],
    ['there', 'no-integration', signedIn, 'needs_you', 'mqtt-not-set-up'],
    ['there', 'device-disabled', signedIn, 'needs_you', 'device-disabled'],
    ['gone', 'shown', signedIn, 'needs_you', 'home-assistant-gone'],
    ['gone', 'shown', { ...signedIn, path: 'healthy' }, 'needs_you', 'home-assistant-gone'],
    ['gone', 'shown', { ...signedIn, path: 'severe' }, 'needs_you', 'home-assistant-unreachable'],
    ['gone', null, of(waiting, false), 'needs_you', 'home-assistant-gone'],
    ['gone', null, of(taken, false), 'needs_you', 'panel-id-taken'],
    ['gone', null, { publishing: null }, 'needs_you', 'home-assistant-gone'],
    ['restarting', 'shown', signedIn, 'checking', 'home-assistant-restarting'],
    ['there', null, of(waiting, false), 'off', 'waiting-for-broker'],
    ['there', null, { publishing: null }, 'checking', 'not-looked-yet'],
    ['there', 'shown', of(partly), 'working', 'live-in-part'],
    ['there', 'missing', of(partly), 'needs_you', 'not-shown'],
  ])('%s, %s, %o: %s %s', (state, lookup, facts, word, reason) => {
    expect(judgePresence({ state }, lookup, { ...nothing, ...facts })).toMatchObject({ state: word, reason });
  });

  it('says shown only of what was found, and blames the network only where the path probe agrees', () => {
    const words = (state: PresenceState, lookup: EntityLookup | null, facts: Partial<PresenceFacts> = {}) =>
      judgePresence({ state }, lookup, { ...nothing, ...facts }).detail;
    expect(words('there', 'shown')).toBe('Home Assistant shows this panel, which has announced 24 entities.');
    expect(words('there', null)).toContain('announced 24 entities at the broker');
    expect(words('gone', null, { broker: 'will' })).toMatch(/^Home Assistant has gone offline\./);
    expect(words('gone', null)).toMatch(/^The panel gets no answer/);
    expect(words('gone', null, { path: 'healthy' })).not.toMatch(/cable|Wi-Fi/);
    expect(words('gone', null)).not.toMatch(/cable|Wi-Fi/);
    expect(words('gone', null, { path: 'severe' })).toMatch(/Wi-Fi or the cable/);
  });
});
