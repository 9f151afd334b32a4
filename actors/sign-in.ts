import { signInMachine } from '#machines/sign-in/machine.ts';
import { signIn } from '#machines/sign-in/index.ts';
import type { TokenOutcome } from '#machines/sign-in/events.ts';

import type { Registry } from './kit/registry.ts';
import { part, type Part } from './kit/part.ts';
import { type KeeperDeps, signInKeeper } from './sign-in/keeper.ts';

/** Longest wait for an access token, in milliseconds: the platform's own answer is bounded at ten seconds. */
const TOKEN_MS = 12_000;

/**
 * An access token for the page of the platform; with `force` never the one that was just refused. It is told to that
 * page and nowhere else.
 */
export const readAccessToken = async (registry: Pick<Registry, 'ask'>, force: boolean): Promise<TokenOutcome> => {
  const asked = await registry.ask('sign-in', { type: 'sign-in.token', force }, TOKEN_MS);
  return asked.ok ? asked.value : { ok: false, reason: 'unreachable' };
};

/** The sign-in to the platform. What it keeps is in the store. */
export const signInSpec = (deps: KeeperDeps): Part =>
  part(signIn, signInMachine.provide({ actors: { keeper: signInKeeper(deps) } }), {
    stop: { event: { type: 'sign-in.stop' }, withinMs: 50 },
  });
