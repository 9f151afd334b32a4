import { isIP } from 'node:net';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { EpochMs } from '#machines/kit/units.ts';
import type { Burst, PathProbeDriverCommand, PathProbeDriverFact, RouteFamily } from '#machines/path-probe/events.ts';

import { datagramWay } from './datagram.ts';
import { type EchoWay, nothingSent } from './echo-way.ts';
import { pingWay } from './ping.ts';
import type { ConnectedRoute } from './route.ts';

export interface EchoDeps {
  /** The route to measure now, from the driver that holds the socket; null for none. */
  readonly route: () => ConnectedRoute | null;
  readonly now?: () => EpochMs;
  /** Ways to send echoes, in the order in which they are tried; both by default. */
  readonly ways?: readonly EchoWay[];
}

/** Finds the first way that works, null for none. */
async function firstOf(ways: readonly EchoWay[], family: RouteFamily, signal: AbortSignal): Promise<EchoWay | null> {
  for (const way of ways) {
    // oxlint-disable-next-line no-await-in-loop -- each way is tried only if the ones before it failed
    if (await way.works(family, signal)) return way;
  }
  return null;
}

/** Sends bursts of ICMP echoes to the address that the socket is connected to, without ever revealing it. */
export const echoes = ({ route, now = Date.now, ways = [datagramWay(), pingWay()] }: EchoDeps) =>
  fromDriver<PathProbeDriverCommand, undefined, PathProbeDriverFact>(({ signal, send, onEvent }) => {
    const chosen = new Map<RouteFamily, EchoWay | null>();
    /** The current burst, and the controller that cancels it. */
    let running = Promise.resolve();
    let underWay = new AbortController();
    /** Address of the previous burst. */
    let lastAddress: string | null = null;

    const choose = async (family: RouteFamily): Promise<EchoWay | null> => {
      const way = await firstOf(ways, family, signal);
      chosen.set(family, way);
      return way;
    };
    const burstTo = async (target: ConnectedRoute, until: AbortSignal): Promise<Burst> => {
      const way = chosen.get(target.family) ?? (await choose(target.family));
      return way === null || until.aborted ? nothingSent : way.burst(target, until);
    };
    const burst = async (generation: number, before: Promise<void>, own: AbortController): Promise<void> => {
      const end = (): void => own.abort();
      signal.addEventListener('abort', end);
      await before;
      const target = own.signal.aborted ? null : route();
      const hasRoute = target !== null && isIP(target.address) !== 0;
      const result = hasRoute ? await burstTo(target, own.signal) : nothingSent;
      signal.removeEventListener('abort', end);
      if (own.signal.aborted) return;
      const moved = hasRoute && lastAddress !== null && lastAddress !== target.address;
      if (hasRoute) lastAddress = target.address;
      send({ type: 'probe.burst-ended', generation, moved, ...result, at: now() });
    };

    onEvent(async (command) => {
      if (command.type !== 'probe.try') underWay.abort();
      if (command.type === 'probe.cancel') return;
      if (command.type === 'probe.burst') {
        underWay = new AbortController();
        running = burst(command.generation, running, underWay);
        return running;
      }
      const { family } = command;
      send({ type: 'probe.socket', family, supported: (await choose(family)) !== null });
    });
  });
