import { describe, expect, it } from 'vitest';

import type { BrokerParts } from '#machines/mqtt/desired-broker.ts';
import { OPEN_MS, type Recipient } from '#machines/kit/recipient.ts';
import { foundRecipient } from '#machines/mqtt/binding.ts';
import type { ConfirmOutcome, FoundBroker } from '#machines/mqtt/events.ts';
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
const homeRecipient: Recipient = { scheme: 'mqtt', host: '10.0.0.2', port: 1883, name: 'home.local' };
/** How a password arrives: bound to that recipient, or to none, and then open for a minute or not at all. */
type Way = 'saved' | 'waiting' | Recipient;
/** CONNACK code of MQTT 5 for refused credentials. */
const REFUSED = 135;

function start() {
  const t = run();
  let revision = 0;
  return {
    ...t,
    /** What is found on the network now. */
    find: (found: BrokerParts['found'], over: Partial<BrokerParts> = {}) =>
      t.desire({ broker: '', passwordRevision: revision, found, ...over }),
    note: (way: Way) => {
      if (t.actor.getSnapshot().context.binding !== null) revision += 1;
      const recipient = typeof way === 'string' ? null : way;
      t.actor.send({ type: 'password.noted', revision, recipient, openMs: way === 'saved' ? OPEN_MS : 0 });
    },
    confirm: (broker: FoundBroker) =>
      t.actor.send({ type: 'mqtt.confirm', requestId: 'r', broker, from: 'network', password: 'again' }),
    /** The broker that a person would be shown to confirm. */
    waiting: () => {
      t.actor.send({ type: 'mqtt.read-waiting', requestId: 'w' });
      return t.replies.at(-1)?.outcome;
    },
    /** The disk answers the newest question of the memory. */
    settle: (outcome: ConfirmOutcome = { status: 'confirmed' }) => {
      const asked = t.remembered.at(-1);
      if (asked?.type !== 'binding.settle') throw new Error('nothing was asked');
      const { requestId, revision: of, recipient, from } = asked;
      t.actor.send({ type: 'binding.settled', requestId, revision: of, recipient, from, outcome, at: 7 });
    },
    confirmable: () => confirmOf(t.facts()),
    hosts: () => t.attempts.map(({ input }) => `${input.host} ${input.passwordSet ? input.user : '-'}`),
  };
}

describe('a password that is bound to the broker that was found', () => {
  it('is sent to it, and nobody is connected to before that is known', () => {
    const t = start();
    t.find(HOME);
    expect([t.facts().phase, t.hosts()]).toEqual(['connecting', []]);
    t.note(homeRecipient);
    expect(t.hosts()).toEqual(['10.0.0.2 panel']);
    t.refuse(REFUSED);
    expect(t.facts()).toMatchObject({ phase: 'auth_failed', failure: 'credentials' });
    expect(judgeBroker(t.facts()).reason).toBe('wrong-credentials');
  });

  it('does not leave its session, whatever is found meanwhile', () => {
    const t = start();
    t.note(homeRecipient);
    t.find(HOME);
    t.connect();
    for (const found of [ELSEWHERE, NONE, SEVERAL, at('10.0.0.2', 'other.local'), HOME, ELSEWHERE]) t.find(found);
    expect(t.facts()).toMatchObject({ phase: 'connected', session: 1, source: 'found' });
    expect([t.hosts(), t.confirmable()]).toEqual([['10.0.0.2 panel'], null]);
    expect(judgeBroker(t.facts()).state).toBe('working');
  });

  it('is not sent where the broker moved: that one is asked without it, and waits for a word', () => {
    const t = start();
    t.note(homeRecipient);
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
    t.note(homeRecipient);
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
    t.note(homeRecipient);
    t.find(at('10.0.0.2', 'other.local'));
    expect([t.facts().phase, t.attempts, t.confirmable()]).toEqual(['unconfirmed', [], 'broker']);
    expect(judgeBroker(t.facts())).toMatchObject({ state: 'needs_you', reason: 'broker-unconfirmed' });
  });

  it('stays with the broker of the session when the owner changes the settings meanwhile', () => {
    const t = start();
    t.note(homeRecipient);
    t.find(HOME);
    t.connect();
    t.find(ELSEWHERE);
    t.find(ELSEWHERE, { user: 'other' });
    expect(t.hosts()).toEqual(['10.0.0.2 panel', '10.0.0.2 other']);
    t.lose();
    expect(t.hosts().at(-1)).toBe('10.0.0.3 -');
  });

  it('goes to a broker that is configured now with the password, and leaves the session for it', () => {
    const t = start();
    t.note(homeRecipient);
    t.find(HOME);
    t.connect();
    t.note({ scheme: 'mqtt', host: 'broker.test', port: 1883, name: null });
    t.desire({ passwordRevision: 1 });
    expect(t.hosts()).toEqual(['10.0.0.2 panel', 'broker.test panel']);
    expect(t.remembered).toEqual([]);
  });
});

describe('a password that is for no broker yet', () => {
  it('is for the only one that is found and accepts it within a minute of the save', () => {
    const t = start();
    t.note('waiting');
    t.find(HOME, { passwordSet: false });
    t.refuse(REFUSED);
    expect(t.facts().phase).toBe('auth_failed');
    t.note('saved');
    t.find(HOME);
    expect(t.hosts().at(-1)).toBe('10.0.0.2 panel');
    expect(t.remembered).toEqual([]);
    t.connect();
    expect(t.remembered).toEqual([{ type: 'binding.keep', revision: 1, recipient: homeRecipient }]);
    t.pass(OPEN_MS);
    expect([t.facts().phase, t.hosts()]).toEqual(['connected', ['10.0.0.2 -', '10.0.0.2 panel']]);
  });

  it('is tried at the first alone: another that is found meanwhile waits, until that one is back', () => {
    const t = start();
    t.note('saved');
    t.find(ELSEWHERE);
    t.refuse(REFUSED);
    expect(t.facts().phase).toBe('auth_failed');
    t.find(HOME);
    expect([t.facts().phase, t.waiting()]).toEqual(['unconfirmed', home]);
    t.find(ELSEWHERE);
    expect(t.hosts()).toEqual(['10.0.0.3 panel', '10.0.0.3 panel']);
  });

  it('is for nobody once the minute is over, and an attempt under way ends', () => {
    const t = start();
    t.note('saved');
    t.find(HOME);
    t.pass(OPEN_MS - 10);
    const tried = t.attempts.length;
    expect(t.last().open).toBe(true);
    t.pass(10);
    expect([t.facts().phase, t.last().open, t.waiting()]).toEqual(['unconfirmed', false, home]);
    t.pass(OPEN_MS);
    t.find(ELSEWHERE);
    t.find(HOME);
    expect(t.attempts).toHaveLength(tried);
    expect(t.confirmable()).toBe('broker');
  });

  it('that expires while the link takes leave keeps it from nothing', () => {
    const t = start();
    t.note(homeRecipient);
    t.find(HOME);
    t.connect();
    t.note('saved');
    t.actor.send({ type: 'mqtt.stop' });
    t.actor.send({ type: 'binding.expired' });
    t.pass(1000);
    expect([t.actor.getSnapshot().status, t.attempts.length]).toEqual(['done', 1]);
  });

  it('is tried again at the one broker that is down, within the minute', () => {
    const t = start();
    t.note('saved');
    t.find(HOME);
    t.lose();
    t.pass(5000);
    t.connect();
    expect(t.remembered).toEqual([{ type: 'binding.keep', revision: 0, recipient: homeRecipient }]);
  });

  it('is for the broker of the session where that alone is found again', () => {
    const t = start();
    t.note(homeRecipient);
    t.find(HOME);
    t.connect();
    for (const found of [SEVERAL, HOME]) t.find(found);
    t.note('saved');
    t.find(HOME);
    t.connect();
    expect(t.remembered.at(-1)).toEqual({ type: 'binding.keep', revision: 1, recipient: homeRecipient });
    expect(t.hosts()).toEqual(['10.0.0.2 panel', '10.0.0.2 panel']);
  });

  it.each<[string, BrokerParts['found'], string, FoundBroker | null]>([
    ['several are', SEVERAL, 'ambiguous', null],
    ['another is', ELSEWHERE, 'unconfirmed', elsewhere],
    ['none is', NONE, 'discovering', null],
  ])('is not for the broker of the session where by now %s found, and ends that', (_, found, phase, waits) => {
    const t = start();
    t.note(homeRecipient);
    t.find(HOME);
    t.connect();
    t.find(found);
    t.note('saved');
    t.find(found);
    expect(t.remembered).toEqual([]);
    expect([t.facts().phase, t.hosts()]).toEqual([phase, ['10.0.0.2 panel']]);
    expect(t.waiting()).toEqual(waits);
  });

  it('waits for a confirmation where several were found meanwhile, although one of them is left', () => {
    for (const before of [true, false]) {
      const t = start();
      t.note('waiting');
      t.find(before ? SEVERAL : NONE, { passwordSet: false });
      t.note('saved');
      t.find(SEVERAL);
      t.find(HOME);
      expect([t.facts().phase, t.attempts]).toEqual(['unconfirmed', []]);
    }
  });

  it('waits for a confirmation where it came from a file, also of a broker that is configured', () => {
    const t = start();
    t.note('waiting');
    t.find(HOME);
    expect([t.facts().phase, t.waiting()]).toEqual(['unconfirmed', home]);
    t.desire();
    expect([t.facts().phase, t.attempts]).toEqual(['unconfirmed', []]);
    expect(judgeBroker(t.facts())).toMatchObject({
      reason: 'broker-unconfirmed',
      detail: expect.stringContaining('does not say which broker'),
    });
    const configured = { name: 'broker.test', address: 'broker.test', port: 1883 };
    expect(t.waiting()).toEqual(configured);
    t.confirm(configured);
    t.settle();
    expect(t.hosts()).toEqual(['broker.test panel']);
  });

  it('is not sent to a configured broker that it is not for', () => {
    const t = start();
    t.note(homeRecipient);
    t.desire();
    expect([t.facts().phase, t.attempts]).toEqual(['unconfirmed', []]);
  });
});

describe('confirming the found broker', () => {
  it('binds the password to the one that waits, once the disk has it, and sends it', () => {
    const t = start();
    t.note(homeRecipient);
    t.find(ELSEWHERE);
    t.refuse(REFUSED);
    expect(t.waiting()).toEqual(elsewhere);
    t.replies.length = 0;
    t.confirm(elsewhere);
    expect(t.remembered.at(-1)).toMatchObject({
      type: 'binding.settle',
      recipient: foundRecipient(elsewhere),
      from: 'network',
      password: 'again',
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
    t.note(homeRecipient);
    t.find(ELSEWHERE);
    t.connect();
    t.confirm(elsewhere);
    t.settle();
    expect(t.hosts()).toEqual(['10.0.0.3 -', '10.0.0.3 panel']);
    expect(t.attempts[0]?.open).toBe(false);
  });

  it('confirms the one that waited when it was asked, not one that was found since', () => {
    const t = start();
    t.note('waiting');
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
    t.note(homeRecipient);
    t.find(ELSEWHERE);
    t.refuse(REFUSED);
    t.confirm({ ...elsewhere, ...other });
    expect(t.replies).toEqual([{ type: 'reply', requestId: 'r', outcome: { status: 'changed' } }]);
    expect(t.remembered).toHaveLength(0);
    expect([t.confirmable(), t.hosts()]).toEqual(['moved', ['10.0.0.3 -']]);
  });

  it('changes nothing where the disk refuses, or another password came meanwhile', () => {
    const t = start();
    t.note('waiting');
    t.find(HOME);
    t.confirm(home);
    t.settle({ status: 'commit-failed', reason: 'EROFS' });
    expect(t.replies.at(-1)?.outcome).toEqual({ status: 'commit-failed', reason: 'EROFS' });
    expect([t.facts().phase, t.attempts]).toEqual(['unconfirmed', []]);
    t.confirm(home);
    t.note('waiting');
    t.settle();
    expect([t.facts().phase, t.attempts]).toEqual(['unconfirmed', []]);
  });

  it('changes nothing where the password is missing or wrong, and notes that it was tried', () => {
    const t = start();
    t.note('waiting');
    t.find(HOME);
    expect(t.facts().refusedConfirmation).toBeNull();
    t.confirm(home);
    t.settle({ status: 'unproven', why: 'wrong' });
    expect(t.replies.at(-1)?.outcome).toEqual({ status: 'unproven', why: 'wrong' });
    expect([t.facts().phase, t.attempts]).toEqual(['unconfirmed', []]);
    expect(t.facts().refusedConfirmation).toEqual({ at: 7, from: 'network' });
  });

  it.each<[string, BrokerParts['found'], boolean]>([
    ['none is found', NONE, false],
    ['several are', SEVERAL, true],
    ['the password is bound to the found one', HOME, false],
  ])('says that there is nothing to confirm where %s', (_, found, several) => {
    const t = start();
    t.note(homeRecipient);
    t.find(found);
    t.confirm(home);
    expect(t.replies).toMatchObject([{ outcome: { status: 'nothing', several } }]);
    expect(t.waiting()).toBeNull();
    expect(t.remembered).toHaveLength(0);
  });
});
