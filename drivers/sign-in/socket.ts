import WebSocket from 'ws';

import { errorCode } from '#drivers/kit/error-code.ts';
import { type Fields, fieldsOf, messagesOf } from '#drivers/kit/json-fields.ts';
import { jsonBounds, jsonExcess } from '#machines/kit/json-excess.ts';
import type { ConnectionEnd } from '#machines/sign-in/events.ts';

import type { ConnectionInput, SignedInUser } from './contract.ts';

/** Limit from the connection to the last answer, in milliseconds. */
const WHOLE_MS = 10_000;
/** Largest message that is read, in bytes; a user has one row per signed-in device. */
const MESSAGE_BYTES = 1024 * 1024;
const NAME_LENGTH = 200;

const CURRENT_USER = 1;
const REFRESH_TOKENS = 2;
const SET_EXPIRY = 3;

function userOf(result: unknown): SignedInUser {
  const { name, is_admin: administrator } = fieldsOf(result);
  return {
    displayName: typeof name === 'string' ? name.slice(0, NAME_LENGTH) : '',
    administrator: administrator === true,
  };
}

/** Id of the credential of this connection if it still expires; else null. */
function endingToken(result: unknown): string | null {
  if (!Array.isArray(result)) return null;
  const current = result.map(fieldsOf).find((row) => row['is_current'] === true);
  return current !== undefined && typeof current['id'] === 'string' && current['expire_at'] !== null
    ? current['id']
    : null;
}

/**
 * Signs in at the socket of Home Assistant, reads who is signed in, lifts the expiry of an idle credential, and closes.
 */
export function openConnection(
  input: ConnectionInput,
  trustFor: (origin: string) => Promise<string | undefined>,
): { readonly close: () => void } {
  let socket: WebSocket | undefined;
  let isIn = false;
  let over = false;
  /** Ids of the requests without an answer yet. */
  const asked = new Set<unknown>();

  const end = (why: ConnectionEnd, code: string | null = null): void => {
    if (over) return;
    over = true;
    clearTimeout(whole);
    socket?.terminate();
    input.onEnd(why, code);
  };
  const lost = (code = 'closed'): void => (isIn ? end('closed') : end('unreachable', code));
  const sendMessage = (message: Fields): void => socket?.send(JSON.stringify(message), () => {});

  const ask = (message: Fields): void => {
    asked.add(message['id']);
    sendMessage(message);
  };
  const live = (): void => {
    isIn = true;
    ask({ id: CURRENT_USER, type: 'auth/current_user' });
    if (input.liftExpiry) ask({ id: REFRESH_TOKENS, type: 'auth/refresh_tokens' });
  };
  const takeAnswer = ({ id, success, result }: Fields): void => {
    if (success === true && id === CURRENT_USER) input.onUser(userOf(result));
    const ending = success === true && id === REFRESH_TOKENS ? endingToken(result) : null;
    if (ending !== null)
      ask({
        id: SET_EXPIRY,
        type: 'auth/refresh_token_set_expiry',
        refresh_token_id: ending,
        enable_expiry: false,
      });
    asked.delete(id);
    if (asked.size === 0) end('done');
  };
  const take = (message: Fields): void => {
    if (message['type'] === 'auth_required') sendMessage({ type: 'auth', access_token: input.token });
    else if (message['type'] === 'auth_ok') live();
    else if (message['type'] === 'auth_invalid') end('refused');
    else if (message['type'] === 'result' && asked.has(message['id'])) takeAnswer(message);
  };
  const open = (trust: string | undefined): void => {
    if (over) return;
    try {
      socket = new WebSocket(`${input.origin.replace(/^http/, 'ws')}/api/websocket`, {
        handshakeTimeout: WHOLE_MS,
        maxPayload: MESSAGE_BYTES,
        followRedirects: false,
        perMessageDeflate: false,
        ...(trust !== undefined && { ca: trust }),
      });
    } catch (error) {
      end('unreachable', errorCode(error));
      return;
    }
    socket.on('error', (error) => lost(errorCode(error)));
    socket.on('close', () => lost());
    socket.on('message', (raw: Buffer) => {
      const excess = jsonExcess(raw, jsonBounds.homeAssistant);
      if (excess !== null) lost(`message-${excess.kind}`);
      for (const message of messagesOf(raw.toString('utf8'))) if (!over) take(message);
    });
  };

  const whole = setTimeout(() => lost('ETIMEDOUT'), WHOLE_MS);
  void trustFor(input.origin).then(open);
  return { close: () => end('closed') };
}
