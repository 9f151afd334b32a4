import type { EventObject } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { CompanionContext } from '#machines/companion/events.ts';
import { judgeCompanion } from '#machines/companion/verdict.ts';
import type { EpochMs } from '#machines/kit/units.ts';
import { linkSnapshot } from '#machines/mqtt/phase.ts';
import { shownRenderer } from '#machines/renderer/phase.ts';
import { judgeRenderer } from '#machines/renderer/verdict.ts';
import { judgeBroker } from '#machines/mqtt/verdict.ts';
import { publisherView } from '#machines/publisher/phase.ts';
import type { FactsFact, RecordCommand, RecordFact, SetupFacts } from '#machines/setup/events.ts';
import { panelSetup } from '#machines/setup/index.ts';
import { setupMachine } from '#machines/setup/machine.ts';
import { readRecord, recordSection } from '#machines/setup/record.ts';
import { rendererFact } from '#machines/setup/renderer-fact.ts';
import type { SettingsContext } from '#machines/settings/events.ts';
import { judgeSignIn } from '#machines/sign-in/verdict.ts';

import { followAll, lastKnown } from './kit/follow-all.ts';
import { part, type Part } from './kit/part.ts';
import type { Registry } from './kit/registry.ts';
import { storedSection } from './kit/stored-section.ts';

export interface SetupDeps {
  readonly registry: Registry;
  readonly now: () => EpochMs;
}

/** The owner's answers, in their stored section. */
const storedRecord = ({ registry, now }: SetupDeps) =>
  fromDriver<RecordCommand, undefined, RecordFact>((scope) => {
    const store = storedSection(registry, scope, {
      section: 'setup',
      parse: readRecord,
      format: (record) => (record === null ? null : recordSection(record)),
      rateLimit: 'at-once',
    });
    scope.onEvent(async ({ requestId, record }) => {
      const failure = await store.write(record);
      scope.send({ type: 'record.written', requestId, record, failure });
    });
    store.recall((record) => scope.send({ type: 'record.found', record, at: now() }));
    return store.end;
  });

const isSet = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** The settings that matter here; null until they were read. */
const settingFacts = (context: SettingsContext | undefined) =>
  context === undefined || context.revision === 0
    ? null
    : {
        named: isSet(context.values['friendly_name']) || isSet(context.values['panel_id']),
        hasAddress: isSet(context.values['ha_url']),
        hasCredential: context.secrets['ha_token'] === true || context.secrets['ha_oauth'] === true,
        hasBroker: isSet(context.values['mqtt_broker']),
        hasHomeDashboard: isSet(context.values['home_dashboard']),
        returnMin: Number(context.values['dashboard_idle_return_min'] ?? 0),
        filters: context.values['dashboard_entity_learning'] === true,
      };

const noRenderer: SetupFacts['renderer'] = { state: 'absent', detail: 'This panel shows no dashboard.' };

/** Home Assistant's own integration; null where the entities go through the broker. */
function sessionFact(context: CompanionContext): SetupFacts['session'] {
  if (context.surface !== 'native') return null;
  const { detail } = judgeCompanion(context);
  const isUnpaired = context.clients?.length === 0;
  return { state: context.sessions.length > 0 ? 'connected' : isUnpaired ? 'unpaired' : 'away', detail };
}

/** Follows what the steps are judged from; the restart of a part changes nothing. */
const followed = ({ registry, now }: SetupDeps) =>
  fromDriver<EventObject, undefined, FactsFact>(({ send, guard }) =>
    followAll(
      registry,
      {
        settings: lastKnown((snapshot) => settingFacts(snapshot?.context)),
        'sign-in': lastKnown((snapshot) =>
          snapshot === undefined
            ? null
            : { phase: snapshot.context.phase, detail: judgeSignIn(snapshot.context).detail },
        ),
        mqtt: lastKnown((snapshot) => {
          const link = snapshot && linkSnapshot(snapshot);
          return link === undefined ? null : { phase: link.phase, detail: judgeBroker(link).detail };
        }),
        companion: lastKnown((snapshot) =>
          snapshot === undefined ? null : { session: sessionFact(snapshot.context) },
        ),
        publisher: lastKnown((snapshot) => snapshot && publisherView(snapshot).phase === 'duplicate'),
        'home-presence': lastKnown((snapshot) =>
          snapshot === undefined
            ? null
            : {
                entityId: snapshot.context.foundEntity?.entityId ?? null,
                deviceId: snapshot.context.foundEntity?.deviceId ?? null,
              },
        ),
        renderer: lastKnown((snapshot) => {
          if (snapshot === undefined) return null;
          const shown = shownRenderer(snapshot);
          return rendererFact({ phase: shown.phase, verdict: judgeRenderer(shown) });
        }),
      },
      guard(
        ({ settings, 'sign-in': signIn, mqtt: broker, 'home-presence': presence, companion, publisher, renderer }) => {
          if (settings === null) return;
          const facts = {
            ...settings,
            signIn,
            broker,
            session: companion?.session ?? null,
            isIdTaken: publisher === true,
            foundEntity:
              presence?.entityId == null ? null : { entityId: presence.entityId, deviceId: presence.deviceId },
            renderer: renderer ?? (registry.ids().includes('renderer') ? null : noRenderer),
          };
          send({ type: 'setup.observed', facts, at: now() });
        },
      ),
    ),
  );

/** The progress of the setup. */
export const setupSpec = (deps: SetupDeps): Part =>
  part(panelSetup, setupMachine.provide({ actors: { record: storedRecord(deps), followed: followed(deps) } }));
