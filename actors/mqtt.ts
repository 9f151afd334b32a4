import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
import { serial } from '#drivers/kit/serial.ts';
import { surfaceOf } from '#machines/companion/settings.ts';
import type { FinderContext } from '#machines/finder/events.ts';
import type { EntitySurface } from '#machines/kit/entity.ts';
import { surfaceInForce } from '#machines/kit/surface.ts';
import { addressFamilyOf, desiredBroker, type BrokerParts } from '#machines/mqtt/desired-broker.ts';
import type {
  BrokerCommand,
  BrokerFact,
  ConnectionInput,
  DesiredFact,
  PasswordCommand,
} from '#machines/mqtt/events.ts';
import { mqtt } from '#machines/mqtt/index.ts';
import { mqttMachine } from '#machines/mqtt/machine.ts';
import { retryDelay } from '#machines/mqtt/retry.ts';
import type { PublisherPhase } from '#machines/publisher/events.ts';
import { phaseOf as publisherPhase } from '#machines/publisher/phase.ts';
import type { SettingsContext } from '#machines/settings/events.ts';

import { followAll, lastKnown } from './kit/follow-all.ts';
import type { Registry } from './kit/registry.ts';
import { part, type Part } from './kit/part.ts';
import { RECALL_PAUSE_MS } from './kit/stored-section.ts';
import { createOpenings, type Openings, passwordStore, type PasswordStoreDeps } from './password-store.ts';

export interface MqttDeps extends Omit<PasswordStoreDeps, 'openings'> {
  readonly registry: Registry;
  /** One connection attempt (`brokerClient()` in `drivers/mqtt`). */
  readonly connection: DriverLogic<BrokerCommand, ConnectionInput, BrokerFact>;
}

type SettingsParts = Pick<BrokerParts, 'broker' | 'user' | 'passwordSet' | 'addressFamily'> & {
  readonly revision: number;
  readonly wanted: EntitySurface | null;
};
type Found = BrokerParts['found'];

interface Facts {
  readonly settings: SettingsParts | null;
  readonly identity: Pick<BrokerParts, 'panelId' | 'installId'> | null;
  readonly finder: Found;
  /** The surface in force; null while it is unknown. */
  readonly companion: EntitySurface | null;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const partsOf = (settings: SettingsContext | undefined): SettingsParts | null =>
  settings === undefined || settings.revision === 0
    ? null
    : {
        revision: settings.revision,
        broker: textOf(settings.values['mqtt_broker']),
        user: textOf(settings.values['mqtt_user']),
        passwordSet: settings.secrets['mqtt_password'] === true,
        addressFamily: addressFamilyOf(settings.values['mqtt_address_family']),
        wanted: surfaceOf(settings.values['entity_surface']),
      };

function foundBy(finder: FinderContext | undefined): Found {
  if (finder?.outcome === 'found') return { outcome: 'found', host: finder.host, name: finder.name };
  const outcome = finder?.outcome;
  return { outcome: outcome === 'ambiguous' || outcome === 'off' ? outcome : 'none', host: null, name: null };
}

/**
 * Reports which broker to connect to, whenever the settings, password, identity or finder's result change it, and
 * whether there is a publisher.
 */
const desiredBrokerFollower = (deps: MqttDeps, openings: Openings) =>
  fromDriver<PasswordCommand, undefined, DesiredFact>((scope) => {
    const { send, signal, guard } = scope;
    const { registry } = deps;
    const inTurn = serial({ stopsAtThrow: true });
    const store = passwordStore({ ...deps, openings }, scope);
    let looked: SettingsParts | null = null;
    let again: NodeJS.Timeout | undefined;
    let withdrawn = false;

    // The settings only say that a password is set, so it is read again after each save.
    const look = async (settings: SettingsParts, installId: string): Promise<void> => {
      if (looked === settings) return;
      try {
        await store.look({ ...settings, installId });
        looked = settings;
      } catch {
        // Its recipient must be known before a found broker gets it.
        again = setTimeout(guard(report), RECALL_PAUSE_MS);
      }
    };
    let facts: Facts = { settings: null, identity: null, finder: foundBy(undefined), companion: null };
    const report = (): Promise<void> =>
      inTurn(async () => {
        clearTimeout(again);
        const { settings, identity } = facts;
        if (settings === null || identity === null || signal.aborted) return;
        const surface = surfaceInForce(settings.wanted, facts.companion);
        if (surface !== 'mqtt') {
          if (surface === 'native') send({ type: 'broker.unneeded', revision: settings.revision });
          return;
        }
        await look(settings, identity.installId);
        if (signal.aborted) return;
        send({
          type: 'broker.desired',
          broker: desiredBroker({
            ...settings,
            ...identity,
            found: facts.finder,
            passwordMark: store.mark(),
            passwordRevision: store.revision(),
          }),
        });
      });

    const ends = [
      followAll(
        registry,
        {
          settings: lastKnown((snapshot) => partsOf(snapshot?.context)),
          identity: lastKnown((snapshot) =>
            snapshot === undefined || snapshot.context.panelId === ''
              ? null
              : { panelId: snapshot.context.panelId, installId: snapshot.context.installId },
          ),
          finder: (snapshot) => foundBy(snapshot?.context),
          companion: lastKnown((snapshot) => snapshot?.context.surface ?? null),
        },
        guard((all: Facts) => {
          facts = all;
          return report();
        }),
      ),
      registry.follow(
        'publisher',
        (snapshot) => (snapshot === undefined ? null : publisherPhase(snapshot.value)),
        guard((phase: PublisherPhase | null) => {
          // While it stops or restarts, its last action counts.
          if (phase !== null) withdrawn = phase === 'withdrawn';
          send({ type: 'publisher.changed', present: phase !== null && phase !== 'waiting', withdrawn });
        }),
      ),
    ];
    return () => {
      clearTimeout(again);
      store.end();
      for (const end of ends) end();
    };
  });

/**
 * The link to the broker. When asked to stop it publishes `offline` and disconnects in order, or is killed at its
 * bound.
 */
export const mqttSpec = (deps: MqttDeps): Part =>
  part(
    mqtt,
    mqttMachine.provide({
      actors: { desired: desiredBrokerFollower(deps, createOpenings(deps.now)), connection: deps.connection },
      delays: { retry: ({ context }) => retryDelay(context.attempt, context.refusedCredentials, Math.random()) },
    }),
    { stop: { event: { type: 'mqtt.stop' }, withinMs: 700 } },
  );
