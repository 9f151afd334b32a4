import { describe, expect, it } from 'vitest';

import { admit, type AdmitPhase, MAX_PICTURES, MAX_STREAMS } from '#machines/camera-session/admit.ts';
import { type AfterCapture, afterCaptureEnded, type CaptureEnd } from '#machines/camera-session/after-capture-ended.ts';
import { reopenDelay } from '#machines/camera-session/backoff.ts';
import type { CameraFault, CameraRefusal } from '#machines/camera-session/events.ts';
import {
  initialFacts,
  type PictureLease,
  type SessionFacts,
  type StreamLease,
} from '#machines/camera-session/facts.ts';
import { bindStream, joinPicture, joinStream, openingRequest } from '#machines/camera-session/leases.ts';
import { phaseOf } from '#machines/kit/session-phase.ts';
import { afterTaken, answeredBy, isExposed, takeStills, waitAgain } from '#machines/camera-session/pictures.ts';
import { faultOf } from '#machines/camera-session/fault-of.ts';
import { refusalOf } from '#machines/kit/camera.ts';
import { measured, scanned } from '#machines/camera-session/transitions.ts';
import { starvedAfter, type Watched, watchdog } from '#machines/camera-session/watchdog.ts';

const stream = (client: number, lease: Partial<StreamLease> = {}): StreamLease => ({
  client,
  height: null,
  fps: null,
  kbps: null,
  isAdmitted: true,
  ...lease,
});
const picture = (requestId: string, lease: Partial<PictureLease> = {}): PictureLease => ({
  requestId,
  height: null,
  still: null,
  exposure: 'budget',
  ...lease,
});
const streams = (count: number) => Array.from({ length: count }, (_, at) => stream(at));
const pictures = (count: number) => Array.from({ length: count }, (_, at) => picture(`p${at}`));

describe('a new lease', () => {
  const both = ['stream', 'picture'] as const;
  it.each<[string, AdmitPhase, readonly ('stream' | 'picture')[], Partial<SessionFacts>, CameraRefusal | null]>([
    ['is admitted while idle', 'idle', both, {}, null],
    ['is admitted before the first scan', 'idle', both, { scan: null }, null],
    ['joins while opening, also in a pause', 'opening', both, { retryAt: 999_999, fault: 'open' }, null],
    ['joins while live', 'live', both, {}, null],
    ['waits for a capture that closes', 'closing', both, {}, null],
    ['is refused at the end', 'stopping', both, {}, 'camera-stopping'],
    ['needs a camera', 'idle', both, { scan: 'gone' }, 'camera-unavailable'],
    ['needs the right to open it', 'idle', both, { scan: 'refused' }, 'camera-permission-needed'],
    ['joins frames, whatever an old scan says', 'live', both, { scan: 'gone' }, null],
    ['is refused in a pause while idle', 'idle', both, { retryAt: 1001, fault: 'disconnected' }, 'camera-unavailable'],
    ['is refused in a pause while closing', 'closing', both, { retryAt: 1001, fault: 'starved' }, 'camera-starved'],
    ['is refused while degraded', 'degraded', both, { retryAt: 1001, fault: 'encode' }, 'camera-encode-failed'],
    ['is admitted after the pause', 'degraded', both, { retryAt: 1000, fault: 'encode' }, null],
    [
      'of the stream waits for the encoder',
      'live',
      ['stream'],
      { encoderHoldUntil: 1001 },
      'camera-stream-encoder-unavailable',
    ],
    ['of the stream is admitted after that', 'live', ['stream'], { encoderHoldUntil: 1000 }, null],
    ['of a picture does not wait for the encoder', 'idle', ['picture'], { encoderHoldUntil: 9999 }, null],
    ['of the stream needs room', 'live', ['stream'], { streams: streams(MAX_STREAMS) }, 'camera-busy'],
    ['of a picture is not kept out by streams', 'live', ['picture'], { streams: streams(MAX_STREAMS) }, null],
    ['of a picture needs room', 'live', ['picture'], { pictures: pictures(MAX_PICTURES) }, 'camera-busy'],
    [
      'hears first that there is no camera',
      'idle',
      both,
      { scan: 'gone', retryAt: 9999, fault: 'starved', encoderHoldUntil: 9999, streams: streams(MAX_STREAMS) },
      'camera-unavailable',
    ],
  ])('%s', (_, phase, leases, facts, refusal) => {
    for (const lease of leases) expect(admit({ ...initialFacts, ...facts }, phase, lease, 1000)).toBe(refusal);
  });
});

describe('after a capture ended', () => {
  const at = 10_000;
  it.each<[string, Partial<CaptureEnd>, Partial<AfterCapture>]>([
    ['the first failure opens again after 1 s', { leases: 1 }, { next: 'reopen', failures: 1, pauseMs: 1000 }],
    ['the second after 2 s', { failures: 1, leases: 1 }, { next: 'reopen', failures: 2, pauseMs: 2000 }],
    [
      'the third degrades for 30 s',
      { failures: 2, leases: 9 },
      { next: 'degrade', failures: 3, pauseMs: 30_000, retryAt: 40_000 },
    ],
    ['the third degrades without leases too', { failures: 2 }, { next: 'degrade' }],
    ['without leases it rests, and remembers the pause', {}, { next: 'rest', failures: 1, retryAt: 11_000 }],
    ['a fault of the encoder holds streams back for 30 s', { fault: 'encode' }, { encoderHoldUntil: 40_000 }],
    ['a missing encoder does too', { fault: 'stream_encoder' }, { encoderHoldUntil: 40_000 }],
    ['any other fault does not', { fault: 'disconnected' }, { encoderHoldUntil: null }],
  ])('%s', (_, end, after) =>
    expect(afterCaptureEnded({ failures: 0, fault: 'open', leases: 0, at, ...end })).toMatchObject(after),
  );

  it('pauses twice as long each time, 30 s at most', () => {
    expect([1, 2, 3, 4, 5, 6, 60].map(reopenDelay)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });
});

describe('the watchdog', () => {
  const fine: Watched = { clients: 1, fault: null, isIndicated: true, lastAt: 0, fps: 15, at: 2000 };
  it.each<[string, Partial<Watched>, ReturnType<typeof watchdog>]>([
    ['lets a capture go on', {}, null],
    ['ends one that starves', { at: 2001 }, 'starved'],
    ['gives a slow camera four frames', { fps: 1, at: 4000 }, null],
    ['and no more', { fps: 1, at: 4001 }, 'starved'],
    ['ends one that is not shown, before starvation', { isIndicated: false, at: 9000 }, 'indication'],
    ['ends a broken one, before the indication', { fault: 'encode', isIndicated: false, at: 9000 }, 'fault'],
    [
      'ends an unused one, before everything else',
      { clients: 0, fault: 'encode', isIndicated: false, at: 9000 },
      'unused',
    ],
  ])('%s', (_, facts, end) => expect(watchdog({ ...fine, ...facts })).toBe(end));

  it('counts four intervals, 2 s at least', () => {
    expect([30, 15, 2, 1].map(starvedAfter)).toEqual([2000, 2000, 2000, 4000]);
  });
});

describe('what the encoder is asked for', () => {
  const configured = { height: 720, fps: 15, kbps: 2000 } as const;
  const request = { ...configured };

  it.each([
    ['as configured for a picture', [], configured],
    [
      'what the first client names',
      [stream(1, { height: 480, fps: 5, kbps: 500 }), stream(2)],
      { height: 480, fps: 5, kbps: 500 },
    ],
    ['the rest as configured', [stream(1, { fps: 30 })], { height: 720, fps: 30, kbps: 2000 }],
  ] as const)('is %s', (_, leases, expected) => {
    expect(openingRequest({ ...initialFacts, configured, streams: leases })).toEqual(expected);
  });

  it.each([
    ['a client that names nothing', [], { height: null, fps: null, kbps: null }, request, 15, false],
    ['one that names the same', [], { height: 720, fps: 15, kbps: 2000 }, request, 15, false],
    ['one that asks for another rate', [], { height: null, fps: 30, kbps: null }, request, 30, false],
    ['one that asks for another size', [], { height: 480, fps: 30, kbps: null }, { ...request, height: 480 }, 30, true],
    [
      'one that asks for another bit rate',
      [],
      { height: null, fps: null, kbps: 500 },
      { ...request, kbps: 500 },
      15,
      true,
    ],
    ['a later one, whatever it asks', [stream(1)], { height: 480, fps: 30, kbps: 500 }, request, 15, false],
    [
      'the only one when it asks again',
      [stream(7)],
      { height: 480, fps: null, kbps: null },
      { ...request, height: 480 },
      15,
      true,
    ],
  ] as const)('%s', (_, before, wanted, expected, requestedFps, restarts) => {
    const bound = bindStream({ streams: before, request, requestedFps: 15 }, { client: 7, ...wanted });
    expect(bound).toEqual({ request: expected, requestedFps, restarts });
  });

  it('binds nothing without a session', () => {
    expect(bindStream({ streams: [], request: null, requestedFps: null }, stream(1))).toBeNull();
  });
});

describe('leases', () => {
  it('counts clients and pictures', () => {
    const one = joinStream(
      initialFacts,
      { type: 'stream.wanted', client: 1, height: null, fps: null, kbps: null, at: 5 },
      false,
    );
    const two = joinPicture(
      { ...initialFacts, ...one },
      { type: 'camera.snapshot', requestId: 'a', height: 480, at: 6 },
    );
    expect([one.clients, two.clients, two.at]).toEqual([1, 2, 6]);
  });

  it('gives a client that asks again its own place', () => {
    const facts = { ...initialFacts, streams: [stream(1), stream(2)], clients: 2 };
    const joined = joinStream(
      facts,
      { type: 'stream.wanted', client: 1, height: 480, fps: null, kbps: null, at: 5 },
      true,
    );
    expect(joined).toMatchObject({ clients: 2, streams: [{ client: 1, height: 480 }, { client: 2 }] });
  });
});

describe('pictures', () => {
  it('settle 1.2 s after the first frame', () => {
    expect([null, 0].map((openedAt) => isExposed({ openedAt }, 1199))).toEqual([false, false]);
    expect([null, 0].map((openedAt) => isExposed({ openedAt }, 1200))).toEqual([false, true]);
  });

  it('of one height share a still, also one under way', () => {
    const waiting = [
      picture('a'),
      picture('b', { height: 480 }),
      picture('c'),
      picture('d', { height: 1080, still: 4 }),
      picture('e', { height: 1080 }),
    ];
    const { pictures: taken, stills, commands } = takeStills({ pictures: waiting, stills: 4 }, 'converged');
    expect(taken.map(({ still, exposure }) => [still, exposure])).toEqual([
      [5, 'converged'],
      [6, 'converged'],
      [5, 'converged'],
      [4, 'budget'],
      [4, 'converged'],
    ]);
    expect(commands).toEqual([
      { type: 'still.take', id: 5, height: null },
      { type: 'still.take', id: 6, height: 480 },
    ]);
    expect(stills).toBe(6);
  });

  it('count for the exposure once they are answered', () => {
    const facts = { ...initialFacts, pictures: [picture('a', { still: 1 }), picture('b', { still: 1 }), picture('c')] };
    const answered = answeredBy(facts, 1);
    expect(answered.map(({ requestId }) => requestId)).toEqual(['a', 'b']);
    expect(afterTaken(facts, answered)).toMatchObject({ exposure: 'budget', exposureFallbacks: 2, clients: 1 });
    expect(afterTaken(facts, [])).toEqual({});
  });

  it('wait again where their still failed with its capture', () => {
    const facts = { pictures: [picture('a', { still: 1 }), picture('b', { still: 2 })] };
    expect(waitAgain(facts, 1).pictures?.map(({ still }) => still)).toEqual([null, 2]);
  });
});

describe('rates', () => {
  const running = { ...initialFacts, openedAt: 1000, lastFrameAt: 1000, failures: 2, streams: [stream(1)] };
  const tick = { type: 'capture.measured', generation: 1, attempt: 1, fps: 15, kbps: 2000 } as const;

  it('end a row of failures with the second frame', () => {
    expect(measured(running, { ...tick, lastAt: 1000, at: 2000 })).not.toHaveProperty('failures');
    expect(measured(running, { ...tick, lastAt: 1900, at: 2000 })).toMatchObject({ failures: 0, lastFrameAt: 1900 });
  });

  it.each<[string, Partial<SessionFacts>, number]>([
    ['with the first frames of a stream', {}, 2],
    ['never for pictures alone', { streams: [] }, 1],
    ['never within ten seconds', { stillAt: 90_001 }, 1],
    ['again after ten seconds', { stillAt: 90_000 }, 2],
  ])('make a new still worth fetching: %s', (_, facts, sequence) => {
    const before = { ...running, ...facts };
    const after = { ...before, ...measured(before, { ...tick, lastAt: 99_900, at: 100_000 }) };
    expect(after.stillSequence).toBe(sequence);
  });
});

it('tries a camera that is back at once', () => {
  const failing = { ...initialFacts, failures: 2, retryAt: 9999 };
  const found = { type: 'scan.changed', camera: 'present' } as const;
  expect(scanned({ ...failing, scan: 'gone' }, found)).toEqual({ scan: 'present', failures: 0, retryAt: null });
  expect(scanned({ ...failing, scan: 'present' }, found)).toEqual({ scan: 'present' });
  expect(scanned({ ...failing, scan: null }, found)).toEqual({ scan: 'present' });
});

it.each<[CameraFault, CameraRefusal]>([
  ['none', 'camera-unavailable'],
  ['indication', 'camera-indication-unavailable'],
  ['foreground', 'camera-foreground-refused'],
  ['permission', 'camera-permission-needed'],
  ['open', 'camera-unavailable'],
  ['configure', 'camera-unavailable'],
  ['device_error', 'camera-unavailable'],
  ['disconnected', 'camera-unavailable'],
  ['starved', 'camera-starved'],
  ['encode', 'camera-encode-failed'],
  ['stream_encoder', 'camera-stream-encoder-unavailable'],
])('the fault %s is refused as %s', (fault, refusal) => expect(refusalOf(fault)).toBe(refusal));

it('tells a missing screen from an indication that does not show', () => {
  expect((['dark-without-led', 'led-failed', 'unconfirmed'] as const).map(faultOf)).toEqual(
    Array(3).fill('indication'),
  );
  expect((['headless', 'android', 'starting', 'no-browser'] as const).map(faultOf)).toEqual(
    Array(4).fill('foreground'),
  );
});

it.each([
  ['off', null],
  ['idle', 'idle'],
  [{ opening: 'pausing' }, 'opening'],
  ['closing', 'stopping'],
  ['withdrawing', 'stopping'],
])('the state %j is the phase %s', (state, phase) => expect(phaseOf(state)).toBe(phase));
