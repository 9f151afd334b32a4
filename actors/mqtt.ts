import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
import type { FinderContext } from '#machines/finder/events.ts';
import type { BrokerCommand, BrokerFact, ConnectionInput, MqttEvent, WishFact } from '#machines/mqtt/events.ts';
import { mqtt } from '#machines/mqtt/index.ts';
import { mqttMachine } from '#machines/mqtt/machine.ts';
import { retryDelay } from '#machines/mqtt/retry.ts';
import { addressFamilyOf, wishOf, type WishParts } from '#machines/mqtt/wish.ts';
import type { SettingsContext } from '#machines/settings/events.ts';

import type { Registry } from './kit/registry.ts';
import { part, type Part } from './kit/part.ts';

/** What the link to the broker is wired to. */
export interface MqttDeps {
  readonly registry: Registry;
  /** One connection attempt (`brokerClient()` of the link's drivers). */
  readonly connection: DriverLogic<BrokerCommand, ConnectionInput, BrokerFact>;
  /**
   * The broker's password, null where none is set; it is compared, so that a replaced one reconnects, and never told
   * on.
   */
  readonly readPassword: () => Promise<string | null>;
}

type Facts = Omit<WishParts, 'passwordRevision' | 'panelId' | 'installId' | 'found'>;
type Name = Pick<WishParts, 'panelId' | 'installId'>;
type Found = WishParts['found'];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const factsOf = (settings: SettingsContext): Facts => ({
  broker: textOf(settings.values['mqtt_broker']),
  user: textOf(settings.values['mqtt_user']),
  passwordSet: settings.secrets['mqtt_password'] === true,
  addressFamily: addressFamilyOf(settings.values['mqtt_address_family']),
});

const foundBy = (finder: FinderContext | undefined): Found => {
  if (finder?.outcome === 'found') return { outcome: 'found', host: finder.host };
  return { outcome: finder?.outcome === 'ambiguous' ? 'ambiguous' : 'none', host: null };
};

/**
 * Tells the link what to connect to, whenever settings, password, identity or what was found change it, and whether
 * somebody speaks there.
 */
const wishFollower = ({ registry, readPassword }: MqttDeps) =>
  fromDriver<MqttEvent, undefined, WishFact>(({ send, signal, guard }) => {
    let facts: Facts | null = null;
    let name: Name | null = null;
    let found: Found = { outcome: 'none', host: null };
    let password: { readonly value: string | null } | null = null;
    let passwordRevision = 0;
    let turn = Promise.resolve();

    const tell = (): void => {
      if (facts !== null && name !== null && !signal.aborted)
        send({ type: 'mqtt.wish', wish: wishOf({ ...facts, ...name, found, passwordRevision }) });
    };
    // Settings only say that a password is set, so each saved change is an occasion to compare it.
    const compare = async (next: Facts): Promise<void> => {
      try {
        const value = next.passwordSet ? await readPassword() : null;
        if (password !== null && password.value !== value) passwordRevision += 1;
        password = { value };
      } catch {
        // The connection reads it itself and says so when it cannot.
      }
      facts = next;
      tell();
    };

    const ends = [
      registry.follow(
        'settings',
        (snapshot): SettingsContext | null => snapshot?.context ?? null,
        guard((settings: SettingsContext | null) => {
          if (settings === null || settings.revision === 0) return;
          turn = turn.then(() => compare(factsOf(settings)));
        }),
        (a, b) => a?.revision === b?.revision,
      ),
      registry.follow(
        'identity',
        (snapshot): Name | null => {
          const identity = snapshot?.context;
          return identity === undefined || identity.panelId === ''
            ? null
            : { panelId: identity.panelId, installId: identity.installId };
        },
        guard((next: Name | null) => {
          name = next ?? name;
          tell();
        }),
      ),
      registry.follow(
        'finder',
        (snapshot): Found => foundBy(snapshot?.context),
        guard((next: Found) => {
          found = next;
          tell();
        }),
      ),
      registry.follow(
        'publisher',
        (snapshot): boolean => (snapshot?.context?.phase ?? 'waiting') !== 'waiting',
        guard((present: boolean) => send({ type: 'mqtt.voice', present })),
      ),
    ];
    return () => {
      for (const end of ends) end();
    };
  });

/** The link to the broker: asked to stop, it says `offline` and takes its leave, or is cut. */
export const mqttSpec = (deps: MqttDeps): Part =>
  part(
    mqtt,
    mqttMachine.provide({
      actors: { wishes: wishFollower(deps), connection: deps.connection },
      delays: { retry: ({ context }) => retryDelay(context.attempt, context.refusedCredentials, Math.random()) },
    }),
    { stop: { event: { type: 'mqtt.stop' }, withinMs: 700 } },
  );
