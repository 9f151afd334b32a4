import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { oneAtATime } from '#drivers/kit/one-lookup.ts';
import { isLocalHost, outwardLookup } from '#drivers/kit/outward-lookup.ts';
import { jsonOf } from '#drivers/sign-in/json-of.ts';
import { askHomeAssistant, type HttpAnswer } from '#drivers/sign-in/request.ts';
import type { HomeOutcome, HomeProbeEvent, HomeProbeFact, HomeTarget } from '#machines/home-probe/events.ts';
import { LOCAL_ADDRESS } from '#machines/kit/own-address.ts';

/** Time limit of the whole look. */
const LOOK_MS = 5000;

/** Error codes of getaddrinfo for an unknown name. */
const UNKNOWN_NAME: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NONAME']);

const failed = (error: Extract<HomeOutcome, { status: 'failed' }>['error'], code: string): HomeOutcome => ({
  status: 'failed',
  error,
  code,
});

/**
 * Judges the answer to `/manifest.json`, which Home Assistant serves without a credential: its web app manifest is
 * named Home Assistant and starts at `/?homescreen=1` (seen with 2026.11.0).
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

/** Options of a look; only `trust` is needed outside tests. */
export interface LookOptions {
  /** Certificates to trust for https; undefined for the runtime's. */
  readonly trust: () => Promise<string | undefined>;
  readonly lookup?: LookupFunction;
  /** Time limit of the whole look. */
  readonly withinMs?: number;
}

/**
 * Checks once whether Home Assistant answers at an address, until the signal is aborted or `withinMs` has passed (5000
 * by default). An address of this machine or of the local link is contacted only if it is the configured one.
 */
export type LookAt = (target: HomeTarget, signal: AbortSignal, withinMs?: number) => Promise<HomeOutcome>;

/** Makes the function that looks: it sends no credential and follows no redirect. */
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

/** A single look, as the driver of a probe. */
export function homeLook(options: LookOptions) {
  const look = lookAt(options);
  return fromDriver<HomeProbeEvent, HomeTarget, HomeProbeFact>(async ({ input, signal, send }) =>
    send({ type: 'probe.ended', outcome: await look(input, signal) }),
  );
}
