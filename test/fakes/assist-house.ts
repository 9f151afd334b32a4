import type { WebSocket } from 'ws';

import { json, startFakeHomeAssistant, type FakeHomeAssistant } from '../drivers/sign-in/fake-home-assistant.ts';
import { wavOf } from '../platform/voice/wav.ts';
import { type AssistRun, type FakeAssist, withAssist } from './assist-server.ts';

type Message = Readonly<Record<string, unknown>>;

/** The words of every turn, which must be found nowhere at the panel. */
export const words = { heard: 'xylophone heard', answered: 'xylophone answered' } as const;

/** Samples a second of the answers. */
const RATE = 16_000;

/** A tone, so that an answer is heard. */
function tone(ms: number): Buffer {
  const pcm = Buffer.alloc(Math.round((ms * RATE) / 1000) * 2);
  for (let at = 0; at < pcm.length; at += 2)
    pcm.writeInt16LE(Math.round(8000 * Math.sin((2 * Math.PI * 440 * at) / 2 / RATE)), at);
  return wavOf({ rate: RATE, pcm });
}

/** A small Home Assistant whose Assist does what a test says. */
export interface AssistHouse {
  readonly home: FakeHomeAssistant;
  readonly assist: FakeAssist;
  /** Address of a sound of so many milliseconds. */
  readonly sound: (ms: number) => string;
  /** How often a command of this type came. */
  readonly asked: (type: string) => number;
  /** Cuts every connection. */
  readonly cut: () => void;
}

/** Results of commands; of any other it is null. */
const resultsFor = (panelId: string): Readonly<Record<string, unknown>> => ({
  get_config: { state: 'RUNNING', version: '2026.11.0', latitude: 52, longitude: 5, time_zone: 'UTC' },
  get_states: [],
  'auth/current_user': { id: '0123456789abcdef0123456789abcdef', name: 'Panel', is_admin: false, is_owner: false },
  'config/device_registry/list': [{ id: 'd1', identifiers: [['mqtt', `sconce_${panelId}`]], area_id: 'kitchen' }],
  'assist_pipeline/pipeline/list': {
    preferred_pipeline: 'p1',
    pipelines: [{ id: 'p1', name: 'Home', stt_engine: 'stt.one', tts_engine: 'tts.one', language: 'en' }],
  },
});

/** Serves it on a free port of loopback. */
export async function assistHouse(panelId: string): Promise<AssistHouse> {
  const home = await startFakeHomeAssistant();
  const results = new Map(Object.entries(resultsFor(panelId)));
  const assist = withAssist(home, ({ id, type }: Message, socket: WebSocket) => {
    const send = (message: unknown): void => socket.send(JSON.stringify(message));
    if (type === 'auth') send({ type: 'auth_ok', ha_version: '2026.11.0' });
    else if (type === 'ping') send({ id, type: 'pong' });
    else send({ id, type: 'result', success: true, result: results.get(String(type)) ?? null });
  });
  home.answer = ({ path }, response) => {
    const ms = Number(/^\/api\/tts_proxy\/(\d+)\.wav$/u.exec(path)?.[1]);
    if (Number.isNaN(ms)) return json(response, 200, { message: 'API running.' });
    response.writeHead(200, { 'content-type': 'audio/x-wav' }).end(tone(ms));
  };
  return {
    home,
    assist,
    sound: (ms) => `${home.origin}/api/tts_proxy/${ms}.wav`,
    asked: (type) => home.messages.filter((message) => message['type'] === type).length,
    cut: () => {
      for (const socket of home.sockets()) socket.terminate();
    },
  };
}

/** The events of a run, stage by stage. */
export const say = {
  understood: (run: AssistRun): void => {
    run.emit('stt-vad-start', { timestamp: 1050 });
    run.emit('stt-vad-end', { timestamp: 1390 });
    run.emit('stt-end', { stt_output: { text: words.heard } });
  },
  answer: (run: AssistRun, url: string): void => {
    run.emit('intent-end', {
      processed_locally: true,
      intent_output: {
        response: { speech: { plain: { speech: words.answered } }, response_type: 'action_done' },
        conversation_id: 'c1',
        continue_conversation: false,
      },
    });
    run.emit('tts-end', { tts_output: { media_id: 'm', token: 't', url, mime_type: 'audio/x-wav' } });
    run.end();
  },
} as const;
