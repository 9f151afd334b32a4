import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { Grant, PlatformPort } from '#drivers/sign-in/contract.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import {
  type Credential,
  credentialInForce,
  isSameCredential,
  type OauthCredential,
  readCredential,
  storedCredential,
} from '#machines/sign-in/credential.ts';
import {
  ATTEMPT_MS,
  type CallbackOutcome,
  type KeeperCommand,
  type KeeperFact,
  type SignInAnswer,
  type StartOutcome,
  type TokenOutcome,
} from '#machines/sign-in/events.ts';
import { type Attempt, belongsTo, judgeCallback } from '#machines/sign-in/judge-callback.ts';
import { foreseeRefusal } from '#machines/sign-in/panel-origin.ts';
import { platformOrigin } from '#machines/sign-in/platform-address.ts';
import type { MergeOutcome } from '#machines/settings/events.ts';

import type { Registry } from '../kit/registry.ts';
import { readSecret } from '../settings.ts';
import { ownTokens, type TokenOwner } from './token-owner.ts';

/** What the keeper is wired to. */
export interface KeeperDeps {
  readonly registry: Pick<Registry, 'ask' | 'follow' | 'read'>;
  readonly port: PlatformPort;
  readonly now: () => Milliseconds;
  /** Milliseconds on a clock that nobody sets. */
  readonly elapsed: () => Milliseconds;
  readonly random: () => number;
  /** Keeps a secret out of the log until the returned function is called. */
  readonly protect: (value: string) => () => void;
}

/** How long a save may take, in milliseconds. */
const SAVE_MS = 9000;
/** Wait before the store is read again when it did not answer, in milliseconds. */
const READ_AGAIN_MS = 1000;

const clientOf = (panel: string): string => `${panel}/`;
const callbackOf = (panel: string): string => `${panel}/api/v1/ha/oauth/callback`;

/** The page of the platform on which a person signs in. */
const authorizationUrl = (attempt: Attempt, challenge: string): string =>
  `${attempt.platform}/auth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: clientOf(attempt.panelOrigin),
    redirect_uri: callbackOf(attempt.panelOrigin),
    state: attempt.state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }).toString()}`;

type Save = Extract<MergeOutcome, { status: 'refused' | 'commit-failed' }> | { readonly status: 'kept' };

/**
 * The one place where tokens are: it begins and ends attempts, owns the credential in force, and says what is known of
 * it.
 */
export const signInKeeper = (deps: KeeperDeps) =>
  fromDriver<KeeperCommand, undefined, KeeperFact>(({ send, onEvent, guard, signal }) => {
    const { registry, port, now, elapsed } = deps;
    let attempt: (Attempt & { readonly verifier: string }) | null = null;
    let inForce: Credential | null = null;
    let owner: TokenOwner | null = null;
    let known: { readonly origin: string | null } | null = null;
    let first: { readonly refreshToken: string; readonly grant: Grant } | null = null;
    let again: ReturnType<typeof setTimeout> | undefined;
    let unprotect = (): void => {};

    /** The address in force; undefined while the settings restart, which is not the same as having none. */
    const platform = (): string | null | undefined => {
      const settings = registry.read('settings')?.context;
      if (settings === undefined || settings.revision === 0) return undefined;
      const url = settings.values['ha_url'];
      return typeof url === 'string' && url !== '' ? url : null;
    };
    const save = async (
      patch: Readonly<Record<string, string | null>>,
      expect: Readonly<Record<string, string>> | null,
    ): Promise<Save> => {
      const own = expect !== null && { own: { expect } };
      const asked = await registry.ask('settings', { type: 'settings.merge', patch, ...own }, SAVE_MS);
      if (!asked.ok) return { status: 'commit-failed', reason: asked.reason };
      return asked.value.status === 'saved' || asked.value.status === 'no-op' ? { status: 'kept' } : asked.value;
    };
    const dropAttempt = (outcome: CallbackOutcome | null): void => {
      attempt = null;
      send({ type: 'attempt.closed', outcome, at: now() });
    };
    const forget = (old: Credential | null): void => {
      if (old?.method === 'oauth') void port.revoke(old.origin, old.oauth.refreshToken);
    };

    const takeUp = (origin: string | null, next: Credential | null): void => {
      if (known !== null && known.origin === origin && isSameCredential(inForce, next)) return;
      known = { origin };
      // One that was begun with the address which has just been saved goes on.
      if (attempt !== null && attempt.platform !== origin) dropAttempt(null);
      if (!isSameCredential(inForce, next)) {
        owner?.close();
        forget(inForce);
        unprotect();
        unprotect =
          next === null ? () => {} : deps.protect(next.method === 'oauth' ? next.oauth.refreshToken : next.token);
        inForce = next;
        owner = null;
      }
      send({ type: 'credential.changed', hasAddress: origin !== null, method: next?.method ?? null, at: now() });
      if (next === null || owner !== null) return;
      const grant = next.method === 'oauth' && first?.refreshToken === next.oauth.refreshToken ? first.grant : null;
      first = null;
      owner = ownTokens({ ...deps, credential: next, send, guard, first: grant });
    };
    const lookLater = (): void => {
      clearTimeout(again);
      if (!signal.aborted) again = setTimeout(guard(inTurn), READ_AGAIN_MS);
    };
    /** Reads what is stored and takes up what is in force; each run starts from the settings as they are then. */
    const look = async (): Promise<void> => {
      let token: string | null;
      let oauth: OauthCredential | null;
      try {
        const [tokenText, oauthText] = await Promise.all([
          readSecret(registry, 'ha_token'),
          readSecret(registry, 'ha_oauth'),
        ]);
        token = tokenText;
        oauth = oauthText === null ? null : readCredential(oauthText);
      } catch {
        lookLater();
        return;
      }
      if (signal.aborted) return;
      const origin = platform();
      // Taken for no address it would revoke what the panel signs in with.
      if (origin === undefined) {
        lookLater();
        return;
      }
      takeUp(origin, credentialInForce(origin, token, oauth));
      // A token entered by hand replaces the sign-in, which is then of no use to anybody.
      if (token !== null && oauth !== null && (await save({ ha_oauth: null }, {})).status === 'kept')
        void port.revoke(oauth.origin, oauth.refreshToken);
    };
    let turn: Promise<void> = Promise.resolve();
    const inTurn = (): Promise<void> => {
      turn = turn.then(look);
      return turn;
    };

    const start = async (command: Extract<KeeperCommand, { type: 'sign-in.start' }>): Promise<StartOutcome> => {
      const refused = (code: Extract<StartOutcome, { status: 'refused' }>['code'], message: string): StartOutcome => ({
        status: 'refused',
        code,
        message,
      });
      const named = command.haUrl === null ? null : platformOrigin(command.haUrl);
      const at = named === null ? (platform() ?? null) : named.ok ? named.value : null;
      // Before the address is saved: what cannot be done must not cost the sign-in that is in force.
      const foreseen = at === null ? null : foreseeRefusal(command.panelOrigin, at);
      if (foreseen !== null) return refused(foreseen.code, foreseen.message);
      if (command.haUrl !== null) {
        const saved = await save({ ha_url: command.haUrl }, null);
        if (saved.status === 'refused')
          return refused(
            'bad-address',
            Object.values(saved.reasons)[0] ?? 'The address of Home Assistant was refused.',
          );
        if (saved.status === 'commit-failed')
          return refused(
            'commit-failed',
            'The address of Home Assistant could not be saved. Free or repair the disk and try again.',
          );
      }
      if (at === null)
        return refused('no-address', 'There is no address of Home Assistant yet. Enter it here or under Configure.');
      const { state, verifier, challenge } = port.mint();
      attempt = { state, verifier, panelOrigin: command.panelOrigin, platform: at, until: elapsed() + ATTEMPT_MS };
      const expiresAt = command.now + ATTEMPT_MS;
      send({ type: 'attempt.opened', until: expiresAt });
      return { status: 'started', authorizationUrl: authorizationUrl(attempt, challenge), expiresAt };
    };

    const exchange = async (from: Attempt & { readonly verifier: string }, code: string): Promise<CallbackOutcome> => {
      const clientId = clientOf(from.panelOrigin);
      const granted = await port.exchange(from.platform, { code, clientId, verifier: from.verifier }, signal);
      if (!granted.ok) return granted.reason === 'refused' ? 'rejected' : 'unreachable';
      const oauth: OauthCredential = { refreshToken: granted.refreshToken ?? '', clientId, origin: from.platform };
      first = { refreshToken: oauth.refreshToken, grant: granted };
      const saved = await save({ ha_oauth: storedCredential(oauth), ha_token: null }, { ha_url: from.platform });
      if (saved.status === 'kept') return 'signed-in';
      first = null;
      void port.revoke(oauth.origin, oauth.refreshToken);
      return saved.status === 'refused' ? 'stale' : 'commit-failed';
    };
    const comeBack = async (
      callback: Extract<KeeperCommand, { type: 'sign-in.callback' }>,
    ): Promise<CallbackOutcome> => {
      const of = attempt;
      const judged = judgeCallback(of, callback, platform() ?? null, elapsed());
      // Used up before anything else is done with it: a second callback finds nothing.
      if (belongsTo(of, callback)) attempt = null;
      const outcome =
        judged !== 'exchange'
          ? judged
          : of === null || callback.code === null
            ? 'invalid-code'
            : await exchange(of, callback.code);
      if (belongsTo(of, callback)) {
        // A newer attempt may have been begun meanwhile; it stays open.
        if (attempt === null) send({ type: 'attempt.closed', outcome, at: now() });
        if (outcome === 'signed-in') await inTurn();
      }
      return outcome;
    };

    const answer = async (command: KeeperCommand): Promise<SignInAnswer> => {
      switch (command.type) {
        case 'sign-in.start':
          return start(command);
        case 'sign-in.callback':
          return { outcome: await comeBack(command) };
        case 'sign-in.token': {
          const none: TokenOutcome = { ok: false, reason: known === null ? 'unreachable' : 'none' };
          return owner === null ? none : owner.token(command.force);
        }
        case 'sign-in.sign-out': {
          if (attempt !== null) dropAttempt(null);
          const saved = await save({ ha_oauth: null, ha_token: null }, {});
          if (saved.status === 'kept') await inTurn();
          return { status: saved.status === 'kept' ? 'signed-out' : 'commit-failed' };
        }
      }
    };
    onEvent(async (command) => {
      const outcome = await answer(command);
      send({ type: 'keeper.answered', requestId: command.requestId, outcome });
    });

    const unfollow = registry.follow(
      'settings',
      (snapshot): number => snapshot?.context?.revision ?? 0,
      guard((revision: number) => (revision > 0 ? inTurn() : undefined)),
    );
    return () => {
      unfollow();
      clearTimeout(again);
      owner?.close();
      unprotect();
    };
  });
