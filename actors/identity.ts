import type { EventObject } from 'xstate';
import type { DriverLogic } from '#drivers/kit/from-driver.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { IdentityEvent, IdentityFact, OwnerNames, RecordCommand } from '#machines/identity/events.ts';
import { identity } from '#machines/identity/index.ts';
import { identityMachine } from '#machines/identity/machine.ts';
import type { SettingsContext } from '#machines/settings/events.ts';
import type { Registry } from './kit/registry.ts';
import { part, type Part } from './kit/part.ts';
import { storedSection } from './kit/stored-section.ts';

export interface IdentityDeps {
  readonly registry: Pick<Registry, 'ask' | 'follow'>;
  /** Reads the machine's facts (`machineFactsDriver()` in `drivers/identity`). */
  readonly machineFacts: DriverLogic<EventObject, undefined, IdentityFact>;
  /** Version of this agent (semantic versioning). */
  readonly version: string;
  /** Eight hex digits that change with each build. */
  readonly build: string;
}

/** The record in its stored section. */
const storedRecord = (registry: IdentityDeps['registry']) =>
  fromDriver<RecordCommand, undefined, IdentityFact>((scope) => {
    const store = storedSection<unknown>(registry, scope, {
      section: 'identity',
      // Validated where the identity is generated, together with the machine's facts.
      parse: (stored) => stored,
      format: (record) => record,
      rateLimit: 'at-once',
    });
    store.recall((stored) => scope.send({ type: 'record.found', stored }));
    scope.onEvent(async ({ record }) => {
      scope.send({ type: 'record.written', ok: (await store.write(record)) === null });
    });
    return store.end;
  });

/** The names that the owner chose; null until the settings were read. */
function ownerNames(context: SettingsContext | undefined): OwnerNames | null {
  if (context === undefined || context.revision === 0) return null;
  const word = (key: string): string => String(context.values[key] ?? '');
  return {
    panelId: word('panel_id'),
    friendlyName: word('friendly_name'),
    manufacturer: word('manufacturer'),
    model: word('model'),
  };
}

/** Follows the names that the owner chose, across restarts of the settings. */
const owner = (registry: IdentityDeps['registry']) =>
  fromDriver<EventObject, undefined, IdentityEvent>(({ send, guard }) =>
    registry.follow(
      'settings',
      (snapshot) => ownerNames(snapshot?.context),
      guard((names: OwnerNames | null) => {
        if (names !== null) send({ type: 'identity.renamed', ...names });
      }),
    ),
  );

/** The panel's identity. It starts after the settings. */
export const identitySpec = (deps: IdentityDeps): Part =>
  part(
    identity,
    identityMachine.provide({
      actors: { machineFacts: deps.machineFacts, record: storedRecord(deps.registry), owner: owner(deps.registry) },
    }),
    { input: () => ({ version: deps.version, build: deps.build }) },
  );
