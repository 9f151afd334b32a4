import { randomBytes } from 'node:crypto';
import WebSocket, { type RawData } from 'ws';

import { agree, type Agreed, commitOf } from '#drivers/companion/pairing.ts';
import { prologueOf } from '#drivers/companion/prologue.ts';
import { type Sealed, sealedBy } from '#drivers/companion/sealed.ts';
import { newKeyPair } from '#drivers/companion/x25519.ts';
import type {
  ClientHello,
  ClientMessage,
  PanelHello,
  PanelMessage,
  PanelRefused,
} from '#machines/companion/messages.ts';
import { channels, PROLOGUE, SOCKET_PATH } from '#machines/companion/wire.ts';
import { initiate } from './noise-initiator.ts';

type Phase = Extract<ClientMessage, { readonly type: 'phase' }>;
/** What a caller need not say: the deadline has a default. */
type Sent = ClientMessage | Omit<Extract<ClientMessage, { readonly type: 'set' }>, 'deadline'>;
type Result = Extract<PanelMessage, { readonly type: 'result' }>;

/** Where the panel is, and how the client introduces itself. */
export interface Dialling {
  readonly port: number;
  /** By default 127.0.0.1. */
  readonly host?: string;
  /** IP address of this end. */
  readonly from?: string;
  readonly client?: Partial<ClientHello['client']>;
  readonly protocol?: readonly [number, number];
  readonly headers?: Readonly<Record<string, string>>;
  /** False for one that answers no ping. */
  readonly pongs?: boolean;
}

/** The panel ended the connection: with a refusal, or only with a code. */
export class Ended extends Error {
  readonly refused: PanelRefused | null;
  readonly closeCode: number;
  constructor(refused: PanelRefused | null, closeCode: number) {
    super(`the panel ended the connection: ${refused?.code ?? ''} (${closeCode})`);
    this.name = 'Ended';
    this.refused = refused;
    this.closeCode = closeCode;
  }
}

/** How Home Assistant introduces itself unless told otherwise. */
export const homeClient: ClientHello['client'] = {
  id: '0123456789abcdef0123456789abcdef',
  name: 'Home',
  version: '2026.11.0',
  integration: '0.1.0',
};

const bytesOf = (raw: RawData): Buffer => (Array.isArray(raw) ? Buffer.concat(raw) : Buffer.from(raw as Buffer));

/** A socket whose frames are waited for one after the other. */
export interface Line {
  readonly socket: WebSocket;
  /** The next frame; rejects with `Ended` once there is none. */
  readonly next: () => Promise<{ readonly bytes: Buffer; readonly isText: boolean }>;
  /** Resolves with the close code. */
  readonly closed: Promise<number>;
}

/** Opens the socket of a panel, without a word. */
export async function openLine({ port, host = '127.0.0.1', from, headers, pongs = true }: Dialling): Promise<Line> {
  const socket = new WebSocket(`ws://${host}:${port}${SOCKET_PATH}`, {
    perMessageDeflate: false,
    autoPong: pongs,
    ...(from !== undefined && { localAddress: from }),
    ...(headers !== undefined && { headers }),
  });
  const frames: { readonly bytes: Buffer; readonly isText: boolean }[] = [];
  let wake = (): void => {};
  let closeCode = 0;
  const isWaiting = (): boolean => frames.length === 0 && closeCode === 0;
  socket.on('message', (raw, isBinary) => {
    frames.push({ bytes: bytesOf(raw), isText: !isBinary });
    wake();
  });
  const closed = new Promise<number>((resolve) => {
    socket.once('close', (code) => {
      closeCode = code;
      wake();
      resolve(code);
    });
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  // A connection that is cut says so by its close.
  socket.on('error', () => {});
  return {
    socket,
    closed,
    next: async () => {
      while (isWaiting()) await new Promise<void>((resolve) => (wake = resolve));
      const frame = frames.shift();
      if (frame === undefined) throw new Ended(null, closeCode);
      return frame;
    },
  };
}

/** Exchanges the greetings; rejects with `Ended` if the panel refuses. */
export async function greet(
  line: Line,
  { client, protocol = [1, 1] }: Pick<Dialling, 'client' | 'protocol'>,
  keyId?: string,
): Promise<{ readonly hello: PanelHello; readonly prologue: Buffer }> {
  const greeting = JSON.stringify({
    type: 'hello',
    protocol,
    client: { ...homeClient, ...client },
    ...(keyId !== undefined && { key_id: keyId }),
  });
  line.socket.send(greeting);
  const { bytes } = await line.next();
  // Whether it has the promised shape is what the driver's own tests look at.
  const answer = JSON.parse(bytes.toString()) as PanelHello | PanelRefused;
  if (answer.type === 'refused') throw new Ended(answer, await line.closed);
  return { hello: answer, prologue: prologueOf(PROLOGUE, [Buffer.from(greeting), bytes]) };
}

/** A proven session, as Home Assistant has it. */
export interface CompanionClient {
  readonly hello: PanelHello;
  /** All messages so far. */
  readonly messages: readonly PanelMessage[];
  readonly send: (message: Sent) => void;
  /** Sends bytes as they are. */
  readonly sendFrame: (frame: Uint8Array) => void;
  readonly sealed: Sealed;
  readonly socket: WebSocket;
  /** Commands a row; resolves with its result. */
  readonly set: (k: string, v: Extract<ClientMessage, { type: 'set' }>['v'], deadline?: number) => Promise<Result>;
  /** Waits for a message that passes, the earlier ones included. */
  readonly until: <M extends PanelMessage>(passes: (message: PanelMessage) => message is M) => Promise<M>;
  /** Waits for the first message of that type. */
  readonly untilType: <T extends PanelMessage['type']>(type: T) => Promise<Extract<PanelMessage, { readonly type: T }>>;
  /** Resolves with the close code. */
  readonly closed: Promise<number>;
  /** Ends it in order, with a reason. */
  readonly bye: (reason?: 'reload' | 'disabled' | 'removed') => Promise<number>;
  /** Without a close, as a lost network. */
  readonly cut: () => void;
}

/** Proves a key over a line that was greeted on; the session counts once something was sent. */
export async function prove(line: Line, prologue: Buffer, key: string): Promise<Sealed> {
  const initiation = initiate({ psk: Buffer.from(key, 'hex'), prologue });
  line.socket.send(initiation.message);
  const finished = initiation.finish((await line.next()).bytes);
  if (finished === null) throw new Error('the panel does not have this key');
  return sealedBy(finished.transport);
}

/** What Home Assistant answers to the steps of a move. */
const moved = { prepare: 'prepared', release: 'released', apply: 'applied' } as const;

/** Connects with a key, and says in which phase Home Assistant is (by default `running`). */
export async function connectCompanion({
  key: { keyId, key },
  phase = { type: 'phase', phase: 'running' },
  ...dialling
}: Dialling & {
  readonly key: { readonly keyId: string; readonly key: string };
  readonly phase?: Phase;
}): Promise<CompanionClient> {
  const line = await openLine(dialling);
  const { hello, prologue } = await greet(line, dialling, keyId);
  const sealed = await prove(line, prologue, key);
  const messages: PanelMessage[] = [];
  const waiting = new Set<() => void>();
  let closeCode = 0;
  const look = (): void => {
    for (const one of waiting) one();
  };
  const send = (message: object): void =>
    line.socket.send(sealed.seal(channels.json, Buffer.from(JSON.stringify(message))));
  const read = async (): Promise<void> => {
    for (;;) {
      const opened = sealed.open((await line.next()).bytes);
      if (opened?.channel !== channels.json) throw new Error('a frame cannot be opened');
      // As above.
      const message = JSON.parse(opened.payload.toString()) as PanelMessage;
      messages.push(message);
      if (message.type === 'move' && message.step !== 'abandon')
        send({ type: 'moved', to: message.to, step: moved[message.step], entities: 2, automations: ['Evening'] });
      look();
    }
  };
  read().catch(() => {
    line.socket.terminate();
    closeCode = 1;
    look();
  });
  const until: CompanionClient['until'] = (passes) =>
    new Promise((resolve, reject) => {
      const find = (): void => {
        const found = messages.find(passes);
        if (found !== undefined) resolve(found);
        else if (closeCode !== 0) reject(new Error(`closed; seen: ${JSON.stringify(messages)}`));
        else return;
        waiting.delete(find);
      };
      waiting.add(find);
      find();
    });
  let ids = 0;
  send(phase);
  return {
    hello,
    messages,
    send,
    sendFrame: (frame) => line.socket.send(frame),
    sealed,
    socket: line.socket,
    set: (k, v, deadline) => {
      const id = (ids += 1);
      send({ type: 'set', id, k, v, ...(deadline !== undefined && { deadline }) });
      return until((message): message is Result => message.type === 'result' && message.id === id);
    },
    until,
    untilType: (type) =>
      until((message): message is Extract<PanelMessage, { type: typeof type }> => message.type === type),
    closed: line.closed,
    bye: (reason = 'reload') => {
      send({ type: 'bye', reason });
      return line.closed;
    },
    cut: () => line.socket.terminate(),
  };
}

/** A pairing whose digits are known, as Home Assistant has it. */
export interface PairingClient {
  readonly hello: PanelHello;
  readonly agreed: Agreed;
  /** Says that the person typed the right digits. */
  readonly confirm: () => void;
  /** Resolves once the panel keeps the key; rejects with `Ended` if it does not. */
  readonly paired: () => Promise<{ readonly keyId: string; readonly key: string }>;
  /** Resolves at the panel's next ping. */
  readonly pinged: () => Promise<void>;
  readonly closed: Promise<number>;
  readonly cut: () => void;
}

/** Pairs up to the digits. */
export async function pairCompanion(dialling: Dialling): Promise<PairingClient> {
  const line = await openLine(dialling);
  const { hello, prologue } = await greet(line, dialling);
  const own = newKeyPair();
  const shown = { key: own.publicKey, nonce: randomBytes(16) };
  const say = (message: object): void => line.socket.send(JSON.stringify(message));
  const hear = async (): Promise<Readonly<Record<string, unknown>>> => {
    const answer = JSON.parse((await line.next()).bytes.toString()) as Readonly<Record<string, unknown>>;
    if (answer['type'] === 'refused') throw new Ended(answer as PanelRefused, await line.closed);
    return answer;
  };
  say({ type: 'pair', commit: commitOf(shown).toString('hex') });
  const answer = await hear();
  const panel = {
    key: Buffer.from(String(answer['key']), 'hex'),
    nonce: Buffer.from(String(answer['nonce']), 'hex'),
  };
  const secret = own.shareWith(panel.key);
  if (secret === null) throw new Error('the panel has no usable key');
  const agreed = agree(prologue, secret, panel, shown);
  say({ type: 'reveal', key: shown.key.toString('hex'), nonce: shown.nonce.toString('hex') });
  return {
    hello,
    agreed,
    confirm: () => say({ type: 'confirm' }),
    paired: async () => {
      const last = await hear();
      if (last['key_id'] !== agreed.keyId) throw new Error('paired with another key');
      return { keyId: agreed.keyId, key: agreed.key };
    },
    pinged: () => new Promise((resolve) => void line.socket.once('ping', () => resolve())),
    closed: line.closed,
    cut: () => line.socket.terminate(),
  };
}
