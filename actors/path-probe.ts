import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
import type { PathProbeDriverCommand, PathProbeEvent, RouteFamily } from '#machines/path-probe/events.ts';
import { pathProbeMachine } from '#machines/path-probe/machine.ts';
import type { ReadingsContext } from '#machines/readings/events.ts';

import type { Registry } from './kit/registry.ts';
import type { ChildSpec } from './kit/spec.ts';

/** What the path probe's actor is wired to. */
export interface PathProbeDeps {
  readonly registry: Registry;
  readonly driver: DriverLogic<PathProbeDriverCommand, undefined>;
}

/** Tells the family of the default route whenever the readings know it. */
const routeFollower = (registry: Registry): DriverLogic<PathProbeEvent, undefined> =>
  fromDriver<PathProbeEvent, undefined, PathProbeEvent>(({ send }) =>
    registry.follow<RouteFamily | null>(
      'readings',
      // The readings actor's public facts, by its contract in machines/readings/events.ts.
      (snapshot) => (snapshot?.context as ReadingsContext | undefined)?.reading?.routeFamily ?? null,
      (family) => {
        if (family !== null) send({ type: 'probe.family', family });
      },
    ),
  );

/** The path probe: permanent; asked to stop, it ends at once. */
export const pathProbeSpec = ({ registry, driver }: PathProbeDeps): ChildSpec => ({
  id: 'path-probe',
  logic: pathProbeMachine.provide({ actors: { socket: driver, route: routeFollower(registry) } }),
  input: () => ({ family: registry.read<ReadingsContext>('readings')?.context.reading?.routeFamily ?? 'ipv4' }),
  restart: 'permanent',
  stop: { event: { type: 'path-probe.stop' }, withinMs: 50 },
});
