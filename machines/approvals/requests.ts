import { LOOPBACK, peerName } from '../kit/peer-name.ts';
import type { Milliseconds } from '../kit/units.ts';
import type { ApprovalRequest, Effect, LookedAt } from './events.ts';

/** How long an approval is valid, from its request on (contract, "Limits"). */
export const VALID_MS: Milliseconds = 10 * 60_000;
/** Most requests that wait for an answer, and most of one device (as panel-assistant, but for the device). */
export const PENDING_LIMIT = 12;
export const DEVICE_LIMIT = 3;
/** Most approvals that wait to be used: a person gives one at a time. */
const APPROVED_LIMIT = 24;
/** How long a device is ignored, and how many are remembered. */
export const IGNORE_MS: Milliseconds = 60 * 60_000;
const IGNORED_LIMIT = 64;
/** Most requests remembered as given up. */
const GIVEN_UP_LIMIT = 256;
/** Most requests remembered as over. */
const ENDED_LIMIT = 64;

/** One remembered request, pending or approved. */
export interface StoredRequest extends Omit<ApprovalRequest, 'candidate' | 'at'> {
  readonly id: string;
  readonly askedAt: Milliseconds;
  /** Shown large; only a part of the panel has one. */
  readonly code: string | null;
  /** The question of a part of the panel that awaits the answer; null for a request from outside. */
  readonly asker: string | null;
  readonly approved: boolean;
  /** True once it was shown and the panel was not touched: it is not shown again by itself. */
  readonly passed: boolean;
}

interface GivenUp {
  readonly peer: string;
  readonly at: Milliseconds;
  /** True if it was for another address of the same device, which took nothing from other devices. */
  readonly isOwn: boolean;
}

/** Everything remembered of requests; a restart forgets it. */
export interface Requests {
  /** Oldest first. */
  readonly list: readonly StoredRequest[];
  /** Devices that are ignored, until when. */
  readonly ignored: readonly { readonly device: string; readonly until: Milliseconds }[];
  /** Whose requests were given up for others in the last ten minutes: they still count for their peer. */
  readonly givenUp: readonly GivenUp[];
  /** The newest requests that are over, for the peers that watch them. */
  readonly ended: readonly { readonly id: string; readonly peer: string }[];
}

export const noRequests: Requests = { list: [], ignored: [], givenUp: [], ended: [] };

/** Remembers which requests of `before` are over in `after`. */
export function withEnded(before: Requests, after: Requests): Requests {
  const still = new Set(after.list.map(({ id }) => id));
  const over = before.list.filter(({ id, asker }) => asker === null && !still.has(id));
  if (over.length === 0) return after;
  return { ...after, ended: [...after.ended, ...over.map(({ id, peer }) => ({ id, peer }))].slice(-ENDED_LIMIT) };
}

/**
 * What the limits count: an IPv6 network, since one machine can use every address of it, otherwise the address or the
 * name of the channel.
 */
export function deviceOf(peer: string): string {
  const { name, network } = peerName(peer);
  return network || name || peer;
}

/** What is ignored: the address alone, since a household is one IPv6 network. */
const addressOf = (peer: string): string => peerName(peer).name || peer;

/** True if a person can choose to ignore this peer: it is a device of the network. */
export const isDevice = (peer: string): boolean => !['', LOOPBACK].includes(peerName(peer).name);

/** True while a request counts; a clock that runs backwards ends it. */
const isValid = ({ askedAt }: StoredRequest, now: Milliseconds): boolean => now >= askedAt && now - askedAt < VALID_MS;

/** Removes what is over at `now`. */
function withoutExpired(requests: Requests, now: Milliseconds): Requests {
  return {
    ...requests,
    list: requests.list.filter((one) => isValid(one, now)),
    ignored: requests.ignored.filter(({ until }) => now < until),
    givenUp: requests.givenUp.filter(({ at }) => now - at < VALID_MS),
  };
}

const pendingOf = (requests: Requests): readonly StoredRequest[] => requests.list.filter((one) => !one.approved);

/** How many requests wait for an answer, and how many approvals wait to be used. */
export function standingOf(requests: Requests): { readonly pending: number; readonly approved: number } {
  const pending = pendingOf(requests).length;
  return { pending, approved: requests.list.length - pending };
}

/** How many requests of each name wait, or were given up unanswered. */
function countBy(
  nameOf: (peer: string) => string,
  of: readonly { readonly peer: string }[],
): ReadonlyMap<string, number> {
  const held = new Map<string, number>();
  for (const { peer } of of) held.set(nameOf(peer), (held.get(nameOf(peer)) ?? 0) + 1);
  return held;
}

/**
 * The pending request to give up for a newcomer: the oldest of the one that holds most, if that is more than the
 * newcomer's. A household is one IPv6 network: a machine that takes all places of its device loses one to another
 * address. The one on the screen is never given up, and neither is an approval or a question of the panel itself.
 */
function toGiveUp(
  requests: Requests,
  newcomer: string,
  shown: string | null,
  isDeviceFull: boolean,
): StoredRequest | null {
  const nameOf = isDeviceFull ? (peer: string): string => peer : deviceOf;
  const pending = pendingOf(requests);
  const givenUp = requests.givenUp.filter(({ isOwn }) => isDeviceFull || !isOwn);
  const held = countBy(nameOf, [...pending, ...givenUp]);
  const isRival = ({ peer }: StoredRequest): boolean => !isDeviceFull || deviceOf(peer) === deviceOf(newcomer);
  const open = pending.filter((one) => one.id !== shown && one.asker === null && isRival(one));
  const counts = open.map(({ peer }) => held.get(nameOf(peer)) ?? 0);
  const most = Math.max(0, ...counts);
  return most > (held.get(nameOf(newcomer)) ?? 0) ? (open[counts.indexOf(most)] ?? null) : null;
}

/** What became of a request: consumed, waiting under an id, or refused. */
export type Taken =
  | { readonly status: 'used'; readonly requests: Requests }
  | { readonly status: 'pending'; readonly requests: Requests; readonly id: string; readonly isNew: boolean }
  | { readonly status: 'full'; readonly of: 'peer' | 'all' }
  | { readonly status: 'ignored' };

/** A request to remember. */
type NewRequest = Omit<StoredRequest, 'approved' | 'passed'>;

/**
 * Takes a request at its `askedAt`. An approved one with the same digest is consumed; a pending one keeps its id. A new
 * one waits; `shown` is the one on the screen.
 */
export function takeRequest(before: Requests, request: NewRequest, shown: string | null): Taken {
  const requests = withoutExpired(before, request.askedAt);
  const device = deviceOf(request.peer);
  const same = requests.list.find(
    ({ asker, digest, peer, operation }) =>
      asker === null && digest === request.digest && peer === request.peer && operation === request.operation,
  );
  if (request.asker === null && same?.approved === true)
    return { status: 'used', requests: { ...requests, list: requests.list.filter((one) => one !== same) } };
  if (request.asker === null && same !== undefined) return { status: 'pending', requests, id: same.id, isNew: false };
  if (requests.ignored.some((one) => one.device === addressOf(request.peer))) return { status: 'ignored' };
  const pending = pendingOf(requests);
  if (requests.list.length - pending.length >= APPROVED_LIMIT) return { status: 'full', of: 'all' };
  const entry: StoredRequest = { ...request, approved: false, passed: false };
  const added = (from: Requests): Taken => ({
    status: 'pending',
    requests: { ...from, list: [...from.list, entry] },
    id: entry.id,
    isNew: true,
  });
  const isDeviceFull = pending.filter(({ peer }) => deviceOf(peer) === device).length >= DEVICE_LIMIT;
  if (!isDeviceFull && pending.length < PENDING_LIMIT) return added(requests);
  const victim = toGiveUp(requests, request.peer, shown, isDeviceFull);
  if (victim === null) return { status: 'full', of: isDeviceFull ? 'peer' : 'all' };
  return added({
    ...requests,
    list: requests.list.filter((one) => one !== victim),
    givenUp: [...requests.givenUp, { peer: victim.peer, at: request.askedAt, isOwn: isDeviceFull }].slice(
      -GIVEN_UP_LIMIT,
    ),
  });
}

const without = (requests: Requests, id: string): Requests => ({
  ...requests,
  list: requests.list.filter((one) => one.id !== id),
});

/**
 * A person approved it. What is to be repeated waits for that; what the approval itself carries out, or answers, is
 * over.
 */
export function approveRequest(requests: Requests, id: string): Requests {
  const found = requests.list.find((one) => one.id === id);
  if (found === undefined) return requests;
  if (found.effect !== null || found.asker !== null) return without(requests, id);
  return { ...requests, list: requests.list.map((one) => (one.id === id ? { ...one, approved: true } : one)) };
}

/** A person denied it; an approval that waits can be denied too. */
export const denyRequest = without;

/** A person ignores the device that asked, from `now` on: everything of it that waits is denied. */
export function ignoreDevice(requests: Requests, id: string, now: Milliseconds): Requests {
  const found = requests.list.find((one) => one.id === id);
  if (found === undefined || !isDevice(found.peer)) return without(requests, id);
  const device = addressOf(found.peer);
  const others = requests.ignored.filter((one) => one.device !== device);
  return {
    ...requests,
    list: requests.list.filter((one) => one.approved || addressOf(one.peer) !== device),
    ignored: [...others, { device, until: now + IGNORE_MS }].slice(-IGNORED_LIMIT),
  };
}

/** Marks what was shown and left untouched: with it, everything that waits. */
export const passAll = (requests: Requests): Requests => ({
  ...requests,
  list: requests.list.map((one) => (one.approved ? one : { ...one, passed: true })),
});

/** Everything that waits may be shown again: a person wants to see it. */
export const recallAll = (requests: Requests): Requests => ({
  ...requests,
  list: requests.list.map((one) => ({ ...one, passed: false })),
});

/** The pending requests that may be shown by themselves, oldest first. */
export const openRequests = (requests: Requests): readonly StoredRequest[] =>
  pendingOf(requests).filter(({ passed }) => !passed);

/** The state of an id for the peer that asked; null for any other peer, and for an id that is not known. */
export function lookAt(requests: Requests, id: string, peer: string, now: Milliseconds): LookedAt {
  const found = requests.list.find((one) => one.id === id);
  if (found === undefined) return requests.ended.some((one) => one.id === id && one.peer === peer) ? 'absent' : null;
  if (found.asker !== null || found.peer !== peer) return null;
  if (!isValid(found, now)) return 'absent';
  return found.approved ? 'approved' : 'pending';
}

/** What an approval of it carries out. */
export const effectOf = ({ list }: Requests, id: string): Effect | null =>
  list.find((one) => one.id === id)?.effect ?? null;

/** The operation of a remembered request; null if there is none of that id. */
export const operationIn = ({ list }: Requests, id: string): string | null =>
  list.find((one) => one.id === id)?.operation ?? null;
