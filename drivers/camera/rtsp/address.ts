import type { CameraHeight } from '#machines/camera-session/events.ts';

/** The range of the encoder, as of `encodeBounds`, and the heights by their names, as of `cameraHeights`. */
export interface EncodeLimits {
  readonly heights: Readonly<Record<string, CameraHeight>>;
  readonly fps: { readonly min: number; readonly max: number };
  readonly kbps: { readonly min: number; readonly max: number };
}

/** What an address asks of the encoder; null for what it does not name. */
export interface StreamRequest {
  readonly height: CameraHeight | null;
  readonly fps: number | null;
  readonly kbps: number | null;
}

/** An address, whose user and password are dropped. */
export interface StreamAddress {
  /** With port, as the client wrote it; '' if there is none. */
  readonly host: string;
  /** Without slashes at its end. */
  readonly path: string;
  readonly query: string;
}

/** The only path of the stream. */
export const STREAM_PATH = '/live';

const ADDRESS = /^rtspu?:\/\/(?:[^/?#@]*@)*([^/?#@]*)([^?#]*)(?:\?([^#]*))?(?:#.*)?$/i;
const HOST = /^(?:[\w.-]+|\[[\da-f:.%\w-]+\])(?::\d{1,5})?$/i;
const WHOLE_NUMBER = /^\d{1,6}$/;

/** Splits an address or a bare path; null for what is neither. */
export function readAddress(url: string): StreamAddress | null {
  const [, host, path, query = ''] = url.startsWith('/') ? ['', '', ...url.split(/[?#]/)] : (ADDRESS.exec(url) ?? []);
  if (host === undefined || path === undefined) return null;
  return { host: HOST.test(host) ? host : '', path: path.replace(/\/+$/, ''), query };
}

/** A value that must be there at most once: undefined if it is there twice, null if it is not there. */
function single(query: URLSearchParams, key: string): string | null | undefined {
  const values = query.getAll(key);
  return values.length > 1 ? undefined : (values[0] ?? null);
}

function numberWithin(text: string, { min, max }: { readonly min: number; readonly max: number }): number | undefined {
  const value = WHOLE_NUMBER.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}

/**
 * Reads `res`, `fps` and `kbps`; null if one is out of bounds or there twice. Other keys are ignored: clients add some
 * of their own.
 */
export function readStreamRequest(text: string, limits: EncodeLimits): StreamRequest | null {
  const query = new URLSearchParams(text);
  const res = single(query, 'res');
  const fps = single(query, 'fps');
  const kbps = single(query, 'kbps');
  if (res === undefined || fps === undefined || kbps === undefined) return null;
  const found = {
    height: res === null ? null : Object.hasOwn(limits.heights, res) ? limits.heights[res] : undefined,
    fps: fps === null ? null : numberWithin(fps, limits.fps),
    kbps: kbps === null ? null : numberWithin(kbps, limits.kbps),
  };
  const { height } = found;
  if (height === undefined || found.fps === undefined || found.kbps === undefined) return null;
  return { height, fps: found.fps, kbps: found.kbps };
}
