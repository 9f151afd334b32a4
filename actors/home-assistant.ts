import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
import type {
  ConnectionCommand,
  ConnectionFact,
  ConnectionInput,
  HomeAssistantEvent,
  NeedsFact,
} from '#machines/home-assistant/events.ts';
import { parkedFor } from '#machines/home-assistant/excess.ts';
import { SETTLE_MS } from '#machines/home-assistant/facts.ts';
import { homeAssistant } from '#machines/home-assistant/index.ts';
import { homeAssistantMachine } from '#machines/home-assistant/machine.ts';
import { socketRetryDelay } from '#machines/home-assistant/implementations.ts';
import type { SnapshotView } from '#machines/kit/snapshot.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';
import type { SettingsContext } from '#machines/settings/events.ts';

import { excessStore } from './home-assistant-excess.ts';
import { followAll, lastKnown } from './kit/follow-all.ts';
import { part, type Part } from './kit/part.ts';
import type { Registry } from './kit/registry.ts';

export interface HomeAssistantDeps {
  readonly registry: Registry;
  /** One connection (`homeAssistantConnection()` in `drivers/home-assistant`). */
  readonly connection: DriverLogic<ConnectionCommand, ConnectionInput, ConnectionFact>;
  readonly now: () => EpochMs;
  /** Milliseconds since the agent began. */
  readonly uptime: () => Milliseconds;
}

/** True if the entities go through the integration in Home Assistant; null until the settings are known. */
const isNative = () =>
  lastKnown((snapshot: SnapshotView<SettingsContext> | undefined) =>
    snapshot === undefined || snapshot.context.revision === 0
      ? null
      : snapshot.context.values['entity_surface'] === 'native',
  );

/** Reports who is signed in, what shows the dashboard, and what Home Assistant announced at the broker. */
const needsFollower = (registry: Registry) =>
  fromDriver<HomeAssistantEvent, undefined, NeedsFact>(({ send, guard }) => {
    const ends = [
      followAll(
        registry,
        {
          // After a restart it knows its credential only once its vault was read; until then the last known one counts.
          'sign-in': lastKnown((snapshot) =>
            snapshot === undefined || snapshot.context.revision === 0
              ? null
              : { credential: snapshot.context.phase === 'signed-in', revision: snapshot.context.revision },
          ),
          renderer: lastKnown((snapshot) => (snapshot === undefined ? null : snapshot.context.mode === 'builtin')),
          settings: isNative(),
        },
        guard(({ 'sign-in': signIn, renderer, settings: native }) =>
          send({
            type: 'needs.changed',
            credential: signIn?.credential ?? false,
            revision: signIn?.revision ?? 0,
            lifecycle: renderer ?? false,
            native: native ?? false,
          }),
        ),
      ),
      // After the needs, which say if it counts.
      followAll(
        registry,
        {
          settings: isNative(),
          companion: lastKnown((snapshot) => (snapshot === undefined ? null : { life: snapshot.context.life })),
        },
        guard(({ companion }) => {
          if (companion !== null) send({ type: 'native.observed', life: companion.life });
        }),
      ),
      registry.listen(
        'publisher',
        'homeAssistant.said',
        guard(({ online }) => send({ type: 'will.observed', online })),
      ),
    ];
    return () => {
      for (const end of ends) end();
    };
  });

export const homeAssistantSpec = ({ registry, connection, now, uptime }: HomeAssistantDeps): Part =>
  part(
    homeAssistant,
    homeAssistantMachine.provide({
      actors: { connection, needs: needsFollower(registry), store: excessStore(registry) },
      delays: {
        retry: ({ context }) => socketRetryDelay(context.attempt, Math.random()),
        parked: ({ context }) => (context.excess === null ? 0 : parkedFor(context.excess, now())),
      },
    }),
    { input: () => ({ settleMs: Math.max(0, SETTLE_MS - uptime()) }) },
  );
