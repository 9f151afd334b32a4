import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
import type {
  PathProbeDriverCommand,
  PathProbeEvent,
  RouteFact,
  RouteFamily,
  SocketFact,
} from '#machines/path-probe/events.ts';
import { pathProbe } from '#machines/path-probe/index.ts';
import { pathProbeMachine } from '#machines/path-probe/machine.ts';

import type { Registry } from './kit/registry.ts';
import { part, type Part } from './kit/part.ts';

/** What the path probe's actor is wired to. */
export interface PathProbeDeps {
  readonly registry: Registry;
  readonly driver: DriverLogic<PathProbeDriverCommand, undefined, SocketFact>;
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
export const pathProbeSpec = ({ registry, driver }: PathProbeDeps): Part =>
  part(pathProbe, pathProbeMachine.provide({ actors: { socket: driver, route: routeFollower(registry) } }), {
    input: () => ({ family: registry.read('readings')?.context.reading?.routeFamily ?? 'ipv4' }),
  });
