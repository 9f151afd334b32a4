import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';

import { errorCode } from '#drivers/kit/error-code.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { rounds } from '#drivers/kit/rounds.ts';
import type { ReachabilityCommand, ReachabilityFact, UnreachableReason } from '#machines/renderer/events.ts';

export interface ReachabilityProbeDeps {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Time between two probes in milliseconds. With 2 s and a load of 3 s the dashboard is back within ten. */
  readonly everyMs?: number;
  /** Longest wait for an answer, in milliseconds. */
  readonly boundMs?: number;
}

/** A small file that Home Assistant serves without sign-in as soon as its pages can be loaded. */
const PATH = '/manifest.json';

/** Reason for a failed connection, from the system's error code. */
export function unreachableReason(code: string): UnreachableReason {
  if (code === 'ECONNREFUSED') return 'refused';
  if (code === 'ETIMEDOUT' || code === 'ABORT_ERR') return 'timeout';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'name-unknown';
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH' || code === 'ENETDOWN') return 'no-route';
  return /CERT|TLS|SSL|SIGNATURE|ISSUER|ALTNAME/.test(code) ? 'tls' : 'failed';
}

/** One probe: null if Home Assistant served its file. Any certificate is accepted here; the browser judges it. */
const probeOnce = (origin: string, signal: AbortSignal): Promise<UnreachableReason | null> =>
  new Promise((resolve) => {
    const url = new URL(PATH, origin);
    const options = { agent: false as const, signal, headers: { Connection: 'close' } };
    const sent =
      url.protocol === 'https:'
        ? requestSecure(url, { ...options, rejectUnauthorized: false })
        : requestPlain(url, options);
    sent.on('response', (response) => {
      response.resume();
      const { statusCode = 0 } = response;
      resolve(statusCode >= 500 ? 'http-error' : null);
      response.destroy();
    });
    sent.on('error', (failure) => resolve(unreachableReason(errorCode(failure))));
    sent.end();
  });

/** One probe that takes at most `boundMs`. */
async function probeWithin(origin: string, boundMs: number, signal: AbortSignal): Promise<UnreachableReason | null> {
  // Not `AbortSignal.any` over `AbortSignal.timeout`: Node 20 garbage-collects the inner signal, and a frozen Home
  // Assistant is then waited for without end.
  const timeout = new AbortController();
  const stop = (): void => timeout.abort();
  const bound = setTimeout(stop, boundMs);
  signal.addEventListener('abort', stop, { once: true });
  const reason = await probeOnce(origin, timeout.signal);
  clearTimeout(bound);
  signal.removeEventListener('abort', stop);
  return reason;
}

/** Probes the given origin every 2 s until it gets null; each probe is bounded, and they never overlap. */
export const reachabilityProbe = ({ now, everyMs = 2000, boundMs = 3000 }: ReachabilityProbeDeps) =>
  fromDriver<ReachabilityCommand, undefined, ReachabilityFact>(({ send, onEvent, guard }) => {
    let watched: string | null = null;
    let endProbes = (): void => {};

    const watch = (origin: string): (() => void) => {
      // Aborted with the watch of this origin, so that the next one does not wait for a probe without an answer.
      const ended = new AbortController();
      const probes = rounds({ guard, signal: ended.signal }, async () => {
        const reason = await probeWithin(origin, boundMs, ended.signal);
        if (!ended.signal.aborted)
          send({ type: 'reachability.probed', origin, reachable: reason === null, reason, at: now() });
        return everyMs;
      });
      // Not synchronously: the parent is in the middle of a transition.
      probes.nextIn(0);
      return () => {
        ended.abort();
        void probes.stop();
      };
    };

    onEvent(({ origin }) => {
      if (origin === watched) return;
      watched = origin;
      endProbes();
      endProbes = origin === null ? () => {} : watch(origin);
    });
    return () => endProbes();
  });
