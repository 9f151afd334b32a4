import type { EventObject } from 'xstate';

import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
import type { HeldCredential } from '#drivers/sign-in/contract.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type {
  DoubtFact,
  LookFact,
  SettingsFact,
  TokenOutcome,
  TokensCommand,
  TokensFact,
} from '#machines/sign-in/events.ts';
import { signIn } from '#machines/sign-in/index.ts';
import { signInMachine } from '#machines/sign-in/machine.ts';
import { reconnectDelay } from '#machines/sign-in/token-times.ts';

import type { Registry } from './kit/registry.ts';
import { part, type Part } from './kit/part.ts';
import { signInStore } from './sign-in/stored.ts';
import { signInVault, type VaultDeps } from './sign-in/vault.ts';

/** Longest wait for an access token, in milliseconds: Home Assistant's own answer is bounded at ten seconds. */
const TOKEN_MS: Milliseconds = 12_000;

/** What the sign-in is wired to. */
export interface SignInDeps extends Omit<VaultDeps, 'store' | 'hold'> {
  readonly registry: Pick<Registry, 'ask' | 'follow' | 'read'>;
  /** The driver of the access tokens, for the credential that is held when it starts. */
  readonly tokens: (held: () => HeldCredential | null) => DriverLogic<TokensCommand, undefined, TokensFact>;
  readonly random: () => number;
}

/**
 * An access token for the page of Home Assistant; with `force` never the one that was just refused. It is told to that
 * page and nowhere else.
 */
export async function readAccessToken(registry: Pick<Registry, 'ask'>, force: boolean): Promise<TokenOutcome> {
  const asked = await registry.ask('sign-in', { type: 'sign-in.token', force }, TOKEN_MS);
  return asked.ok ? asked.value : { ok: false, reason: 'unreachable' };
}

/**
 * The token that the connection to Home Assistant is made with, as its driver takes it: `auth-invalid` where the
 * credential is refused, else the code of why there is none.
 */
export const socketToken =
  (registry: Pick<Registry, 'ask' | 'read'>) =>
  async (
    force: boolean,
  ): Promise<
    | { readonly ok: true; readonly token: string; readonly origin: string }
    | { readonly ok: false; readonly code: string }
  > => {
    const read = await readAccessToken(registry, force);
    if (read.ok) return read;
    if (read.reason !== 'unreachable') return { ok: false, code: 'auth-invalid' };
    return { ok: false, code: registry.read('sign-in')?.context.failure ?? 'no-token' };
  };

/** Says each time that the settings are others than before. */
const settingsFollower = (registry: SignInDeps['registry']) =>
  fromDriver<EventObject, undefined, SettingsFact>(({ send }) =>
    registry.follow(
      'settings',
      (snapshot): number => snapshot?.context?.revision ?? 0,
      (revision: number) => (revision > 0 ? send({ type: 'settings.changed' }) : undefined),
    ),
  );

/** Says each time that the connection to Home Assistant was refused or ended. */
const doubtFollower = (registry: SignInDeps['registry']) =>
  fromDriver<EventObject, undefined, DoubtFact>(({ send }) => {
    let known = 0;
    return registry.follow(
      'home-assistant',
      (snapshot): number => snapshot?.context?.doubts ?? 0,
      (doubts: number) => {
        // A part that is started again counts from zero.
        if (doubts > known) send({ type: 'credential.doubted' });
        known = doubts;
      },
    );
  });

/** Looks once at the address that is set. */
const addressLook = ({ registry, look, now }: Pick<SignInDeps, 'registry' | 'look' | 'now'>) =>
  fromDriver<EventObject, undefined, LookFact>(async ({ send, signal }) => {
    const origin = String(registry.read('settings')?.context.values['ha_url'] ?? '');
    if (origin === '') return;
    const outcome = await look({ origin, isSaved: true }, signal);
    send({ type: 'address.looked', outcome, at: now() });
  });

/** The machine of the sign-in with its drivers; the credential goes from the vault to the tokens past the machine. */
export function signInLogic({ registry, tokens, random, look, ...deps }: SignInDeps) {
  let held: HeldCredential | null = null;
  const hold: VaultDeps['hold'] = (next) => {
    held = next;
  };
  return signInMachine.provide({
    actors: {
      vault: signInVault({ ...deps, look, store: signInStore(registry), hold }),
      tokens: tokens(() => held),
      settings: settingsFollower(registry),
      doubts: doubtFollower(registry),
      look: addressLook({ registry, look, now: deps.now }),
    },
    delays: {
      reconnection: ({ context }) => reconnectDelay(context.tries, random()),
      passwordAgain: ({ context }) => reconnectDelay(context.passwordTries, random()),
    },
  });
}

/** The sign-in to Home Assistant. What it keeps is in the store. */
export const signInSpec = (deps: SignInDeps): Part => part(signIn, signInLogic(deps));
