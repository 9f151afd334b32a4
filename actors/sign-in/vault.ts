import { fromDriver } from '#drivers/kit/from-driver.ts';
import { serial } from '#drivers/kit/serial.ts';
import type { LookAt } from '#drivers/home-probe/look.ts';
import type { HeldCredential, HomeAssistantPort } from '#drivers/sign-in/contract.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import { isSameCredential, storedCredential } from '#machines/sign-in/credential.ts';
import {
  ATTEMPT_MS,
  type Credential,
  type OauthCredential,
  type VaultCommand,
  type VaultFact,
} from '#machines/sign-in/events.ts';
import { isSameRecipient } from '#machines/kit/recipient.ts';
import { homeAssistantRecipient } from '#machines/sign-in/home-assistant-address.ts';
import { type Attempt, belongsTo, judgeCallback, keepsAttempt } from '#machines/sign-in/judge-callback.ts';
import { passwordClientOf } from '#machines/sign-in/judge-exchange.ts';
import { isPasswordStale, judgeReading } from '#machines/sign-in/judge-reading.ts';
import { judgeStart, refusalOfLook, refusalOfSave, replacedStart } from '#machines/sign-in/judge-start.ts';
import type { StepCommand, StepResult } from '#machines/sign-in/requests/steps.ts';

import { authorizationUrl, callbackOf, clientOf } from './authorization-url.ts';
import { type Exchanged, type GivenLogin, type JudgedStart, type Redeemable, secretOf } from './secrets.ts';
import type { SignInStore } from './stored.ts';

/** Limit for the look at an address before a person is sent there; one in the same network answers within a second. */
const FIRST_LOOK_MS: Milliseconds = 3000;

export interface VaultDeps {
  readonly store: SignInStore;
  readonly port: HomeAssistantPort;
  /** Checks once, without a credential, that Home Assistant answers at an address. */
  readonly look: LookAt;
  readonly now: () => Milliseconds;
  /** Milliseconds on a monotonic clock. */
  readonly elapsed: () => Milliseconds;
  /** Keeps a secret out of the log until the returned function is called. */
  readonly protect: (value: string) => () => void;
  /** Puts the credential in force where the driver of its access tokens takes it; null where there is none. */
  readonly hold: (held: HeldCredential | null) => void;
}

type CommandOf<T extends VaultCommand['type']> = Extract<VaultCommand, { readonly type: T }>;

/**
 * The one place where credentials and the secrets of attempts are. It takes single steps with them; which step follows
 * is decided by the machines of `machines/sign-in`, what follows from a reading by `judgeReading`.
 */
export const signInVault = ({ store, port, look, now, elapsed, protect, hold }: VaultDeps) =>
  fromDriver<VaultCommand, undefined, VaultFact>(({ send, onEvent, signal }) => {
    let attempt: (Attempt & { readonly verifier: string }) | null = null;
    let inForce: Credential | null = null;
    /** The address that was read last; undefined before the first reading. */
    let known: string | null | undefined;
    let unprotect = (): void => {};
    let login: GivenLogin | null = null;
    /** Ends the look of a start when a newer one takes its place. */
    let looking: AbortController | null = null;
    const starts = new Map<string, JudgedStart>();
    const codes = new Map<string, Redeemable>();
    const exchanges = new Map<string, Exchanged>();
    /** Tokens of the jobs that sign-outs are part of. */
    const tokens = new Map<string, string>();
    const inTurn = serial({ stopsAtThrow: true });

    const revoke = ({ origin, refreshToken }: OauthCredential): void => void port.revoke(origin, refreshToken);
    const finish = (requestId: string, result: StepResult): void => send({ type: 'step.finished', requestId, result });
    const dropAttempt = (): void => {
      if (attempt === null) return;
      attempt = null;
      send({ type: 'attempt.closed', outcome: null, at: now() });
    };
    const forgetPassword = (): void => {
      login?.unprotect();
      login = null;
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
      if (verdict.endsPassword) {
        forgetPassword();
        send({ type: 'password.ended', outcome: 'password-stale', at: now() });
      }
      if (verdict.replacesCredential) {
        if (verdict.revokes && inForce?.method === 'oauth') revoke(inForce.oauth);
        unprotect();
        unprotect = next === null ? () => {} : protect(next.method === 'oauth' ? next.oauth.refreshToken : next.token);
        inForce = next;
        const refreshToken = next?.method === 'oauth' ? next.oauth.refreshToken : null;
        const exchanged = [...exchanges.values()].find(({ oauth }) => oauth.refreshToken === refreshToken);
        hold(next === null ? null : { credential: next, first: exchanged?.grant ?? null });
      }
      send({ type: 'credential.changed', hasAddress: origin !== null, method: next?.method ?? null, at: now() });
    };
    /** Takes up what is stored and in force now, once all earlier readings are over. */
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

    const keepStart = (start: CommandOf<'sign-in.start'>): void => {
      const { requestId, haUrl, panelOrigin, onDevice, now: startedAt } = start;
      const { homeAssistant, refusal } = judgeStart({ haUrl, panelOrigin }, store.address() ?? null);
      if (refusal !== null) {
        finish(requestId, { type: 'start.refused', refusal });
        return;
      }
      starts.set(requestId, { homeAssistant, haUrl, panelOrigin, onDevice, startedAt });
      finish(requestId, { type: 'start.judged', isAddressed: homeAssistant !== null, isNamed: haUrl !== null });
    };
    const keepCallback = (callback: CommandOf<'sign-in.callback'>): void => {
      const { requestId } = callback;
      const from = attempt;
      const verdict = judgeCallback(from, callback, store.address() ?? null, elapsed());
      if (!belongsTo(from, callback) || keepsAttempt(verdict)) {
        const outcome = verdict === 'exchange' ? 'invalid' : verdict;
        finish(requestId, { type: 'callback.refused', outcome, keepsAttempt: true, at: now() });
        return;
      }
      // Used up before anything else is done with it: a second callback finds nothing.
      attempt = null;
      send({ type: 'attempt.returned' });
      if (verdict !== 'exchange') {
        finish(requestId, { type: 'callback.refused', outcome: verdict, keepsAttempt: false, at: now() });
        return;
      }
      const { homeAssistant: origin, panelOrigin, verifier } = from;
      codes.set(requestId, {
        origin,
        clientId: clientOf(panelOrigin),
        code: callback.code ?? '',
        verifier,
        login: null,
      });
      finish(requestId, { type: 'callback.accepted' });
    };
    const keepPassword = async (given: CommandOf<'sign-in.by-password'>): Promise<void> => {
      forgetPassword();
      const { homeAssistant, username, password, panelOrigin } = given;
      const mine: GivenLogin = { homeAssistant, username, password, panelOrigin, unprotect: protect(password) };
      login = mine;
      // A token that was saved just before is known first.
      await read();
      if (login === mine) send({ type: 'password.held', isStale: isPasswordStale(homeAssistant, known ?? null) });
    };

    const isOutdated = ({ login: mine }: Pick<Redeemable, 'login'>): boolean => mine !== null && mine !== login;

    const steps: Readonly<Record<StepCommand['type'], (requestId: string) => StepResult | Promise<StepResult>>> = {
      // Where nothing answers, the browser would leave the panel for an error page. Where only the browser gets
      // through, the panel could not exchange the code.
      'start.look': async (requestId) => {
        const origin = secretOf(starts, requestId).homeAssistant ?? '';
        looking?.abort();
        const mine = new AbortController();
        looking = mine;
        const isSaved = isSameRecipient(homeAssistantRecipient(origin), homeAssistantRecipient(store.address() ?? ''));
        const outcome = await look({ origin, isSaved }, AbortSignal.any([signal, mine.signal]), FIRST_LOOK_MS);
        const refusal = mine.signal.aborted ? replacedStart : refusalOfLook(outcome, origin);
        return refusal === null ? { type: 'start.looked' } : { type: 'start.refused', refusal };
      },
      'start.save': async (requestId) => {
        const refusal = refusalOfSave(await store.save({ ha_url: secretOf(starts, requestId).haUrl }, {}));
        return refusal === null ? { type: 'start.saved' } : { type: 'start.refused', refusal };
      },
      'start.open': (requestId) => {
        const { homeAssistant, panelOrigin, onDevice, startedAt } = secretOf(starts, requestId);
        const { state, verifier, challenge } = port.generate();
        const until = elapsed() + ATTEMPT_MS;
        attempt = { state, verifier, panelOrigin, homeAssistant: homeAssistant ?? '', onDevice, until };
        const expiresAt = startedAt + ATTEMPT_MS;
        send({ type: 'attempt.opened', until: expiresAt });
        const outcome = {
          status: 'started',
          authorizationUrl: authorizationUrl(attempt, challenge),
          expiresAt,
        } as const;
        return { type: 'start.opened', outcome };
      },
      'password.try': async (requestId) => {
        const mine = login;
        const origin = known ?? null;
        if (mine === null || origin !== mine.homeAssistant) return { type: 'request.outdated' };
        const client = passwordClientOf(mine.panelOrigin, origin);
        const clientId = clientOf(client);
        const { username, password } = mine;
        const form = { username, password, clientId, redirectUri: callbackOf(client) };
        const asked = await port.logIn(origin, form, signal);
        if (login !== mine) return { type: 'request.outdated' };
        if (asked.ok) {
          codes.set(requestId, { origin, clientId, code: asked.code, verifier: null, login: mine });
          return { type: 'password.taken' };
        }
        return asked.reason === 'unreachable'
          ? { type: 'password.lost', sent: asked.sent, code: asked.code, at: now() }
          : { type: 'password.refused', outcome: asked.reason, at: now() };
      },
      'code.exchange': async (requestId) => {
        const redeemable = secretOf(codes, requestId);
        const { origin, clientId, code, verifier } = redeemable;
        const grant = await port.exchange(origin, { code, clientId, verifier }, signal);
        const isLate = isOutdated(redeemable);
        if (!grant.ok) {
          if (isLate) return { type: 'request.outdated' };
          return grant.reason === 'refused'
            ? { type: 'code.rejected', at: now() }
            : { type: 'code.unreachable', code: grant.code, at: now() };
        }
        const oauth: OauthCredential = { refreshToken: grant.refreshToken ?? '', clientId, origin };
        if (isLate) {
          revoke(oauth);
          return { type: 'request.outdated' };
        }
        exchanges.set(requestId, { oauth, grant, login: redeemable.login });
        return { type: 'code.exchanged' };
      },
      'credential.save': async (requestId) => {
        const exchanged = secretOf(exchanges, requestId);
        const { oauth } = exchanged;
        const patch = { ha_oauth: storedCredential(oauth), ha_token: null };
        const { status } = await store.save(patch, { ha_url: oauth.origin });
        if (status === 'kept') return { type: 'credential.kept', at: now() };
        exchanges.delete(requestId);
        revoke(oauth);
        return isOutdated(exchanged) ? { type: 'request.outdated' } : { type: 'credential.unkept', status, at: now() };
      },
      'credential.remove': async (requestId) => {
        const { status } = await store.save({ ha_oauth: null, ha_token: null }, {}, tokens.get(requestId));
        if (status === 'kept') return { type: 'credential.removed' };
        return { type: 'credential.left', status: status === 'busy' ? 'busy' : 'commit-failed' };
      },
      'credential.read': async () => {
        await read();
        return { type: 'credential.read' };
      },
    };

    onEvent(async (command) => {
      switch (command.type) {
        case 'sign-in.start':
          return keepStart(command);
        case 'sign-in.callback':
          return keepCallback(command);
        case 'sign-in.by-password':
          return keepPassword(command);
        case 'sign-in.sign-out':
          return void (command.token !== undefined && tokens.set(command.requestId, command.token));
        case 'vault.read':
          return read();
        case 'attempt.drop':
          return dropAttempt();
        case 'sign-in.leave':
          return attempt?.onDevice === true ? dropAttempt() : undefined;
        case 'password.forget':
          return forgetPassword();
        case 'request.forget':
          for (const secrets of [starts, codes, exchanges, tokens]) secrets.delete(command.requestId);
          return;
        default:
          finish(command.requestId, await steps[command.type](command.requestId));
      }
    });
    return () => {
      hold(null);
      unprotect();
      forgetPassword();
    };
  });
