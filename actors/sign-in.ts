import { signInMachine } from '#machines/sign-in/machine.ts';
import type { TokenOutcome } from '#machines/sign-in/events.ts';

import type { Registry } from './kit/registry.ts';
import type { ChildSpec } from './kit/spec.ts';
import { type KeeperDeps, signInKeeper } from './sign-in/keeper.ts';

/** Longest wait for an access token, in milliseconds: the platform's own answer is bounded at ten seconds. */
const TOKEN_MS = 12_000;

/**
 * An access token for the page of the platform; with `force` never the one that was just refused. It is told to that
 * page and nowhere else.
 */
export const readAccessToken = async (registry: Pick<Registry, 'ask'>, force: boolean): Promise<TokenOutcome> => {
  const event = { type: 'sign-in.token', force };
  const asked = await registry.ask<TokenOutcome>('sign-in', event, TOKEN_MS);
  return asked.ok ? asked.value : { ok: false, reason: 'unreachable' };
};

/** The sign-in to the platform: permanent; asked to stop, it ends at once. What it keeps is in the store. */
export const signInSpec = (deps: KeeperDeps): ChildSpec => ({
  id: 'sign-in',
  logic: signInMachine.provide({ actors: { keeper: signInKeeper(deps) } }),
  restart: 'permanent',
  stop: { event: { type: 'sign-in.stop' }, withinMs: 50 },
});
