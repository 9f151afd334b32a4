import { describe, expect, it } from 'vitest';

import { bindingOf, keptSection, type LookedAt, originOf, readKept } from '#machines/mqtt/binding.ts';
import type { Binding, FoundBroker, PasswordOrigin, Release } from '#machines/mqtt/events.ts';
import { releaseOf } from '#machines/mqtt/release.ts';

const home: FoundBroker = { name: 'home.local', address: '10.0.0.2', port: 1883 };
const bound: Binding = { kind: 'bound', broker: home };
const open: Binding = { kind: 'open', by: 'file' };
const unconfirmed: Binding = { kind: 'unconfirmed' };

describe('what a broker gets', () => {
  const parts = { source: 'found', passwordSet: true, found: home, binding: bound } as const;
  it.each<[string, Partial<Parameters<typeof releaseOf>[0]>, Release]>([
    ['the one that the password is bound to', {}, 'send'],
    ['the same name at another address', { found: { ...home, address: '10.0.0.3' } }, 'ask'],
    ['the same name and address at another port', { found: { ...home, port: 1884 } }, 'ask'],
    ['another name at the same address', { found: { ...home, name: 'other.local' } }, 'wait'],
    ['another one altogether', { found: { name: 'other.local', address: '10.0.0.3', port: 1883 } }, 'wait'],
    ['one, with a password that was handed over in a file', { binding: open }, 'send'],
    ['one, with a password from before bindings', { binding: { kind: 'open', by: 'upgrade' } }, 'send'],
    ['one, with a password that is meant for none yet', { binding: unconfirmed }, 'wait'],
    ['one, before it is known whose the password is', { binding: null }, 'wait'],
    ['one without a password, before anything is known', { binding: null, passwordSet: false }, 'send'],
    [
      'one without a password, found elsewhere',
      { found: { ...home, address: '10.0.0.3' }, passwordSet: false },
      'send',
    ],
    ['a configured one', { source: 'configured', found: null, binding: unconfirmed }, 'send'],
    ['a configured one, before anything is known', { source: 'configured', found: null, binding: null }, 'send'],
    ['none, since none was found', { source: 'none', found: null, binding: unconfirmed }, 'send'],
    ['none of several', { source: 'ambiguous', found: null, binding: unconfirmed }, 'send'],
  ])('%s', (_, over, release) => {
    expect(releaseOf({ ...parts, ...over })).toBe(release);
  });
});

describe('how the password in force came', () => {
  const first: LookedAt = { isSet: true, stored: 'nothing', isHandedOver: false, isFirstLook: true };
  it.each<[string, Partial<LookedAt>, PasswordOrigin]>([
    ['there was one before bindings were kept', {}, 'upgrade'],
    ['it is as stored', { stored: 'same' }, 'recorded'],
    ['it is as stored, and a file holds the same', { stored: 'same', isHandedOver: true }, 'recorded'],
    ['it is another one at the start', { stored: 'other' }, 'unwitnessed'],
    ['it is another one at the start, and a file holds it', { stored: 'other', isHandedOver: true }, 'file'],
    ['it is the first, and a file holds it', { isHandedOver: true }, 'file'],
    ['it was saved', { stored: 'other', isFirstLook: false }, 'saved'],
    ['it was saved before anything was stored', { isFirstLook: false }, 'saved'],
    ['a file brought it a moment after the start', { stored: 'other', isFirstLook: false, isHandedOver: true }, 'file'],
    ['there never was one', { isSet: false }, 'none'],
    ['it was cleared', { isSet: false, stored: 'other', isFirstLook: false }, 'none'],
    ['there still is none', { isSet: false, stored: 'same' }, 'recorded'],
  ])('%s', (_, over, origin) => {
    expect(originOf({ ...first, ...over })).toBe(origin);
  });
});

describe('whose a password is when it comes', () => {
  const saved = { origin: 'saved', stored: null, configured: false, found: home } as const;
  it.each<[string, Partial<Parameters<typeof bindingOf>[0]>, Binding]>([
    ['saved while one broker is found', {}, bound],
    ['saved while none or several are', { found: null }, unconfirmed],
    ['saved for a configured broker', { configured: true }, unconfirmed],
    ['as stored', { origin: 'recorded', stored: bound, found: { ...home, address: '10.0.0.3' } }, bound],
    ['as stored, unconfirmed', { origin: 'recorded', stored: unconfirmed }, unconfirmed],
    ['handed over in a file', { origin: 'file' }, open],
    ['handed over in a file while none is found', { origin: 'file', found: null }, open],
    ['there before bindings were kept', { origin: 'upgrade', found: null }, { kind: 'open', by: 'upgrade' }],
    ['there before, for a configured broker', { origin: 'upgrade', configured: true }, unconfirmed],
    ['changed while nobody looked', { origin: 'unwitnessed' }, unconfirmed],
    ['cleared', { origin: 'none' }, unconfirmed],
  ])('%s', (_, over, binding) => {
    expect(bindingOf({ ...saved, ...over })).toEqual(binding);
  });
});

describe('the stored section', () => {
  it.each<[string, Binding]>([
    ['bound', bound],
    ['open', open],
    ['unconfirmed', unconfirmed],
  ])('gives back what was kept: %s', (_, binding) => {
    const kept = { password: 'mark', binding };
    expect(readKept(JSON.parse(JSON.stringify(keptSection(kept))))).toEqual(kept);
  });
  it('is nothing where it was never written, which is not the same as one that cannot be read', () => {
    expect(readKept(null)).toBeNull();
    for (const broken of [{}, 7, { version: 2, password: 'mark', binding: bound }, { version: 1, password: 'mark' }])
      expect(readKept(broken)).toEqual({ password: '', binding: unconfirmed });
  });
});
