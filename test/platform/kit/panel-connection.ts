import { type Actor, createActor } from 'xstate';

import { createInspector } from '#actors/kit/inspector.ts';
import { homeAssistantConnection } from '#drivers/home-assistant/connection.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { ReadOutcome, Reading, Topic } from '#machines/home-assistant/events.ts';
import { homeAssistantMachine } from '#machines/home-assistant/machine.ts';
import { excessStore } from '#test/fakes/excess-store.ts';
import { resident, tokenOf } from '../home-assistant/onboard.ts';
import { until } from './until.ts';

export type PanelConnection = Awaited<ReturnType<typeof connectPanel>>;

/** A panel's connection with an account that administers nothing, and what its inspector kept. */
export async function connectPanel(url: string, change: { readonly areaPauseMs?: number } = {}) {
  const token = await tokenOf(url, resident);
  const inspector = createInspector(Date.now);
  const actor: Actor<typeof homeAssistantMachine> = createActor(
    homeAssistantMachine.provide({
      actors: {
        connection: homeAssistantConnection({
          readToken: () => Promise.resolve({ ok: true, token, origin: url }),
          trustFor: () => Promise.resolve(undefined),
          elapsed: () => performance.now(),
          now: Date.now,
          isInForce: () => true,
          onRoute: () => {},
          ...change,
        }),
        needs: fromDriver(() => {}),
        store: excessStore(),
      },
      // Home Assistant is back within a second or two.
      delays: { retry: 200 },
    }),
    { input: { settleMs: 0 }, inspect: inspector.inspect },
  );
  const said: Reading[] = [];
  const replies = new Map<string, ReadOutcome>();
  actor.on('home-assistant.read-out', ({ reading }) => void said.push(reading));
  actor.on('reply', ({ requestId, outcome }) => {
    if (!outcome.ok || 'reading' in outcome) replies.set(requestId, outcome);
  });
  actor.start();
  actor.send({ type: 'needs.changed', credential: true, revision: 1, lifecycle: false, native: false });
  let requests = 0;
  const ask = (topic: Topic): string => {
    requests += 1;
    actor.send({ type: 'home-assistant.read', requestId: `read-${requests}`, topic });
    return `read-${requests}`;
  };
  const answer = (id: string) => until(`an answer to ${id}`, () => replies.get(id));
  return {
    actor,
    inspector,
    said,
    ask,
    answer,
    read: async (topic: Topic): Promise<Reading> => {
      const outcome = await answer(ask(topic));
      if (!outcome.ok) throw new Error(outcome.reason);
      return outcome.reading;
    },
    watch: (...topics: readonly Topic[]) => actor.send({ type: 'home-assistant.watch', watcher: 'room', topics }),
    context: () => actor.getSnapshot().context,
    stop: () => void actor.stop(),
  };
}
