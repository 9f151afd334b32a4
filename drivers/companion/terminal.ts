import type { Server, Socket } from 'node:net';
import { join } from 'node:path';

import { clearSocket, listenForOwner } from '#drivers/kit/owner-socket.ts';
import { PAIRING_SOCKET } from '#drivers/store/folder.ts';
import { foreignValue } from '#machines/kit/foreign-json.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

/** What a person compares: the digits, and what the Home Assistant calls itself. */
export interface TerminalQuestion {
  readonly digits: string;
  readonly name: string;
}
export type TerminalAnswer = 'approved' | 'denied' | 'expired' | 'no-place';

export interface TerminalOptions {
  /** The data folder. */
  readonly folder: string;
  /** Takes the question back. */
  readonly signal: AbortSignal;
  /** Longest wait for `sconce companion pair`, which looks twice a second. */
  readonly callMs?: Milliseconds;
  /** Longest wait for the person. */
  readonly answerMs?: Milliseconds;
}

const CALL_MS: Milliseconds = 5000;
const ANSWER_MS: Milliseconds = 10 * 60_000;
const MOST_CONNECTIONS = 4;
/** Longest answer, in bytes. */
const LONGEST_ANSWER = 256;
const BOUNDS = { depth: 2, tokens: 8 } as const;

/** The answer on a line; anything but a clear yes is no. */
function answerIn(line: string): 'approved' | 'denied' {
  const value = foreignValue(line, BOUNDS);
  return typeof value === 'object' && value !== null && 'answer' in value && value.answer === 'approve'
    ? 'approved'
    : 'denied';
}

/** Puts the question to one terminal, and reads its answer; one that leaves has denied it. */
function put(socket: Socket, question: TerminalQuestion, onAnswer: (answer: 'approved' | 'denied') => void): void {
  let bytes = Buffer.alloc(0);
  socket.on('data', (piece: Buffer) => {
    bytes = Buffer.concat([bytes, piece]);
    const end = bytes.indexOf('\n');
    if (end < 0 && bytes.length < LONGEST_ANSWER) return;
    const answer = answerIn(end < 0 ? '' : bytes.toString('utf8', 0, end));
    socket.end(`${JSON.stringify({ ok: true, answer })}\n`);
    onAnswer(answer);
  });
  socket.on('end', () => socket.end());
  socket.on('close', () => onAnswer('denied'));
  socket.write(`${JSON.stringify(question)}\n`);
}

/**
 * Asks in a terminal of this machine whether a Home Assistant may be paired. It listens only while it asks, and only
 * the agent's user and root can open the socket. `no-place` if no terminal calls soon, or the path cannot be taken.
 */
export async function askInTerminal(
  question: TerminalQuestion,
  { folder, signal, callMs = CALL_MS, answerMs = ANSWER_MS }: TerminalOptions,
): Promise<TerminalAnswer> {
  const path = join(folder, PAIRING_SOCKET);
  if ((await clearSocket(path)) !== null || signal.aborted) return 'no-place';
  const sockets = new Set<Socket>();
  let server: Server | null = null;
  let timer: NodeJS.Timeout | undefined;
  let cancel = (): void => {};
  const answered = new Promise<TerminalAnswer>((resolve) => {
    cancel = () => resolve('expired');
    timer = setTimeout(() => resolve('no-place'), callMs);
    const accept = (socket: Socket): void => {
      socket.on('error', () => socket.destroy());
      // The first one asks its person.
      if (sockets.size > 0) return void socket.destroy();
      sockets.add(socket);
      clearTimeout(timer);
      timer = setTimeout(() => resolve('expired'), answerMs);
      put(socket, question, resolve);
    };
    listenForOwner(path, MOST_CONNECTIONS, accept).then(
      (listening) => {
        server = listening;
        if (signal.aborted) cancel();
      },
      () => resolve('no-place'),
    );
  });
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await answered;
  } finally {
    signal.removeEventListener('abort', cancel);
    clearTimeout(timer);
    const open = server as Server | null;
    open?.close();
    for (const socket of sockets) if (!socket.writableEnded) socket.destroy();
  }
}
