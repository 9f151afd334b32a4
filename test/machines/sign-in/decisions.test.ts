import { describe, expect, it } from 'vitest';

import {
  credentialInForce,
  isSameCredential,
  readCredential,
  storedCredential,
  type StoredToken,
} from '#machines/sign-in/credential.ts';
import type { OauthCredential, SignInPhase } from '#machines/sign-in/events.ts';
import { homeAssistantRecipient } from '#machines/sign-in/home-assistant-address.ts';
import { type Attempt, type Callback, judgeCallback, keepsAttempt } from '#machines/sign-in/judge-callback.ts';
import { judgeStart } from '#machines/sign-in/judge-start.ts';
import { foreseeRefusal, isLoopback, panelOrigin } from '#machines/sign-in/panel-origin.ts';
import { phaseOf, type PhaseInput } from '#machines/sign-in/phase.ts';
import { isFresh, isLastResort, reconnectDelay, renewIn } from '#machines/sign-in/token-times.ts';
import { judgeSignIn } from '#machines/sign-in/verdict.ts';

const oauth: OauthCredential = {
  refreshToken: 'r',
  clientId: 'http://192.168.1.40:8888/',
  origin: 'http://192.168.1.20:8123',
};

describe('the phase', () => {
  it.each<[PhaseInput['hasAddress'], PhaseInput['credential'], PhaseInput['attemptOpen'], SignInPhase]>([
    [false, null, false, 'no-address'],
    [false, 'none', true, 'no-address'],
    [true, null, false, 'needed'],
    [true, 'none', false, 'needed'],
    [true, 'none', true, 'pending'],
    [true, 'kept', false, 'signed-in'],
    [true, 'kept', true, 'signed-in'],
    [true, 'refused', false, 'refused'],
    [true, 'refused', true, 'pending'],
  ])('address %s, credential %s, attempt %s: %s', (hasAddress, credential, attemptOpen, phase) => {
    expect(phaseOf({ hasAddress, credential, attemptOpen })).toBe(phase);
  });
});

describe('the panel as the browser knows it', () => {
  it.each([
    ['192.168.1.40:8888', 'http://192.168.1.40:8888'],
    ['192.168.1.40', 'http://192.168.1.40:8888'],
    ['192.168.1.40:80', 'http://192.168.1.40'],
    ['Hall.local:8888', 'http://hall.local:8888'],
    ['[fd00::7]:8888', 'http://[fd00::7]:8888'],
    ['localhost:9000', 'http://localhost:9000'],
  ])('%j is %s', (host, origin) => {
    expect(panelOrigin(host, 8888)).toEqual({ ok: true, value: origin });
  });

  it.each([
    null,
    '',
    ' ',
    'a b',
    'user@192.168.1.40',
    '192.168.1.40/x',
    '192.168.1.40?x',
    '192.168.1.40#x',
    '192.168.1.40:0',
    '192.168.1.40:99999',
    '192.168.1.40:',
    '1.2.3',
    '1.2.3.999',
    '[fe80::1%25eth0]',
    '[::g]',
    '-a.local',
    'a..b',
    `${'a'.repeat(600)}.local`,
    'host\r\nx',
  ])('%j is refused', (host) => {
    expect(panelOrigin(host, 8888)).toMatchObject({ ok: false, reason: 'bad-origin' });
  });
});

describe('what Home Assistant will refuse', () => {
  const lan = 'http://192.168.1.20:8123';
  it.each([
    ['http://192.168.1.40:8888', lan, null],
    ['http://10.0.0.4:8888', lan, null],
    ['http://172.31.0.4:8888', lan, null],
    ['http://169.254.3.4:8888', lan, null],
    ['http://hall.local:8888', lan, null],
    ['http://panel.example.org', lan, null],
    ['http://[fd00::7]:8888', lan, null],
    ['http://127.0.0.1:8888', 'http://127.0.0.1:8123', null],
    ['http://localhost:8888', lan, null],
    ['http://100.64.0.9:8888', lan, 'origin-refused-by-platform'],
    ['http://100.127.255.9:8888', lan, 'origin-refused-by-platform'],
    ['http://203.0.113.9:8888', lan, 'origin-refused-by-platform'],
    ['http://[2001:db8::1]:8888', lan, 'origin-refused-by-platform'],
    ['http://172.32.0.4:8888', lan, 'origin-refused-by-platform'],
    ['http://203.0.113.9:8123', 'http://203.0.113.9:8123', null],
    ['http://192.168.1.40:8888', 'http://localhost:8123', 'address-loops-back'],
    ['http://hall.local:8888', 'http://127.0.0.1:8123', 'address-loops-back'],
    ['http://hall.local:8888', 'http://[::1]:8123', 'address-loops-back'],
  ])('a panel at %s with Home Assistant at %s: %s', (panel, homeAssistant, code) => {
    expect(foreseeRefusal(panel, homeAssistant)?.code ?? null).toBe(code);
  });

  it('refuses the address of Sconce itself where one of Home Assistant is wanted', () => {
    const start = { haUrl: 'hall.local:8888/setup', panelOrigin: 'http://hall.local:8888' };
    expect(judgeStart(start, null).refusal).toMatchObject({ code: 'bad-address' });
    expect(judgeStart(start, null).refusal?.message).toContain('Sconce itself');
    expect(judgeStart({ ...start, haUrl: 'hall.local:8123' }, null).refusal).toBeNull();
  });

  it('knows what leads back to the machine itself', () => {
    for (const origin of ['http://127.9.9.9', 'http://localhost:1', 'http://x.localhost', 'http://[::1]'])
      expect(isLoopback(origin), origin).toBe(true);
    for (const origin of ['http://192.168.1.1', 'http://localhost.example', 'http://[fd00::1]'])
      expect(isLoopback(origin), origin).toBe(false);
  });
});

describe('somebody who comes back', () => {
  const state = 'a'.repeat(43);
  const attempt: Attempt = {
    state,
    panelOrigin: 'http://hall.local:8888',
    homeAssistant: oauth.origin,
    onDevice: false,
    until: 1000,
  };
  const callback: Callback = { state, code: 'c0de', error: null, panelOrigin: attempt.panelOrigin };
  it.each<[string, Attempt | null, Partial<Callback>, string | null, number, string]>([
    ['brings what is wanted', attempt, {}, oauth.origin, 999, 'exchange'],
    ['finds no attempt', null, {}, oauth.origin, 0, 'invalid'],
    ['brings another state', attempt, { state: 'b'.repeat(43) }, oauth.origin, 0, 'invalid'],
    ['brings a malformed state', { ...attempt, state: 'short' }, { state: 'short' }, oauth.origin, 0, 'invalid'],
    ['brings another state and an error', attempt, { state: 'b'.repeat(43), error: 'x' }, oauth.origin, 0, 'invalid'],
    ['comes at the last moment too late', attempt, {}, oauth.origin, 1000, 'expired'],
    ['comes to another address', attempt, { panelOrigin: 'http://192.168.1.40:8888' }, oauth.origin, 0, 'wrong-origin'],
    ['comes after Home Assistant was changed', attempt, {}, 'http://other:8123', 0, 'stale'],
    ['comes after Home Assistant was removed', attempt, {}, null, 0, 'stale'],
    ['has cancelled', attempt, { error: 'access_denied', code: null }, oauth.origin, 0, 'cancelled'],
    ['brings no code', attempt, { code: null }, oauth.origin, 0, 'invalid-code'],
    ['brings an empty code', attempt, { code: '' }, oauth.origin, 0, 'invalid-code'],
    ['brings a code with a space', attempt, { code: 'a b' }, oauth.origin, 0, 'invalid-code'],
    ['brings a code that is too long', attempt, { code: 'a'.repeat(4097) }, oauth.origin, 0, 'invalid-code'],
  ])('%s', (_, open, brought, homeAssistant, now, outcome) => {
    expect(judgeCallback(open, { ...callback, ...brought }, homeAssistant, now)).toBe(outcome);
  });

  it.each([
    ['invalid', false],
    ['wrong-origin', false],
    ['invalid-code', false],
    ['expired', true],
    ['stale', true],
    ['cancelled', true],
    ['exchange', true],
  ] as const)('with the outcome %s uses the attempt up: %s', (outcome, ends) => {
    expect(keepsAttempt(outcome)).toBe(!ends);
  });
});

describe('the credential', () => {
  it('is read as it was stored, and nothing else', () => {
    expect(readCredential(storedCredential(oauth))).toEqual(oauth);
    for (const text of [
      '',
      'null',
      '{}',
      '[]',
      JSON.stringify({ ...oauth }),
      JSON.stringify({ version: 2, ...oauth }),
      JSON.stringify({ version: 1, ...oauth, refreshToken: '' }),
    ])
      expect(readCredential(text), text).toBeNull();
  });

  const tokenFor = (origin: string): StoredToken => ({
    value: 't',
    assignment: { id: 'a', recipient: homeAssistantRecipient(origin), by: 'save', at: 1 },
  });
  const token = tokenFor(oauth.origin);

  it('in force is the token first, and a sign-in only at its own Home Assistant', () => {
    expect(credentialInForce(null, token, oauth)).toBeNull();
    expect(credentialInForce(oauth.origin, null, null)).toBeNull();
    expect(credentialInForce(oauth.origin, token, oauth)).toEqual({
      method: 'long-lived',
      origin: oauth.origin,
      token: 't',
    });
    const signedIn = { method: 'oauth', origin: oauth.origin, oauth };
    for (const other of [tokenFor('http://other:8123'), tokenFor(''), { value: 't', assignment: null }])
      expect(credentialInForce(oauth.origin, other, oauth)).toEqual(signedIn);
    expect(credentialInForce('http://other:8123', null, oauth)).toBeNull();
  });

  it('is another one when anything of it differs', () => {
    const one = credentialInForce(oauth.origin, null, oauth);
    const held = credentialInForce(oauth.origin, token, null);
    expect(isSameCredential(one, credentialInForce(oauth.origin, null, { ...oauth }))).toBe(true);
    expect(isSameCredential(held, credentialInForce(oauth.origin, { ...token }, null))).toBe(true);
    expect(isSameCredential(null, null)).toBe(true);
    expect(isSameCredential(one, held)).toBe(false);
    expect(isSameCredential(one, null)).toBe(false);
    expect(isSameCredential(one, credentialInForce(oauth.origin, null, { ...oauth, refreshToken: 's' }))).toBe(false);
    expect(isSameCredential(held, credentialInForce('http://other:8123', tokenFor('http://other:8123'), null))).toBe(
      false,
    );
  });
});

describe('an access token', () => {
  it.each([
    [1_800_000, false, true, true],
    [300_000, false, true, true],
    [299_999, false, false, true],
    [29_999, false, false, false],
    [-100_000, false, false, false],
    [1_800_000, true, false, false],
    [null, false, false, false],
  ])('with %s ms left, force %s: fresh %s, last resort %s', (leftMs, force, fresh, lastResort) => {
    expect([isFresh(leftMs, force), isLastResort(leftMs, force)]).toEqual([fresh, lastResort]);
  });

  it.each([
    [1_800_000, 1_500_000],
    [400_000, 200_000],
    [1000, 1000],
    [-5000, 1000],
  ])('with %i ms left is renewed in %i ms', (left, delay) => {
    expect(renewIn(left)).toBe(delay);
  });
});

describe('a connection that ended', () => {
  it.each([
    [1, 1000],
    [2, 2000],
    [5, 16_000],
    [6, 30_000],
    [60, 30_000],
  ])('for the %i. time is opened again after %i ms', (attempt, delay) => {
    expect(reconnectDelay(attempt, 0.5)).toBe(delay);
  });
});

describe('the verdict', () => {
  it.each([
    [{ phase: 'no-address', reachable: null, failure: null, method: null }, 'off', 'no-address'],
    [{ phase: 'needed', reachable: null, failure: null, method: null }, 'needs_you', 'sign-in-needed'],
    [{ phase: 'pending', reachable: null, failure: null, method: null }, 'needs_you', 'sign-in-pending'],
    [{ phase: 'refused', reachable: true, failure: null, method: 'oauth' }, 'needs_you', 'sign-in-refused'],
    [{ phase: 'signed-in', reachable: null, failure: null, method: 'oauth' }, 'checking', 'signing-in'],
    [{ phase: 'signed-in', reachable: true, failure: null, method: 'oauth' }, 'working', 'signed-in'],
    [
      { phase: 'signed-in', reachable: false, failure: 'ECONNREFUSED', method: 'oauth' },
      'working',
      'signed-in-unreachable',
    ],
    [
      { phase: 'signed-in', reachable: false, failure: 'certificate-untrusted', method: 'oauth' },
      'needs_you',
      'certificate-untrusted',
    ],
    [
      { phase: 'signed-in', reachable: false, failure: 'certificate-expired', method: 'long-lived' },
      'needs_you',
      'certificate-expired',
    ],
    [
      { phase: 'needed', reachable: null, failure: 'certificate-other-name', method: null },
      'needs_you',
      'certificate-other-name',
    ],
    // A sign-in under way is not told to start again, and a refusal takes precedence.
    [
      { phase: 'pending', reachable: null, failure: 'certificate-untrusted', method: null },
      'needs_you',
      'sign-in-pending',
    ],
  ] as const)('%o is %s', (facts, state, reason) => {
    expect(judgeSignIn({ password: 'none', look: null, ...facts })).toMatchObject({ state, reason });
  });

  it.each(['needed', 'pending'] as const)('says an address that fails first, while a sign-in is %s', (phase) => {
    const look = { status: 'failed', error: 'unreachable', code: 'ECONNREFUSED' } as const;
    const facts = { phase, reachable: false, failure: 'ECONNREFUSED', look, method: null } as const;
    expect(judgeSignIn({ password: 'none', ...facts })).toMatchObject({
      state: 'needs_you',
      reason: 'address-fails',
      detail: expect.stringMatching(/^The panel does not find Home Assistant at its address\. Nothing listens/),
    });
    // A password that was given is tried again by itself, and says so.
    expect(judgeSignIn({ password: 'unreachable', ...facts }).reason).toBe(
      phase === 'needed' ? 'password-unreachable' : 'address-fails',
    );
  });
});
