import { connect, type Socket } from 'node:net';
import { join } from 'node:path';

import { errorCode } from '#drivers/kit/error-code.ts';
import { fieldsOf } from '#drivers/kit/json-fields.ts';
import { LONGEST_PATH } from '#drivers/kit/owner-socket.ts';
import { PAIRING_SOCKET } from '#drivers/store/folder.ts';
import { foreignValue } from '#machines/kit/foreign-json.ts';
import type { TerminalQuestion } from './terminal.ts';

/** A question that the agent asks now. */
export interface AskedInTerminal {
  readonly question: TerminalQuestion;
  /** Aborted once the question is taken back. */
  readonly gone: AbortSignal;
  /** Answers; true if the agent took it. */
  readonly answer: (answer: 'approve' | 'deny') => Promise<boolean>;
}

/** Longest line, in bytes. */
const LONGEST = 2048;
const BOUNDS = { depth: 2, tokens: 12 } as const;

function questionIn(line: string): TerminalQuestion | null {
  const { digits, name } = fieldsOf(foreignValue(line, BOUNDS));
  return typeof digits === 'string' && /^\d{6}$/.test(digits) && typeof name === 'string' ? { digits, name } : null;
}

/** Reads the lines of a socket, one after another; null once it is closed, or one is too long. */
function linesOf(socket: Socket): () => Promise<string | null> {
  let text = '';
  let isOver = false;
  let wake = (): void => {};
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
    if (text.length > LONGEST) socket.destroy();
    wake();
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    isOver = true;
    wake();
  });
  return async () => {
    while (!text.includes('\n')) {
      if (isOver) return null;
      // oxlint-disable-next-line no-await-in-loop -- waits for more of the line
      await new Promise<void>((resolve) => (wake = resolve));
    }
    const end = text.indexOf('\n');
    const line = text.slice(0, end);
    text = text.slice(end + 1);
    return line;
  };
}

/** The question that the agent of that data folder asks now; null without one, else why it cannot be asked. */
export async function callTerminalQuestion(
  folder: string,
): Promise<AskedInTerminal | 'not-permitted' | 'path-too-long' | null> {
  const path = join(folder, PAIRING_SOCKET);
  if (Buffer.byteLength(path) > LONGEST_PATH) return 'path-too-long';
  const socket = connect({ path });
  const failure = await new Promise<string | null>((resolve) => {
    socket.once('connect', () => resolve(null));
    socket.once('error', (error) => resolve(errorCode(error)));
  });
  if (failure !== null) return failure === 'EACCES' || failure === 'EPERM' ? 'not-permitted' : null;
  const next = linesOf(socket);
  const question = questionIn((await next()) ?? '');
  if (question === null) {
    socket.destroy();
    return null;
  }
  const gone = new AbortController();
  socket.once('close', () => gone.abort());
  return {
    question,
    gone: gone.signal,
    answer: async (answer) => {
      socket.write(`${JSON.stringify({ answer })}\n`);
      const { ok } = fieldsOf(foreignValue((await next()) ?? '', BOUNDS));
      socket.end();
      return ok === true;
    },
  };
}
