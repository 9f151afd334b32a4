import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Login } from '#drivers/sign-in/contract.ts';
import { homeAssistant as homeAssistantPort } from '#drivers/sign-in/home-assistant.ts';
import { flowOf, loginOf } from '#drivers/sign-in/login-flow.ts';
import type { HttpAnswer } from '#drivers/sign-in/request.ts';
import { type FakeHomeAssistant, json, startFakeHomeAssistant } from './fake-home-assistant.ts';

const answer = (status: number, body: unknown): HttpAnswer => ({
  status,
  text: typeof body === 'string' ? body : JSON.stringify(body),
});
const lost = (sent: boolean, code: string) => ({ ok: false, reason: 'unreachable', sent, code });
const ended = (how: string) => ({ ok: false, reason: `password-${how}` });

describe('an answer to the beginning of a login flow', () => {
  const form = { type: 'form', step_id: 'init', flow_id: '01JD7', errors: {} };
  it.each<[HttpAnswer, object]>([
    [answer(200, form), { ok: true, flowId: '01JD7' }],
    [{ status: null, code: 'ECONNREFUSED' }, lost(false, 'ECONNREFUSED')],
    // The password is not sent after what is no login flow.
    [answer(200, { ...form, flow_id: '../../elsewhere' }), lost(false, 'not-understood')],
    [answer(200, { ...form, flow_id: 'x'.repeat(129) }), lost(false, 'not-understood')],
    [answer(200, { ...form, flow_id: 7 }), lost(false, 'not-understood')],
    [answer(200, { ...form, step_id: 'mfa' }), lost(false, 'not-understood')],
    [answer(200, '<html>'), lost(false, 'not-understood')],
    [answer(200, 'null'), lost(false, 'not-understood')],
    [answer(302, ''), lost(false, 'http-302')],
    [answer(404, '<html>'), lost(false, 'http-404')],
    [answer(502, { message: 'x' }), lost(false, 'http-502')],
    [answer(200, { type: 'abort', reason: 'x' }), ended('rejected')],
    [answer(404, { message: 'Invalid handler specified' }), ended('rejected')],
    [answer(400, { message: 'Invalid client id' }), ended('rejected')],
    [answer(403, '403: Forbidden'), ended('rejected')],
  ])('%j', (given, expected) => {
    expect(flowOf(given)).toEqual(expected);
  });
});

describe('an answer to the password', () => {
  const form = { type: 'form', step_id: 'init', flow_id: '01JD7' };
  it.each<[HttpAnswer, object]>([
    [answer(200, { type: 'create_entry', result: 'c0de' }), { ok: true, code: 'c0de' }],
    [answer(200, { ...form, errors: { base: 'invalid_auth' } }), ended('refused')],
    [answer(200, { ...form, step_id: 'mfa', errors: {} }), ended('second-factor')],
    [answer(200, { ...form, step_id: 'select_mfa_module', errors: {} }), ended('second-factor')],
    [{ status: null, code: 'ECONNRESET' }, lost(true, 'ECONNRESET')],
    // Whatever else was answered, it was an answer.
    [answer(200, { ...form, errors: null }), ended('rejected')],
    [answer(200, { type: 'create_entry', result: 'with space' }), ended('rejected')],
    [answer(200, { type: 'create_entry', result: null }), ended('rejected')],
    [answer(200, { type: 'abort', reason: 'login_expired' }), ended('rejected')],
    [answer(200, '<html>'), ended('rejected')],
    [answer(307, ''), ended('rejected')],
    [answer(403, { message: 'Login blocked: User is not active' }), ended('rejected')],
    [answer(404, { message: 'Invalid flow specified' }), ended('rejected')],
    [answer(500, ''), ended('rejected')],
  ])('%j', (given, expected) => {
    expect(loginOf(given)).toEqual(expected);
  });
});

describe('signing in with a password', () => {
  const port = homeAssistantPort(() => Promise.resolve(undefined));
  const { signal } = new AbortController();
  const login: Login = {
    username: 'wall',
    password: 'hunter2 é"',
    clientId: 'http://192.168.1.40:8888/',
    redirectUri: 'http://192.168.1.40:8888/back',
  };
  const form = { type: 'form', step_id: 'init', flow_id: '01JD7', errors: {} };
  let homeAssistant: FakeHomeAssistant;
  beforeEach(async () => {
    homeAssistant = await startFakeHomeAssistant();
  });
  afterEach(() => homeAssistant.stop());
  const logIn = () => port.logIn(homeAssistant.origin, login, signal);
  const bodies = () => homeAssistant.seen.map(({ method, path, body }) => [method, path, JSON.parse(body)]);

  /** Begins a flow as Home Assistant does, and answers the password by `then`. */
  const afterPassword = (then: FakeHomeAssistant['answer']): void => {
    homeAssistant.answer = (request, response) =>
      request.path === '/auth/login_flow' ? json(response, 200, form) : then(request, response);
  };

  it('sends it to the flow that Home Assistant began, once', async () => {
    afterPassword((_, response) => json(response, 200, { type: 'create_entry', result: 'c0de' }));
    expect(await logIn()).toEqual({ ok: true, code: 'c0de' });
    const { clientId: client_id, redirectUri: redirect_uri, username, password } = login;
    expect(bodies()).toEqual([
      ['POST', '/auth/login_flow', { client_id, redirect_uri, handler: ['homeassistant', null] }],
      ['POST', '/auth/login_flow/01JD7', { client_id, username, password }],
    ]);
  });

  it('exchanges the code without a verifier, since there was no challenge', async () => {
    homeAssistant.answer = (_, response) =>
      json(response, 200, { access_token: 'a', refresh_token: 'r', expires_in: 1800 });
    const code = { code: 'c0de', clientId: login.clientId, verifier: null };
    expect(await port.exchange(homeAssistant.origin, code, signal)).toMatchObject({ ok: true });
    expect(homeAssistant.seen[0]?.form).toEqual({
      grant_type: 'authorization_code',
      code: 'c0de',
      client_id: login.clientId,
    });
  });

  it.each([301, 302, 307, 308])(
    'follows no redirect (%i), neither before the password nor after it',
    async (status) => {
      const elsewhere = await startFakeHomeAssistant();
      const away: FakeHomeAssistant['answer'] = (request, response) =>
        json(response, status, {}, { location: elsewhere.origin + request.path });
      homeAssistant.answer = away;
      expect(await logIn()).toEqual(lost(false, `http-${status}`));
      expect(homeAssistant.seen.map(({ path }) => path)).toEqual(['/auth/login_flow']);
      afterPassword(away);
      expect(await logIn()).toEqual(ended('rejected'));
      expect(elsewhere.seen).toEqual([]);
      await elsewhere.stop();
    },
  );

  it('is bounded in size, and a password is not sent after an answer that is too large', async () => {
    homeAssistant.answer = (_, response) => void response.end(JSON.stringify({ ...form, more: 'x'.repeat(70_000) }));
    expect(await logIn()).toEqual(lost(false, 'answer-too-large'));
    expect(homeAssistant.seen).toHaveLength(1);
    afterPassword((_, response) => void response.end('x'.repeat(70_000)));
    expect(await logIn()).toEqual(ended('rejected'));
  });

  it.each([
    ['before', false],
    ['after', true],
  ])('waits ten seconds for an answer, and says whether that was %s the password', async (_, sent) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const mute: FakeHomeAssistant['answer'] = (__, response) => void response.writeHead(200).write('{');
      if (sent) afterPassword(mute);
      else homeAssistant.answer = mute;
      const asked = logIn();
      while (homeAssistant.seen.length < (sent ? 2 : 1)) await new Promise((resolve) => void setImmediate(resolve));
      vi.advanceTimersByTime(9999);
      expect(await Promise.race([asked, Promise.resolve('waiting')])).toBe('waiting');
      vi.advanceTimersByTime(1);
      expect(await asked).toEqual(lost(sent, 'ETIMEDOUT'));
    } finally {
      vi.useRealTimers();
    }
  });

  it('ends with its signal', async () => {
    const ending = new AbortController();
    afterPassword(() => ending.abort());
    expect(await port.logIn(homeAssistant.origin, login, ending.signal)).toEqual(lost(true, 'ABORT_ERR'));
  });

  it('says that nobody is there', async () => {
    await homeAssistant.stop();
    expect(await logIn()).toEqual(lost(false, 'ECONNREFUSED'));
    homeAssistant = await startFakeHomeAssistant();
  });
});
