import { createActor } from 'xstate';
import { homeAssistantConnection } from '#drivers/home-assistant/connection.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { healthTokens } from '#machines/home-assistant/health-tokens.ts';
import { homeAssistantMachine } from '#machines/home-assistant/machine.ts';
import { networkOf, phaseOf } from '#machines/home-assistant/phase.ts';
import type { HomeAssistantEvent, NeedsFact } from '#machines/home-assistant/events.ts';
import { excessStore } from '#test/fakes/excess-store.ts';

/** The connection of a panel whose three minutes of settling are over, in the test's own process. */
export interface HealthWatch {
  /** The tokens of the health line now. */
  readonly tokens: () => string;
  readonly phase: () => string;
  /** Each state of the lifecycle so far with who observed it, `shutting_down socket`, in order. */
  readonly lifecycle: readonly string[];
  /** What holds the connection from now on. */
  readonly need: (needs: Partial<Extract<NeedsFact, { readonly type: 'needs.changed' }>>) => void;
  readonly tell: (event: HomeAssistantEvent) => void;
  readonly stop: () => void;
}

/** Watches the Home Assistant at `origin` as an account with `token`; `pingMs` stands in for the agent's own 10 s. */
export function watchHealth(origin: string, token: string, pingMs?: number): HealthWatch {
  const lifecycle: string[] = [];
  const actor = createActor(
    homeAssistantMachine.provide({
      actors: {
        connection: homeAssistantConnection({
          readToken: () => Promise.resolve({ ok: true, token, origin }),
          trustFor: () => Promise.resolve(undefined),
          elapsed: () => performance.now(),
          now: Date.now,
          isInForce: () => true,
          onRoute: () => {},
          ...(pingMs !== undefined && { pingMs }),
        }),
        needs: fromDriver(() => {}),
        store: excessStore(),
      },
    }),
    { input: { settleMs: 0 } },
  );
  actor.subscribe(({ context: { lifecycle: now } }) => {
    const word = now === null ? 'none' : `${now.state} ${now.source ?? 'inferred'}`;
    if (word !== lifecycle.at(-1)) lifecycle.push(word);
  });
  actor.start();
  const need: HealthWatch['need'] = (needs) =>
    actor.send({ type: 'needs.changed', credential: true, revision: 1, lifecycle: true, native: false, ...needs });
  need({});
  return {
    tokens: () => {
      const shown = actor.getSnapshot();
      return healthTokens({ network: networkOf(shown), lifecycle: shown.context.lifecycle }, performance.now()).trim();
    },
    phase: () => phaseOf(actor.getSnapshot()),
    lifecycle,
    need,
    tell: (event) => actor.send(event),
    stop: () => void actor.stop(),
  };
}
