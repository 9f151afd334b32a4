import type { InUseRefusal } from '../in-use/events.ts';
import type { Milliseconds } from '../kit/units.ts';
import { afterCaptureEnded, type AfterCapture } from './after-capture-ended.ts';
import { STILL_INTERVAL_MS } from './delays.ts';
import type { CameraFault, CaptureFault } from './events.ts';
import type { EventOf, SessionFacts } from './facts.ts';
import { openingRequest } from './leases.ts';
import { faultOf } from './fault-of.ts';
import { watchdog } from './watchdog.ts';

/** The facts of a capture that no longer delivers. */
const silent = { openedAt: null, delivered: { fps: null, kbps: null }, encoding: null } as const;

/** A new session, for the leases that wait. */
export function begin(facts: SessionFacts): Partial<SessionFacts> {
  const request = openingRequest(facts);
  return { generation: facts.generation + 1, request, requestedFps: request.fps, pauseMs: 0 };
}

/** The session has ended, and its device is closed. Faults stay until frames arrive again. */
export const sessionEnd = {
  ...silent,
  request: null,
  requestedFps: null,
  lastFrameAt: null,
  indication: 'none',
  pauseMs: 0,
} as const;

/** The camera rested after its failures: they count from the start again, and its fault stays visible. */
export const rested = { failures: 0, retryAt: null } as const;

/** The first frame is there. Failures count until another frame follows. */
export const opened = (_: SessionFacts, { encoding, at }: EventOf<'capture.opened'>): Partial<SessionFacts> => ({
  encoding,
  openedAt: at,
  lastFrameAt: at,
  at,
  fault: 'none',
  faultDetail: null,
  retryAt: null,
  encoderHoldUntil: null,
  pauseMs: 0,
});

/** The rates of the last seconds. A new still is worth fetching only while a stream runs (`stillSequence`). */
export function measured(
  facts: SessionFacts,
  { lastAt, fps, kbps, at }: EventOf<'capture.measured'>,
): Partial<SessionFacts> {
  const { openedAt, streams, stillAt, stillSequence } = facts;
  const isDelivering = openedAt !== null && lastAt !== null && lastAt > openedAt;
  const isStillDue = isDelivering && streams.length > 0 && (stillAt === null || at - stillAt >= STILL_INTERVAL_MS);
  return {
    at,
    delivered: { fps, kbps },
    lastFrameAt: lastAt ?? facts.lastFrameAt,
    ...(isDelivering && { failures: 0 }),
    ...(isStillDue && { stillAt: at, stillSequence: stillSequence + 1 }),
  };
}

/** A capture that did not open, or broke. */
export interface Failure {
  readonly fault: Exclude<CameraFault, 'none' | 'indication' | 'foreground'>;
  readonly detail: string;
  readonly at: Milliseconds;
}

/** Leases that outlast a failure: while opening, all who wait are refused. */
const leasesLeft = ({ openedAt, streams, clients }: SessionFacts): number =>
  openedAt === null ? streams.filter(({ isAdmitted }) => isAdmitted).length : clients;

export const nextAfter = (facts: SessionFacts, { fault, at }: Failure): AfterCapture['next'] =>
  afterCaptureEnded({ failures: facts.failures, fault, leases: leasesLeft(facts), at }).next;

export function failed(facts: SessionFacts, { fault, detail, at }: Failure): Partial<SessionFacts> {
  const after = afterCaptureEnded({ failures: facts.failures, fault, leases: leasesLeft(facts), at });
  const { failures, pauseMs, retryAt, encoderHoldUntil } = after;
  return {
    ...silent,
    fault,
    faultDetail: detail,
    failures,
    pauseMs,
    retryAt,
    encoderHoldUntil: encoderHoldUntil ?? facts.encoderHoldUntil,
    at,
  };
}

/** The indication was refused or lost. That is no failure of the camera: the next lease asks for it again. */
export const unindicated = (_: SessionFacts, reason: InUseRefusal): Partial<SessionFacts> => ({
  ...silent,
  indication: 'none',
  fault: faultOf(reason),
  faultDetail: reason,
});

interface Watch {
  readonly fault?: CaptureFault;
  readonly isIndicated?: boolean;
  readonly lastAt?: Milliseconds | null;
  readonly at?: Milliseconds;
}

/** Why the running capture must end, by the facts and what an event adds. */
export const watch = (facts: SessionFacts, { fault, isIndicated = true, lastAt, at = facts.at }: Watch) =>
  watchdog({
    clients: facts.clients,
    fault: fault ?? null,
    isIndicated,
    lastAt: lastAt ?? facts.lastFrameAt ?? at,
    fps: facts.encoding?.fps ?? facts.request?.fps ?? 1,
    at,
  });

/** A camera that was away or forbidden is there again: it may be tried at once. */
export const scanned = (facts: SessionFacts, { camera }: EventOf<'scan.changed'>): Partial<SessionFacts> => ({
  scan: camera,
  ...(camera === 'present' && facts.scan !== null && facts.scan !== 'present' && rested),
});
