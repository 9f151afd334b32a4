import type { EncodeRequest } from './events.ts';
import type { EventOf, PictureLease, SessionFacts, StreamLease } from './facts.ts';

type Leases = Pick<SessionFacts, 'streams' | 'pictures' | 'clients'>;

/** The facts with these leases. */
export const leased = (streams: readonly StreamLease[], pictures: readonly PictureLease[]): Leases => ({
  streams,
  pictures,
  clients: streams.length + pictures.length,
});

export const withoutStream = ({ streams, pictures }: SessionFacts, client: number): Leases =>
  leased(
    streams.filter((one) => one.client !== client),
    pictures,
  );

export const withoutPictures = ({ streams, pictures }: SessionFacts, requestIds: readonly string[]): Leases =>
  leased(
    streams,
    pictures.filter(({ requestId }) => !requestIds.includes(requestId)),
  );

/** Adds a client; one that asks again takes its own place. */
export function joinStream(
  facts: SessionFacts,
  { client, height, fps, kbps, at }: EventOf<'stream.wanted'>,
  isAdmitted: boolean,
): Partial<SessionFacts> {
  const lease: StreamLease = { client, height, fps, kbps, isAdmitted };
  const isKnown = facts.streams.some((one) => one.client === client);
  const streams = isKnown
    ? facts.streams.map((one) => (one.client === client ? lease : one))
    : [...facts.streams, lease];
  return { ...leased(streams, facts.pictures), at };
}

/** Adds a picture that waits for frames. */
export const joinPicture = (
  facts: SessionFacts,
  { requestId, height, at }: EventOf<'camera.snapshot'>,
): Partial<SessionFacts> => ({
  ...leased(facts.streams, [...facts.pictures, { requestId, height, still: null, exposure: 'budget' }]),
  at,
});

type Wanted = Pick<StreamLease, 'height' | 'fps' | 'kbps'>;

/**
 * What a session is asked for that opens for these leases: by its first client, else as configured.
 */
export function openingRequest({ streams, configured }: SessionFacts): EncodeRequest {
  const { height, fps, kbps }: Wanted = streams[0] ?? { height: null, fps: null, kbps: null };
  return { height: height ?? configured.height, fps: fps ?? configured.fps, kbps: kbps ?? configured.kbps };
}

/** What a running session is asked for from now on, its bound rate, and if that needs another capture. */
export interface Binding {
  readonly request: EncodeRequest;
  readonly requestedFps: number | null;
  readonly restarts: boolean;
}

/**
 * What changes when a client joins a running session. The first one binds size and bit rate; the frame rate stays
 * that of the opener (contract, RTSP). Later ones join as it is, and what an address does not name is left as it is.
 */
export function bindStream(
  { streams, request, requestedFps }: Pick<SessionFacts, 'streams' | 'request' | 'requestedFps'>,
  { client, height, fps, kbps }: Wanted & Pick<StreamLease, 'client'>,
): Binding | null {
  if (request === null) return null;
  if (streams.some((one) => one.client !== client)) return { request, requestedFps, restarts: false };
  const bound = { height: height ?? request.height, fps: request.fps, kbps: kbps ?? request.kbps };
  const restarts = bound.height !== request.height || bound.kbps !== request.kbps;
  return { request: bound, requestedFps: fps ?? requestedFps, restarts };
}
