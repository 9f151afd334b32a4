import { createHash, randomBytes } from 'node:crypto';

import type { Failure, Grant, HomeAssistantPort } from './contract.ts';
import { jsonOf } from './json-of.ts';
import { logIn } from './login-flow.ts';
import { askHomeAssistant, type HttpAnswer } from './request.ts';
import { openConnection } from './socket.ts';
import { systemTrust } from './trust.ts';

/** Limit for a revocation, in milliseconds; nothing depends on its answer. */
const REVOKE_MS = 5000;
/** Longest validity that is accepted, in seconds: a timer beyond 24.8 days would fire at once. */
const LONGEST_SECONDS = 86_400;
/** Bytes of state and verifier: 256 bits, 43 characters (RFC 7636, 4.1). */
const SECRET_BYTES = 32;

const unreachable = (code: string): Failure => ({ ok: false, reason: 'unreachable', code });

/**
 * The meaning of an answer of the token endpoint. Only Home Assistant's own wording counts as a refusal: anything else
 * may be a proxy or another server.
 */
export function grantOf(answer: HttpAnswer): Grant | Failure {
  if (answer.status === null) return unreachable(answer.code);
  const body = jsonOf(answer.text);
  if (answer.status === 200) {
    const { access_token: accessToken, refresh_token: refreshToken, expires_in: expires } = body;
    if (typeof accessToken !== 'string' || accessToken === '' || typeof expires !== 'number' || !(expires > 0))
      return unreachable('not-understood');
    return {
      ok: true,
      accessToken,
      refreshToken: typeof refreshToken === 'string' && refreshToken !== '' ? refreshToken : null,
      expiresInSeconds: Math.min(expires, LONGEST_SECONDS),
    };
  }
  if ((answer.status === 400 || answer.status === 401 || answer.status === 403) && typeof body['error'] === 'string')
    return { ok: false, reason: 'refused', code: `http-${answer.status}` };
  return unreachable(`http-${answer.status}`);
}

/** Home Assistant over HTTP and its socket. `trust` provides the certificates for https. */
export function homeAssistant(trust: () => Promise<string | undefined> = systemTrust()): HomeAssistantPort {
  const trustFor = async (origin: string): Promise<string | undefined> =>
    origin.startsWith('https:') ? trust() : undefined;
  const post = async (
    origin: string,
    path: string,
    form: Readonly<Record<string, string>>,
    signal: AbortSignal,
    withinMs?: number,
  ): Promise<HttpAnswer> =>
    askHomeAssistant({
      url: origin + path,
      method: 'POST',
      form,
      trust: await trustFor(origin),
      signal,
      ...(withinMs !== undefined && { withinMs }),
    });
  return {
    logIn: async (origin, login, signal) => {
      const trusted = await trustFor(origin);
      return logIn(
        (path, body) => askHomeAssistant({ url: origin + path, method: 'POST', json: body, trust: trusted, signal }),
        login,
      );
    },
    exchange: async (origin, { code, clientId, verifier }, signal) => {
      const grant = grantOf(
        await post(
          origin,
          '/auth/token',
          {
            grant_type: 'authorization_code',
            code,
            client_id: clientId,
            ...(verifier !== null && { code_verifier: verifier }),
          },
          signal,
        ),
      );
      return grant.ok && grant.refreshToken === null ? unreachable('not-understood') : grant;
    },
    refresh: async (origin, { refreshToken, clientId }, signal) =>
      grantOf(
        await post(
          origin,
          '/auth/token',
          { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId },
          signal,
        ),
      ),
    revoke: async (origin, refreshToken) => {
      await post(origin, '/auth/revoke', { token: refreshToken }, new AbortController().signal, REVOKE_MS);
    },
    check: async (origin, token, signal) => {
      const answer = await askHomeAssistant({
        url: `${origin}/api/`,
        method: 'GET',
        bearer: token,
        trust: await trustFor(origin),
        signal,
      });
      if (answer.status === 200) return { ok: true };
      return answer.status === 401 || answer.status === 403
        ? { ok: false, reason: 'refused', code: `http-${answer.status}` }
        : unreachable(answer.status === null ? answer.code : `http-${answer.status}`);
    },
    connect: (input) => openConnection(input, trustFor),
    generate: () => {
      const verifier = randomBytes(SECRET_BYTES).toString('base64url');
      return {
        state: randomBytes(SECRET_BYTES).toString('base64url'),
        verifier,
        challenge: createHash('sha256').update(verifier).digest('base64url'),
      };
    },
  };
}
