import type { Failure, Grant, PlatformPort } from '#drivers/sign-in/contract.ts';
import { backoffDelay, type Backoff } from '#machines/kit/backoff.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { Credential, OauthCredential } from '#machines/sign-in/credential.ts';
import type { KeeperFact, TokenOutcome } from '#machines/sign-in/events.ts';
import {
  type AccessToken,
  isFresh,
  isLastResort,
  LONG_LIVED_SECONDS,
  renewIn,
  secondsLeft,
} from '#machines/sign-in/token-cache.ts';

/** Wait before the platform is tried again: 1 s doubled, at most 30 s, so that a restarted platform is seen soon. */
const returning: Backoff = { firstMs: 1000, capMs: 30_000, jitter: 0.2 };
/** A connection that held this long starts the waits anew, in milliseconds. */
const HELD_MS: Milliseconds = 60_000;
/** Wait before a renewal that could not reach the platform is tried again, in milliseconds. */
const RENEW_AGAIN_MS: Milliseconds = 30_000;

/**
 * Wait before a refused credential is tried again: a user that was disabled may be enabled, and another server may have
 * answered in the platform's place.
 */
const REFUSED_AGAIN_MS: Milliseconds = 300_000;

/** What the owner of one credential is given. */
export interface OwnerDeps {
  readonly credential: Credential;
  readonly port: PlatformPort;
  readonly send: (fact: KeeperFact) => void;
  readonly guard: <A extends unknown[]>(fn: (...args: A) => void | Promise<void>) => (...args: A) => void;
  /** Milliseconds on a clock that nobody sets. */
  readonly elapsed: () => Milliseconds;
  /** Milliseconds since the epoch. */
  readonly now: () => Milliseconds;
  readonly random: () => number;
  /** Keeps a token out of the log until the returned function is called. */
  readonly protect: (value: string) => () => void;
  /** A token that was issued together with the credential; null where there is none. */
  readonly first: Grant | null;
}

/** The one owner of a credential: it alone asks the platform for access tokens. */
export interface TokenOwner {
  readonly token: (force: boolean) => Promise<TokenOutcome>;
  /** Ends it; it says nothing more. */
  readonly close: () => void;
}

/** Keeps access tokens of one credential fresh, and a connection open that ends when the credential is revoked. */
export const ownTokens = (deps: OwnerDeps): TokenOwner => {
  const { credential, port, send, guard, elapsed, now } = deps;
  const { origin } = credential;
  const ending = new AbortController();
  const { signal } = ending;
  let access: AccessToken | null = null;
  let refused = false;
  let renewing: Promise<TokenOutcome> | null = null;
  let renewal: ReturnType<typeof setTimeout> | undefined;
  let pause: ReturnType<typeof setTimeout> | undefined;
  let watch: { readonly close: () => void } | null = null;
  let unprotect = (): void => {};

  const told = (outcome: TokenOutcome): TokenOutcome =>
    signal.aborted ? { ok: false, reason: 'unreachable' } : outcome;
  const served = (kept: AccessToken): TokenOutcome => ({
    ok: true,
    token: kept.token,
    expiresInSeconds: secondsLeft(kept, elapsed()),
    origin,
  });
  // Read anew after a wait, in which it may have been replaced.
  const current = (): AccessToken | null => access;
  const refuse = (): TokenOutcome => {
    if (!refused && !signal.aborted) {
      refused = true;
      access = null;
      clearTimeout(renewal);
      clearTimeout(pause);
      watch?.close();
      send({ type: 'credential.refused', at: now() });
      // A long-lived token is not: each try would count as a failed login there.
      if (credential.method === 'oauth') tryAgainLater(credential.oauth);
    }
    return { ok: false, reason: 'refused' };
  };
  const tryAgainLater = (oauth: OauthCredential): void => {
    renewal = setTimeout(
      guard(async () => {
        const granted = await port.refresh(origin, oauth, signal);
        if (signal.aborted) return;
        if (!granted.ok) {
          tryAgainLater(oauth);
          return;
        }
        refused = false;
        send({ type: 'credential.changed', hasAddress: true, method: 'oauth', at: now() });
        keep(granted);
        await stayIn(0, false);
      }),
      REFUSED_AGAIN_MS,
    );
  };
  const fail = (failure: Failure): TokenOutcome => {
    if (failure.reason === 'refused') return refuse();
    if (!signal.aborted) send({ type: 'platform.lost', at: now() });
    return { ok: false, reason: 'unreachable' };
  };
  const renewLater = (delayMs: Milliseconds): void => {
    clearTimeout(renewal);
    renewal = setTimeout(
      guard(async () => {
        const outcome = await renewOnce();
        if (!outcome.ok && outcome.reason === 'unreachable' && !signal.aborted) renewLater(RENEW_AGAIN_MS);
      }),
      delayMs,
    );
  };
  const keep = (grant: Grant): TokenOutcome => {
    unprotect();
    unprotect = deps.protect(grant.accessToken);
    access = { token: grant.accessToken, expiresAt: elapsed() + grant.expiresInSeconds * 1000 };
    renewLater(renewIn(access, elapsed()));
    send({ type: 'platform.reached', at: now() });
    return served(access);
  };
  const renew = async (): Promise<TokenOutcome> => {
    if (refused) return { ok: false, reason: 'refused' };
    if (credential.method === 'long-lived') {
      const checked = await port.check(origin, credential.token, signal);
      if (!checked.ok) return told(fail(checked));
      if (!signal.aborted) send({ type: 'platform.reached', at: now() });
      return told({ ok: true, token: credential.token, expiresInSeconds: LONG_LIVED_SECONDS, origin });
    }
    const granted = await port.refresh(origin, credential.oauth, signal);
    if (signal.aborted) return { ok: false, reason: 'unreachable' };
    return granted.ok ? keep(granted) : fail(granted);
  };
  /** Whoever asks while a renewal is under way gets its outcome. */
  const renewOnce = (): Promise<TokenOutcome> => {
    renewing ??= renew().finally(() => {
      renewing = null;
    });
    return renewing;
  };
  const token = async (force: boolean): Promise<TokenOutcome> => {
    if (refused) return { ok: false, reason: 'refused' };
    if (credential.method === 'long-lived' && !force)
      return { ok: true, token: credential.token, expiresInSeconds: LONG_LIVED_SECONDS, origin };
    if (access !== null && isFresh(access, elapsed(), force)) return served(access);
    const renewed = await renewOnce();
    const kept = current();
    const better =
      !renewed.ok && renewed.reason === 'unreachable' && kept !== null && isLastResort(kept, elapsed(), force);
    return told(better ? served(kept) : renewed);
  };

  const stayIn = async (attempt: number, force: boolean): Promise<void> => {
    const given = await token(force);
    if (signal.aborted || refused) return;
    const again = (next: number, forced: boolean): void => {
      if (signal.aborted || refused) return;
      pause = setTimeout(
        guard(() => stayIn(next, forced)),
        backoffDelay(returning, next, deps.random()),
      );
    };
    if (!given.ok) {
      again(attempt + 1, false);
      return;
    }
    const begun = elapsed();
    watch = port.watch({
      origin,
      token: given.token,
      liftExpiry: credential.method === 'oauth',
      onUser: guard((user) => {
        send({ type: 'platform.reached', at: now() });
        send({ type: 'user.read', displayName: user.displayName, administrator: user.administrator, at: now() });
      }),
      onEnd: guard((end) => {
        watch = null;
        if (signal.aborted || refused) return;
        if (end === 'refused' && credential.method === 'long-lived') {
          refuse();
          return;
        }
        if (end === 'unreachable') send({ type: 'platform.lost', at: now() });
        const next = elapsed() - begun >= HELD_MS ? 1 : attempt + 1;
        // A connection that ended, or a token that was not taken, may mean a revoked credential: the token address
        // knows.
        if (end === 'closed' && credential.method === 'oauth') void verify().then(() => again(next, false));
        else again(next, end === 'refused');
      }),
    });
  };
  const verify = async (): Promise<void> => {
    await token(true);
  };

  if (credential.method === 'oauth') {
    if (deps.first !== null) keep(deps.first);
  }
  guard(() => stayIn(0, false))();

  return {
    token,
    close: () => {
      ending.abort();
      clearTimeout(renewal);
      clearTimeout(pause);
      watch?.close();
      unprotect();
    },
  };
};
