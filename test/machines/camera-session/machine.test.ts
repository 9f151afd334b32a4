import { describe, expect, it } from 'vitest';

import { sessionRig, type SessionRig } from './rig.ts';

/** A session with one client of the stream and frames. */
function streaming(named: Parameters<SessionRig['want']>[1] = {}): SessionRig {
  const rig = sessionRig();
  rig.want(1, named);
  rig.confirm();
  rig.open();
  return rig;
}
/** A session that a picture opened, with frames. */
function picturing(): SessionRig {
  const rig = sessionRig();
  rig.ask('a');
  rig.confirm();
  rig.open();
  return rig;
}
/** Fails the capture that runs, which then closes. */
function breakDown(rig: SessionRig, ...fault: Parameters<SessionRig['fail']>): void {
  rig.fail(...fault);
  rig.closed();
}

describe('opening', () => {
  it('shows the room first, then opens, and hides it only after the device closed', () => {
    const rig = sessionRig();
    rig.want(1);
    expect([rig.log, rig.phase(), rig.facts().indication]).toEqual([['hold'], 'opening', 'none']);
    rig.confirm();
    expect(rig.log).toEqual(['hold', 'capture 1']);
    rig.open();
    expect([rig.phase(), rig.facts().indication]).toEqual(['live', 'overlay']);
    rig.leave(1);
    expect(rig.log).toEqual(['hold', 'capture 1', 'stream.admit 1', 'close 1']);
    expect([rig.phase(), rig.facts().clients]).toEqual(['stopping', 0]);
    rig.closed();
    expect(rig.log.at(-1)).toBe('release');
    expect([rig.phase(), rig.facts().indication, rig.facts().encoding]).toEqual(['idle', 'none', null]);
  });

  it('starts as configured, or as the first client names it', () => {
    expect(picturing().newest().input).toEqual({
      generation: 1,
      attempt: 1,
      request: { height: 720, fps: 15, kbps: 2000 },
    });
    const named = { height: 480, fps: 5, kbps: 500 } as const;
    expect(streaming(named).newest().input.request).toEqual(named);
  });

  it('takes new settings with the next session', () => {
    const rig = streaming();
    rig.saySurroundings({ type: 'encoding.changed', request: { height: 1080, fps: 30, kbps: 4000 } });
    expect(rig.captures).toHaveLength(1);
    rig.leave(1);
    rig.closed();
    rig.ask('a');
    rig.confirm();
    expect(rig.newest().input).toEqual({ generation: 2, attempt: 2, request: { height: 1080, fps: 30, kbps: 4000 } });
  });

  it('joins those who come while it opens, and admits them all with the first frame', () => {
    const rig = sessionRig();
    rig.want(1);
    rig.want(2);
    rig.confirm();
    rig.want(3);
    expect([rig.streamed, rig.facts().clients]).toEqual([[], 3]);
    rig.open();
    expect(rig.streamed.map((one) => 'client' in one && one.client)).toEqual([1, 2, 3]);
    rig.want(4);
    expect(rig.streamed.at(-1)).toEqual({ type: 'stream.admit', client: 4 });
    expect(rig.captures).toHaveLength(1);
  });

  it.each([
    ['dark-without-led', 'camera-indication-unavailable', 'indication'],
    ['led-failed', 'camera-indication-unavailable', 'indication'],
    ['unconfirmed', 'camera-indication-unavailable', 'indication'],
    ['headless', 'camera-foreground-refused', 'foreground'],
    ['foreign-browser', 'camera-foreground-refused', 'foreground'],
    ['no-renderer', 'camera-foreground-refused', 'foreground'],
    ['android', 'camera-foreground-refused', 'foreground'],
  ] as const)('opens nothing where the indication is refused: %s', (reason, refusal, fault) => {
    const rig = sessionRig();
    rig.want(1);
    rig.ask('a');
    rig.sayIndication({ type: 'indication.refused', reason });
    expect([rig.refusalOf(1), rig.answerOf('a')]).toEqual([refusal, refusal]);
    expect([rig.captures, rig.log.at(-1), rig.phase()]).toEqual([[], 'release', 'idle']);
    expect(rig.facts()).toMatchObject({ fault, faultDetail: reason, failures: 0, retryAt: null });
    rig.ask('b');
    expect([rig.log.at(-1), rig.answerOf('b')]).toEqual(['hold', null]);
  });

  it('gives up on an indication that never answers', () => {
    const rig = sessionRig();
    rig.ask('a');
    rig.pass(3900);
    expect(rig.answerOf('a')).toBeNull();
    rig.pass(100);
    expect([rig.answerOf('a'), rig.phase()]).toEqual(['camera-indication-unavailable', 'idle']);
  });

  it('does not take a late answer for that of another lease', () => {
    const rig = sessionRig();
    rig.want(1);
    rig.leave(1);
    expect([rig.phase(), rig.log]).toEqual(['stopping', ['hold']]);
    rig.want(2);
    expect(rig.log).toEqual(['hold']);
    rig.leave(2);
    rig.confirm();
    expect([rig.log, rig.phase(), rig.captures]).toEqual([['hold', 'release'], 'idle', []]);
  });

  it('starves without a first frame for 5 s', () => {
    const rig = sessionRig();
    rig.ask('a');
    rig.confirm();
    rig.pass(4000);
    rig.tick(null);
    rig.pass(900);
    expect(rig.answerOf('a')).toBeNull();
    rig.pass(100);
    expect([rig.answerOf('a'), rig.phase(), rig.newest().isClosing]).toEqual(['camera-starved', 'stopping', true]);
    rig.closed();
    expect(rig.facts()).toMatchObject({ fault: 'starved', failures: 1, retryAt: 5000 });
  });
});

describe('the gates', () => {
  it.each([
    ['gone', 'camera-unavailable'],
    ['refused', 'camera-permission-needed'],
  ] as const)('of the scan: %s', (camera, refusal) => {
    const rig = sessionRig();
    rig.saySurroundings({ type: 'scan.changed', camera });
    rig.ask('a');
    rig.want(1);
    expect([rig.answerOf('a'), rig.refusalOf(1), rig.log]).toEqual([refusal, refusal, ['stream.refuse 1']]);
  });

  it('let a camera that is back be tried at once', () => {
    const rig = sessionRig();
    rig.ask('a');
    rig.confirm();
    breakDown(rig, 'disconnected', 'no-device');
    rig.ask('b');
    expect(rig.answerOf('b')).toBe('camera-unavailable');
    rig.saySurroundings({ type: 'scan.changed', camera: 'gone' });
    rig.saySurroundings({ type: 'scan.changed', camera: 'present' });
    rig.ask('c');
    expect([rig.answerOf('c'), rig.phase()]).toEqual([null, 'opening']);
  });
});

describe('failures', () => {
  it('answer all who wait at once, and close where no client is left', () => {
    const rig = sessionRig();
    rig.want(1);
    rig.ask('a');
    rig.confirm();
    rig.fail('open', 'busy');
    expect([rig.refusalOf(1), rig.answerOf('a'), rig.phase()]).toEqual([
      'camera-unavailable',
      'camera-unavailable',
      'stopping',
    ]);
    rig.closed();
    expect([rig.phase(), rig.log.at(-1)]).toEqual(['idle', 'release']);
    expect(rig.facts()).toMatchObject({ fault: 'open', faultDetail: 'busy', failures: 1, retryAt: 1000 });
  });

  it('rest for a while: what comes meanwhile is refused, and the third degrades', () => {
    const rig = sessionRig();
    const attempt = (): void => {
      rig.ask(`p${rig.replies.length}`);
      rig.confirm();
      breakDown(rig);
    };
    attempt();
    rig.ask('early');
    expect(rig.answerOf('early')).toBe('camera-unavailable');
    rig.pass(1000);
    attempt();
    rig.pass(1900);
    rig.ask('again early');
    expect(rig.answerOf('again early')).toBe('camera-unavailable');
    rig.pass(100);
    attempt();
    expect([rig.phase(), rig.facts().failures, rig.facts().retryAt, rig.isHeld()]).toEqual([
      'degraded',
      3,
      33_000,
      false,
    ]);
    rig.pass(29_900);
    rig.want(1);
    expect([rig.refusalOf(1), rig.phase()]).toEqual(['camera-unavailable', 'degraded']);
    rig.pass(200);
    expect(rig.phase()).toBe('degraded');
    rig.want(2);
    expect([rig.phase(), rig.facts().failures, rig.facts().fault]).toEqual(['opening', 0, 'open']);
    rig.confirm();
    rig.open();
    expect(rig.facts()).toMatchObject({ fault: 'none', faultDetail: null, retryAt: null });
  });

  it('while live keep leases and binding, and open again after a pause', () => {
    const rig = streaming({ height: 480, kbps: 500 });
    rig.fail('disconnected', 'no-device');
    expect([rig.phase(), rig.isHeld(), rig.facts().clients]).toEqual(['opening', true, 1]);
    rig.pass(3000);
    expect(rig.captures).toHaveLength(1);
    rig.closed();
    rig.pass(900);
    expect(rig.captures).toHaveLength(1);
    rig.pass(100);
    expect(rig.newest().input).toEqual({ generation: 1, attempt: 2, request: { height: 480, fps: 15, kbps: 500 } });
    rig.open();
    expect([rig.phase(), rig.streamed, rig.facts().failures]).toEqual([
      'live',
      [{ type: 'stream.admit', client: 1 }],
      1,
    ]);
    rig.pass(1000);
    rig.tick();
    expect(rig.facts().failures).toBe(0);
  });

  it('three times in a row while a client stays end the session', () => {
    const rig = streaming();
    breakDown(rig, 'device_error', 'io');
    rig.pass(1000);
    breakDown(rig, 'device_error', 'io');
    rig.want(2);
    rig.pass(1900);
    expect(rig.captures).toHaveLength(2);
    rig.pass(100);
    breakDown(rig, 'device_error', 'io');
    expect([rig.phase(), rig.refusalOf(2), rig.streamed.at(-1)]).toEqual([
      'degraded',
      'camera-unavailable',
      { type: 'stream.drop' },
    ]);
    expect(rig.facts()).toMatchObject({ clients: 0, failures: 3 });
  });

  it('end an opening for those who wait, not for those who were admitted', () => {
    const rig = streaming();
    breakDown(rig);
    rig.pass(1000);
    rig.want(2);
    rig.ask('a');
    rig.fail('open', 'busy');
    expect([rig.refusalOf(1), rig.refusalOf(2), rig.answerOf('a')]).toEqual([
      null,
      'camera-unavailable',
      'camera-unavailable',
    ]);
    expect([rig.phase(), rig.facts().clients]).toEqual(['opening', 1]);
  });

  it.each([
    ['encode', 'camera-encode-failed'],
    ['stream_encoder', 'camera-stream-encoder-unavailable'],
  ] as const)('of the encoder hold streams back for 30 s, not pictures: %s', (fault, refusal) => {
    const rig = sessionRig();
    rig.want(1);
    rig.confirm();
    breakDown(rig, fault, 'ffmpeg-missing');
    expect(rig.refusalOf(1)).toBe(refusal);
    rig.pass(1000);
    rig.want(2);
    rig.ask('a');
    expect([rig.refusalOf(2), rig.answerOf('a'), rig.phase()]).toEqual([
      'camera-stream-encoder-unavailable',
      null,
      'opening',
    ]);
    rig.confirm();
    rig.open();
    expect(rig.facts().encoderHoldUntil).toBeNull();
    rig.want(3);
    expect(rig.streamed.at(-1)).toEqual({ type: 'stream.admit', client: 3 });
  });

  it.each([
    ['starved', 2100],
    ['not starved', 1900],
  ])('frames that stop: %s', (word, silence) => {
    const rig = streaming();
    rig.pass(silence);
    rig.tick(0);
    expect(rig.facts().fault).toBe(word === 'starved' ? 'starved' : 'none');
    expect(rig.newest().isClosing).toBe(word === 'starved');
  });

  it('a process that ends without a word is one', () => {
    const rig = streaming();
    rig.closed();
    expect(rig.facts()).toMatchObject({ fault: 'device_error', faultDetail: 'ended', failures: 1, running: null });
    rig.pass(1000);
    expect(rig.captures).toHaveLength(2);
    rig.closed();
    expect([rig.facts().failures, rig.phase()]).toEqual([2, 'opening']);
  });

  it('of an older attempt change nothing', () => {
    const rig = streaming();
    const { input } = rig.newest();
    const stale = { generation: input.generation, attempt: input.attempt - 1, at: 1 };
    rig.actor.send({ ...stale, type: 'capture.failed', fault: 'open', detail: 'busy' });
    rig.actor.send({ ...stale, type: 'capture.measured', lastAt: null, fps: null, kbps: null });
    rig.actor.send({ ...stale, type: 'capture.closed' });
    rig.actor.send({ ...stale, attempt: input.attempt, generation: 99, type: 'capture.closed' });
    expect([rig.phase(), rig.facts().running, rig.facts().fault]).toEqual(['live', 1, 'none']);
  });
});

describe('the indication', () => {
  it.each(['live', 'paused'])('ends the session at once when it is lost: %s', (when) => {
    const rig = streaming();
    rig.ask('a');
    if (when === 'paused') breakDown(rig);
    rig.sayIndication({ type: 'indication.refused', reason: 'unconfirmed' });
    expect([rig.answerOf('a'), rig.streamed.at(-1), rig.facts().indication]).toEqual([
      'camera-indication-unavailable',
      { type: 'stream.drop' },
      'none',
    ]);
    if (when === 'live') {
      expect([rig.phase(), rig.newest().isClosing, rig.log.at(-1)]).toEqual(['stopping', true, 'close 1']);
      rig.closed();
    }
    expect([rig.phase(), rig.log.at(-1), rig.facts().fault]).toEqual(['idle', 'release', 'indication']);
  });

  it('is asked for again by a lease that comes while it closes after a loss', () => {
    const rig = streaming();
    rig.sayIndication({ type: 'indication.refused', reason: 'unconfirmed' });
    rig.want(2);
    rig.closed();
    expect([rig.log.slice(-2), rig.phase(), rig.captures.length]).toEqual([['release', 'hold'], 'opening', 1]);
    rig.confirm();
    rig.open();
    expect(rig.streamed.at(-1)).toEqual({ type: 'stream.admit', client: 2 });
  });

  it('may change while it is shown', () => {
    const rig = streaming();
    rig.sayIndication({ type: 'indication.confirmed', by: 'led' });
    expect([rig.facts().indication, rig.phase()]).toEqual(['led', 'live']);
  });

  it('stays up for a lease that comes while the capture closes, and opens anew', () => {
    const rig = streaming();
    rig.leave(1);
    rig.ask('a');
    expect([rig.phase(), rig.captures.length]).toEqual(['stopping', 1]);
    rig.closed();
    expect([rig.phase(), rig.log]).toEqual([
      'opening',
      ['hold', 'capture 1', 'stream.admit 1', 'close 1', 'capture 2'],
    ]);
    expect(rig.newest().input).toMatchObject({ generation: 2, attempt: 2 });
  });

  it('is not gone while a capture does not close; those who wait are answered', () => {
    const rig = streaming();
    rig.leave(1);
    rig.ask('a');
    rig.want(2);
    rig.pass(4500);
    expect(rig.refusalOf(2)).not.toBeNull();
    rig.pass(500);
    expect([rig.answerOf('a'), rig.phase(), rig.isHeld()]).toEqual(['camera-stopping', 'stopping', true]);
    rig.closed();
    expect([rig.phase(), rig.isHeld()]).toEqual(['idle', false]);
  });
});

describe('a stream that takes over from pictures', () => {
  it('joins as it is where it asks for nothing else', () => {
    const rig = picturing();
    rig.want(1, { fps: 30 });
    expect([rig.streamed.at(-1), rig.captures.length]).toEqual([{ type: 'stream.admit', client: 1 }, 1]);
    expect([rig.facts().requestedFps, rig.facts().encoding?.fps]).toEqual([30, 15]);
  });

  it('restarts the capture for its size and bit rate, and keeps the rate', () => {
    const rig = picturing();
    rig.want(1, { height: 480, fps: 30, kbps: 500 });
    expect([rig.phase(), rig.newest().isClosing, rig.streamed]).toEqual(['opening', true, []]);
    rig.closed();
    expect(rig.newest().input).toEqual({ generation: 1, attempt: 2, request: { height: 480, fps: 15, kbps: 500 } });
    expect(rig.facts()).toMatchObject({ failures: 0, requestedFps: 30 });
    rig.open();
    expect(rig.streamed).toEqual([{ type: 'stream.admit', client: 1 }]);
    rig.pass(1200);
    rig.sayStill({ type: 'still.taken', id: 1, jpeg: new Uint8Array([1]) });
    expect([rig.answerOf('a'), rig.phase()]).toEqual(['taken', 'live']);
  });

  it('does so while the capture still opens', () => {
    const rig = sessionRig();
    rig.ask('a');
    rig.confirm();
    rig.want(1, { height: 480 });
    expect(rig.newest().isClosing).toBe(true);
    rig.closed();
    expect(rig.newest().input.request.height).toBe(480);
  });

  it('binds nothing that a later one could change', () => {
    const rig = streaming();
    rig.want(2, { height: 480, fps: 30, kbps: 500 });
    expect([rig.captures.length, rig.facts().requestedFps]).toEqual([1, 15]);
  });

  it('releases its binding when it leaves, and the next one binds', () => {
    const rig = picturing();
    rig.want(1);
    rig.leave(1);
    expect(rig.phase()).toBe('live');
    rig.want(2, { kbps: 500 });
    expect(rig.newest().isClosing).toBe(true);
  });

  it('is refused where the capture does not close within 5 s', () => {
    const rig = picturing();
    rig.want(1, { height: 480 });
    rig.pass(5000);
    expect([rig.refusalOf(1), rig.answerOf('a'), rig.phase()]).toEqual([
      'camera-starved',
      'camera-stopping',
      'stopping',
    ]);
  });
});

describe('pictures', () => {
  const jpeg = new Uint8Array([0xff, 0xd8]);

  it('that open the camera wait for 1.2 s of frames', () => {
    const rig = picturing();
    rig.pass(1100);
    expect(rig.stills).toEqual([]);
    rig.pass(100);
    expect(rig.stills).toEqual([{ type: 'still.take', id: 1, height: null }]);
    rig.sayStill({ type: 'still.taken', id: 1, jpeg });
    expect(rig.replies).toEqual([{ requestId: 'a', outcome: { status: 'taken', jpeg } }]);
    expect(rig.facts()).toMatchObject({ exposure: 'budget', exposureFallbacks: 1, clients: 0 });
    expect(rig.phase()).toBe('stopping');
  });

  it('that join later frames are taken at once, one still for a height', () => {
    const rig = streaming();
    rig.pass(1200);
    rig.ask('a', 480);
    rig.ask('b', 480);
    rig.ask('c');
    expect(rig.stills.map(({ height }) => height)).toEqual([480, null]);
    rig.sayStill({ type: 'still.taken', id: 1, jpeg });
    expect([rig.answerOf('a'), rig.answerOf('b'), rig.answerOf('c')]).toEqual(['taken', 'taken', null]);
    expect(rig.facts()).toMatchObject({ exposure: 'converged', exposureFallbacks: 0 });
  });

  it('are refused where the decoder fails, which is no exposure', () => {
    const rig = streaming();
    rig.pass(1200);
    rig.ask('a');
    rig.sayStill({ type: 'still.taken', id: 1, jpeg: null });
    expect([rig.answerOf('a'), rig.facts().exposure, rig.phase()]).toEqual(['camera-encode-failed', 'none', 'live']);
  });

  it('wait for the next capture where their still is lost with its own', () => {
    const rig = picturing();
    rig.pass(1200);
    rig.fail('disconnected', 'no-device');
    rig.sayStill({ type: 'still.taken', id: 1, jpeg: null });
    expect(rig.answerOf('a')).toBeNull();
    rig.closed();
    rig.pass(1000);
    rig.open();
    rig.pass(1200);
    rig.sayStill({ type: 'still.taken', id: 2, jpeg });
    expect(rig.answerOf('a')).toBe('taken');
  });

  it('are answered within 8 s, and a late still is dropped', () => {
    const rig = streaming();
    rig.pass(1200);
    rig.ask('a');
    rig.pass(7900);
    expect(rig.answerOf('a')).toBeNull();
    rig.pass(100);
    expect(rig.answerOf('a')).toBe('camera-starved');
    rig.sayStill({ type: 'still.taken', id: 1, jpeg });
    expect(rig.replies).toHaveLength(1);
  });

  it('of an ended session are dropped', () => {
    const rig = streaming();
    rig.pass(1200);
    rig.ask('a');
    rig.sayIndication({ type: 'indication.refused', reason: 'unconfirmed' });
    rig.sayStill({ type: 'still.taken', id: 1, jpeg });
    expect([rig.answerOf('a'), rig.facts().exposure]).toEqual(['camera-indication-unavailable', 'none']);
  });
});

describe('a client of the stream', () => {
  it('hears within 4.5 s that nothing comes', () => {
    const rig = sessionRig();
    rig.want(1);
    rig.confirm();
    rig.pass(4400);
    expect(rig.refusalOf(1)).toBeNull();
    rig.pass(100);
    expect([rig.refusalOf(1), rig.phase()]).toEqual(['camera-starved', 'stopping']);
  });

  it('is not refused later once it was admitted', () => {
    const rig = streaming();
    rig.pass(5000);
    expect([rig.refusalOf(1), rig.facts().clients]).toEqual([null, 1]);
  });

  it('is shown with its kind and time, and the port as it is', () => {
    const rig = streaming();
    const watchers = [{ client: 1, kind: 'frigate', since: 5 }] as const;
    rig.sayStream({ type: 'stream.watched', watchers });
    rig.sayStream({ type: 'stream.blocked', code: 'port-taken' });
    expect(rig.facts()).toMatchObject({ watchers, streamPort: null, streamFault: 'port-taken' });
    rig.sayStream({ type: 'stream.listening', port: 8554 });
    expect(rig.facts()).toMatchObject({ streamPort: 8554, streamFault: null });
  });
});

describe('the end', () => {
  it('closes the capture, drops clients, answers all, and then hides the mark', () => {
    const rig = streaming();
    rig.ask('a');
    rig.stop();
    expect([rig.answerOf('a'), rig.streamed.at(-1), rig.log.at(-1)]).toEqual([
      'camera-disabled',
      { type: 'stream.drop' },
      'close 1',
    ]);
    rig.ask('b');
    rig.want(2);
    expect([rig.answerOf('b'), rig.refusalOf(2)]).toEqual(['camera-stopping', 'camera-stopping']);
    rig.closed();
    expect(rig.log.at(-1)).toBe('release');
    expect(rig.actor.getSnapshot()).toMatchObject({ status: 'done', output: { ended: 'stopped' } });
  });

  it('waits for a capture for 0.8 s at most, so that all is over within a second', () => {
    const rig = streaming();
    rig.stop();
    rig.pass(700);
    expect(rig.actor.getSnapshot().status).toBe('active');
    rig.pass(100);
    expect(rig.actor.getSnapshot()).toMatchObject({ status: 'done', output: { ended: 'stopped' } });
    // The indication outlasts the session, until the process is gone.
    expect([rig.log.includes('release'), rig.newest().hasDevice]).toEqual([false, false]);
  });

  it.each<[string, (rig: SessionRig) => void]>([
    ['idle', () => {}],
    ['before the indication is confirmed', (rig) => rig.want(1)],
    [
      'in a pause',
      (rig) => {
        rig.want(1);
        rig.confirm();
        rig.open();
        breakDown(rig);
      },
    ],
  ])('is at once where nothing is open: %s', (_, before) => {
    const rig = sessionRig();
    before(rig);
    rig.stop();
    expect(rig.actor.getSnapshot().status).toBe('done');
    expect(rig.isHeld()).toBe(false);
  });

  it.each(['stream', 'stills', 'indication', 'surroundings'])('is a failure where its %s breaks', (name) => {
    const rig = streaming();
    rig.crash(name);
    expect(rig.actor.getSnapshot()).toMatchObject({ status: 'done', output: { reason: `camera-${name}` } });
    expect(rig.newest().hasDevice).toBe(false);
  });
});
