import { randomBytes, randomInt } from 'node:crypto';

import type { CameraRefusal, Watcher, WatcherKind } from '#machines/camera-session/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import { type EncodeLimits, STREAM_PATH, type StreamRequest } from './address.ts';
import type { Answer } from './answer.ts';
import { SESSION_SECONDS, type StreamBounds } from './bounds.ts';
import { decide, type Phase } from './decide.ts';
import type { Delivery } from './delivery.ts';
import type { Guard } from './guard.ts';
import type { FirstPacket, Relay } from './relay.ts';
import type { RtspRequest } from './request.ts';
import { describeStream, TRACK } from './sdp.ts';
import type { Transport } from './transport.ts';

/** A delivery, and how it is told to the client. */
interface Chosen {
  readonly delivery: Delivery;
  readonly header: string;
  readonly by: Transport['by'];
}

export interface ConversationDeps {
  readonly relay: Relay;
  readonly limits: EncodeLimits;
  readonly bounds: Pick<StreamBounds, 'admissionMs' | 'leaseMs'>;
  readonly elapsed: () => Milliseconds;
  readonly kindOf: (userAgent: string) => WatcherKind;
  /** Address of the panel, for a client that named none that can be repeated. */
  readonly ownHost: string;
  /** Of the client's address. */
  readonly family: 4 | 6;
  readonly mayWatch: () => boolean;
  /** Opens the first of the transports that can be had. */
  readonly choose: (transports: readonly Transport[]) => Promise<Chosen | null>;
  readonly nextClient: () => number;
  readonly wanted: (client: number, asks: StreamRequest) => void;
  readonly left: (client: number) => void;
  /** Called when it plays, or plays no more. */
  readonly changed: () => void;
  /** Sends the answer to the request under way; the next one may be taken. */
  readonly answer: (answer: Answer) => void;
  readonly guard: Guard;
}

/** A promise of the stream. */
interface Lease {
  readonly client: number;
  readonly host: string;
  readonly asks: StreamRequest;
  isAdmitted: boolean;
  isAnswered: boolean;
  /** When it was asked for, answered, or paused. */
  since: Milliseconds;
}

/** What one client and the server agreed on. One request is under way at most. */
export interface Conversation {
  readonly take: (request: RtspRequest) => void;
  readonly phase: () => Phase;
  readonly isClient: () => boolean;
  readonly client: () => number | null;
  readonly isOverUdp: () => boolean;
  readonly watcher: () => Watcher | null;
  readonly admit: () => void;
  readonly refuse: (refusal: CameraRefusal) => void;
  /** A capture has begun. */
  readonly formatCame: () => void;
  /** Ends what takes too long; to be called regularly. */
  readonly tick: (now: Milliseconds) => void;
  readonly isStalled: (now: Milliseconds) => boolean;
  /** Ends the lease and the stream. */
  readonly end: () => void;
}

const HIGHEST_ORIGIN = 2 ** 31;

/** The refusal of a client for which there is no place, or whose camera brought nothing in time. */
const refused = (refusal: CameraRefusal): Answer => ({ status: 503, headers: { 'X-Camera': refusal } });

export function createConversation(deps: ConversationDeps): Conversation {
  const { relay, bounds, elapsed, answer } = deps;
  let phase: Phase = 'new';
  let session: string | null = null;
  let lease: Lease | null = null;
  let chosen: Chosen | null = null;
  let watching: Watcher | null = null;
  let base = '';
  let userAgent = '';
  let isOver = false;

  const giveUp = (): void => {
    const ended = lease;
    lease = null;
    phase = 'new';
    session = null;
    if (ended !== null) deps.left(ended.client);
  };
  const stopPlaying = (): void => {
    if (chosen !== null) relay.leave(chosen.delivery, isOver);
    if (watching === null) return;
    watching = null;
    deps.changed();
  };
  const refuse = (refusal: CameraRefusal): void => {
    if (lease === null || lease.isAnswered) return;
    lease = null;
    phase = 'new';
    answer(refused(refusal));
  };
  const answerDescribe = (): void => {
    const format = relay.format();
    if (lease === null || lease.isAnswered || !lease.isAdmitted || format === null) return;
    lease.isAnswered = true;
    lease.since = elapsed();
    phase = 'described';
    base = `rtsp://${lease.host === '' ? deps.ownHost : lease.host}${STREAM_PATH}/`;
    answer({
      status: 200,
      headers: { 'Content-Base': base, 'Content-Type': 'application/sdp' },
      body: describeStream({ format, origin: randomInt(1, HIGHEST_ORIGIN), family: deps.family }),
    });
  };
  const describe = (asks: StreamRequest, host: string): void => {
    const former = lease;
    if (former === null && !deps.mayWatch()) return answer(refused('camera-busy'));
    relay.open();
    lease = { client: deps.nextClient(), host, asks, isAdmitted: false, isAnswered: false, since: elapsed() };
    deps.wanted(lease.client, asks);
    // After the new one, so that the camera does not stop in between.
    if (former !== null) deps.left(former.client);
  };
  const setup = deps.guard(async (transports: readonly Transport[]): Promise<void> => {
    const found = await deps.choose(transports);
    if (isOver) return;
    if (found === null || lease === null) return answer({ status: found === null ? 461 : 455 });
    chosen = found;
    phase = 'ready';
    session ??= randomBytes(8).toString('hex');
    answer({ status: 200, headers: { Transport: found.header, Session: `${session};timeout=${SESSION_SECONDS}` } });
  });
  const rtpInfo = ({ sequence, timestamp }: FirstPacket): Record<string, string> => ({
    'RTP-Info': `url=${base}${TRACK};seq=${sequence};rtptime=${timestamp}`,
  });
  const play = (): void => {
    if (chosen === null || lease === null || session === null) return answer({ status: 455 });
    const headers = { Session: session, Range: 'npt=now-' };
    phase = 'playing';
    watching = { client: lease.client, kind: deps.kindOf(userAgent), since: elapsed() };
    relay.join(chosen.delivery, (first) =>
      answer({ status: 200, headers: first === null ? headers : { ...headers, ...rtpInfo(first) } }),
    );
    return deps.changed();
  };
  const pause = (): void => {
    const headers = session === null ? {} : { Session: session };
    phase = 'ready';
    if (lease !== null) lease.since = elapsed();
    stopPlaying();
    answer({ status: 200, headers });
  };
  const teardown = (): void => {
    const headers = session === null ? {} : { Session: session };
    phase = 'new';
    stopPlaying();
    giveUp();
    answer({ status: 200, headers });
  };

  return {
    take: (request) => {
      userAgent = request.headers.get('user-agent') ?? userAgent;
      const decision = decide(request, { phase, session }, deps.limits);
      switch (decision.do) {
        case 'answer':
          return answer(decision.answer);
        case 'describe':
          return describe(decision.asks, decision.host);
        case 'setup':
          return setup(decision.transports);
        case 'play':
          return play();
        case 'pause':
          return pause();
        case 'teardown':
          return teardown();
      }
    },
    phase: () => phase,
    isClient: () => lease !== null,
    client: () => lease?.client ?? null,
    isOverUdp: () => chosen?.by === 'udp',
    watcher: () => watching,
    admit: () => {
      if (lease === null) return;
      lease.isAdmitted = true;
      answerDescribe();
    },
    refuse,
    formatCame: answerDescribe,
    tick: (now) => {
      if (lease === null || phase === 'playing') return;
      if (lease.isAnswered) {
        if (now - lease.since >= bounds.leaseMs) giveUp();
      } else if (now - lease.since >= bounds.admissionMs) {
        const { client } = lease;
        refuse('camera-starved');
        deps.left(client);
      }
    },
    isStalled: (now) => phase === 'playing' && chosen !== null && chosen.delivery.isStalled(now),
    end: () => {
      if (isOver) return;
      isOver = true;
      phase = 'new';
      if (lease !== null && !lease.isAnswered) answer(refused('camera-stopping'));
      stopPlaying();
      giveUp();
    },
  };
}
