import type { EventObject } from 'xstate';

import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
import type {
  KeepCommand,
  KeepFact,
  PlaceFact,
  ScanCommand,
  ScanFact,
  WantedFact,
  DesiredFact,
} from '#machines/entity-filter/events.ts';
import { entityFilter } from '#machines/entity-filter/index.ts';
import { entityFilterMachine } from '#machines/entity-filter/machine.ts';
import { sectionOf } from '#machines/kit/home-path.ts';
import type { FilterFact, RendererActor } from '#machines/renderer/events.ts';

import { followAll, lastKnown } from './kit/follow-all.ts';
import { part, type Part } from './kit/part.ts';
import type { Registry } from './kit/registry.ts';

export interface EntityFilterDeps {
  readonly registry: Registry;
  readonly scanner: DriverLogic<ScanCommand, undefined, ScanFact>;
  /** Keeps its durable document. */
  readonly store: DriverLogic<KeepCommand, undefined, KeepFact>;
}

/** The path of the dashboard that the page shows; null if it shows none. */
const placeOf = ({ place, path, rendered }: RendererActor['context']): string | null =>
  place !== 'dashboard' || path === null || !rendered || sectionOf(path) === '' ? null : sectionOf(path);

const reports = [
  'page.subscribed',
  'page.uncut',
  'page.entity-opened',
  'page.entities-read',
  'page.enumerated',
  'page.wanted',
] as const;

/** Reports the settings, the sign-in and the page to the filter. */
const follower = (registry: Registry) =>
  fromDriver<EventObject, undefined, DesiredFact | PlaceFact | WantedFact | FilterFact>(({ send, guard }) => {
    const ends = [
      followAll(
        registry,
        {
          settings: lastKnown((snapshot) =>
            snapshot === undefined || snapshot.context.revision === 0
              ? null
              : snapshot.context.values['dashboard_entity_learning'] === true,
          ),
          // While one of them restarts, its last known value counts.
          'sign-in': lastKnown((snapshot) =>
            snapshot === undefined || snapshot.context.revision === 0
              ? null
              : { signedIn: snapshot.context.phase === 'signed-in', revision: snapshot.context.revision },
          ),
          'home-assistant': (snapshot) => ({
            live: (snapshot?.context.route ?? null) !== null,
            starting: ['starting', 'shutting_down'].includes(snapshot?.context.lifecycle?.state ?? ''),
          }),
          renderer: lastKnown((snapshot) => {
            const desired = snapshot?.context.desired ?? null;
            if (desired === null) return null;
            const builtin = desired.mode !== 'none' && desired.program === 'builtin';
            return { builtin, server: desired.origin, home: sectionOf(desired.home) };
          }),
        },
        guard(({ settings: learning, 'sign-in': signIn, 'home-assistant': connection, renderer }) => {
          if (learning === null || signIn === null || renderer === null) return;
          send({
            type: 'filter.desired',
            ...renderer,
            ...connection,
            learning,
            signedIn: signIn.signedIn,
            credential: signIn.revision,
          });
        }),
      ),
      registry.follow(
        'renderer',
        (snapshot) => (snapshot === undefined ? null : placeOf(snapshot.context)),
        guard((dashboard) => send({ type: 'page.placed', dashboard })),
      ),
      ...reports.map((type) =>
        registry.listen(
          'renderer',
          type,
          guard((report) => send(report)),
        ),
      ),
    ];
    return () => {
      for (const end of ends) end();
    };
  });

/** Filters the states that the dashboard receives. */
export const entityFilterSpec = ({ registry, scanner, store }: EntityFilterDeps): Part =>
  part(entityFilter, entityFilterMachine.provide({ actors: { followed: follower(registry), scanner, store } }));
