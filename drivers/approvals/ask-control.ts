import { connect } from 'node:net';
import { join } from 'node:path';

import { errorCode } from '#drivers/kit/error-code.ts';
import { LONGEST_PATH } from '#drivers/kit/owner-socket.ts';
import { APPROVALS_SOCKET } from '#drivers/store/folder.ts';
import { foreignValue } from '#machines/kit/foreign-json.ts';
import { jsonBounds } from '#machines/kit/json-excess.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import { type ControlRequest, SWITCH_MS } from './control-protocol.ts';

/** Longest answer, in bytes: many times the dozen requests that an agent keeps. */
const LONGEST_ANSWER = 256 * 1024;
/** Longest wait for an answer, which may itself wait for the mode. */
const ANSWER_MS: Milliseconds = SWITCH_MS + 2000;

/** Why there is no answer: `not-listening` includes an agent that has nothing to serve. */
export type NoAnswer = 'not-listening' | 'not-permitted' | 'path-too-long' | 'no-answer';

/** The JSON that the program there answered, which may not be an agent, or why there is none. */
export type Asked = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: NoAnswer };

const none = (reason: NoAnswer): Asked => ({ ok: false, reason });

function reasonOf(error: unknown): NoAnswer {
  const code = errorCode(error);
  if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR') return 'not-listening';
  return code === 'EACCES' || code === 'EPERM' ? 'not-permitted' : 'no-answer';
}

/** Sends one request to the agent of that data folder. */
export function askControl(folder: string, request: ControlRequest): Promise<Asked> {
  const path = join(folder, APPROVALS_SOCKET);
  if (Buffer.byteLength(path) > LONGEST_PATH) return Promise.resolve(none('path-too-long'));
  return new Promise((resolve) => {
    let text = '';
    const socket = connect({ path });
    const timer = setTimeout(() => finish(none('no-answer')), ANSWER_MS);
    const finish = (result: Asked): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => socket.write(`${JSON.stringify(request)}\n`));
    socket.once('error', (error) => finish(none(reasonOf(error))));
    socket.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      if (text.length > LONGEST_ANSWER) return finish(none('no-answer'));
      if (!text.includes('\n')) return undefined;
      const value = foreignValue(text.slice(0, text.indexOf('\n')), jsonBounds.program);
      return finish(value === undefined ? none('no-answer') : { ok: true, value });
    });
    socket.once('close', () => finish(none('no-answer')));
  });
}
