import { type EncodeLimits, readAddress, readStreamRequest, STREAM_PATH, type StreamRequest } from './address.ts';
import type { Answer } from './answer.ts';
import type { RtspRequest } from './request.ts';
import { readTransports, type Transport } from './transport.ts';

/** How far a connection is: it was promised the stream, it has a transport, it plays. */
export type Phase = 'new' | 'described' | 'ready' | 'playing';

export interface Standing {
  readonly phase: Phase;
  /** The session that was named to the client at its SETUP; null before. */
  readonly session: string | null;
}

export type Decision =
  | { readonly do: 'answer'; readonly answer: Answer }
  /** Asks for the camera, and answers once it is there; `host` is what the client calls the panel. */
  | { readonly do: 'describe'; readonly asks: StreamRequest; readonly host: string }
  /** Takes the first transport that can be had. */
  | { readonly do: 'setup'; readonly transports: readonly Transport[] }
  | { readonly do: 'play' | 'pause' | 'teardown' };

const METHODS = 'OPTIONS, DESCRIBE, SETUP, PLAY, PAUSE, TEARDOWN, GET_PARAMETER, SET_PARAMETER';

const answer = (status: Answer['status'], headers: Answer['headers'] = {}): Decision => ({
  do: 'answer',
  answer: { status, headers },
});

/** True if a client takes a description in SDP. */
const takesSdp = (accept: string | undefined): boolean =>
  accept === undefined || /(?:^|,)\s*(?:application\/(?:sdp|\*)|\*\/\*)\s*(?:;|,|$)/i.test(accept);

function describe({ url, headers }: RtspRequest, { phase }: Standing, limits: EncodeLimits): Decision {
  const address = readAddress(url);
  if (address === null) return answer(400);
  if (address.path !== STREAM_PATH) return answer(404);
  if (phase !== 'new' && phase !== 'described') return answer(455, { Allow: METHODS });
  if (!takesSdp(headers.get('accept'))) return answer(406);
  const asks = readStreamRequest(address.query, limits);
  return asks === null ? answer(400) : { do: 'describe', asks, host: address.host };
}

/**
 * True if an address names the track: clients append its name as text, behind the query too, or resolve it as a URL,
 * by which the path is lost.
 */
function namesTrack(url: string): boolean {
  const track = /trackID=(\d+)/i.exec(url)?.[1];
  return track === undefined ? readAddress(url)?.path === STREAM_PATH : Number(track) === 0;
}

function setup({ url, headers }: RtspRequest, { phase, session }: Standing, named: string | null): Decision {
  if (named !== null && named !== session) return answer(454);
  if (phase !== 'described' && phase !== 'ready') return answer(455, { Allow: METHODS });
  if (!namesTrack(url)) return answer(404);
  const transports = readTransports(headers.get('transport') ?? '');
  return transports.length === 0 ? answer(461) : { do: 'setup', transports };
}

/** What is done with a request; one connection has one session at most. */
export function decide(request: RtspRequest, standing: Standing, limits: EncodeLimits): Decision {
  const { phase, session } = standing;
  const named = request.headers.get('session')?.split(';')[0]?.trim() ?? null;
  const isOwn = session !== null && named === session;
  const done = (): Decision => answer(200, session === null ? {} : { Session: session });
  switch (request.method) {
    case 'OPTIONS':
      return answer(200, { Public: METHODS });
    case 'DESCRIBE':
      return describe(request, standing, limits);
    case 'SETUP':
      return setup(request, standing, named);
    case 'PLAY':
      if (!isOwn) return answer(named === null && session === null ? 455 : 454);
      return phase === 'playing' ? done() : { do: 'play' };
    case 'PAUSE':
      if (!isOwn) return answer(454);
      return phase === 'playing' ? { do: 'pause' } : done();
    case 'TEARDOWN':
      return isOwn ? { do: 'teardown' } : answer(454);
    case 'GET_PARAMETER':
    case 'SET_PARAMETER':
      return named === null || isOwn ? done() : answer(454);
    default:
      return answer(501, { Allow: METHODS });
  }
}
