import type {
  ClientDescription,
  ClientMessage,
  PanelMessage,
  SessionEnd,
  SessionFact,
  SessionMessage,
} from '#machines/companion/events.ts';
import { foreignValue } from '#machines/kit/foreign-json.ts';
import { closeCodes, type Line } from './line.ts';
import { TAG_BYTES } from './noise-state.ts';
import { sealedBounds, type WireRules, type WireSchemas } from './rules.ts';
import type { Sealed } from './sealed.ts';
import { createSendQueue } from './send-queue.ts';

type Bye = Extract<PanelMessage, { readonly type: 'bye' }>['reason'];

/** Why a message is not taken: it is none that this version knows, or one that it knows in a wrong shape. */
type Unread = 'unknown' | 'malformed' | { readonly malformedSet: number };

const known: ReadonlySet<unknown> = new Set<ClientMessage['type']>([
  'phase',
  'set',
  'rekeyed',
  'moved',
  'move-wanted',
  'bye',
]);

/** Reads one message; a later version of the integration may send others. */
export function readMessage(payload: Buffer, schemas: WireSchemas): ClientMessage | Unread {
  const value = foreignValue(payload.toString(), sealedBounds);
  if (typeof value !== 'object' || value === null || !('type' in value)) return 'malformed';
  if (!known.has(value.type)) return 'unknown';
  const parsed = schemas.message().safeParse(value);
  if (parsed.success) return parsed.data;
  const id = value.type === 'set' && 'id' in value ? value.id : null;
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? { malformedSet: id } : 'malformed';
}

/** One proven connection. */
export interface Session {
  readonly number: number;
  /** True if a key is that of this session, or the one that was sent to replace it. */
  readonly has: (keyId: string) => boolean;
  /** The key that it has proved, or acknowledged since. */
  readonly keyId: () => string;
  readonly send: (message: PanelMessage) => boolean;
  readonly rekey: (keyId: string, key: string) => void;
  /** Says why, and ends it. */
  readonly end: (reason: Bye) => void;
  /** The connection is gone. */
  readonly gone: () => void;
}

export interface SessionInput {
  readonly number: number;
  readonly keyId: string;
  readonly client: ClientDescription;
  readonly line: Line;
  readonly sealed: Sealed;
  readonly rules: WireRules;
  readonly schemas: WireSchemas;
  readonly send: (fact: SessionFact) => void;
  readonly received: (message: SessionMessage) => void;
  /** Called once, when it is over. */
  readonly onEnd: (end: SessionEnd) => void;
}

/** Serves a session; its first message follows by the line. */
export function openSession(input: SessionInput): Session & { readonly take: (message: ClientMessage) => void } {
  const { number, line, sealed, rules, schemas } = input;
  let keyId = input.keyId;
  let replacement: string | null = null;
  let lastId = 0;
  let isOver = false;
  const over = (end: SessionEnd): void => {
    if (isOver) return;
    isOver = true;
    queue.clear();
    input.onEnd(end);
  };
  const write = (payload: Buffer, taken?: () => void): void => line.sendFrame(sealed.seal(rules.json, payload), taken);
  const queue = createSendQueue({
    write,
    buffered: line.buffered,
    // Less the channel's byte and the tag.
    messageBytes: rules.limits.messageBytes - 1 - TAG_BYTES,
    unsentBytes: rules.limits.unsentBytes,
    onExcess: () => {
      line.cut();
      over({ kind: 'lost' });
    },
  });
  const send = (message: PanelMessage): boolean => !isOver && queue.add(message);
  const malformed = (): void => {
    line.close(closeCodes.refused);
    over({ kind: 'ended', reason: 'malformed' });
  };
  /** Ids count up, so that each has one result. */
  const isNext = (id: number): boolean => id > lastId && (lastId = id) > 0;
  const take = (message: ClientMessage): void => {
    switch (message.type) {
      case 'phase':
        input.send({ type: 'session.phase', session: number, phase: message.phase, reason: message.reason ?? null });
        break;
      case 'set':
        if (isNext(message.id)) input.received({ session: number, message });
        else malformed();
        break;
      case 'rekeyed':
        if (message.key_id !== replacement) return malformed();
        keyId = message.key_id;
        replacement = null;
        input.send({ type: 'session.rekeyed', session: number, keyId });
        break;
      case 'moved': {
        const { to, step, entities, automations, scripts } = message;
        input.send({ type: 'session.moved', session: number, to, step, list: { entities, automations, scripts } });
        break;
      }
      case 'move-wanted':
        input.send({ type: 'session.move-wanted', session: number, to: message.to });
        break;
      case 'bye':
        line.close(closeCodes.inOrder);
        over({ kind: 'bye', reason: message.reason });
        break;
    }
  };
  line.handle((bytes, isText) => {
    const opened = isText ? null : sealed.open(bytes);
    // The other channels are reserved.
    const message = opened?.channel === rules.json ? readMessage(opened.payload, schemas) : 'malformed';
    if (message === 'malformed') return malformed();
    if (message === 'unknown') return;
    if ('type' in message) return take(message);
    if (!isNext(message.malformedSet)) return malformed();
    const text = 'The panel does not understand this command.';
    send({ type: 'result', id: message.malformedSet, ok: false, code: 'malformed', message: text });
  });
  return {
    number,
    has: (other) => other === keyId || other === replacement,
    keyId: () => keyId,
    send,
    take,
    rekey: (nextId, key) => {
      replacement = nextId;
      send({ type: 'rekey', key_id: nextId, key });
    },
    end: (reason) => {
      if (isOver) return;
      write(Buffer.from(JSON.stringify({ type: 'bye', reason } satisfies PanelMessage)));
      line.close(closeCodes.inOrder);
      over({ kind: 'ended', reason });
    },
    gone: () => over({ kind: 'lost' }),
  };
}
