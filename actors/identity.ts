import type { EventObject } from 'xstate';
import type { DriverLogic } from '#drivers/kit/from-driver.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { IdentityEvent, IdentityFact, OwnerNames, RecordCommand } from '#machines/identity/events.ts';
import { identity } from '#machines/identity/index.ts';
import { identityMachine } from '#machines/identity/machine.ts';
import type { SettingsContext } from '#machines/settings/events.ts';
import type { Registry } from './kit/registry.ts';
import { part, type Part } from './kit/part.ts';
import { commitSections, readSection } from './settings.ts';

/** What the identity needs. */
export interface IdentityDeps {
  readonly registry: Pick<Registry, 'ask' | 'follow'>;
  /** The driver that looks at the machine (`machineFactsDriver()` of the identity's drivers). */
  readonly machineFacts: DriverLogic<EventObject, undefined, IdentityFact>;
  /** Version of this agent, semantic versioning. */
  readonly version: string;
  /** Eight hex digits that change with each build. */
  readonly build: string;
}

/** Reads and writes the section `identity`. */
const keeper = (registry: IdentityDeps['registry']) =>
  fromDriver<RecordCommand, undefined, IdentityFact>(({ send, onEvent }) => {
    onEvent(async (command) => {
      if (command.type === 'record.write') {
        send({ type: 'record.written', ok: (await commitSections(registry, { identity: command.record })) === null });
        return;
      }
      const stored = await readSection(registry, 'identity');
      send(stored === undefined ? { type: 'record.unread' } : { type: 'record.found', stored });
    });
  });

/** The owner's names; null until the settings were read. */
const ownerNames = (context: SettingsContext | undefined): OwnerNames | null => {
  if (context === undefined || context.revision === 0) return null;
  const word = (key: string): string => String(context.values[key] ?? '');
  return {
    panelId: word('panel_id'),
    friendlyName: word('friendly_name'),
    manufacturer: word('manufacturer'),
    model: word('model'),
  };
};

/** Hears of the names the owner chose, across restarts of the settings. */
const owner = (registry: IdentityDeps['registry']) =>
  fromDriver<EventObject, undefined, Extract<IdentityEvent, { type: 'identity.renamed' }>>(({ send, guard }) =>
    registry.follow(
      'settings',
      (snapshot) => ownerNames(snapshot?.context),
      guard((names: OwnerNames | null) => {
        if (names !== null) send({ type: 'identity.renamed', ...names });
      }),
    ),
  );

/** Who this panel is, after the settings. */
export const identitySpec = (deps: IdentityDeps): Part =>
  part(
    identity,
    identityMachine.provide({
      actors: { machineFacts: deps.machineFacts, keeper: keeper(deps.registry), owner: owner(deps.registry) },
    }),
    {
      input: () => ({ version: deps.version, build: deps.build }),
      stop: { event: { type: 'identity.stop' }, withinMs: 50 },
    },
  );
