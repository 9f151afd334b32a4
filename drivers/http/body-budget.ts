import { LOOPBACK } from '#machines/kit/peer-name.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { ListenerBounds } from './bounds.ts';

/** A request body, or the part of it that has arrived. */
export interface HeldBody {
  readonly peer: { readonly name: string; readonly network: { readonly name: string } | null };
  /** Bytes held that count towards the bounds. */
  readonly held: number;
  /** When some of it last arrived; infinite once it is complete. */
  readonly movedAt: Milliseconds;
  /** False once its request is being answered: it can no longer be ended for another. */
  readonly isPending: boolean;
}

export type BudgetBounds = Pick<ListenerBounds, 'bodyBytes' | 'bodyBytesPerPeer' | 'bodyBytesPerNetwork'>;

/** A sender on a local network pauses for less, unless it is gone. */
const PAUSE_MS: Milliseconds = 2000;

const sum = (bodies: readonly HeldBody[]): number => bodies.reduce((total, { held }) => total + held, 0);

const oldest = <B extends HeldBody>(bodies: readonly B[]): B | undefined =>
  bodies.reduce<B | undefined>(
    (found, one) => (found === undefined || one.movedAt < found.movedAt ? one : found),
    undefined,
  );

/**
 * The one of `others` that ends for a peer that will hold `size` bytes in `count` bodies; undefined if there is none. A
 * paused one comes first, then one of the peer with most bodies, or as many and more bytes: peers that send several
 * must not shut out one that sends a single one.
 */
function victimOf<B extends HeldBody>(
  others: readonly B[],
  size: number,
  count: number,
  now: Milliseconds,
): B | undefined {
  const holding = others.filter(({ held }) => held > 0);
  const isPaused = ({ isPending, movedAt }: B): boolean => isPending && now - movedAt >= PAUSE_MS;
  const paused = oldest(holding.filter(isPaused));
  if (paused !== undefined) return paused;
  const byPeer = new Map<string, B[]>();
  for (const one of holding) byPeer.set(one.peer.name, [...(byPeer.get(one.peer.name) ?? []), one]);
  const [greediest] = [...byPeer.values()]
    .filter((own) => own.some(({ isPending }) => isPending))
    .filter((own) => own.length > count || (own.length === count && sum(own) > size))
    .toSorted((one, other) => other.length - one.length || sum(other) - sum(one));
  return oldest((greediest ?? []).filter(({ isPending }) => isPending));
}

/**
 * Decides if `asking` may hold `more` bytes: `granted`, `full`, or the body that has to end first. Only bytes that have
 * arrived count: an announced length takes nothing from others. The machine itself has the budget of one peer, which no
 * other can take.
 */
export function capacityFor<B extends HeldBody>(
  bodies: readonly B[],
  asking: B,
  more: number,
  bounds: BudgetBounds,
  now: Milliseconds,
): 'granted' | 'full' | B {
  const { peer } = asking;
  const isOwn = (one: B): boolean => one.peer.name === peer.name;
  const own = bodies.filter(isOwn);
  const size = sum(own) + more;
  if (size > bounds.bodyBytesPerPeer) return 'full';
  if (peer.name === LOOPBACK) return 'granted';
  const outside = bodies.filter((one) => one.peer.name !== LOOPBACK);
  const network = outside.filter((one) => peer.network !== null && one.peer.network?.name === peer.network.name);
  const crowded =
    sum(network) + more > bounds.bodyBytesPerNetwork
      ? network
      : sum(outside) + more > bounds.bodyBytes
        ? outside
        : null;
  if (crowded === null) return 'granted';
  return (
    victimOf(
      crowded.filter((one) => !isOwn(one)),
      size,
      own.length,
      now,
    ) ?? 'full'
  );
}
