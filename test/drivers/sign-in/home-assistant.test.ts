import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { grantOf, homeAssistant as homeAssistantPort } from '#drivers/sign-in/home-assistant.ts';
import { askHomeAssistant } from '#drivers/sign-in/request.ts';
import { systemTrust } from '#drivers/sign-in/trust.ts';
import type { SignedInUser } from '#drivers/sign-in/contract.ts';
import type { ConnectionEnd } from '#machines/sign-in/events.ts';
import { type FakeHomeAssistant, json, startFakeHomeAssistant } from './fake-home-assistant.ts';

const port = homeAssistantPort(() => Promise.resolve(undefined));
const { signal } = new AbortController();
let homeAssistant: FakeHomeAssistant;

beforeEach(async () => {
  homeAssistant = await startFakeHomeAssistant();
});
afterEach(() => homeAssistant.stop());

describe('an answer of the token address', () => {
  it.each([
    [
      { status: null, code: 'ECONNREFUSED' },
      { ok: false, reason: 'unreachable', code: 'ECONNREFUSED' },
    ],
    [
      { status: 200, text: '{"access_token":"a","refresh_token":"r","expires_in":1800}' },
      { ok: true, accessToken: 'a', refreshToken: 'r', expiresInSeconds: 1800 },
    ],
    [
      { status: 200, text: '{"access_token":"a","expires_in":1800}' },
      { ok: true, accessToken: 'a', refreshToken: null, expiresInSeconds: 1800 },
    ],
    [
      { status: 200, text: '{"access_token":"a","expires_in":1e12}' },
      { ok: true, accessToken: 'a', refreshToken: null, expiresInSeconds: 86_400 },
    ],
    [
      { status: 200, text: '<html>' },
      { ok: false, reason: 'unreachable', code: 'not-understood' },
    ],
    [
      { status: 200, text: '{"access_token":"","expires_in":1800}' },
      { ok: false, reason: 'unreachable', code: 'not-understood' },
    ],
    [
      { status: 200, text: '{"access_token":"a","expires_in":"soon"}' },
      { ok: false, reason: 'unreachable', code: 'not-understood' },
    ],
    [
      { status: 400, text: '{"error":"invalid_grant"}' },
      { ok: false, reason: 'refused', code: 'http-400' },
    ],
    [
      { status: 403, text: '{"error":"access_denied"}' },
      { ok: false, reason: 'refused', code: 'http-403' },
    ],
    // A captive portal or another server in the place of Home Assistant is not its word.
    [
      { status: 400, text: '<html>' },
      { ok: false, reason: 'unreachable', code: 'http-400' },
    ],
    [
      { status: 404, text: '{"error":"x"}' },
      { ok: false, reason: 'unreachable', code: 'http-404' },
    ],
    [
      { status: 503, text: '{"error":"x"}' },
      { ok: false, reason: 'unreachable', code: 'http-503' },
    ],
  ] as const)('%j', (answer, grant) => {
    expect(grantOf(answer)).toEqual(grant);
  });
});

describe('requests to Home Assistant', () => {
  it('exchange a code with its verifier, and renew with the same client', async () => {
    homeAssistant.answer = (_, response) =>
      json(response, 200, { access_token: 'a', refresh_token: 'r', expires_in: 1800 });
    expect(
      await port.exchange(homeAssistant.origin, { code: 'c', clientId: 'http://p/', verifier: 'v' }, signal),
    ).toMatchObject({ ok: true, refreshToken: 'r' });
    await port.refresh(homeAssistant.origin, { refreshToken: 'r', clientId: 'http://p/' }, signal);
    await port.revoke(homeAssistant.origin, 'r');
    expect(homeAssistant.seen.map(({ method, path, form }) => ({ method, path, form }))).toEqual([
      {
        method: 'POST',
        path: '/auth/token',
        form: { grant_type: 'authorization_code', code: 'c', client_id: 'http://p/', code_verifier: 'v' },
      },
      {
        method: 'POST',
        path: '/auth/token',
        form: { grant_type: 'refresh_token', refresh_token: 'r', client_id: 'http://p/' },
      },
      { method: 'POST', path: '/auth/revoke', form: { token: 'r' } },
    ]);
  });

  it('follow no redirect', async () => {
    homeAssistant.answer = (_, response) => json(response, 302, {}, { location: `${homeAssistant.origin}/elsewhere` });
    expect(await port.refresh(homeAssistant.origin, { refreshToken: 'r', clientId: 'c' }, signal)).toEqual({
      ok: false,
      reason: 'unreachable',
      code: 'http-302',
    });
    expect(homeAssistant.seen).toHaveLength(1);
  });

  it('are bounded in size and time, and end with their signal', async () => {
    homeAssistant.answer = (_, response) => void response.end('x'.repeat(70_000));
    expect(await port.refresh(homeAssistant.origin, { refreshToken: 'r', clientId: 'c' }, signal)).toMatchObject({
      reason: 'unreachable',
      code: 'answer-too-large',
    });
    homeAssistant.answer = (_, response) => void response.writeHead(200).write('{');
    expect(
      await askHomeAssistant({
        url: `${homeAssistant.origin}/`,
        method: 'GET',
        trust: undefined,
        signal,
        withinMs: 80,
      }),
    ).toEqual({ status: null, code: 'ETIMEDOUT' });
    const ending = new AbortController();
    const asked = askHomeAssistant({
      url: `${homeAssistant.origin}/`,
      method: 'GET',
      trust: undefined,
      signal: ending.signal,
    });
    await vi.waitFor(() => expect(homeAssistant.seen).toHaveLength(3));
    ending.abort();
    expect(await asked).toEqual({ status: null, code: 'ABORT_ERR' });
  });

  it('say that nobody is there', async () => {
    await homeAssistant.stop();
    expect(await port.check(homeAssistant.origin, 't', signal)).toEqual({
      ok: false,
      reason: 'unreachable',
      code: 'ECONNREFUSED',
    });
    homeAssistant = await startFakeHomeAssistant();
  });

  it.each([
    [200, { ok: true }],
    [401, { ok: false, reason: 'refused', code: 'http-401' }],
    [500, { ok: false, reason: 'unreachable', code: 'http-500' }],
  ])('check a token: %i', async (status, outcome) => {
    homeAssistant.answer = (_, response) => json(response, status, {});
    expect(await port.check(homeAssistant.origin, 'tok', signal)).toEqual(outcome);
    expect(homeAssistant.seen[0]).toMatchObject({ method: 'GET', path: '/api/', authorization: 'Bearer tok' });
  });

  it('generate secrets of 256 bits, with the challenge of the verifier', () => {
    const [one, other] = [port.generate(), port.generate()];
    for (const text of [one.state, one.verifier, one.challenge]) expect(text).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(new Set([one.state, one.verifier, other.state, other.verifier]).size).toBe(4);
    expect(one.challenge).toBe(createHash('sha256').update(one.verifier).digest('base64url'));
  });
});

describe('the connection', () => {
  const connect = (liftExpiry = true, origin = homeAssistant.origin) => {
    const users: SignedInUser[] = [];
    const ends: ConnectionEnd[] = [];
    const opened = port.connect({
      origin,
      token: 'tok',
      liftExpiry,
      onUser: (user) => void users.push(user),
      onEnd: (end) => void ends.push(end),
    });
    return { users, ends, close: opened.close };
  };
  const letIn: FakeHomeAssistant['converse'] = (message, socket) => {
    const answer = (result: unknown): void =>
      socket.send(JSON.stringify([{ id: message['id'], type: 'result', success: true, result }]));
    if (message['type'] === 'auth') socket.send(JSON.stringify({ type: 'auth_ok' }));
    else if (message['type'] === 'auth/current_user') answer({ id: 'u', name: 'Kim', is_admin: false });
    else if (message['type'] === 'auth/refresh_tokens')
      answer([
        { id: 'old', is_current: false, expire_at: 'x' },
        { id: 'own', is_current: true, expire_at: '2027-01-01' },
      ]);
    else if (message['type'] === 'auth/refresh_token_set_expiry') answer(null);
  };

  it('reads who is signed in and lifts the expiry of its own credential alone', async () => {
    homeAssistant.converse = letIn;
    const { users, ends, close } = connect();
    await vi.waitFor(() => expect(ends).toEqual(['done']));
    expect(homeAssistant.messages).toHaveLength(4);
    expect(homeAssistant.messages[0]).toEqual({ type: 'auth', access_token: 'tok' });
    expect(homeAssistant.messages[3]).toMatchObject({
      type: 'auth/refresh_token_set_expiry',
      refresh_token_id: 'own',
      enable_expiry: false,
    });
    expect(users).toEqual([{ displayName: 'Kim', administrator: false }]);
    close();
    expect(ends).toEqual(['done']);
    await vi.waitFor(() => expect(homeAssistant.sockets()).toEqual([]));
  });

  it('leaves a long-lived token as it is', async () => {
    homeAssistant.converse = letIn;
    const { ends, close } = connect(false);
    await vi.waitFor(() => expect(ends).toEqual(['done']));
    expect(homeAssistant.messages.map(({ type }) => type)).toEqual(['auth', 'auth/current_user']);
    close();
  });

  it('tells a refusal, an end and an absence apart', async () => {
    homeAssistant.converse = (_, socket) => socket.send(JSON.stringify({ type: 'auth_invalid', message: 'marker' }));
    const refused = connect();
    await vi.waitFor(() => expect(refused.ends).toEqual(['refused']));
    homeAssistant.converse = (message, socket) => {
      if (message['type'] !== 'auth/refresh_tokens') letIn(message, socket);
    };
    const ended = connect();
    await vi.waitFor(() => expect(ended.users).toHaveLength(1));
    for (const socket of homeAssistant.sockets()) socket.terminate();
    await vi.waitFor(() => expect(ended.ends).toEqual(['closed']));
    const { origin } = homeAssistant;
    await homeAssistant.stop();
    const absent = connect(true, origin);
    await vi.waitFor(() => expect(absent.ends).toEqual(['unreachable']));
    homeAssistant = await startFakeHomeAssistant();
  });

  it('survives what is no message', async () => {
    homeAssistant.converse = (message, socket) => {
      socket.send('nonsense');
      socket.send('[1,null]');
      letIn(message, socket);
    };
    const { users, close } = connect();
    await vi.waitFor(() => expect(users).toHaveLength(1));
    close();
  });
});

describe('over https', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-tls-'));
  const file = (name: string): string => join(folder, name);
  let secure: FakeHomeAssistant;
  beforeAll(async () => {
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-keyout',
        file('key.pem'),
        '-out',
        file('cert.pem'),
        '-days',
        '2',
        '-subj',
        '/CN=test',
        '-addext',
        'subjectAltName=IP:127.0.0.1',
      ],
      { stdio: 'ignore' },
    );
    secure = await startFakeHomeAssistant({
      key: readFileSync(file('key.pem'), 'utf8'),
      cert: readFileSync(file('cert.pem'), 'utf8'),
    });
    secure.answer = (_, response) => json(response, 200, {});
  });
  afterAll(async () => {
    await secure.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('a certificate that nobody vouches for is refused, until the system trusts it', async () => {
    const bundle = file('bundle.crt');
    const trusting = homeAssistantPort(systemTrust([bundle]));
    expect(await trusting.check(secure.origin, 't', signal)).toMatchObject({
      reason: 'unreachable',
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    writeFileSync(bundle, readFileSync(file('cert.pem')));
    expect(await trusting.check(secure.origin, 't', signal)).toEqual({ ok: true });
    expect(await trusting.check(secure.origin.replace('127.0.0.1', 'localhost'), 't', signal)).toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
  });
});
