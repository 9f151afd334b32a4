import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import WebSocket from 'ws';
import { mpv } from '#drivers/announcer/player-program.ts';
import { endOf, MICROPHONE, type Room, type Span } from './room.ts';

/** Zeros that are sent first: Home Assistant's voice detector has no opinion on its first 740 ms. 0.8 s at 16 kHz. */
const LEAD_IN = Buffer.alloc(0.8 * 16_000 * 2);

/** Stages of a turn, in milliseconds since it was asked for. */
type Stages = Readonly<Record<string, number>>;

export interface BareTurn {
  readonly stages: Stages;
  /** The sentence as Home Assistant understood it. */
  readonly text: string;
  readonly answer: string;
  readonly conversationId: string;
  readonly continues: boolean;
  /** Error code of the run; null for none. */
  readonly error: string | null;
  /** When the person spoke, as heard in the room. */
  readonly said: Span;
  /** The first sound of the answer in the room; undefined for none. */
  readonly sounded: number | undefined;
}

/** What is asked of one turn. */
export interface BareAsk {
  readonly url: string;
  readonly token: string;
  readonly pipeline: string;
  /** Whose area it acts on. */
  readonly deviceId?: string;
  readonly conversationId?: string;
  readonly sentence: string;
}

interface RunEvent {
  readonly type: string;
  readonly data: {
    readonly runner_data?: { readonly stt_binary_handler_id: number };
    readonly stt_output?: { readonly text: string };
    readonly intent_output?: {
      readonly response: { readonly speech: { readonly plain?: { readonly speech: string } } };
      readonly conversation_id: string;
      readonly continue_conversation: boolean;
    };
    readonly tts_output?: { readonly url: string };
    readonly code?: string;
  } | null;
}

interface Incoming {
  readonly type: string;
  readonly success?: boolean;
  readonly event?: RunEvent;
}

/** A connection that is signed in, for one run: `message` for what arrives. */
async function signIn(
  url: string,
  token: string,
): Promise<{ readonly socket: WebSocket; readonly said: EventEmitter }> {
  const [socket, said] = [new WebSocket(`${url.replace('http', 'ws')}/api/websocket`), new EventEmitter()];
  socket.on('error', (error) => said.emit('error', error));
  socket.on('message', (data: Buffer) => {
    const read = JSON.parse(data.toString()) as Incoming | readonly Incoming[];
    for (const message of Array.isArray(read) ? (read as readonly Incoming[]) : [read as Incoming]) {
      if (message.type === 'auth_required') socket.send(JSON.stringify({ type: 'auth', access_token: token }));
      else if (message.type === 'auth_ok') said.emit('signed-in');
      else if (message.type === 'auth_invalid') said.emit('error', new Error('sign-in refused'));
      else if (message.type === 'result' && message.success !== true) said.emit('error', new Error('run refused'));
      else if (message.event !== undefined) said.emit('event', message.event);
    }
  });
  await once(said, 'signed-in');
  return { socket, said };
}

/** Fetches a sound and plays it as the panel does; returns once it has ended. */
async function play(address: string, room: Room): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-answer-'));
  try {
    const answer = await fetch(address);
    const kind = answer.headers.get('content-type') === 'audio/x-wav' ? 'wav' : 'mp3';
    writeFileSync(join(folder, 'answer'), Buffer.from(await answer.arrayBuffer()));
    const child = spawn(mpv.tool, mpv.args('answer', kind), {
      cwd: folder,
      env: { ...room.server.env },
      stdio: 'ignore',
    });
    await once(child, 'exit');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the events of a run said. */
function readEvents(events: readonly RunEvent[]) {
  const last = <T>(of: (event: RunEvent) => T | undefined): T | undefined =>
    events.map(of).findLast((value) => value !== undefined);
  const intent = last(({ data }) => data?.intent_output);
  return {
    text: last(({ data }) => data?.stt_output?.text) ?? '',
    answer: intent?.response.speech.plain?.speech ?? '',
    conversationId: intent?.conversation_id ?? '',
    continues: intent?.continue_conversation ?? false,
    error: last(({ type, data }) => (type === 'error' ? data?.code : undefined)) ?? null,
  };
}

/**
 * One turn of Assist with as little as possible between Home Assistant, microphone and loudspeaker: what a panel can be
 * compared with. The person speaks once Home Assistant listens.
 */
export async function bareTurn(room: Room, ask: BareAsk): Promise<BareTurn> {
  const { socket, said } = await signIn(ask.url, ask.token);
  const recorder = spawn(
    'parec',
    ['-d', MICROPHONE, '--raw', '--format=s16le', '--rate=16000', '--channels=1', '--latency-msec=20'],
    { env: { ...room.server.env }, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const began = performance.now();
  const stages: Record<string, number> = {};
  const note = (stage: string): void => void (stages[stage] ??= Math.round(performance.now() - began));
  const events: RunEvent[] = [];
  const collected: Buffer[] = [];
  let [handler, isOver]: [number | null, boolean] = [null, false];
  const sounds: { person: Promise<Span> | null; answer: Promise<void> } = { person: null, answer: Promise.resolve() };
  const send = (pcm: Buffer): void => {
    // Each frame after the end of the speech would be an error in Home Assistant's log.
    if (handler !== null && !isOver) socket.send(Buffer.concat([Buffer.from([handler]), pcm]));
  };
  try {
    recorder.stdout.on('data', (pcm: Buffer) => {
      if (handler === null) collected.push(pcm);
      else send(pcm);
    });
    said.on('event', (event: RunEvent) => {
      const { type, data } = event;
      note(type);
      events.push(event);
      if (type === 'run-start') {
        handler = data?.runner_data?.stt_binary_handler_id ?? null;
        send(Buffer.concat([LEAD_IN, ...collected]));
        sounds.person = room.say(ask.sentence);
      }
      if (type === 'stt-vad-end' || type === 'stt-end') isOver = true;
      if (type === 'tts-end' && data?.tts_output !== undefined)
        sounds.answer = play(`${ask.url}${data.tts_output.url}`, room).then(() => note('played'));
      if (type === 'run-end') said.emit('ended');
    });
    await once(recorder.stdout, 'data');
    const ended = once(said, 'ended');
    const run = {
      id: 1,
      type: 'assist_pipeline/run',
      start_stage: 'stt',
      end_stage: 'tts',
      pipeline: ask.pipeline,
      conversation_id: ask.conversationId ?? null,
      timeout: 120,
      input: { sample_rate: 16_000 },
      ...(ask.deviceId !== undefined && { device_id: ask.deviceId }),
    };
    socket.send(JSON.stringify(run));
    await ended;
    await endOf(recorder);
    await sounds.answer;
    const span = await sounds.person;
    if (span === null) throw new Error('Home Assistant did not listen');
    return { ...readEvents(events), stages, said: span, sounded: room.soundSince(span.to + 20) };
  } finally {
    await endOf(recorder);
    socket.terminate();
  }
}
