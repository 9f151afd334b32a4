import type { Milliseconds } from '../kit/units.ts';
import type { ConnectionCommand, HomeAssistantEvent } from './events.ts';

/** A one-time request to Home Assistant. */
export type Request = Extract<HomeAssistantEvent, { readonly requestId: string }>;
/** A request that waits for its answer, as a command for the connection. */
export type WaitingRequest = Extract<ConnectionCommand, { readonly requestId: string }>;

/** Most requests waiting for an answer at a time; those that share one count once. */
const REQUESTS = 16;
/** Most requests that share one answer. */
const SHARERS = 1024;
/**
 * How long the answer about light sensors serves all callers: each costs Home Assistant the list of all its states, and
 * any neighbour may ask for it.
 */
export const SHARED_MS: Milliseconds = 30_000;

/** True if one answer serves all callers of this request. */
export const isShared = (request: Request | WaitingRequest): boolean =>
  'topic' in request && request.topic.kind === 'light-sensors';

/** True if its answer is under way already, for another caller. */
export const isUnderWay = (requests: readonly WaitingRequest[], request: Request): boolean =>
  isShared(request) && requests.some(isShared);

/** Those to send: one for all that share its answer. */
export function distinctOf(requests: readonly WaitingRequest[]): readonly WaitingRequest[] {
  const first = requests.find(isShared);
  return requests.filter((request) => request === first || !isShared(request));
}

/** Those that the answer to `requestId` is for: with a shared one, all that share it. */
export function answeredBy(requests: readonly WaitingRequest[], requestId: string): readonly WaitingRequest[] {
  const answered = requests.find((request) => request.requestId === requestId);
  if (answered === undefined) return [];
  return isShared(answered) ? requests.filter(isShared) : [answered];
}

/** True if one more request may wait. Only one sample at a time: two would count each other's traffic. */
export function hasCapacityFor(requests: readonly WaitingRequest[], request: Request): boolean {
  if (isUnderWay(requests, request)) return requests.filter(isShared).length < SHARERS;
  return (
    distinctOf(requests).length < REQUESTS &&
    (request.type !== 'home-assistant.sample' || requests.every(({ type }) => type !== 'socket.sample'))
  );
}
