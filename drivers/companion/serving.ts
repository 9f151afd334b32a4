import type { Upgrade } from '#drivers/http/door.ts';
import { refusals, writeRaw } from '#drivers/http/refusal.ts';
import { realClock, type StallClock } from '#drivers/http/stalled.ts';
import type { CompanionExchange, PanelMessage, SessionCommand, SessionFact } from '#machines/companion/events.ts';
import type { PeerName } from '#machines/kit/peer-name.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';
import { greet, type Greeted, type PanelIntroduction } from './greeting.ts';
import { closeCodes, CLOSING_MS, createLine, type Line } from './line.ts';
import { respond } from './noise.ts';
import { pair } from './pairing-steps.ts';
import { type RefusalCode, refusalOf } from './refused.ts';
import type { WireRules, WireSchemas } from './rules.ts';
import { sealedBy } from './sealed.ts';
import { openSession, readMessage, type Session } from './session.ts';
import { createUnproven } from './unproven.ts';
import { websocketLibrary } from './websocket-library.ts';

/** What counts at the moment, as it was last commanded. */
export interface Current {
  /** The keys, by their ids. */
  readonly keys: ReadonlyMap<string, string>;
  readonly panel: PanelIntroduction | null;
  readonly isStopping: boolean;
}

export interface ServingDeps {
  readonly rules: WireRules;
  readonly schemas: WireSchemas;
  readonly now: () => EpochMs;
  readonly clock?: StallClock;
  /** Names the peer that an address counts for; `peerName` by default. */
  readonly nameOf?: (address: string) => PeerName;
}

export interface ServingScope {
  readonly current: () => Current;
  readonly send: (fact: SessionFact) => void;
  readonly joint: Omit<ReturnType<CompanionExchange['attach']>, 'detach'>;
  readonly guard: <A extends unknown[]>(fn: (...args: A) => void) => (...args: A) => void;
}

/** Serves the connections of one driver. */
export interface Serving {
  readonly take: (upgrade: Upgrade) => void;
  readonly tell: (command: SessionCommand) => void;
  readonly send: (session: number, message: PanelMessage) => boolean;
  /** Cuts what is still open after a moment, in which the last messages leave. */
  readonly stop: () => Promise<void>;
}

/** Connections that are told they are too many, and then closed; further ones are cut without a word. */
const MOST_TOLD = 16;
/** Refusals that are reported, in that time: one who floods the panel must not flood its log. */
const MOST_REPORTED = 10;
const REPORT_MS: Milliseconds = 1000;
/** How long a stop waits for the last messages. */
const STOPPING_MS: Milliseconds = 300;

/** A pairing whose question is asked, until it has an outcome. */
interface Pairing {
  readonly line: Line;
  readonly keyId: string;
  readonly refuse: (code: RefusalCode) => void;
}

export function createServing(
  { rules, schemas, now, clock = realClock, nameOf }: ServingDeps,
  { current, send, joint, guard }: ServingScope,
): Serving {
  const { WebSocketServer } = websocketLibrary();
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    autoPong: false,
    maxPayload: rules.limits.messageBytes,
  });
  // As the listener refuses: with its headers.
  server.on('wsClientError', (_, socket) => writeRaw(socket, refusals.malformed));
  const unproven = createUnproven(rules.limits, clock.now, nameOf);
  const lines = new Set<Line>();
  const sessions = new Map<number, Session>();
  const pairings = new Map<number, Pairing>();
  let whenNone = (): void => {};
  let told = 0;
  let numbered = 0;
  let reported = { since: 0, count: 0 };
  const report = (code: string): void => {
    if (clock.now() - reported.since >= REPORT_MS) reported = { since: clock.now(), count: 0 };
    reported.count += 1;
    if (reported.count <= MOST_REPORTED) send({ type: 'session.refused', code });
  };
  const refuse = (line: Line, code: RefusalCode): void => {
    line.sendText(JSON.stringify(refusalOf(code, rules.protocol)));
    line.close(closeCodes.refused);
    report(code);
  };

  /** A connection from its greeting on; returns what is called once it is gone. */
  const serve = (line: Line, address: string, release: () => void): (() => void) => {
    let session: Session | null = null;
    let pairing: number | null = null;
    /** Ends it without a word: it has something wrong with its key. */
    const distrust = (): void => {
      line.close(closeCodes.refused);
      report('unproven');
    };
    const open = ({ client, keyId }: Greeted & { readonly keyId: string }, sealed: ReturnType<typeof sealedBy>): void =>
      line.handle((bytes, isText) => {
        const opened = isText ? null : sealed.open(bytes);
        if (opened === null || !current().keys.has(keyId)) return distrust();
        // Only now it is known that this is no replay. It begins with its phase.
        const first = opened.channel === rules.json ? readMessage(opened.payload, schemas) : 'malformed';
        if (typeof first === 'string' || !('type' in first) || first.type !== 'phase') return distrust();
        for (const other of sessions.values()) if (other.has(keyId)) other.end('replaced');
        if (sessions.size >= rules.limits.keys) return distrust();
        release();
        line.within(null);
        line.trust();
        const number = (numbered += 1);
        const opening = openSession({
          number,
          keyId,
          client,
          line,
          sealed,
          rules,
          schemas,
          send,
          received: joint.received,
          onEnd: (end) => {
            sessions.delete(number);
            joint.closed(number);
            send({ type: 'session.closed', session: number, end, at: now() });
          },
        });
        session = opening;
        sessions.set(number, opening);
        send({ type: 'session.opened', session: number, keyId, client, at: now() });
        opening.take(first);
        joint.opened(number);
      });
    const prove = (greeted: Greeted, keyId: string, key: string): void =>
      line.handle((bytes, isText) => {
        const known = { psk: Buffer.from(key, 'hex'), prologue: greeted.prologue };
        const answer = isText ? null : respond(known, bytes);
        if (answer === null || answer.payload.length > 0) return distrust();
        open({ ...greeted, keyId }, sealedBy(answer.transport));
        line.sendFrame(answer.message);
      });
    const ask = ({ client, prologue }: Greeted): void =>
      pair({
        line,
        rules,
        schemas,
        prologue,
        refuse: (code) => refuse(line, code),
        onWanted: ({ digits, key, keyId }) => {
          const number = (pairing = numbered += 1);
          pairings.set(number, { line, keyId, refuse: (code) => refuse(line, code) });
          send({ type: 'pairing.wanted', pairing: number, client, peer: address, digits, key: { keyId, key } });
        },
        onConfirmed: () => {
          if (pairing !== null) send({ type: 'pairing.confirmed', pairing });
        },
      });
    line.within(rules.times.proof, () => refuse(line, 'too-slow'));
    line.handle((bytes, isText) => {
      const { panel, isStopping, keys } = current();
      if (isStopping) return refuse(line, 'stopping');
      if (panel === null) return refuse(line, 'busy');
      const greeted = isText ? greet(bytes, panel, rules, schemas) : 'malformed';
      if (typeof greeted === 'string') return refuse(line, greeted);
      const { keyId } = greeted;
      const key = keyId === null ? undefined : keys.get(keyId);
      if (keyId === null) ask(greeted);
      else if (key === undefined) return refuse(line, 'unknown-key');
      else prove(greeted, keyId, key);
      line.sendText(greeted.answer);
    });
    return () => {
      session?.gone();
      if (pairing !== null && pairings.delete(pairing)) send({ type: 'pairing.left', pairing });
    };
  };

  return {
    take: ({ incoming, socket, head, address }) => {
      // It may have left while this was loaded.
      if (socket.destroyed) return;
      const release = unproven.enter(address);
      if (release === null && told >= MOST_TOLD) {
        socket.destroy();
        return;
      }
      if (release === null) told += 1;
      socket.once('close', () => {
        if (release === null) told -= 1;
        else release();
      });
      server.handleUpgrade(
        incoming,
        socket,
        head,
        guard((ws) => {
          let gone = (): void => {};
          const line = createLine({
            ws,
            socket,
            rules,
            clock,
            guard,
            onGone: () => {
              lines.delete(line);
              if (lines.size === 0) whenNone();
              guard(gone)();
            },
          });
          lines.add(line);
          if (release === null) refuse(line, 'too-many');
          else gone = serve(line, address, release);
        }),
      );
    },
    tell: (command) => {
      switch (command.type) {
        case 'sessions.keys': {
          const { keys } = current();
          for (const session of sessions.values()) if (!keys.has(session.keyId())) session.end('revoked');
          break;
        }
        case 'sessions.panel':
          break;
        case 'sessions.rekey':
          sessions.get(command.session)?.rekey(command.keyId, command.key);
          break;
        case 'sessions.move':
          sessions.get(command.session)?.send({ type: 'move', to: command.to, step: command.step });
          break;
        case 'sessions.end':
          for (const session of sessions.values()) session.end(command.reason);
          break;
        case 'pairing.end': {
          const pairing = pairings.get(command.pairing);
          if (pairing === undefined || !pairings.delete(command.pairing)) return;
          if (command.outcome !== 'paired') return pairing.refuse(command.outcome);
          pairing.line.sendText(JSON.stringify({ type: 'paired', key_id: pairing.keyId }));
          pairing.line.close(closeCodes.inOrder);
          break;
        }
      }
    },
    send: (session, message) => sessions.get(session)?.send(message) ?? false,
    stop: async () => {
      for (const session of sessions.values()) session.end('stopping');
      if (lines.size > 0)
        await new Promise<void>((resolve) => {
          whenNone = resolve;
          setTimeout(resolve, Math.min(STOPPING_MS, CLOSING_MS));
        });
      for (const line of lines) line.cut();
    },
  };
}
