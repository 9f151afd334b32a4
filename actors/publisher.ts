import { fromPromise } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { entityRows } from '#machines/entities.ts';
import type { ActorId, AnyActor } from '#machines/actors.ts';
import type { EntityRow, LightModes } from '#machines/kit/entity.ts';
import type { MqttContext } from '#machines/mqtt/events.ts';
import { eventOf, refusalInReply, type CommandValue } from '#machines/publisher/command.ts';
import type { LinkState, SurfaceCommand, SurfaceFact } from '#machines/publisher/events.ts';
import { publisher } from '#machines/publisher/index.ts';
import { enter, leave, type Lanes } from '#machines/publisher/lanes.ts';
import type { Ledger } from '#machines/publisher/ledger.ts';
import { publisherMachine } from '#machines/publisher/machine.ts';
import { panelOf, type PanelParts } from '#machines/publisher/panel.ts';
import { shapeOf } from '#machines/publisher/shape.ts';
import { encodeRow, sameRowValue } from '#machines/publisher/state.ts';

import { sameValue } from './kit/follow.ts';
import type { Registry } from './kit/registry.ts';
import { part, type Part } from './kit/part.ts';
import { commitSections, readSection, StoreSilent } from './settings.ts';

/** What the publisher is wired to. */
export interface PublisherDeps {
  readonly registry: Registry;
  /** The catalogue; the agent's own when absent. */
  readonly rows?: readonly EntityRow<AnyActor>[];
  /** Takes one line for the log. */
  readonly note?: (message: string, facts: Readonly<Record<string, string>>) => void;
}

/** A command whose actor answers. */
type Question = Extract<AnyActor['event'], { readonly requestId: string }>;

/** Longest wait for an actor that is asked to carry out a command. */
const COMMAND_MS = 8000;

const away: LinkState = { connected: false, session: 0, panelId: null };

const linkOf = (link: MqttContext | undefined): LinkState =>
  link?.phase === 'connected' ? { connected: true, session: link.session, panelId: link.panelId } : away;

/**
 * Follows everything that shapes the announced device; the parts are other actors' public facts, by their contracts.
 */
const followPanel = (
  registry: Registry,
  rows: readonly EntityRow<AnyActor>[],
  changed: (parts: PanelParts) => void,
): readonly (() => void)[] => {
  let identity: PanelParts['identity'] | null = null;
  let settings: Pick<PanelParts, 'prefix' | 'expose'> | null = null;
  let absent: readonly string[] | null = null;
  let hidden: readonly string[] = rows.filter((row) => row.shown !== undefined).map((row) => row.key);
  let modes: Readonly<Record<string, LightModes>> = {};
  let address: string | null = null;
  let port = -1;
  let told: PanelParts | null = null;
  const tell = (): void => {
    if (identity === null || settings === null || absent === null) return;
    const parts: PanelParts = { identity, ...settings, absent, hidden, modes, address, port };
    // An actor that restarts is away for a moment: what was known stands, and nothing is announced again.
    if (sameValue(told, parts)) return;
    told = parts;
    changed(parts);
  };
  return [
    registry.follow(
      'identity',
      (snapshot): PanelParts['identity'] | null => {
        const facts = snapshot?.context;
        if (facts === undefined || facts.panelId === '') return null;
        const { panelId, installId, friendlyName, manufacturer, model, version } = facts;
        return { panelId, installId, friendlyName, manufacturer, model, version };
      },
      (next) => {
        identity = next ?? identity;
        tell();
      },
    ),
    registry.follow(
      'settings',
      (snapshot): Pick<PanelParts, 'prefix' | 'expose'> | null => {
        const facts = snapshot?.context;
        const prefix = facts?.values['mqtt_discovery_prefix'];
        return facts === undefined || facts.revision === 0 || typeof prefix !== 'string' || prefix === ''
          ? null
          : { prefix, expose: facts.expose };
      },
      (next) => {
        settings = next ?? settings;
        tell();
      },
    ),
    registry.follow(
      'profile',
      (snapshot): readonly string[] | null => snapshot?.context?.absent ?? null,
      (next) => {
        absent = next ?? absent;
        tell();
      },
    ),
    registry.follow(
      'readings',
      (snapshot): string | null => snapshot?.context?.reading?.address ?? null,
      (next) => {
        address = next ?? address;
        tell();
      },
    ),
    ...rows.flatMap(({ key, actor, shown }) =>
      shown === undefined
        ? []
        : [
            registry.follow(
              actor,
              (snapshot): boolean | null => (snapshot === undefined ? null : shown(snapshot)),
              (next) => {
                if (next === null || next !== hidden.includes(key)) return;
                hidden = next ? hidden.filter((other) => other !== key) : [...hidden, key];
                tell();
              },
            ),
          ],
    ),
    ...rows.flatMap((row) => {
      const modesNow = row.platform === 'light' ? row.modesNow : undefined;
      if (modesNow === undefined) return [];
      return [
        registry.follow(
          row.actor,
          (snapshot): LightModes | null => (snapshot === undefined ? null : modesNow(snapshot)),
          (next) => {
            if (next === null) return;
            modes = { ...modes, [row.key]: next };
            tell();
          },
        ),
      ];
    }),
    registry.follow(
      'http',
      (snapshot): number => snapshot?.context?.port ?? -1,
      (next) => {
        if (next > 0) port = next;
        tell();
      },
    ),
  ];
};

/** Carries out one command; null when it was done, else why not. */
const carryOut = async (registry: Registry, actor: ActorId, event: Question): Promise<string | null> => {
  const asked = await registry.ask(actor, event, COMMAND_MS);
  return asked.ok ? refusalInReply(asked.value) : asked.reason;
};

/** Between the publisher's machine and the rest of the agent: rows and link in, commands and messages out. */
export const surface = ({ registry, rows = entityRows, note = () => {} }: PublisherDeps) =>
  fromDriver<SurfaceCommand, undefined, SurfaceFact>(({ send, onEvent }) => {
    const byKey = new Map(rows.map((row) => [row.key, row]));
    let lanes: Lanes<Question> = {};
    const refuse = (row: EntityRow<AnyActor>, reason: string): void =>
      send({ type: 'command.refused', key: row.key, reason });
    // A command whose actor answers holds its entity's lane until then; the newest that came meanwhile follows.
    const ask = (row: EntityRow<AnyActor>, event: Question): void => {
      void carryOut(registry, row.actor, event).then((refusal) => {
        if (refusal !== null) refuse(row, refusal);
        const step = leave(lanes, row.key);
        lanes = step.lanes;
        if (step.next !== null) ask(row, step.next);
      });
    };
    const run = (row: EntityRow<AnyActor>, value: CommandValue): void => {
      const event = eventOf(row, value);
      if (!event.ok) refuse(row, event.reason);
      else if ('requestId' in event.value) {
        const step = enter(lanes, row.key, event.value);
        lanes = step.lanes;
        if (step.next !== null) ask(row, step.next);
      } else if (registry.tell(row.actor, event.value) === 'absent') refuse(row, 'absent');
    };

    onEvent((command) => {
      switch (command.type) {
        case 'surface.publish':
          if (command.messages.length > 0) registry.tell('mqtt', { type: 'mqtt.publish', messages: command.messages });
          break;
        case 'surface.subscribe':
          registry.tell('mqtt', {
            type: 'mqtt.subscribe',
            topics: command.topics,
            asPublished: command.asPublished,
          });
          break;
        case 'surface.command': {
          const row = byKey.get(command.key);
          if (row) run(row, command.value);
          break;
        }
        case 'surface.refuse':
          if (command.first)
            note('A command from the broker was refused.', { entity: command.key, reason: command.reason });
          if (command.messages.length > 0) registry.tell('mqtt', { type: 'mqtt.publish', messages: command.messages });
          break;
      }
    });

    const ends = [
      ...rows.map((row) => {
        const shape = shapeOf(row);
        return registry.follow(
          row.actor,
          (snapshot) => encodeRow(row, snapshot, shape),
          (value) => send({ type: 'row.changed', key: row.key, ...value }),
          sameRowValue,
        );
      }),
      ...followPanel(registry, rows, (parts) => send({ type: 'panel.changed', panel: panelOf(rows, parts) })),
      registry.listen('mqtt', 'broker.message', send),
      registry.follow(
        'mqtt',
        (snapshot): LinkState => linkOf(snapshot?.context),
        (link) => send({ type: 'link.changed', ...link }),
      ),
    ];
    return () => {
      for (const end of ends) end();
    };
  });

const readLedger = (registry: Registry) =>
  fromPromise<unknown>(async () => {
    const stored = await readSection(registry, 'ledger');
    if (stored === undefined) throw new StoreSilent();
    return stored;
  });

const keepLedger = (registry: Registry) =>
  fromPromise<void, Ledger>(async ({ input }) => {
    const failure = await commitSections(registry, { ledger: input });
    if (failure !== null) throw Object.assign(new Error('the ledger was not kept'), { code: failure });
  });

/** The publisher: asked to stop, it ends at once (the link says `offline`). */
export const publisherSpec = (deps: PublisherDeps): Part =>
  part(
    publisher,
    publisherMachine.provide({
      actors: { surface: surface(deps), readLedger: readLedger(deps.registry), keepLedger: keepLedger(deps.registry) },
    }),
    { stop: { event: { type: 'publisher.stop' }, withinMs: 200 } },
  );
