import { fromDriver } from '#drivers/kit/from-driver.ts';
import { serial } from '#drivers/kit/serial.ts';
import type { LookAt } from '#drivers/home-probe/look.ts';
import type { Grant, HeldCredential, HomeAssistantPort } from '#drivers/sign-in/contract.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import { isSameCredential, storedCredential } from '#machines/sign-in/credential.ts';
import {
  ATTEMPT_MS,
  type CallbackOutcome,
  type Credential,
  type OauthCredential,
  type PasswordEnd,
  type SignInAnswer,
  type StartOutcome,
  type VaultCommand,
  type VaultFact,
} from '#machines/sign-in/events.ts';
import { isSameRecipient } from '#machines/kit/recipient.ts';
import { homeAssistantRecipient } from '#machines/sign-in/home-assistant-address.ts';
import { type Attempt, belongsTo, judgeCallback, keepsAttempt } from '#machines/sign-in/judge-callback.ts';
import {
  callbackOutcomeOf,
  type Exchanged,
  exchangedBySave,
  passwordClientOf,
  passwordEndOf,
} from '#machines/sign-in/judge-exchange.ts';
import { isPasswordStale, judgeReading } from '#machines/sign-in/judge-reading.ts';
import {
  judgeStart,
  refusalOfLook,
  refusalOfSave,
  replacedStart,
  unaddressedStart,
} from '#machines/sign-in/judge-start.ts';

import { authorizationUrl, callbackOf, clientOf } from './authorization-url.ts';
import type { SignInStore } from './stored.ts';

/** Longest look at an address before a person is sent there; a Home Assistant at home answers within a second. */
const FIRST_LOOK_MS: Milliseconds = 3000;

/** What the vault is wired to. */
export interface VaultDeps {
  readonly store: SignInStore;
  readonly port: HomeAssistantPort;
  /** One look whether Home Assistant answers at an address, without a credential. */
  readonly look: LookAt;
  readonly now: () => Milliseconds;
  /** Milliseconds on a clock that nobody sets. */
  readonly elapsed: () => Milliseconds;
  /** Keeps a secret out of the log until the returned function is called. */
  readonly protect: (value: string) => () => void;
  /** Puts the credential in force where the driver of its access tokens takes it; null where there is none. */
  readonly hold: (held: HeldCredential | null) => void;
}

/** A user and password that were handed over, for as long as they may be needed. */
interface GivenLogin {
  readonly homeAssistant: string;
  readonly username: string;
  readonly password: string;
  readonly panelOrigin: string;
  /** Takes the password back out of what is kept out of the log. */
  readonly unprotect: () => void;
}

/** A one-use code and what it is exchanged with. */
interface Redeemable {
  readonly origin: string;
  readonly clientId: string;
  readonly code: string;
  readonly verifier: string | null;
}

type CommandOf<T extends VaultCommand['type']> = Extract<VaultCommand, { readonly type: T }>;

/**
 * The one place where credentials and the secrets of attempts are. The machine says when something is done with them
 * and is told the result; what follows from a reading, a start or an exchange is decided in `machines/sign-in`.
 */
export const signInVault = ({ store, port, look, now, elapsed, protect, hold }: VaultDeps) =>
  fromDriver<VaultCommand, undefined, VaultFact>(({ send, onEvent, signal }) => {
    let attempt: (Attempt & { readonly verifier: string }) | null = null;
    let inForce: Credential | null = null;
    /** The address that was read last; undefined before the first reading. */
    let known: string | null | undefined;
    let first: { readonly refreshToken: string; readonly grant: Grant } | null = null;
    let unprotect = (): void => {};
    let login: GivenLogin | null = null;
    /** Ends the look of a start when a newer one takes its place. */
    let looking: AbortController | null = null;
    const inTurn = serial({ stopsAtThrow: true });

    const revoke = ({ origin, refreshToken }: OauthCredential): void => void port.revoke(origin, refreshToken);
    const dropAttempt = (): void => {
      attempt = null;
      send({ type: 'attempt.closed', outcome: null, at: now() });
    };

    const forgetPassword = (): void => {
      login?.unprotect();
      login = null;
    };
    const endPassword = (outcome: PasswordEnd | 'signed-in'): void => {
      forgetPassword();
      send({ type: 'password.ended', outcome, at: now() });
    };

    const takeUp = (origin: string | null, next: Credential | null): void => {
      const held = {
        known,
        method: inForce?.method ?? null,
        attemptAt: attempt?.homeAssistant ?? null,
        passwordFor: login?.homeAssistant ?? null,
      };
      const verdict = judgeReading(held, { origin, isSame: isSameCredential(inForce, next) });
      if (!verdict.isChange) return;
      known = origin;
      if (verdict.dropsAttempt) dropAttempt();
      if (verdict.endsPassword) endPassword('password-stale');
      if (verdict.replacesCredential) {
        if (verdict.revokes && inForce?.method === 'oauth') revoke(inForce.oauth);
        unprotect();
        unprotect = next === null ? () => {} : protect(next.method === 'oauth' ? next.oauth.refreshToken : next.token);
        inForce = next;
        const grant = next?.method === 'oauth' && first?.refreshToken === next.oauth.refreshToken ? first.grant : null;
        if (next !== null) first = null;
        hold(next === null ? null : { credential: next, first: grant });
      }
      send({ type: 'credential.changed', hasAddress: origin !== null, method: next?.method ?? null, at: now() });
    };
    /** Takes up what is stored and in force now, after all readings that were begun before. */
    const read = (): Promise<void> =>
      inTurn(async () => {
        if (signal.aborted) return;
        const stored = await store.read();
        if (signal.aborted) return;
        if (stored === null) {
          send({ type: 'vault.unread' });
          return;
        }
        takeUp(stored.origin, stored.inForce);
        send({ type: 'settings.taken', revision: stored.revision });
        const { replaced } = stored;
        if (replaced !== null && (await store.save({ ha_oauth: null }, {})).status === 'kept') revoke(replaced);
      });

    /**
     * Looks at an address before a person is sent there: their browser would leave the panel for an error page, and
     * where it alone gets through, the panel could not exchange the code.
     */
    const refusalAt = async (homeAssistant: string): Promise<StartOutcome | null> => {
      looking?.abort();
      const mine = new AbortController();
      looking = mine;
      const target = {
        origin: homeAssistant,
        isSaved: isSameRecipient(homeAssistantRecipient(homeAssistant), homeAssistantRecipient(store.address() ?? '')),
      };
      const outcome = await look(target, AbortSignal.any([signal, mine.signal]), FIRST_LOOK_MS);
      return mine.signal.aborted ? replacedStart : refusalOfLook(outcome, homeAssistant);
    };

    const start = async ({ haUrl, panelOrigin, now: startedAt }: CommandOf<'sign-in.start'>): Promise<StartOutcome> => {
      const { homeAssistant, refusal } = judgeStart({ haUrl, panelOrigin }, store.address() ?? null);
      if (refusal !== null) return refusal;
      const unreached = homeAssistant === null ? null : await refusalAt(homeAssistant);
      if (unreached !== null) return unreached;
      const unsaved = haUrl === null ? null : refusalOfSave(await store.save({ ha_url: haUrl }, null));
      if (unsaved !== null) return unsaved;
      if (homeAssistant === null) return unaddressedStart;
      const { state, verifier, challenge } = port.generate();
      attempt = { state, verifier, panelOrigin, homeAssistant, until: elapsed() + ATTEMPT_MS };
      const expiresAt = startedAt + ATTEMPT_MS;
      send({ type: 'attempt.opened', until: expiresAt });
      return { status: 'started', authorizationUrl: authorizationUrl(attempt, challenge), expiresAt };
    };

    /** Exchanges a code and keeps what came of it, unless `isWanted` says that it is of no use any more. */
    const redeem = async (
      { origin, clientId, code, verifier }: Redeemable,
      isWanted: () => boolean,
    ): Promise<{ readonly outcome: Exchanged; readonly code: string }> => {
      const granted = await port.exchange(origin, { code, clientId, verifier }, signal);
      if (!granted.ok)
        return { outcome: granted.reason === 'refused' ? 'rejected' : 'unreachable', code: granted.code };
      const oauth: OauthCredential = { refreshToken: granted.refreshToken ?? '', clientId, origin };
      if (!isWanted()) {
        revoke(oauth);
        return { outcome: 'stale', code: 'not-wanted' };
      }
      first = { refreshToken: oauth.refreshToken, grant: granted };
      const saved = await store.save({ ha_oauth: storedCredential(oauth), ha_token: null }, { ha_url: origin });
      if (saved.status !== 'kept') {
        first = null;
        revoke(oauth);
      }
      return { outcome: exchangedBySave(saved.status), code: saved.status };
    };

    const exchange = async (from: Attempt & { readonly verifier: string }, code: string): Promise<CallbackOutcome> => {
      send({ type: 'attempt.returned' });
      const { homeAssistant: origin, panelOrigin, verifier } = from;
      const redeemed = await redeem({ origin, clientId: clientOf(panelOrigin), code, verifier }, () => true);
      return callbackOutcomeOf(redeemed.outcome, redeemed.code);
    };
    const comeBack = async (callback: CommandOf<'sign-in.callback'>): Promise<CallbackOutcome> => {
      const from = attempt;
      const judged = judgeCallback(from, callback, store.address() ?? null, elapsed());
      if (!belongsTo(from, callback)) return 'invalid';
      if (keepsAttempt(judged)) return judged;
      // Used up before anything else is done with it: a second callback finds nothing.
      attempt = null;
      const outcome = judged === 'exchange' ? await exchange(from, callback.code ?? '') : judged;
      // A newer attempt may have been begun meanwhile; it stays open.
      if (attempt === null) send({ type: 'attempt.closed', outcome, at: now() });
      if (outcome === 'signed-in') await read();
      return outcome;
    };

    const takePassword = async (given: CommandOf<'sign-in.by-password'>): Promise<void> => {
      forgetPassword();
      const { homeAssistant, username, password, panelOrigin } = given;
      const mine: GivenLogin = { homeAssistant, username, password, panelOrigin, unprotect: protect(password) };
      login = mine;
      // A token that was saved just before is known first.
      await read();
      if (inForce === null && isPasswordStale(login?.homeAssistant ?? null, known ?? null))
        endPassword('password-stale');
      if (login === mine) send({ type: 'password.held' });
    };
    const tryPassword = async (): Promise<void> => {
      const mine = login;
      const origin = known ?? null;
      if (mine === null || origin !== mine.homeAssistant) return;
      const client = passwordClientOf(mine.panelOrigin, origin);
      const clientId = clientOf(client);
      const { username, password } = mine;
      const asked = await port.logIn(origin, { username, password, clientId, redirectUri: callbackOf(client) }, signal);
      if (login !== mine) return;
      if (!asked.ok && asked.reason !== 'unreachable') return endPassword(asked.reason);
      if (!asked.ok) return send({ type: 'password.unreachable', sent: asked.sent, code: asked.code, at: now() });
      const redeemed = await redeem({ origin, clientId, code: asked.code, verifier: null }, () => login === mine);
      const end = passwordEndOf(redeemed.outcome);
      if (end === 'signed-in') {
        endPassword(end);
        return read();
      }
      if (login !== mine) return;
      if (end === null) send({ type: 'password.unreachable', sent: true, code: redeemed.code, at: now() });
      else endPassword(end);
    };

    const signOut = async (): Promise<SignInAnswer> => {
      if (attempt !== null) dropAttempt();
      const saved = await store.save({ ha_oauth: null, ha_token: null }, {});
      if (saved.status !== 'kept') return { status: 'commit-failed' };
      await read();
      return { status: 'signed-out' };
    };

    const answer = (requestId: string, outcome: SignInAnswer): void =>
      send({ type: 'sign-in.answered', requestId, outcome });
    onEvent(async (command) => {
      switch (command.type) {
        case 'vault.read':
          return read();
        case 'sign-in.start':
          return answer(command.requestId, await start(command));
        case 'sign-in.callback':
          return answer(command.requestId, { outcome: await comeBack(command) });
        case 'sign-in.sign-out':
          return answer(command.requestId, await signOut());
        case 'sign-in.by-password':
          return takePassword(command);
        case 'password.try':
          return tryPassword();
        case 'password.forget':
          return forgetPassword();
      }
    });
    return () => {
      hold(null);
      unprotect();
      forgetPassword();
    };
  });
