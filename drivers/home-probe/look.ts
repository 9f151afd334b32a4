import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { oneAtATime } from '#drivers/kit/one-lookup.ts';
import { isLocalHost, outwardLookup } from '#drivers/kit/outward-lookup.ts';
import { jsonOf } from '#drivers/sign-in/json-of.ts';
import { askHomeAssistant, type HttpAnswer } from '#drivers/sign-in/request.ts';
import type { HomeOutcome, HomeProbeEvent, HomeProbeFact, HomeTarget } from '#machines/home-probe/events.ts';
import { LOCAL_ADDRESS } from '#machines/kit/own-address.ts';

/** Longest time for the whole look, in milliseconds. */
const LOOK_MS = 5000;

/** Codes of a name that is not known (getaddrinfo). */
const UNKNOWN_NAME: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NONAME']);

const failed = (error: Extract<HomeOutcome, { status: 'failed' }>['error'], code: string): HomeOutcome => ({
  status: 'failed',
  error,
  code,
});

/**
 * What an answer to `/manifest.json`, which Home Assistant gives to everybody, means: its web app manifest names
 * Home Assistant and begins at `/?homescreen=1` (seen with 2026.11.0).
 */
function outcomeOf(answer: HttpAnswer): HomeOutcome {
  if (answer.status === null)
    return answer.code === LOCAL_ADDRESS
      ? failed('local-address', answer.code)
      : answer.code === 'answer-too-large'
        ? failed('not-home-assistant', answer.code)
        : failed(UNKNOWN_NAME.has(answer.code) ? 'unresolvable' : 'unreachable', answer.code);
  const code = `http-${answer.status}`;
  if (answer.status >= 300 && answer.status < 400) return failed('elsewhere', code);
  const { name, short_name: short, start_url: start } = jsonOf(answer.text);
  const isHome =
    answer.status === 200 &&
    [name, short].includes('Home Assistant') &&
    typeof start === 'string' &&
    start.startsWith('/');
  return isHome ? { status: 'answered' } : failed('not-home-assistant', code);
}

/** What a look can be given; only the certificates are needed outside tests. */
export interface LookOptions {
  /** Certificates to trust for https; undefined for those of the runtime. */
  readonly trust: () => Promise<string | undefined>;
  readonly lookup?: LookupFunction;
  /** Longest time for the whole look, in milliseconds. */
  readonly withinMs?: number;
}

/**
 * Asks an address once whether Home Assistant answers there; given up with its signal, or after `withinMs` (5000 where
 * nothing else is said). An address of this machine or its link is asked only where it is that of the settings.
 */
export type LookAt = (target: HomeTarget, signal: AbortSignal, withinMs?: number) => Promise<HomeOutcome>;

/** Looks whether Home Assistant answers at an address: no credential is sent, and no redirect followed. */
export function lookAt({ trust, lookup: given = lookup, withinMs: longest = LOOK_MS }: LookOptions): LookAt {
  const look = oneAtATime(given);
  const outward = outwardLookup(look);
  return async ({ origin, isSaved }, signal, withinMs = longest) => {
    const host = new URL(origin).hostname.replace(/^\[|\]$/g, '');
    if (!isSaved && isLocalHost(host)) return failed('local-address', LOCAL_ADDRESS);
    const certificates = origin.startsWith('https:') ? await trust() : undefined;
    if (signal.aborted) return failed('unreachable', 'aborted');
    const answer = await askHomeAssistant({
      url: `${origin}/manifest.json`,
      method: 'GET',
      trust: certificates,
      signal,
      withinMs,
      lookup: isSaved ? look : outward,
    });
    return outcomeOf(answer);
  };
}

/** One look, as the driver of a probe. */
export function homeLook(options: LookOptions) {
  const look = lookAt(options);
  return fromDriver<HomeProbeEvent, HomeTarget, HomeProbeFact>(async ({ input, signal, send }) =>
    send({ type: 'probe.ended', outcome: await look(input, signal) }),
  );
}
