import { withEvent } from '../kit/with-event.ts';
import type { AdmitPhase } from './admit.ts';
import type { CameraRefusal } from './events.ts';
import type { EventOf, SessionFacts } from './facts.ts';
import { refusalOf } from '../kit/camera.ts';
import { faultOf } from './fault-of.ts';
import type { Failure } from './transitions.ts';

/** Answers all that wait and ends all clients. */
export const refuseAll = (refusal: CameraRefusal) =>
  [{ type: 'refuseWaiting', params: { refusal } }, 'dropStreams'] as const;

interface Asking<E> {
  readonly event: E;
}

interface Onward<T extends string, A extends string> {
  readonly target?: T;
  /** Done after the lease has joined. */
  readonly actions?: readonly A[];
}

/** What a request for a picture or the stream does in a phase: it is refused, or joins and leads on. */
export function acquired<const T extends string, const A extends string = never>(
  phase: AdmitPhase,
  { target, actions = [] }: Onward<T, A>,
) {
  const params = <E>({ event }: Asking<E>) => ({ event, phase });
  const guard = { type: 'isRefused', params } as const;
  const onward = target === undefined ? {} : { target };
  return {
    'camera.snapshot': [
      { guard, actions: { type: 'refusePicture', params } },
      { ...onward, actions: [withEvent('joinPicture'), ...actions] },
    ],
    'stream.wanted': [
      { guard, actions: { type: 'refuseStream', params } },
      { ...onward, actions: [withEvent('joinStream'), ...actions] },
    ],
  } as const;
}

interface Now<E> {
  readonly context: SessionFacts;
  readonly event: E;
}

const closing = '#camera-session.closing';
const reclosing = '#camera-session.opening.reclosing';

/**
 * Where a failure leads: the camera rests, opens again for those who were admitted, or closes. `waiting` says if what
 * waits for frames is kept for the next capture, or answered now.
 */
export function failing<E>(
  of: (now: Now<E>) => Failure,
  waiting: 'kept' | 'answered',
  first: readonly 'releaseCapture'[] = [],
) {
  const answer = {
    type: 'refuseWaiting',
    params: (now: Now<E>) => ({ refusal: refusalOf(of(now).fault) }),
  } as const;
  const fail = { type: 'fail', params: of } as const;
  return [
    { guard: { type: 'degrades', params: of }, target: closing, actions: [...first, answer, 'dropStreams', fail] },
    {
      guard: { type: 'reopens', params: of },
      target: reclosing,
      actions: [...first, ...(waiting === 'kept' ? [] : [answer]), fail],
    },
    { target: closing, actions: [...first, answer, fail] },
  ] as const;
}

/** The capture reported what broke. */
export const broken = ({ event: { fault, detail, at } }: Now<EventOf<'capture.failed'>>): Failure => ({
  fault,
  detail,
  at,
});

/** The process ended without a word. */
export const ended = ({ event: { at } }: Now<EventOf<'capture.closed'>>): Failure => ({
  fault: 'device_error',
  detail: 'ended',
  at,
});

/** The frames stopped. */
export const starved = ({ event: { at } }: Now<EventOf<'capture.measured'>>): Failure => ({
  fault: 'starved',
  detail: 'no-frames',
  at,
});

/** No frame came at all; the capture reports the time once a second meanwhile. */
export const neverOpened = ({ context: { at } }: Now<unknown>): Failure => ({
  fault: 'starved',
  detail: 'no-first-frame',
  at,
});

/** The indication is refused or lost: nothing may be filmed. */
export const unindicated = {
  'indication.refused': {
    guard: 'isUnindicated',
    target: closing,
    actions: [
      withEvent('noteUnindicated'),
      {
        type: 'refuseWaiting',
        params: ({ event }: Now<EventOf<'indication.refused'>>) => ({ refusal: refusalOf(faultOf(event.reason)) }),
      },
      'dropStreams',
    ],
  },
} as const;

/** Shown in another way: the screen went dark, or is lit again. */
export const indicated = { 'indication.confirmed': { actions: withEvent('takeIndication') } } as const;
