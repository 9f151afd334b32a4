import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
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

/** What the path probe's actor is wired to. */
export interface PathProbeDeps {
  readonly registry: Registry;
  readonly driver: DriverLogic<PathProbeDriverCommand, undefined, PathProbeDriverFact>;
  /** Reports what the socket to Home Assistant tells of its way. */
  readonly connection: DriverLogic<PathProbeEvent, undefined, ConnectionFact>;
}

/** Tells the family of the default route whenever the readings know it. */
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

/** The path probe. */
export const pathProbeSpec = ({ registry, driver, connection }: PathProbeDeps): Part =>
  part(
    pathProbe,
    pathProbeMachine.provide({ actors: { echoes: driver, route: routeFollower(registry), connection } }),
    { input: () => ({ family: registry.read('readings')?.context.reading?.routeFamily ?? 'ipv4' }) },
  );
