import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';

import { errorCode } from '#drivers/kit/error-code.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { ReachCommand, ReachFact, ReachReason } from '#machines/renderer/events.ts';

/** What the driver is given from outside. */
export interface ReachDeps {
  /** Now, in milliseconds since the epoch. */
  readonly now: () => number;
  /** Time between two probes in milliseconds; with a load of three seconds the dashboard is back within ten. */
  readonly everyMs?: number;
  /** Longest wait for an answer in milliseconds. */
  readonly boundMs?: number;
}

/** A small file that Home Assistant serves to everybody as soon as its pages can be loaded. */
const PATH = '/manifest.json';

/** The reason for a failed connection, from the system's code. */
export const reachReason = (code: string): ReachReason => {
  if (code === 'ECONNREFUSED') return 'refused';
  if (code === 'ETIMEDOUT' || code === 'ABORT_ERR') return 'timeout';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'name-unknown';
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH' || code === 'ENETDOWN') return 'no-route';
  return /CERT|TLS|SSL|SIGNATURE|ISSUER|ALTNAME/.test(code) ? 'tls' : 'failed';
};

/**
 * One probe: null when Home Assistant served its file. Whether a certificate is good is the browser's to judge, so any
 * is taken here.
 */
const probeOnce = (origin: string, signal: AbortSignal): Promise<ReachReason | null> =>
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
    sent.on('error', (failure) => resolve(reachReason(errorCode(failure))));
    sent.end();
  });

/** Probes Home Assistant every two seconds while it is told to; each probe is bounded, and one follows the other. */
export const homeAssistantReach = ({ now, everyMs = 2000, boundMs = 3000 }: ReachDeps) =>
  fromDriver<ReachCommand, undefined, ReachFact>(({ send, onEvent, guard, signal }) => {
    let watched: string | null = null;
    let timer: NodeJS.Timeout | undefined;
    let turn = 0;

    const probe = async (origin: string, mine: number): Promise<void> => {
      // Not `AbortSignal.any` over `AbortSignal.timeout`: Node 20 collects the inner signal, and a frozen Home
      // Assistant is then waited for without end.
      const cut = new AbortController();
      const stop = (): void => cut.abort();
      const bound = setTimeout(stop, boundMs);
      signal.addEventListener('abort', stop, { once: true });
      const reason = await probeOnce(origin, cut.signal);
      clearTimeout(bound);
      signal.removeEventListener('abort', stop);
      if (mine !== turn || signal.aborted) return;
      timer = setTimeout(
        guard(() => probe(origin, mine)),
        everyMs,
      );
      send({ type: 'reach.seen', origin, reachable: reason === null, reason, at: now() });
    };

    onEvent(({ origin }) => {
      if (origin === watched) return;
      watched = origin;
      turn += 1;
      clearTimeout(timer);
      // Not in the caller's own turn: the parent is in the middle of a step.
      const mine = turn;
      if (origin !== null)
        timer = setTimeout(
          guard(() => probe(origin, mine)),
          0,
        );
    });
    return () => clearTimeout(timer);
  });
