import { describe, expect, it } from 'vitest';

import type { Recipient } from '#machines/kit/recipient.ts';
import { bindingOf, foundRecipient, shownBroker, targetOf, triedBinding } from '#machines/mqtt/binding.ts';
import type { Binding, FoundBroker, Release } from '#machines/mqtt/events.ts';
import { judgeProof, MOST_TRIES, noTries, TRIES_MS, type Tries } from '#machines/mqtt/proof.ts';
import { releaseOf, type ReleaseParts } from '#machines/mqtt/release.ts';

const home: FoundBroker = { name: 'home.local', address: '10.0.0.2', port: 1883 };
const found = foundRecipient(home);
const configured: Recipient = { scheme: 'mqtts', host: 'broker.test', port: 8883, name: null };
const bound = (recipient: Recipient): Binding => ({ kind: 'bound', recipient });

describe('whom a password is for', () => {
  it.each<[string, Parameters<typeof bindingOf>[0], Binding]>([
    ['its recipient', { recipient: found, openMs: 0 }, bound(found)],
    ['its recipient, whatever is open', { recipient: found, openMs: 9 }, bound(found)],
    ['the first, shortly after a save', { recipient: null, openMs: 1 }, { kind: 'open' }],
    ['nobody else', { recipient: null, openMs: 0 }, { kind: 'unconfirmed' }],
  ])('%s', (_, noted, binding) => expect(bindingOf(noted)).toEqual(binding));

  it('is the listener that the address names, or the very one that was found', () => {
    expect(targetOf({ url: 'ssl://Broker.test', found: null })).toEqual(configured);
    expect(targetOf({ url: 'mqtt://10.0.0.2:1883', found: home })).toEqual(found);
    expect(targetOf({ url: null, found: null })).toBeNull();
    expect([shownBroker(found), shownBroker(configured)]).toEqual([
      home,
      { name: 'broker.test', address: 'broker.test', port: 8883 },
    ]);
  });

  it('is the first found one that is tried, never a configured one', () => {
    const open: Binding = { kind: 'open' };
    expect(triedBinding(open, found)).toEqual({ kind: 'tried', recipient: found });
    for (const binding of [bound(configured), { kind: 'unconfirmed' } as const, null])
      expect(triedBinding(binding, found)).toEqual(binding);
    for (const target of [configured, null]) expect(triedBinding(open, target)).toEqual(open);
  });
});

describe('what a broker gets', () => {
  const parts: ReleaseParts = {
    url: 'mqtt://10.0.0.2:1883',
    source: 'found',
    passwordSet: true,
    found: home,
    binding: bound(found),
  };
  const toConfigured = { url: 'mqtts://broker.test', source: 'configured', found: null } as const;
  it.each<[string, Partial<ReleaseParts>, Release]>([
    ['found, bound to it', {}, 'send'],
    ['found, no password', { passwordSet: false, binding: null }, 'send'],
    ['found, not read yet', { binding: null }, 'wait'],
    ['found, saved just now', { binding: { kind: 'open' } }, 'send'],
    ['found, tried', { binding: { kind: 'tried', recipient: found } }, 'send'],
    ['found, another is tried', { binding: { kind: 'tried', recipient: { ...found, host: '10.0.0.3' } } }, 'wait'],
    ['found, for nobody', { binding: { kind: 'unconfirmed' } }, 'wait'],
    ['found at another address', { binding: bound({ ...found, host: '10.0.0.3' }) }, 'ask'],
    ['found at another port', { binding: bound({ ...found, port: 1884 }) }, 'ask'],
    ['found, of another name', { binding: bound({ ...found, name: 'other.local' }) }, 'wait'],
    ['found, for one that was configured there', { binding: bound({ ...found, name: null }) }, 'wait'],
    ['configured, for it', { ...toConfigured, binding: bound(configured) }, 'send'],
    ['configured, no password', { ...toConfigured, passwordSet: false, binding: null }, 'send'],
    ['configured, not read yet', { ...toConfigured, binding: null }, 'wait'],
    ['configured, for nobody', { ...toConfigured, binding: { kind: 'unconfirmed' } }, 'wait'],
    ['configured, open', { ...toConfigured, binding: { kind: 'open' } }, 'wait'],
    ['configured, without TLS', { ...toConfigured, binding: bound({ ...configured, scheme: 'mqtt' }) }, 'wait'],
    ['configured, for another port', { ...toConfigured, binding: bound({ ...configured, port: 1 }) }, 'wait'],
    ['configured, for one that was found', { ...toConfigured, binding: bound(found) }, 'wait'],
    ['none', { url: null, source: 'none', found: null, binding: null }, 'send'],
  ])('%s', (_, over, release) => expect(releaseOf({ ...parts, ...over })).toBe(release));
});

describe('by what an owner is known', () => {
  const at = 1_000_000;
  const network = { from: 'network', password: null, isRight: false } as const;
  it.each<[string, Parameters<typeof judgeProof>[1], 'missing' | 'wrong' | null]>([
    ['at the panel', { ...network, from: 'panel' }, null],
    ['at the panel with a wrong password', { ...network, from: 'panel', password: 'x' }, 'wrong'],
    ['from the network', network, 'missing'],
    ['from the network with a wrong password', { ...network, password: 'x' }, 'wrong'],
    ['from the network with the password', { ...network, password: 'x', isRight: true }, null],
  ])('%s', (_, proof, refusal) => expect(judgeProof(noTries, proof, at).refusal).toBe(refusal));

  it('compares nothing for a minute after five wrong passwords, but obeys the panel', () => {
    let tries: Tries = noTries;
    const send = (isRight: boolean, now: number) => {
      const judged = judgeProof(tries, { ...network, password: 'x', isRight }, now);
      ({ tries } = judged);
      return judged.refusal;
    };
    for (let n = 0; n < MOST_TRIES; n += 1) expect(send(false, at + n)).toBe('wrong');
    expect(send(true, at + TRIES_MS - 1)).toBe('late');
    expect(judgeProof(tries, { ...network, from: 'panel' }, at + 6).refusal).toBeNull();
    expect(send(false, at + TRIES_MS)).toBe('wrong');
    expect(send(true, at + TRIES_MS)).toBeNull();
    expect(tries).toEqual(noTries);
  });
});
