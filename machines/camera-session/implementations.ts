import { assign, emit, enqueueActions, type EventObject, sendTo } from 'xstate';

import type { ReplyEvent, WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import type { InUseRefusal } from '../in-use/events.ts';
import { MAX_FAILURES } from './after-capture-ended.ts';
import { admit, type AdmitPhase } from './admit.ts';
import {
  CLOSE_BOUND_MS,
  EXPOSURE_BUDGET_MS,
  FIRST_FRAME_GRACE_MS,
  INDICATION_BOUND_MS,
  PICTURE_BOUND_MS,
  STOP_BOUND_MS,
  STREAM_BOUND_MS,
} from './delays.ts';
import type {
  CameraRefusal,
  CaptureCommand,
  CaptureFact,
  CaptureInput,
  IndicationCommand,
  IndicationFact,
  SnapshotOutcome,
  StillCommand,
  StillFact,
  StreamCommand,
  StreamFact,
  StreamInput,
  SurroundingsFact,
} from './events.ts';
import { type EventOf, refused, type SessionEvent, type SessionFacts } from './facts.ts';
import { bindStream, joinPicture, joinStream, leased, withoutPictures, withoutStream } from './leases.ts';
import { afterTaken, answeredBy, isExposed, takeStills, waitAgain } from './pictures.ts';
import { refusalOf } from '../kit/camera.ts';
import {
  begin,
  failed,
  type Failure,
  measured,
  nextAfter,
  opened,
  rested,
  scanned,
  sessionEnd,
  unindicated,
  watch,
} from './transitions.ts';

export interface CameraSessionInput {
  /** TCP and RTP port of the stream; 0 takes a free one. */
  readonly port: number;
}

/** The context also keeps the port, for the server that is started once. */
export interface SessionMachineFacts extends SessionFacts {
  readonly port: number;
}

type Lease = EventOf<'camera.snapshot'> | EventOf<'stream.wanted'>;

export interface Asked<E extends Lease = Lease> {
  readonly event: E;
  readonly phase: AdmitPhase;
}

interface Refusing {
  readonly refusal: CameraRefusal;
}

const kindOf = ({ type }: Lease): 'stream' | 'picture' => (type === 'stream.wanted' ? 'stream' : 'picture');

const refusalFor = (facts: SessionFacts, { event, phase }: Asked): CameraRefusal | null =>
  admit(facts, phase, kindOf(event), event.at);

const captureId = (attempt: number): string => `capture-${attempt}`;
const waitOf = (kind: 'picture' | 'stream', id: string | number): string => `${kind}-${id}`;

export const cameraSessionSetup = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as SessionMachineFacts,
    events: {} as SessionEvent,
    emitted: {} as ReplyEvent<SnapshotOutcome>,
    input: {} as CameraSessionInput,
    output: {} as WorkerOutcome,
  },
  actors: {
    capture: placeholder<CaptureCommand, CaptureInput, CaptureFact>(),
    stream: placeholder<StreamCommand, StreamInput, StreamFact>(),
    stills: placeholder<StillCommand, undefined, StillFact>(),
    indication: placeholder<IndicationCommand, undefined, IndicationFact>(),
    surroundings: placeholder<EventObject, undefined, SurroundingsFact>(),
  },
  delays: {
    firstFrameGrace: FIRST_FRAME_GRACE_MS,
    exposureBudget: EXPOSURE_BUDGET_MS,
    pictureBound: PICTURE_BOUND_MS,
    streamBound: STREAM_BOUND_MS,
    closeBound: CLOSE_BOUND_MS,
    indicationBound: INDICATION_BOUND_MS,
    stopBound: STOP_BOUND_MS,
    pause: ({ context }) => context.pauseMs,
  },
  guards: {
    isRefused: ({ context }, asked: Asked) => refusalFor(context, asked) !== null,
    isExposed: ({ context }, { at }: EventOf<'camera.snapshot'>) => isExposed(context, at),
    restarts: ({ context }, event: EventOf<'stream.wanted'>) => bindStream(context, event)?.restarts === true,
    isUnused: ({ context }) => context.clients === 0,
    isClosed: ({ context }) => context.running === null,
    /** The mark stays up where leases came while the capture was closing. */
    canGoOn: ({ context }) => context.running === null && context.clients > 0 && context.indication !== 'none',
    mustAskAgain: ({ context }) => context.running === null && context.clients > 0,
    restsDegraded: ({ context }) => context.running === null && context.failures >= MAX_FAILURES,
    pauses: ({ context }) => context.running === null && context.pauseMs > 0,
    ofThisAttempt: ({ context }, { generation, attempt }: CaptureFact) =>
      attempt === context.running && generation === context.generation,
    ofAnotherAttempt: ({ context }, { generation, attempt }: CaptureFact) =>
      attempt !== context.running || generation !== context.generation,
    delivers: ({ context }, { lastAt, at }: EventOf<'capture.measured'>) =>
      watch(context, { lastAt, at }) !== 'starved',
    isUnindicated: ({ context }) => watch(context, { isIndicated: false }) === 'indication',
    degrades: ({ context }, failure: Failure) => nextAfter(context, failure) === 'degrade',
    reopens: ({ context }, failure: Failure) => nextAfter(context, failure) === 'reopen',
  },
  actions: {
    takeListening: assign((_, { port }: EventOf<'stream.listening'>) => ({ streamPort: port, streamFault: null })),
    takeBlocked: assign((_, { code }: EventOf<'stream.blocked'>) => ({ streamPort: null, streamFault: code })),
    takeWatchers: assign((_, { watchers }: EventOf<'stream.watched'>) => ({ watchers })),
    takeEncoding: assign((_, { request }: EventOf<'encoding.changed'>) => ({ configured: request })),
    takeScan: assign(({ context }, event: EventOf<'scan.changed'>) => scanned(context, event)),

    // Leases
    refusePicture: emit(({ context }, asked: Asked<EventOf<'camera.snapshot'>>) => ({
      type: 'reply' as const,
      requestId: asked.event.requestId,
      outcome: refused(refusalFor(context, asked) ?? 'camera-unavailable'),
    })),
    refuseStream: sendTo('stream', ({ context }, asked: Asked<EventOf<'stream.wanted'>>) => ({
      type: 'stream.refuse',
      client: asked.event.client,
      refusal: refusalFor(context, asked) ?? 'camera-unavailable',
    })),
    joinPicture: enqueueActions(({ context, enqueue }, event: EventOf<'camera.snapshot'>) => {
      enqueue.assign(joinPicture(context, event));
      enqueue.raise(
        { type: 'picture.expired', requestId: event.requestId },
        { delay: 'pictureBound', id: waitOf('picture', event.requestId) },
      );
    }),
    joinStream: enqueueActions(({ context, enqueue }, event: EventOf<'stream.wanted'>) => {
      const isAdmitted = context.openedAt !== null && bindStream(context, event)?.restarts === false;
      const { client } = event;
      const { request = context.request, requestedFps = context.requestedFps } = bindStream(context, event) ?? {};
      enqueue.assign({ ...joinStream(context, event, isAdmitted), request, requestedFps });
      if (isAdmitted) enqueue.sendTo('stream', { type: 'stream.admit', client });
      else enqueue.raise({ type: 'stream.expired', client }, { delay: 'streamBound', id: waitOf('stream', client) });
    }),
    leaveStream: enqueueActions(({ context, enqueue }, { client }: EventOf<'stream.left'>) => {
      enqueue.cancel(waitOf('stream', client));
      enqueue.assign(withoutStream(context, client));
    }),
    expirePicture: enqueueActions(({ context, enqueue }, { requestId }: EventOf<'picture.expired'>) => {
      enqueue.emit({ type: 'reply', requestId, outcome: refused(waitedTooLong(context)) });
      enqueue.assign(withoutPictures(context, [requestId]));
    }),
    expireStream: enqueueActions(({ context, enqueue }, { client }: EventOf<'stream.expired'>) => {
      enqueue.sendTo('stream', { type: 'stream.refuse', client, refusal: waitedTooLong(context) });
      enqueue.assign(withoutStream(context, client));
    }),
    /** Answers everything that waits, and keeps the clients that were admitted. */
    refuseWaiting: enqueueActions(({ context, enqueue }, { refusal }: Refusing) => {
      for (const { requestId } of context.pictures) {
        enqueue.cancel(waitOf('picture', requestId));
        enqueue.emit({ type: 'reply', requestId, outcome: refused(refusal) });
      }
      for (const { client, isAdmitted } of context.streams) {
        if (isAdmitted) continue;
        enqueue.cancel(waitOf('stream', client));
        enqueue.sendTo('stream', { type: 'stream.refuse', client, refusal });
      }
      enqueue.assign(
        leased(
          context.streams.filter(({ isAdmitted }) => isAdmitted),
          [],
        ),
      );
    }),
    /** Ends the clients that were admitted; all others were answered. */
    dropStreams: enqueueActions(({ context, enqueue }) => {
      if (context.streams.length > 0) enqueue.sendTo('stream', { type: 'stream.drop' });
      enqueue.assign(leased([], context.pictures));
    }),
    admitWaiting: enqueueActions(({ context, enqueue }) => {
      for (const { client, isAdmitted } of context.streams) {
        if (isAdmitted) continue;
        enqueue.cancel(waitOf('stream', client));
        enqueue.sendTo('stream', { type: 'stream.admit', client });
      }
      enqueue.assign({ streams: context.streams.map((one) => ({ ...one, isAdmitted: true })) });
    }),

    // Pictures
    takeStills: enqueueActions(({ context, enqueue }, { exposure }: { readonly exposure: 'converged' | 'budget' }) => {
      const { pictures, stills, commands } = takeStills(context, exposure);
      enqueue.assign({ pictures, stills });
      for (const command of commands) enqueue.sendTo('stills', command);
    }),
    deliver: enqueueActions(({ context, enqueue }, { id, jpeg }: StillFact) => {
      const answered = answeredBy(context, id);
      if (jpeg === null && context.openedAt === null) {
        enqueue.assign(waitAgain(context, id));
        return;
      }
      const outcome: SnapshotOutcome = jpeg === null ? refused('camera-encode-failed') : { status: 'taken', jpeg };
      for (const { requestId } of answered) {
        enqueue.cancel(waitOf('picture', requestId));
        enqueue.emit({ type: 'reply', requestId, outcome });
      }
      enqueue.assign(
        jpeg === null
          ? withoutPictures(
              context,
              answered.map(({ requestId }) => requestId),
            )
          : afterTaken(context, answered),
      );
    }),

    // Session
    begin: assign(({ context }) => begin(context)),
    end: assign(sessionEnd),
    rest: assign(rested),
    hold: sendTo('indication', { type: 'indication.hold' }),
    release: sendTo('indication', { type: 'indication.release' }),
    takeIndication: assign((_, { by }: EventOf<'indication.confirmed'>) => ({ indication: by })),
    loseIndication: assign({ indication: 'none' }),
    noteUnindicated: assign(({ context }, { reason }: { readonly reason: InUseRefusal }) =>
      unindicated(context, reason),
    ),

    // Captures
    startCapture: enqueueActions(({ context, enqueue }) => {
      const attempt = context.attempt + 1;
      const { generation, request, configured } = context;
      enqueue.assign({ attempt, running: attempt, openedAt: null });
      enqueue.spawnChild('capture', {
        id: captureId(attempt),
        input: { generation, attempt, request: request ?? configured },
      });
    }),
    closeCapture: enqueueActions(({ context, enqueue }) => {
      if (context.running !== null) enqueue.sendTo(captureId(context.running), { type: 'capture.close' });
      enqueue.assign({ openedAt: null });
    }),
    releaseCapture: enqueueActions(({ context, enqueue }) => {
      if (context.running !== null) enqueue.stopChild(captureId(context.running));
      enqueue.assign({ running: null });
    }),
    open: assign(({ context }, event: EventOf<'capture.opened'>) => opened(context, event)),
    noteTime: assign((_, { at }: EventOf<'capture.measured'>) => ({ at })),
    measure: assign(({ context }, event: EventOf<'capture.measured'>) => measured(context, event)),
    fail: assign(({ context }, failure: Failure) => failed(context, failure)),
  },
});

/** Why a wait ended without an answer: no frames came, or no capture is open. */
function waitedTooLong({ running, fault }: SessionFacts): CameraRefusal {
  if (fault !== 'none') return refusalOf(fault);
  return running === null ? 'camera-unavailable' : 'camera-starved';
}
