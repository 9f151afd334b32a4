import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
import type { HomeAssistantContext } from '#machines/home-assistant/events.ts';
import { phaseOf } from '#machines/home-assistant/phase.ts';
import type { SnapshotView } from '#machines/kit/snapshot.ts';
import type {
  ConnectionFact,
  PathProbeDriverCommand,
  PathProbeDriverFact,
  PathProbeEvent,
  RouteFact,
  RouteFamily,
} from '#machines/path-probe/events.ts';
import { pathProbe } from '#machines/path-probe/index.ts';
import { pathProbeMachine } from '#machines/path-probe/machine.ts';

import type { Registry } from './kit/registry.ts';
import { part, type Part } from './kit/part.ts';

export interface PathProbeDeps {
  readonly registry: Registry;
  readonly driver: DriverLogic<PathProbeDriverCommand, undefined, PathProbeDriverFact>;
}

/** Reports the address family of the default route once the readings know it. */
const routeFollower = (registry: Registry) =>
  fromDriver<PathProbeEvent, undefined, RouteFact>(({ send }) =>
    registry.follow(
      'readings',
      (snapshot): RouteFamily | null => snapshot?.context?.reading?.routeFamily ?? null,
      (family) => {
        if (family !== null) send({ type: 'probe.family', family });
      },
    ),
  );

/** The part of the connection to Home Assistant that concerns the path to it. */
function connectionView(shown: SnapshotView<HomeAssistantContext> | undefined) {
  const phase = shown === undefined ? 'closed' : phaseOf(shown);
  return {
    isHeld: phase === 'live' || phase === 'reconnecting',
    route: shown?.context.route ?? null,
    missed: shown?.context.missed ?? 0,
  };
}

/** Reports new routes of the connection to Home Assistant, lost ones, and missed answers. */
const connectionFollower = (registry: Registry) =>
  fromDriver<PathProbeEvent, undefined, ConnectionFact>(({ send }) => {
    let before = connectionView(undefined);
    return registry.follow(
      'home-assistant',
      connectionView,
      (now) => {
        if (before.isHeld && !now.isHeld) send({ type: 'route.lost' });
        if (now.route !== null && now.route.number !== before.route?.number)
          send({ type: 'route.connected', ...now.route, otherResolved: null });
        if (now.isHeld && now.missed > before.missed) send({ type: 'route.suspect' });
        before = now;
      },
      (a, b) => JSON.stringify(a) === JSON.stringify(b),
    );
  });

export const pathProbeSpec = ({ registry, driver }: PathProbeDeps): Part =>
  part(
    pathProbe,
    pathProbeMachine.provide({
      actors: { echoes: driver, route: routeFollower(registry), connection: connectionFollower(registry) },
    }),
    { input: () => ({ family: registry.read('readings')?.context.reading?.routeFamily ?? 'ipv4' }) },
  );
