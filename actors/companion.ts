import type { EventObject } from 'xstate';

import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
import type {
  BridgeCommand,
  BridgeFact,
  CompanionFollower,
  FollowedFact,
  SessionsDriver,
} from '#machines/companion/events.ts';
import { companion } from '#machines/companion/index.ts';
import { companionMachine } from '#machines/companion/machine.ts';
import { surfaceOf } from '#machines/companion/settings.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';

import { companionKeys } from './companion/keys.ts';
import { pairingQuestion } from './companion/question.ts';
import { followAll, lastKnown } from './kit/follow-all.ts';
import { part, type Part } from './kit/part.ts';
import type { Registry } from './kit/registry.ts';

export interface CompanionDeps {
  readonly registry: Registry;
  /** The connections (`companionSessions()` in `drivers/companion`). */
  readonly sessions: SessionsDriver;
  /** Serves the rows (`nativeBridge()`). */
  readonly bridge: DriverLogic<BridgeCommand, undefined, BridgeFact>;
  readonly now: () => EpochMs;
  /** Milliseconds of the monotonic clock. */
  readonly elapsed: () => Milliseconds;
}

/** How long the farewell to all sessions may take. */
const STOP_WITHIN_MS: Milliseconds = 600;

/** Reports the surface in force, and how the panel greets. */
const follower = (registry: Pick<Registry, 'follow'>, now: () => EpochMs): CompanionFollower =>
  fromDriver<EventObject, undefined, FollowedFact>(({ send, guard }) => {
    const ends = [
      followAll(
        registry,
        {
          settings: lastKnown((snapshot) =>
            snapshot === undefined || snapshot.context.revision === 0
              ? null
              : surfaceOf(snapshot.context.values['entity_surface']),
          ),
        },
        guard(({ settings: surface }) => {
          if (surface !== null) send({ type: 'surface.changed', surface, at: now() });
        }),
      ),
      followAll(
        registry,
        {
          identity: lastKnown((snapshot) =>
            snapshot === undefined || snapshot.context.panelId === ''
              ? null
              : {
                  id: snapshot.context.panelId,
                  name: snapshot.context.friendlyName,
                  model: snapshot.context.model,
                },
          ),
        },
        guard(({ identity: panel }) => {
          if (panel !== null) send({ type: 'panel.named', panel });
        }),
      ),
    ];
    return () => {
      for (const end of ends) end();
    };
  });

/** The native connection. Without a paired Home Assistant it only waits for one. */
export const companionSpec = ({ registry, sessions, bridge, now, elapsed }: CompanionDeps): Part =>
  part(
    companion,
    companionMachine.provide({
      actors: {
        sessions,
        bridge,
        keys: companionKeys({ registry, now }),
        follower: follower(registry, now),
        question: pairingQuestion(registry, elapsed),
      },
    }),
    { stop: { event: { type: 'companion.stop' }, withinMs: STOP_WITHIN_MS } },
  );
