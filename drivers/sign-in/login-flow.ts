import type { Login, LoginAnswer } from './contract.ts';
import { jsonOf } from './json-of.ts';
import { type HttpAnswer, TOO_LARGE } from './request.ts';

/** Ids of login flows, which become part of a path; Home Assistant's are 26 or 32 letters and digits. */
const FLOW_ID = /^[A-Za-z0-9_-]{1,128}$/;
const CODE = /^[\x21-\x7e]{1,4096}$/;

const rejected = { ok: false, reason: 'password-rejected' } as const;
const unreachable = (sent: boolean, code: string) => ({ ok: false, reason: 'unreachable', sent, code }) as const;

/**
 * The meaning of the answer to the beginning of a login flow, before the password is sent. Only Home Assistant's own
 * wording ends the attempt: anything else is another server, or a proxy that does not reach it.
 */
export function flowOf(answer: HttpAnswer): { readonly ok: true; readonly flowId: string } | LoginAnswer {
  if (answer.status === null) return unreachable(false, answer.code);
  const { type, step_id: step, flow_id: flowId, message } = jsonOf(answer.text);
  if (answer.status === 200) {
    if (type === 'form' && step === 'init' && typeof flowId === 'string' && FLOW_ID.test(flowId))
      return { ok: true, flowId };
    return type === 'abort' ? rejected : unreachable(false, 'not-understood');
  }
  // A banned address gets its 403 without JSON.
  if (answer.status === 403 || (answer.status >= 400 && answer.status < 500 && typeof message === 'string'))
    return rejected;
  return unreachable(false, `http-${answer.status}`);
}

/** The meaning of the answer to the password: after any answer, it is not sent again. */
export function loginOf(answer: HttpAnswer): LoginAnswer {
  if (answer.status === null) return answer.code === TOO_LARGE ? rejected : unreachable(true, answer.code);
  const { type, step_id: step, result, errors } = jsonOf(answer.text);
  if (answer.status !== 200) return rejected;
  if (type === 'create_entry' && typeof result === 'string' && CODE.test(result)) return { ok: true, code: result };
  if (type !== 'form') return rejected;
  if (step === 'mfa' || step === 'select_mfa_module') return { ok: false, reason: 'password-second-factor' };
  return typeof errors === 'object' && errors !== null && 'base' in errors && errors.base === 'invalid_auth'
    ? { ok: false, reason: 'password-refused' }
    : rejected;
}

/**
 * Signs in with user and password through the login flow of Home Assistant's own page
 * (https://developers.home-assistant.io/docs/auth_api, seen with 2026.11.0). `post` sends one JSON body.
 */
export async function logIn(
  post: (path: string, body: object) => Promise<HttpAnswer>,
  { username, password, clientId, redirectUri }: Login,
): Promise<LoginAnswer> {
  const flow = flowOf(
    await post('/auth/login_flow', {
      client_id: clientId,
      handler: ['homeassistant', null],
      redirect_uri: redirectUri,
    }),
  );
  if (!('flowId' in flow)) return flow;
  return loginOf(await post(`/auth/login_flow/${flow.flowId}`, { client_id: clientId, username, password }));
}
