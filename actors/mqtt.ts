import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
import { serial } from '#drivers/kit/serial.ts';
import type { FinderContext } from '#machines/finder/events.ts';
import { addressFamilyOf, desiredBroker, type BrokerParts } from '#machines/mqtt/desired-broker.ts';
import type { BrokerCommand, BrokerFact, ConnectionInput, DesiredFact, MqttEvent } from '#machines/mqtt/events.ts';
import { mqtt } from '#machines/mqtt/index.ts';
import { mqttMachine } from '#machines/mqtt/machine.ts';
import { retryDelay } from '#machines/mqtt/retry.ts';
import { phaseOf as publisherPhase } from '#machines/publisher/phase.ts';
import type { SettingsContext } from '#machines/settings/events.ts';

import { followAll, lastKnown } from './kit/follow-all.ts';
import type { Registry } from './kit/registry.ts';
import { part, type Part } from './kit/part.ts';

/** What the link to the broker is wired to. */
export interface MqttDeps {
  readonly registry: Registry;
  /** One connection attempt (`brokerClient()` of the link's drivers). */
  readonly connection: DriverLogic<BrokerCommand, ConnectionInput, BrokerFact>;
  /**
   * The broker's password, null where none is set; it is compared, so that a replaced one reconnects, and handed to
   * nobody.
   */
  readonly readPassword: () => Promise<string | null>;
}

type SettingsParts = Pick<BrokerParts, 'broker' | 'user' | 'passwordSet' | 'addressFamily'> & {
  readonly revision: number;
};
type Found = BrokerParts['found'];

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
      };

const foundBy = (finder: FinderContext | undefined): Found => {
  if (finder?.outcome === 'found') return { outcome: 'found', host: finder.host };
  const outcome = finder?.outcome;
  return { outcome: outcome === 'ambiguous' || outcome === 'off' ? outcome : 'none', host: null };
};

/**
 * Reports which broker to connect to, whenever settings, password, identity or what was found change it, and whether
 * there is a publisher.
 */
const desiredBrokerFollower = ({ registry, readPassword }: MqttDeps) =>
  fromDriver<MqttEvent, undefined, DesiredFact>(({ send, signal, guard }) => {
    const inTurn = serial({ stopsAtThrow: true });
    let known: SettingsParts | null = null;
    let password: { readonly value: string | null } | null = null;
    let passwordRevision = 0;

    // Settings only say that a password is set, so each saved change is an occasion to compare it.
    const take = async (settings: SettingsParts): Promise<void> => {
      if (known === settings) return;
      known = settings;
      try {
        const value = settings.passwordSet ? await readPassword() : null;
        if (password !== null && password.value !== value) passwordRevision += 1;
        password = { value };
      } catch {
        // The connection reads it itself and reports when it cannot.
      }
    };

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
        },
        guard(({ settings, identity, finder: found }) =>
          inTurn(async () => {
            if (signal.aborted) return;
            if (settings !== null) await take(settings);
            if (known === null || identity === null || signal.aborted) return;
            send({ type: 'broker.desired', broker: desiredBroker({ ...known, ...identity, found, passwordRevision }) });
          }),
        ),
      ),
      registry.follow(
        'publisher',
        (snapshot) => snapshot !== undefined && publisherPhase(snapshot.value) !== 'waiting',
        guard((present: boolean) => send({ type: 'publisher.changed', present })),
      ),
    ];
    return () => {
      for (const end of ends) end();
    };
  });

/** The link to the broker: asked to stop, it says `offline` and disconnects in order, or is killed. */
export const mqttSpec = (deps: MqttDeps): Part =>
  part(
    mqtt,
    mqttMachine.provide({
      actors: { desired: desiredBrokerFollower(deps), connection: deps.connection },
      delays: { retry: ({ context }) => retryDelay(context.attempt, context.refusedCredentials, Math.random()) },
    }),
    { stop: { event: { type: 'mqtt.stop' }, withinMs: 700 } },
  );
