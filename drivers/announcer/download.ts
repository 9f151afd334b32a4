import { lookup } from 'node:dns/promises';
import { createWriteStream } from 'node:fs';
import { type ClientRequest, type IncomingMessage, type RequestOptions, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { errorCode } from '#drivers/kit/error-code.ts';
import { ownAddresses } from '#drivers/kit/own-addresses.ts';
import { readSystemTrust } from '#drivers/kit/system-trust.ts';
import { certificateFaultOf } from '#machines/kit/certificate.ts';
import type { AnnouncementRefusal, Hop } from '#machines/announcer/events.ts';
import { ok, refuse, type Result } from '#machines/kit/result.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import { ownField } from '#machines/kit/own-field.ts';

type HopResult = Result<Hop, AnnouncementRefusal>;

/** Which addresses may be fetched; decided in `machines/announcer/source.ts`. */
export interface SourceRules {
  readonly firstHop: (href: string) => HopResult;
  readonly nextHop: (from: Hop, location: string | undefined, followed: number) => HopResult;
  readonly isPanelItself: (address: string, port: number, own: readonly string[], ownPort: number) => boolean;
  readonly isOnPanel: (
    hop: Hop,
    addresses: readonly string[],
    own: readonly string[],
    homeAssistant: string,
  ) => boolean;
  readonly toldOf: (reason: AnnouncementRefusal, onPanel: boolean) => AnnouncementRefusal;
}

/** Limits of one download. */
export interface DownloadBounds {
  /** Name lookup, connection and TLS of one hop, until the request can be sent. */
  readonly connectMs: Milliseconds;
  /** Longest silence of the source. */
  readonly readMs: Milliseconds;
  /** The whole download, including redirects. */
  readonly wholeMs: Milliseconds;
  /** Largest sound in bytes. */
  readonly bytes: number;
}

/** 15 s, 15 s, 120 s, 32 MiB (as panel-assistant). */
export const DOWNLOAD_BOUNDS: DownloadBounds = {
  connectMs: 15_000,
  readMs: 15_000,
  wholeMs: 120_000,
  bytes: 32 * 1024 * 1024,
};

export interface DownloadDeps {
  readonly rules: SourceRules;
  /** The panel's own port, which is refused as a source. */
  readonly ownPort: number;
  /** The configured origin of Home Assistant, "" for none. */
  readonly homeAssistant: string;
  readonly bounds: DownloadBounds;
  /** Files of trusted certificates; the system's by default. */
  readonly bundles?: readonly string[];
}

/** A download in progress; `noteOnPanel` records that a hop led to the panel itself. */
interface Following extends DownloadDeps {
  readonly noteOnPanel: () => void;
}

export interface Fetched {
  /** True if a hop led to the panel itself, about which refusals reveal nothing. */
  readonly onPanel: boolean;
}

/** A failed download. It carries only a code, since messages of libraries contain addresses. */
class Refused extends Error {
  readonly reason: AnnouncementRefusal;
  constructor(reason: AnnouncementRefusal) {
    super(reason);
    this.reason = reason;
  }
}

const CODES: Readonly<Record<string, AnnouncementRefusal>> = {
  ENOTFOUND: 'name-unknown',
  EAI_AGAIN: 'name-unknown',
  EAI_NODATA: 'name-unknown',
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
  ECONNRESET: 'source-cut',
  ERR_STREAM_PREMATURE_CLOSE: 'source-cut',
  ECONNREFUSED: 'source-unreachable',
};

function reasonOf(failure: unknown, otherwise: AnnouncementRefusal): AnnouncementRefusal {
  if (failure instanceof Refused) return failure.reason;
  if (typeof failure !== 'object' || failure === null) return otherwise;
  // Happy Eyeballs (RFC 8305) fails with one error that holds all its attempts.
  const inner: unknown = 'errors' in failure && Array.isArray(failure.errors) ? failure.errors[0] : null;
  const code = errorCode(failure);
  return ownField(CODES, code) ?? certificateFaultOf(code) ?? (inner === null ? otherwise : reasonOf(inner, otherwise));
}

/** While the sound arrives, the source is only read, so a failed open, write or close is the disk's. */
const isOfDisk = (failure: unknown): boolean =>
  typeof failure === 'object' &&
  failure !== null &&
  'syscall' in failure &&
  (failure.syscall === 'open' || failure.syscall === 'write' || failure.syscall === 'close');

/**
 * Resolves the host and refuses it if any of its addresses is the panel itself. The connection uses exactly these
 * addresses, so a second lookup cannot change them.
 */
async function resolve(
  hop: Hop,
  { rules, ownPort, homeAssistant, noteOnPanel }: Following,
): Promise<{ address: string; family: number }[]> {
  const { host, port } = hop;
  const found = isIP(host) === 0 ? await lookup(host, { all: true }) : [{ address: host, family: isIP(host) }];
  const own = ownAddresses();
  const addresses = found.map(({ address }) => address);
  if (rules.isOnPanel(hop, addresses, own, homeAssistant)) noteOnPanel();
  if (addresses.some((address) => rules.isPanelItself(address, port, own, ownPort))) throw new Refused('own-address');
  return found;
}

const answerWith =
  (found: readonly { address: string; family: number }[]): LookupFunction =>
  (_host, options, callback) => {
    const [first] = found;
    if (options.all === true) callback(null, [...found]);
    else callback(null, first?.address ?? '', first?.family ?? 0);
  };

/** A timer that restarts with each sign of life. */
function watchdog(fire: (reason: AnnouncementRefusal) => void): {
  readonly within: (ms: Milliseconds, reason: AnnouncementRefusal) => void;
  readonly end: () => void;
} {
  let timer: NodeJS.Timeout | undefined;
  return {
    within: (ms, reason) => {
      clearTimeout(timer);
      timer = setTimeout(() => fire(reason), ms);
    },
    end: () => clearTimeout(timer),
  };
}

/** A promise that rejects as soon as the signal is aborted, with the signal's reason. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    // All aborts here pass an Error.
    const fail = (): void => reject(signal.reason as Error);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });

const send = (hop: Hop, options: RequestOptions, secure: { readonly ca: string } | null): ClientRequest =>
  secure === null
    ? plainRequest(hop.href, options)
    : secureRequest(hop.href, { ...options, ...secure, rejectUnauthorized: true });

/** Sends one request and resolves with the head of the response. */
async function open(hop: Hop, deps: Following, signal: AbortSignal, connected: () => void): Promise<IncomingMessage> {
  const found = await resolve(hop, deps);
  // Read each time, so that a newly installed certificate authority counts.
  const ca = hop.secure ? await readSystemTrust(deps.bundles) : undefined;
  if (hop.secure && ca === undefined) throw new Refused('no-trust-store');
  return new Promise((settle, reject) => {
    const headers = {
      accept: 'audio/*, application/ogg, */*;q=0.5',
      'accept-encoding': 'identity',
      'user-agent': 'sconce',
    };
    const request = send(
      hop,
      { agent: false, signal, headers, lookup: answerWith(found) },
      ca === undefined ? null : { ca },
    );
    request.on('socket', (socket) => socket.once(hop.secure ? 'secureConnect' : 'connect', connected));
    request.on('response', settle);
    request.on('error', reject);
    request.end();
  });
}

function judgeStatus(status: number): AnnouncementRefusal | null {
  if (status >= 200 && status < 300) return null;
  if (status === 404 || status === 410) return 'source-gone';
  return status >= 500 ? 'source-failed' : 'source-refused';
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Follows redirects to the response that carries the sound. */
async function follow(
  href: string,
  deps: Following,
  signal: AbortSignal,
  waits: (forWhat: 'connection' | 'bytes') => void,
): Promise<IncomingMessage> {
  let next = deps.rules.firstHop(href);
  // One promise for all hops. If the first hop is refused, nothing awaits it, hence the empty handler.
  const aborted = untilAborted(signal);
  aborted.catch(() => {});
  for (let followed = 0; ; followed += 1) {
    if (!next.ok) throw new Refused(next.reason);
    waits('connection');
    const opened = open(next.value, deps, signal, () => waits('bytes'));
    // oxlint-disable-next-line no-await-in-loop -- one hop after another
    const response = await Promise.race([opened, aborted]);
    const status = response.statusCode ?? 0;
    waits('bytes');
    const refusal = judgeStatus(status);
    if (refusal === null) return response;
    response.destroy();
    if (!REDIRECTS.has(status)) throw new Refused(refusal);
    next = deps.rules.nextHop(next.value, response.headers.location, followed);
  }
}

/** Passes bytes on and fails after more than `most` of them; `seen` is called for each chunk. */
function bounded(most: number, seen: () => void): Transform {
  let bytes = 0;
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      seen();
      bytes += chunk.length;
      if (bytes > most) done(new Refused('too-large'));
      else done(null, chunk);
    },
  });
}

/** Fetches an address into a new file that only this user can read. If refused, the caller removes what was written. */
export async function download(
  href: string,
  file: string,
  deps: DownloadDeps,
  signal: AbortSignal,
): Promise<Result<Fetched, AnnouncementRefusal>> {
  const { bounds, rules } = deps;
  let onPanel = false;
  const cut = new AbortController();
  const stop = (reason: AnnouncementRefusal): void => cut.abort(new Refused(reason));
  const silence = watchdog(stop);
  const whole = watchdog(stop);
  whole.within(bounds.wholeMs, 'download-timeout');
  const all = AbortSignal.any([signal, cut.signal]);
  let saving = false;
  try {
    const response = await follow(href, { ...deps, noteOnPanel: () => void (onPanel = true) }, all, (forWhat) =>
      forWhat === 'bytes'
        ? silence.within(bounds.readMs, 'read-timeout')
        : silence.within(bounds.connectMs, 'connect-timeout'),
    );
    if (Number(response.headers['content-length'] ?? 0) > bounds.bytes) {
      response.destroy();
      return refuse(rules.toldOf('too-large', onPanel), 'The sound is larger than 32 MiB.');
    }
    saving = true;
    const counted = bounded(bounds.bytes, () => silence.within(bounds.readMs, 'read-timeout'));
    await pipeline(response, counted, createWriteStream(file, { flags: 'wx', mode: 0o600 }), { signal: all });
    return ok({ onPanel });
  } catch (failure) {
    const cause: unknown = cut.signal.aborted ? cut.signal.reason : failure;
    const reason = reasonOf(cause, saving ? (isOfDisk(cause) ? 'disk-failed' : 'source-cut') : 'source-unreachable');
    return refuse(rules.toldOf(reason, onPanel), 'The sound could not be fetched.');
  } finally {
    silence.end();
    whole.end();
  }
}
