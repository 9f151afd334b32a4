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
import type { SettingsContext } from '#machines/settings/events.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';

import { companionKeys } from './companion/keys.ts';
import { moveConsent, surfaceCommit, withdrawal } from './companion/moves.ts';
import { pairingQuestion, type TerminalAsk } from './companion/question.ts';
import { followAll, lastKnown } from './kit/follow-all.ts';
import type { Admission } from './kit/admission.ts';
import { part, type Part } from './kit/part.ts';
import type { Registry } from './kit/registry.ts';

export interface CompanionDeps {
  readonly registry: Registry;
  /** The connections (`companionSessions()` in `drivers/companion`). */
  readonly sessions: SessionsDriver;
  /** Serves the rows (`serveRows()` as a driver). */
  readonly bridge: DriverLogic<BridgeCommand, undefined, BridgeFact>;
  /** Asks at the panel about a move that was begun in Home Assistant. */
  readonly admission: Pick<Admission, 'admit' | 'whenAnswered'>;
  /** Asks about a pairing where the panel has no screen. */
  readonly terminal: TerminalAsk;
  readonly now: () => EpochMs;
  /** Milliseconds of the monotonic clock. */
  readonly elapsed: () => Milliseconds;
}

/** How long the farewell to all sessions may take. */
const STOP_WITHIN_MS: Milliseconds = 600;

function wantedIn({ revision, values }: SettingsContext) {
  const surface = revision === 0 ? null : surfaceOf(values['entity_surface']);
  return surface === null ? null : { surface, hasBroker: values['mqtt_broker'] !== '' };
}

/** Reports the surface that the settings name, and how the panel greets. */
const follower = (registry: Pick<Registry, 'follow'>): CompanionFollower =>
  fromDriver<EventObject, undefined, FollowedFact>(({ send, guard }) => {
    const ends = [
      followAll(
        registry,
        {
          settings: lastKnown((snapshot) => (snapshot === undefined ? null : wantedIn(snapshot.context))),
        },
        guard(({ settings }) => {
          if (settings !== null) send({ type: 'surface.changed', ...settings });
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
export const companionSpec = ({ registry, sessions, bridge, admission, terminal, now, elapsed }: CompanionDeps): Part =>
  part(
    companion,
    companionMachine.provide({
      actors: {
        sessions,
        bridge,
        keys: companionKeys({ registry, now }),
        follower: follower(registry),
        question: pairingQuestion({ registry, elapsed, terminal }),
        withdraw: withdrawal(registry),
        commit: surfaceCommit(registry),
        consent: moveConsent(admission),
      },
    }),
    { stop: { event: { type: 'companion.stop' }, withinMs: STOP_WITHIN_MS } },
  );
