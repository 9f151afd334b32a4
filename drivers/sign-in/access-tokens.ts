import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { TokenOutcome, TokensCommand, TokensFact } from '#machines/sign-in/events.ts';

import type { Failure, Grant, HeldCredential, HomeAssistantPort } from './contract.ts';

export interface TokensDeps {
  readonly port: HomeAssistantPort;
  /** The credential in force, read once when the driver starts. */
  readonly held: () => HeldCredential | null;
  /** Milliseconds since the epoch. */
  readonly now: () => Milliseconds;
  /** Milliseconds on a monotonic clock. */
  readonly elapsed: () => Milliseconds;
  /** Keeps a token out of the log until the returned function is called. */
  readonly protect: (value: string) => () => void;
}

/** The validity that a page gets with a long-lived token: ten years, so that it does not ask again. */
const LONG_LIVED_MS: Milliseconds = 315_360_000_000;

/** Whole seconds that are left of a token. */
export const secondsIn = (leftMs: Milliseconds): number => Math.max(0, Math.floor(leftMs / 1000));

/** An access token and the end of its validity on a monotonic clock. It never enters a context. */
interface AccessToken {
  readonly token: string;
  readonly endsAt: Milliseconds;
}

/**
 * The sole owner of the access tokens of the credential in force: it alone requests them from Home Assistant, and
 * reports to its machine only how long they last.
 */
export const accessTokens = ({ port, held, now, elapsed, protect }: TokensDeps) =>
  fromDriver<TokensCommand, undefined, TokensFact>(({ send, onEvent, guard, signal }) => {
    const own = held();
    if (own === null) throw new Error('no-credential-held');
    const { credential, first } = own;
    const { origin } = credential;
    let access: AccessToken | null =
      credential.method === 'long-lived' ? { token: credential.token, endsAt: Number.POSITIVE_INFINITY } : null;
    let unprotect = (): void => {};
    let connection: { readonly close: () => void } | null = null;

    const leftMs = (): Milliseconds | null =>
      access === null ? null : Math.min(access.endsAt - elapsed(), LONG_LIVED_MS);
    const take = ({ accessToken, expiresInSeconds }: Grant): void => {
      unprotect();
      unprotect = protect(accessToken);
      access = { token: accessToken, endsAt: elapsed() + expiresInSeconds * 1000 };
    };
    const ready = (): void => send({ type: 'token.ready', leftMs: leftMs() ?? 0, at: now() });
    const failed = ({ reason, code }: Failure): void =>
      send(
        reason === 'refused'
          ? { type: 'token.refused', at: now() }
          : { type: 'token.unreachable', leftMs: leftMs(), code, at: now() },
      );

    const renew = async (): Promise<void> => {
      if (credential.method === 'long-lived') {
        const checked = await port.check(origin, credential.token, signal);
        if (checked.ok) ready();
        else failed(checked);
        return;
      }
      const granted = await port.refresh(origin, credential.oauth, signal);
      if (signal.aborted) return;
      if (granted.ok) {
        take(granted);
        ready();
      } else failed(granted);
    };
    const outcome = (): TokenOutcome =>
      access === null
        ? { ok: false, reason: 'unreachable' }
        : { ok: true, token: access.token, expiresInSeconds: secondsIn(leftMs() ?? 0), origin };

    const disconnect = (): void => {
      const open = connection;
      connection = null;
      open?.close();
    };
    const connect = (): void => {
      if (access === null) {
        send({ type: 'connection.ended', end: 'unreachable', code: 'no-token', at: now() });
        return;
      }
      const mine = port.connect({
        origin,
        token: access.token,
        liftExpiry: credential.method === 'oauth',
        onUser: guard(({ displayName, administrator }) =>
          send({ type: 'user.read', displayName, administrator, at: now() }),
        ),
        onEnd: guard((end, code) => {
          // A connection that was closed here has ended already.
          if (connection !== mine) return;
          connection = null;
          send({ type: 'connection.ended', end, code, at: now() });
        }),
      });
      connection = mine;
    };

    if (first !== null) {
      take(first);
      ready();
    }
    onEvent(async (command) => {
      switch (command.type) {
        case 'token.ask':
          send({ type: 'token.asked', requestId: command.requestId, force: command.force, leftMs: leftMs() });
          break;
        case 'token.give':
          for (const requestId of command.requestIds) send({ type: 'sign-in.answered', requestId, outcome: outcome() });
          break;
        case 'token.renew':
          await renew();
          break;
        case 'token.drop':
          access = null;
          disconnect();
          break;
        case 'connection.ask':
          send({ type: 'connection.asked', leftMs: leftMs() });
          break;
        case 'connection.open':
          connect();
          break;
      }
    });
    return () => {
      disconnect();
      unprotect();
    };
  });
