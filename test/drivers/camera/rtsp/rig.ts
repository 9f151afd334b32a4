import { connect, type Socket } from 'node:net';

import { rtspServer, type RtspDeps } from '#drivers/camera/rtsp/server.ts';
import { cameraHeights, encodeBounds, type StreamCommand, type StreamFact } from '#machines/camera-session/events.ts';
import { isLanPeer } from '#machines/http/lan-peer.ts';
import { isFact, runDriver, type RunningDriver } from '../../run-driver.ts';
import { projector, readFilm, testHub } from './film.ts';

export const limits = { heights: cameraHeights, ...encodeBounds };

/** Waits for a condition, with a bound. */
export async function until(what: string, isSo: () => boolean, withinMs = 15_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** What is open, to be closed after a test. */
export const open: (() => void | Promise<void>)[] = [];
export async function closeAll(): Promise<void> {
  for (const close of open.splice(0).toReversed()) await close();
}

interface TestAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

interface Frame {
  readonly channel: number;
  readonly packet: Buffer;
}

/** A client that reads answers and interleaved packets. */
export interface TestClient {
  readonly socket: Socket;
  readonly answers: readonly TestAnswer[];
  readonly frames: readonly Frame[];
  readonly isClosed: () => boolean;
  /** Sends a request and waits for its answer. */
  readonly ask: (method: string, url: string, headers?: Readonly<Record<string, string>>) => Promise<TestAnswer>;
  readonly send: (bytes: string | Buffer) => void;
  /** Waits for the answer with that index. */
  readonly answer: (index: number) => Promise<TestAnswer>;
}

function readAnswer(bytes: Buffer): { readonly answer: TestAnswer; readonly length: number } | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const length = end + 4 + Number(headers.get('content-length') ?? 0);
  if (bytes.length < length) return null;
  const status = Number(/^RTSP\/1\.0 (\d{3}) [A-Z]/.exec(first)?.[1]);
  return { answer: { status, headers, body: bytes.toString('latin1', end + 4, length) }, length };
}

export async function connectTo(port: number, host = '127.0.0.1'): Promise<TestClient> {
  const socket = connect({ port, host });
  const answers: TestAnswer[] = [];
  const frames: Frame[] = [];
  let bytes = Buffer.alloc(0);
  let isClosed = false;
  let sequence = 0;
  const read = (): boolean => {
    if (bytes[0] === 0x24) {
      if (bytes.length < 4 || bytes.length < 4 + bytes.readUInt16BE(2)) return false;
      const length = 4 + bytes.readUInt16BE(2);
      frames.push({ channel: bytes[1] ?? 0, packet: Buffer.from(bytes.subarray(4, length)) });
      bytes = bytes.subarray(length);
      return bytes.length > 0;
    }
    const found = readAnswer(bytes);
    if (found === null) return false;
    answers.push(found.answer);
    bytes = bytes.subarray(found.length);
    return bytes.length > 0;
  };
  socket.on('data', (piece: Buffer) => {
    bytes = Buffer.concat([bytes, piece]);
    while (read());
  });
  socket.on('error', () => {});
  socket.on('close', () => (isClosed = true));
  open.push(() => void socket.destroy());
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
  const answer = async (index: number): Promise<TestAnswer> => {
    await until(`answer ${index}`, () => answers.length > index || isClosed);
    const found = answers[index];
    if (found === undefined) throw new Error('the connection was closed without an answer');
    return found;
  };
  return {
    socket,
    answers,
    frames,
    isClosed: () => isClosed,
    send: (text) => void socket.write(text),
    answer,
    ask: (method, url, headers = {}) => {
      const index = answers.length;
      sequence += 1;
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`${method} ${url} RTSP/1.0\r\nCSeq: ${sequence}\r\n${lines.join('')}\r\n`);
      return answer(index);
    },
  };
}

/** A server over a hub of the test's own, which admits every client, unless told otherwise. */
export async function startServer({ admits = true, ...deps }: Partial<RtspDeps> & { readonly admits?: boolean } = {}) {
  const clock = { now: 1000 };
  const hub = testHub();
  const film = projector(hub);
  const server: RunningDriver<StreamCommand, StreamFact> = runDriver(
    rtspServer({
      hub,
      elapsed: () => clock.now,
      limits,
      isLanPeer,
      addresses: ['127.0.0.1'],
      ...deps,
      bounds: { tickMs: 5, playingTickMs: 5, waitingTickMs: 5, closingMs: 200, retryMs: 20, ...deps.bounds },
    }),
    { port: 0 },
  );
  open.push(async () => {
    film.stop();
    server.stop();
    await server.settled();
    if (server.crashed() !== undefined) throw new Error('the server crashed', { cause: server.crashed() });
  });
  const { port } = await server.until(isFact('stream.listening'));
  const wanted = (): number => server.facts.filter(({ type }) => type === 'stream.wanted').length;
  if (admits) {
    hub.begin(readFilm().format);
    let seen = 0;
    const timer = setInterval(() => {
      for (const fact of server.facts.slice(seen))
        if (fact.type === 'stream.wanted') server.tell({ type: 'stream.admit', client: fact.client });
      seen = server.facts.length;
    }, 1);
    open.push(() => clearInterval(timer));
  }
  return { clock, hub, film, server, port, wanted, url: `rtsp://127.0.0.1:${port}/live` };
}

export const overTcp = { Transport: 'RTP/AVP/TCP;unicast;interleaved=0-1' };

/** DESCRIBE, SETUP and PLAY; the answer to each must be 200. */
export async function play(client: TestClient, url: string, transport: Readonly<Record<string, string>> = overTcp) {
  const described = await client.ask('DESCRIBE', url, { Accept: 'application/sdp' });
  const base = described.headers.get('content-base') ?? '';
  const prepared = await client.ask('SETUP', `${base}trackID=0`, transport);
  const session = (prepared.headers.get('session') ?? '').split(';')[0] ?? '';
  const played = await client.ask('PLAY', base, { Session: session, Range: 'npt=0.000-' });
  const statuses = [described, prepared, played].map(({ status }) => status);
  if (statuses.some((status) => status !== 200)) throw new Error(`not played: ${statuses.join(', ')}`);
  return { described, prepared, played, base, session };
}
