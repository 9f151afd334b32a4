import { createActor } from 'xstate';
import { expect, onTestFinished, vi } from 'vitest';

import { signInLogic } from '#actors/sign-in.ts';
import { accessTokens } from '#drivers/sign-in/access-tokens.ts';
import type { LookAt } from '#drivers/home-probe/look.ts';
import type { ConnectionInput, Failure, Grant, HomeAssistantPort } from '#drivers/sign-in/contract.ts';
import { storedCredential } from '#machines/sign-in/credential.ts';
import type {
  CallbackOutcome,
  SignInContext,
  SignInEvent,
  StartOutcome,
  TokenOutcome,
} from '#machines/sign-in/events.ts';
import { withAssignments } from '#machines/kit/recipient.ts';
import { recipientNamed } from '#machines/settings/assign.ts';
import type { OwnWrite } from '#machines/settings/events.ts';
import { defaultConfiguration, mergeSettings, type Configuration } from '#machines/settings/merge.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

export const origin = 'http://192.168.1.20:8123';
export const panel = 'http://192.168.1.40:8888';
export const oauth = { refreshToken: 'refresh-1', clientId: `${panel}/`, origin };
/** Tokens that Home Assistant issued. */
export const grant = (token: string, refreshToken: string | null = null): Grant => ({
  ok: true,
  accessToken: token,
  refreshToken,
  expiresInSeconds: 1800,
});
/** The answer of a Home Assistant that is unreachable. */
export const unreachable: Failure = { ok: false, reason: 'unreachable', code: 'ECONNREFUSED' };
/** The answer of a Home Assistant that refuses. */
export const refused: Failure = { ok: false, reason: 'refused', code: 'http-400' };

/** The sign-in over settings in memory and a scripted Home Assistant. */
export function start(address: string, secrets: Readonly<Record<string, string>>) {
  let configuration: Configuration = {
    ...defaultConfiguration,
    values: { ...defaultConfiguration.values, ha_url: address },
    secrets,
  };
  let revision = 1;
  let failing = false;
  let busy = false;
  const tokens: unknown[] = [];
  let elapsed = 0;
  const registry = fakeRegistry({});
  const publish = (): void => {
    const flags = Object.fromEntries(Object.keys(configuration.secrets).map((key) => [key, true]));
    registry.put('settings', { values: configuration.values, secrets: flags, revision });
  };
  const merge = (patch: Readonly<Record<string, unknown>>, own: OwnWrite | null): unknown => {
    if (busy) return { status: 'busy' };
    if (failing) return { status: 'commit-failed', reason: 'ENOSPC' };
    const judged = mergeSettings(configuration, patch, own);
    if (judged.status !== 'saved') return judged;
    const drop = (record: object): Record<string, never> =>
      Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null)) as Record<string, never>;
    configuration = {
      ...configuration,
      values: drop({ ...configuration.values, ...judged.changes.values }),
      secrets: drop({ ...configuration.secrets, ...judged.changes.secrets }),
    };
    revision += 1;
    publish();
    return { status: 'saved', applied: judged.applied };
  };
  // Each secret is for the recipient that the settings name; `mergeSettings` decides what another one does to it.
  const stored = () =>
    withAssignments(
      configuration.secrets,
      new Map(
        Object.keys(configuration.secrets).map((key) => {
          const recipient = recipientNamed(configuration, key);
          return [key, { id: key, recipient, by: 'save' as const, at: 1 }];
        }),
      ),
    );
  registry.answer = (id, event) => {
    if (id === 'store') return { ok: true, value: { ok: true, value: stored() } };
    const { patch, own, token } = event as unknown as {
      readonly patch: Record<string, unknown>;
      readonly own?: OwnWrite;
      readonly token?: string;
    };
    tokens.push(token);
    return { ok: true, value: merge(patch, own ?? null) };
  };
  publish();

  const look = vi.fn<LookAt>(async () => ({ status: 'answered' }));
  const connections: ConnectionInput[] = [];
  const hidden = new Set<string>();
  let generated = 0;
  const port = {
    exchange: vi.fn<HomeAssistantPort['exchange']>(async () => grant('access-x', 'refresh-x')),
    refresh: vi.fn<HomeAssistantPort['refresh']>(async () => grant('access-1')),
    revoke: vi.fn<HomeAssistantPort['revoke']>(async () => {}),
    check: vi.fn<HomeAssistantPort['check']>(async () => ({ ok: true })),
    connect: (input: ConnectionInput) => {
      connections.push(input);
      return { close: () => {} };
    },
    logIn: vi.fn<HomeAssistantPort['logIn']>(async () => ({ ok: true, code: 'c' })),
    generate: () => {
      generated += 1;
      return { state: String(generated).repeat(43), verifier: 'v', challenge: 'ch' };
    },
  };
  const shared = {
    port,
    now: () => 7,
    elapsed: () => elapsed,
    protect: (value: string) => {
      hidden.add(value);
      return () => hidden.delete(value);
    },
  };
  const actor = createActor(
    signInLogic({
      ...shared,
      registry,
      random: () => 0.5,
      look,
      tokens: (held) => accessTokens({ ...shared, held }),
    }),
  );
  const replies = new Map<string, unknown>();
  actor.on('reply', (reply) => void replies.set(reply.requestId, reply.outcome));
  actor.start();
  onTestFinished(() => void actor.stop());
  let asked = 0;
  // The shape of the outcome belongs to the event that is asked.
  const ask = async <T>(event: Record<string, unknown>): Promise<T> => {
    asked += 1;
    const requestId = `q${asked}`;
    actor.send({ ...event, requestId } as unknown as SignInEvent);
    return (await vi.waitUntil(() => replies.get(requestId))) as T;
  };
  return {
    port,
    look,
    connections,
    registry,
    publish,
    hidden,
    facts: (): SignInContext => actor.getSnapshot().context,
    /** Everything that is visible of the machine and its drivers from outside. */
    seen: () => JSON.stringify(actor.getPersistedSnapshot()),
    settled: (phase: SignInContext['phase']) => vi.waitFor(() => expect(actor.getSnapshot().context.phase).toBe(phase)),
    token: (force = false) => ask<TokenOutcome>({ type: 'sign-in.token', force }),
    begin: (panelOrigin = panel, haUrl: string | null = null, onDevice = false) =>
      ask<StartOutcome>({ type: 'sign-in.start', panelOrigin, haUrl, onDevice, now: 1000 }),
    /** The panel's own browser leaves the login. */
    leave: () => actor.send({ type: 'sign-in.leave' }),
    comeBack: async (state: string, more: object = {}) =>
      (
        await ask<{ outcome: CallbackOutcome }>({
          type: 'sign-in.callback',
          state,
          code: 'c',
          error: null,
          panelOrigin: panel,
          now: 1,
          ...more,
        })
      ).outcome,
    stop: () => void actor.stop(),
    give: (panelOrigin = panel) =>
      actor.send({
        type: 'sign-in.by-password',
        homeAssistant: origin,
        username: 'wall',
        password: 'hunter2',
        panelOrigin,
      }),
    signOut: (token?: string) =>
      ask<{ status: string }>({ type: 'sign-in.sign-out', ...(token !== undefined && { token }) }),
    /** Tokens of the jobs that saves were part of. */
    tokens,
    save: (patch: Readonly<Record<string, unknown>>) => merge(patch, null),
    secrets: () => configuration.secrets,
    fail: (value: boolean) => (failing = value),
    /** Settings that a job holds for too long. */
    beBusy: (value: boolean) => (busy = value),
    pass: (ms: number) => (elapsed += ms),
  };
}

/** A sign-in as it is stored. */
export const stored = { ha_oauth: storedCredential(oauth) };
