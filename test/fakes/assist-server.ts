import type { WebSocket } from 'ws';

import type { FakeHomeAssistant } from '../drivers/sign-in/fake-home-assistant.ts';

type Message = Readonly<Record<string, unknown>>;

/** A run of Assist at the fake. */
export interface AssistRun {
  /** The command as it came. */
  readonly command: Message;
  readonly handler: number;
  /** Frames without the byte of their handler; the last one is empty once the panel ended the speech. */
  readonly frames: readonly Buffer[];
  readonly isOver: () => boolean;
  readonly emit: (type: string, data?: unknown) => void;
  /** Ends the run with these events after its `run-end`; its handler is free then. */
  readonly end: (...after: readonly (readonly [type: string, data: unknown])[]) => void;
}

export interface FakeAssist {
  readonly runs: readonly AssistRun[];
  /** Lines that Home Assistant would write to its log as errors. */
  readonly errors: readonly string[];
  /** Refuses the next runs with this code; null for none. */
  refusal: string | null;
  /** The `data` of `run-start`; null sends none. */
  runStart: (handler: number) => unknown;
}

/** As Home Assistant 2026.11 begins a run. */
export const runStart = (handler: unknown, output: Message = {}) => ({
  pipeline: 'p1',
  language: 'en',
  conversation_id: 'c1',
  runner_data: { stt_binary_handler_id: handler, timeout: 120 },
  tts_output: {
    token: 't.mp3',
    url: '/api/tts_proxy/t.mp3',
    mime_type: 'audio/mpeg',
    stream_response: false,
    ...output,
  },
});

/**
 * Lets a fake Home Assistant run Assist, as 2026.11 does: the lowest free handler, events after the result, `run-end`
 * when it is unsubscribed, and an error for each frame without a handler. A test decides on the events.
 */
export function withAssist(
  home: FakeHomeAssistant,
  converse: (message: Message, socket: WebSocket) => void,
): FakeAssist {
  const runs: (AssistRun & { readonly frames: Buffer[] })[] = [];
  const errors: string[] = [];
  const handlers = new Map<number, (frame: Buffer) => void>();
  const assist: FakeAssist = { runs, errors, refusal: null, runStart: (handler) => runStart(handler) };
  const send = (socket: WebSocket, message: unknown): void => socket.send(JSON.stringify(message));

  const begin = (command: Message, socket: WebSocket): void => {
    const { id } = command;
    let handler = 1;
    while (handlers.has(handler)) handler += 1;
    const frames: Buffer[] = [];
    handlers.set(handler, (frame) => void frames.push(frame));
    let isOver = false;
    const free = (): void => void handlers.delete(handler);
    const emit = (type: string, data: unknown = null): void =>
      send(socket, { id, type: 'event', event: { type, data, timestamp: '2026-11-26T11:25:05+00:00' } });
    const end: AssistRun['end'] = (...after) => {
      if (isOver) return;
      isOver = true;
      free();
      socket.off('close', free);
      emit('run-end');
      for (const [type, data] of after) emit(type, data);
    };
    runs.push({ command, handler, frames, isOver: () => isOver, emit, end });
    socket.once('close', free);
    const data = assist.runStart(handler);
    if (data !== null) emit('run-start', data);
  };

  home.converse = (message, socket) => {
    const { id, type, subscription } = message;
    if (type === 'assist_pipeline/run') {
      const error = { code: assist.refusal, message: 'marker' };
      send(socket, {
        id,
        type: 'result',
        ...(error.code === null ? { success: true, result: null } : { success: false, error }),
      });
      if (error.code === null) begin(message, socket);
      return;
    }
    const run = runs.find(({ command }) => command['id'] === subscription);
    if (type !== 'unsubscribe_events' || run === undefined) {
      converse(message, socket);
      return;
    }
    run.end();
    send(socket, { id, type: 'result', success: true, result: null });
  };
  home.take = (frame) => {
    const handler = handlers.get(frame[0] ?? 0);
    if (handler === undefined) errors.push(`Received binary message for non-existing handler ${frame[0]}`);
    else handler(frame.subarray(1));
  };
  return assist;
}
