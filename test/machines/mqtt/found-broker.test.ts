import { describe, expect, it } from 'vitest';

import type { BrokerParts } from '#machines/mqtt/desired-broker.ts';
import type { Binding, FoundBroker, PasswordOrigin } from '#machines/mqtt/events.ts';
import { confirmOf } from '#machines/mqtt/phase.ts';
import { judgeBroker } from '#machines/mqtt/verdict.ts';
import { run } from './run-link.ts';

const at = (host: string, name = 'home.local'): BrokerParts['found'] => ({ outcome: 'found', host, name });
const HOME = at('10.0.0.2');
const ELSEWHERE = at('10.0.0.3');
const NONE: BrokerParts['found'] = { outcome: 'none', host: null, name: null };
const SEVERAL: BrokerParts['found'] = { outcome: 'ambiguous', host: null, name: null };
const home: FoundBroker = { name: 'home.local', address: '10.0.0.2', port: 1883 };
const elsewhere: FoundBroker = { ...home, address: '10.0.0.3' };
const bound: Binding = { kind: 'bound', broker: home };
/** CONNACK code of MQTT 5 for refused credentials. */
const REFUSED = 135;

const start = () => {
  const t = run();
  let revision = 0;
  return {
    ...t,
    /** What is found on the network now. */
    find: (found: BrokerParts['found'], over: Partial<BrokerParts> = {}) =>
      t.desire({ broker: '', passwordRevision: revision, found, ...over }),
    note: (origin: PasswordOrigin, binding: Binding | null = null, configured = false) => {
      if (origin !== 'recorded' && t.actor.getSnapshot().context.binding !== null) revision += 1;
      t.actor.send({ type: 'password.noted', revision, origin, binding, configured });
    },
    confirm: (broker: FoundBroker) => t.actor.send({ type: 'mqtt.confirm', requestId: 'r', broker }),
    /** The broker that a person would be shown to confirm. */
    waiting: () => {
      t.actor.send({ type: 'mqtt.read-waiting', requestId: 'w' });
      return t.replies.at(-1)?.outcome;
    },
    /** The disk answers the newest question of the memory. */
    settle: (reason: string | null = null) => {
      const asked = t.remembered.at(-1);
      if (asked?.type !== 'binding.settle') throw new Error('nothing was asked');
      const { requestId, revision: of, binding } = asked;
      const outcome = reason === null ? { status: 'confirmed' as const } : { status: 'commit-failed' as const, reason };
      t.actor.send({ type: 'binding.settled', requestId, revision: of, binding, outcome });
    },
    confirmable: () => confirmOf(t.facts()),
    hosts: () => t.attempts.map(({ input }) => `${input.host} ${input.passwordSet ? input.user : '-'}`),
  };
};

describe('a password that is bound to the broker that was found', () => {
  it('is sent to it, and nobody is connected to before that is known', () => {
    const t = start();
    t.find(HOME);
    expect([t.facts().phase, t.hosts()]).toEqual(['connecting', []]);
    t.note('recorded', bound);
    expect(t.hosts()).toEqual(['10.0.0.2 panel']);
    t.refuse(REFUSED);
    expect(t.facts()).toMatchObject({ phase: 'auth_failed', failure: 'credentials' });
    expect(judgeBroker(t.facts()).reason).toBe('wrong-credentials');
  });

  it('does not leave its session, whatever is found meanwhile', () => {
    const t = start();
    t.note('recorded', bound);
    t.find(HOME);
    t.connect();
    for (const found of [ELSEWHERE, NONE, SEVERAL, at('10.0.0.2', 'other.local'), HOME, ELSEWHERE]) t.find(found);
    expect(t.facts()).toMatchObject({ phase: 'connected', session: 1, source: 'found' });
    expect([t.hosts(), t.confirmable()]).toEqual([['10.0.0.2 panel'], null]);
    expect(judgeBroker(t.facts()).state).toBe('working');
  });

  it('is not sent where the broker moved: that one is asked without it, and waits for a word', () => {
    const t = start();
    t.note('recorded', bound);
    t.find(HOME);
    t.connect();
    t.find(ELSEWHERE);
    t.lose('closed');
    expect(t.hosts()).toEqual(['10.0.0.2 panel', '10.0.0.3 -']);
    expect(t.last().input.user).toBe('');
    t.refuse(REFUSED);
    expect(t.facts()).toMatchObject({ phase: 'unconfirmed', failure: null, refusedCredentials: false });
    expect(judgeBroker(t.facts())).toMatchObject({
      state: 'needs_you',
      reason: 'broker-moved',
      detail: expect.stringMatching(/^The broker moved.*Confirm the broker or enter its address under Configure/),
    });
    expect(t.confirmable()).toBe('moved');
    t.pass(60_000);
    expect(t.attempts).toHaveLength(2);
    t.find(HOME);
    expect(t.hosts().at(-1)).toBe('10.0.0.2 panel');
  });

  it('is not sent either where the moved one takes everybody, and the word is still waited for', () => {
    const t = start();
    t.note('recorded', bound);
    t.find(ELSEWHERE);
    t.connect();
    expect(t.facts().phase).toBe('connected');
    expect([t.confirmable(), judgeBroker(t.facts()).reason]).toEqual(['moved', 'broker-moved']);
    t.find(at('10.0.0.4'));
    expect(t.hosts()).toEqual(['10.0.0.3 -']);
    t.find(HOME);
    expect(t.hosts()).toEqual(['10.0.0.3 -', '10.0.0.2 panel']);
  });

  it('is not sent to one of another name, which is not even asked', () => {
    const t = start();
    t.note('recorded', bound);
    t.find(at('10.0.0.2', 'other.local'));
    expect([t.facts().phase, t.attempts, t.confirmable()]).toEqual(['unconfirmed', [], 'broker']);
    expect(judgeBroker(t.facts())).toMatchObject({ state: 'needs_you', reason: 'broker-unconfirmed' });
  });

  it('stays with the broker of the session when the owner changes the settings meanwhile', () => {
    const t = start();
    t.note('recorded', bound);
    t.find(HOME);
    t.connect();
    t.find(ELSEWHERE);
    t.find(ELSEWHERE, { user: 'other' });
    expect(t.hosts()).toEqual(['10.0.0.2 panel', '10.0.0.2 other']);
    t.lose();
    expect(t.hosts().at(-1)).toBe('10.0.0.3 -');
  });

  it('goes to a broker that is configured now, and leaves the session for it', () => {
    const t = start();
    t.note('recorded', bound);
    t.find(HOME);
    t.connect();
    t.note('saved', null, true);
    t.desire({ passwordRevision: 1 });
    expect(t.hosts()).toEqual(['10.0.0.2 panel', 'broker.test panel']);
    expect(t.remembered.at(-1)).toMatchObject({ binding: { kind: 'unconfirmed' } });
  });
});

describe('a password that is bound to no broker yet', () => {
  it('is bound to the one that is found while it is saved, before that one was asked', () => {
    const t = start();
    t.note('none');
    t.find(HOME, { passwordSet: false });
    t.refuse(REFUSED);
    expect(t.facts().phase).toBe('auth_failed');
    t.note('saved');
    t.find(HOME);
    expect(t.remembered.at(-1)).toEqual({ type: 'binding.keep', revision: 1, binding: bound });
    expect(t.hosts().at(-1)).toBe('10.0.0.2 panel');
  });

  it('is bound to the broker of the session where that alone is found again', () => {
    const t = start();
    t.note('recorded', bound);
    t.find(HOME);
    t.connect();
    for (const found of [SEVERAL, HOME]) t.find(found);
    t.note('saved');
    t.find(HOME);
    expect(t.remembered.at(-1)).toEqual({ type: 'binding.keep', revision: 1, binding: bound });
    expect(t.hosts()).toEqual(['10.0.0.2 panel', '10.0.0.2 panel']);
  });

  it.each<[string, BrokerParts['found'], string, FoundBroker | null]>([
    ['several are', SEVERAL, 'ambiguous', null],
    ['another is', ELSEWHERE, 'unconfirmed', elsewhere],
    ['none is', NONE, 'discovering', null],
  ])('is not bound to the broker of the session where by now %s found, and ends that', (_, found, phase, waits) => {
    const t = start();
    t.note('recorded', bound);
    t.find(HOME);
    t.connect();
    t.find(found);
    t.note('saved');
    t.find(found);
    expect(t.remembered.at(-1)).toMatchObject({ revision: 1, binding: { kind: 'unconfirmed' } });
    expect([t.facts().phase, t.hosts()]).toEqual([phase, ['10.0.0.2 panel']]);
    expect(t.waiting()).toEqual(waits);
  });

  it.each([
    ['none', NONE],
    ['several', SEVERAL],
  ])('waits for a word where %s was found while it was saved', (_, found) => {
    const t = start();
    t.note('none');
    t.find(found, { passwordSet: false });
    t.note('saved');
    t.find(HOME);
    expect([t.facts().phase, t.attempts]).toEqual(['unconfirmed', []]);
  });

  it.each<[PasswordOrigin, number | null]>([
    ['file', null],
    ['upgrade', 1],
  ])('is bound once to the first that accepts it (%s)', (origin, boundAt) => {
    const t = start();
    t.note(origin);
    expect(t.remembered).toEqual([{ type: 'binding.keep', revision: 0, binding: { kind: 'open', by: origin } }]);
    t.find(ELSEWHERE);
    t.refuse(REFUSED);
    expect(t.facts().phase).toBe('auth_failed');
    t.find(HOME);
    t.connect();
    expect(t.remembered.slice(1)).toEqual([{ type: 'binding.keep', revision: 0, binding: bound }]);
    expect(t.facts()).toMatchObject({ phase: 'connected', boundAt });
    t.find(ELSEWHERE);
    t.lose('closed');
    expect(t.hosts()).toEqual(['10.0.0.3 panel', '10.0.0.2 panel', '10.0.0.3 -']);
  });

  it('is not bound by a configured broker that accepts it', () => {
    const t = start();
    t.note('file', null, true);
    t.desire();
    t.connect();
    expect(t.remembered).toHaveLength(1);
  });
});

describe('confirming the found broker', () => {
  it('binds the password to the one that waits, once the disk has it, and sends it', () => {
    const t = start();
    t.note('recorded', bound);
    t.find(ELSEWHERE);
    t.refuse(REFUSED);
    expect(t.waiting()).toEqual(elsewhere);
    t.replies.length = 0;
    t.confirm(elsewhere);
    expect(t.remembered.at(-1)).toMatchObject({
      type: 'binding.settle',
      binding: { kind: 'bound', broker: elsewhere },
    });
    expect([t.facts().phase, t.replies]).toEqual(['unconfirmed', []]);
    t.settle();
    expect(t.replies).toMatchObject([{ requestId: 'r', outcome: { status: 'confirmed' } }]);
    expect([t.hosts(), t.confirmable()]).toEqual([['10.0.0.3 -', '10.0.0.3 panel'], null]);
    t.refuse(REFUSED);
    expect(judgeBroker(t.facts()).reason).toBe('wrong-credentials');
  });

  it('connects anew where it was connected without the password', () => {
    const t = start();
    t.note('recorded', bound);
    t.find(ELSEWHERE);
    t.connect();
    t.confirm(elsewhere);
    t.settle();
    expect(t.hosts()).toEqual(['10.0.0.3 -', '10.0.0.3 panel']);
    expect(t.attempts[0]?.open).toBe(false);
  });

  it('confirms the one that waited when it was asked, not one that was found since', () => {
    const t = start();
    t.note('none');
    t.note('saved');
    t.find(HOME);
    t.confirm(home);
    t.find(ELSEWHERE);
    t.settle();
    expect(t.hosts()).toEqual(['10.0.0.3 -']);
  });

  it.each<[string, Partial<FoundBroker>]>([
    ['address', { address: '10.0.0.2' }],
    ['name', { name: 'other.local' }],
    ['port', { port: 8883 }],
  ])('binds nothing where one of another %s waits by now', (_, other) => {
    const t = start();
    t.note('recorded', bound);
    t.find(ELSEWHERE);
    t.refuse(REFUSED);
    t.confirm({ ...elsewhere, ...other });
    expect(t.replies).toEqual([{ type: 'reply', requestId: 'r', outcome: { status: 'changed' } }]);
    expect(t.remembered).toHaveLength(1);
    expect([t.confirmable(), t.hosts()]).toEqual(['moved', ['10.0.0.3 -']]);
  });

  it('changes nothing where the disk refuses, or another password came meanwhile', () => {
    const t = start();
    t.note('recorded', { kind: 'unconfirmed' });
    t.find(HOME);
    t.confirm(home);
    t.settle('EROFS');
    expect(t.replies.at(-1)?.outcome).toEqual({ status: 'commit-failed', reason: 'EROFS' });
    expect([t.facts().phase, t.attempts]).toEqual(['unconfirmed', []]);
    t.confirm(home);
    const [, asked] = t.remembered.filter(({ type }) => type === 'binding.settle');
    t.note('unwitnessed');
    t.actor.send({
      type: 'binding.settled',
      requestId: 'r',
      revision: asked?.revision ?? -1,
      binding: bound,
      outcome: { status: 'confirmed' },
    });
    expect([t.facts().phase, t.attempts]).toEqual(['unconfirmed', []]);
  });

  it.each<[string, BrokerParts['found'], boolean]>([
    ['none is found', NONE, false],
    ['several are', SEVERAL, true],
    ['the password is bound to the found one', HOME, false],
  ])('says that there is nothing to confirm where %s', (_, found, several) => {
    const t = start();
    t.note('recorded', bound);
    t.find(found);
    t.confirm(home);
    expect(t.replies).toMatchObject([{ outcome: { status: 'nothing', several } }]);
    expect(t.waiting()).toBeNull();
    expect(t.remembered).toHaveLength(1);
  });
});
