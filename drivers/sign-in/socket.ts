import WebSocket from 'ws';

import { errorCode } from '#drivers/kit/error-code.ts';
import type { ConnectionEnd } from '#machines/sign-in/events.ts';

import type { ConnectionInput, SignedInUser } from './contract.ts';

/** Longest wait for the connection and for being let in, in milliseconds. */
const LET_IN_MS = 10_000;
/**
 * Pause between signs of life, and the longest wait for the answer to one, in milliseconds: as the page of Home
 * Assistant does.
 */
const PING_MS = 30_000;
const PONG_MS = 15_000;
/** Largest message that is taken, in bytes; a user has one row per signed-in device. */
const MESSAGE_BYTES = 1024 * 1024;
const NAME_LENGTH = 200;

const CURRENT_USER = 1;
const REFRESH_TOKENS = 2;
const SET_EXPIRY = 3;

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {};

/** What a message holds: one thing, or several as one list. */
const messagesOf = (text: string): readonly Fields[] => {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.map(fieldsOf) : [fieldsOf(value)];
  } catch {
    return [];
  }
};

const userOf = (result: unknown): SignedInUser => {
  const { name, is_admin: administrator } = fieldsOf(result);
  return {
    displayName: typeof name === 'string' ? name.slice(0, NAME_LENGTH) : '',
    administrator: administrator === true,
  };
};

/** Id of the credential that this connection was let in with, where it still ends by itself. */
const endingToken = (result: unknown): string | null => {
  if (!Array.isArray(result)) return null;
  const current = result.map(fieldsOf).find((row) => row['is_current'] === true);
  return current !== undefined && typeof current['id'] === 'string' && current['expire_at'] !== null
    ? current['id']
    : null;
};

/** Signs in at the socket of Home Assistant, reads who that is, and stays until it closes or is closed. */
export const openConnection = (
  input: ConnectionInput,
  trustFor: (origin: string) => Promise<string | undefined>,
): { readonly close: () => void } => {
  let socket: WebSocket | undefined;
  let isIn = false;
  let over = false;
  let ping: ReturnType<typeof setInterval> | undefined;
  let pong: ReturnType<typeof setTimeout> | undefined;

  const end = (why: ConnectionEnd, code: string | null = null): void => {
    if (over) return;
    over = true;
    clearTimeout(letIn);
    clearInterval(ping);
    clearTimeout(pong);
    socket?.terminate();
    input.onEnd(why, code);
  };
  const lost = (code = 'closed'): void => (isIn ? end('closed') : end('unreachable', code));
  const sendMessage = (message: Fields): void => socket?.send(JSON.stringify(message), () => {});

  const live = (): void => {
    isIn = true;
    clearTimeout(letIn);
    ping = setInterval(() => {
      socket?.ping(undefined, undefined, () => {});
      clearTimeout(pong);
      pong = setTimeout(() => lost(), PONG_MS);
    }, PING_MS);
    sendMessage({ id: CURRENT_USER, type: 'auth/current_user' });
    if (input.liftExpiry) sendMessage({ id: REFRESH_TOKENS, type: 'auth/refresh_tokens' });
  };
  const take = (message: Fields): void => {
    if (message['type'] === 'auth_required') sendMessage({ type: 'auth', access_token: input.token });
    else if (message['type'] === 'auth_ok') live();
    else if (message['type'] === 'auth_invalid') end('refused');
    else if (message['type'] !== 'result' || message['success'] !== true) return;
    else if (message['id'] === CURRENT_USER) input.onUser(userOf(message['result']));
    else if (message['id'] === REFRESH_TOKENS) {
      const id = endingToken(message['result']);
      if (id !== null)
        sendMessage({
          id: SET_EXPIRY,
          type: 'auth/refresh_token_set_expiry',
          refresh_token_id: id,
          enable_expiry: false,
        });
    }
  };
  const open = (trust: string | undefined): void => {
    if (over) return;
    try {
      socket = new WebSocket(`${input.origin.replace(/^http/, 'ws')}/api/websocket`, {
        handshakeTimeout: LET_IN_MS,
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
    socket.on('pong', () => clearTimeout(pong));
    socket.on('message', (raw: Buffer) => {
      for (const message of messagesOf(raw.toString('utf8'))) if (!over) take(message);
    });
  };

  const letIn = setTimeout(() => end('unreachable', 'ETIMEDOUT'), LET_IN_MS);
  void trustFor(input.origin).then(open);
  return { close: () => end('closed') };
};
