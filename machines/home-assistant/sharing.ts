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

/** The kind of topic whose answer serves all who ask meanwhile: each lists all states. Null for any other request. */
function sharedKind(request: Request | WaitingRequest): 'light-sensors' | 'area-presence' | null {
  const kind = 'topic' in request ? request.topic.kind : null;
  return kind === 'light-sensors' || kind === 'area-presence' ? kind : null;
}

/** Those of the requests that share their answer with this one. */
function sharersOf(requests: readonly WaitingRequest[], request: Request | WaitingRequest): readonly WaitingRequest[] {
  const kind = sharedKind(request);
  return kind === null ? [] : requests.filter((one) => sharedKind(one) === kind);
}

/** True if the answer to this request also serves callers for a while after it came. */
export const isKept = (request: Request | WaitingRequest): boolean => sharedKind(request) === 'light-sensors';

/** True if its answer is under way already, for another caller. */
export const isUnderWay = (requests: readonly WaitingRequest[], request: Request): boolean =>
  sharersOf(requests, request).length > 0;

/** Those to send: one for all that share its answer. */
export const distinctOf = (requests: readonly WaitingRequest[]): readonly WaitingRequest[] =>
  requests.filter((request) => [request, undefined].includes(sharersOf(requests, request)[0]));

/** Those that the answer to `requestId` is for: with a shared one, all that share it. */
export function answeredBy(requests: readonly WaitingRequest[], requestId: string): readonly WaitingRequest[] {
  const answered = requests.find((request) => request.requestId === requestId);
  if (answered === undefined) return [];
  return sharedKind(answered) === null ? [answered] : sharersOf(requests, answered);
}

/** True if one more request may wait. Only one sample at a time: two would count each other's traffic. */
export function hasCapacityFor(requests: readonly WaitingRequest[], request: Request): boolean {
  if (isUnderWay(requests, request)) return sharersOf(requests, request).length < SHARERS;
  return (
    distinctOf(requests).length < REQUESTS &&
    (request.type !== 'home-assistant.sample' || requests.every(({ type }) => type !== 'socket.sample'))
  );
}
