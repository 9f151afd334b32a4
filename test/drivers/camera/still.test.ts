import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { createFlvReader } from '#drivers/camera/flv.ts';
import { createFrameHub } from '#drivers/camera/hub.ts';
import type { StillFact } from '#machines/camera-session/events.ts';
import { isFact } from '#test/drivers/run-driver.ts';

import { isRunning, madeUp, sizeOfJpeg, startStills } from './capturing.ts';

/** Two seconds of pictures as the encoder gives them, 640 by 480. */
let stream: Buffer = Buffer.alloc(0);

/** A hub into which a recorded capture was published. */
function filled() {
  const hub = createFrameHub(() => performance.now());
  for (const item of createFlvReader().push(stream)) {
    if (item.kind === 'format') hub.begin(item.format);
    else hub.publish(item.unit);
  }
  return hub;
}

const taken = isFact<StillFact, 'still.taken'>('still.taken');

let made: Awaited<ReturnType<typeof madeUp>>;
beforeEach(async () => {
  made = await madeUp();
});
afterEach(() => made.remove());

describe.skipIf(!existsSync('/usr/bin/ffmpeg'))('a still', () => {
  beforeAll(async () => {
    const words = '-loglevel error -f lavfi -i testsrc2=size=640x480:rate=5:duration=2 -c:v libx264 -preset ultrafast';
    const more = '-tune zerolatency -profile:v baseline -g 5 -f flv pipe:1';
    const { stdout } = await promisify(execFile)('ffmpeg', `${words} ${more}`.split(' '), {
      encoding: 'buffer',
      maxBuffer: 16 * 1024 * 1024,
    });
    stream = stdout;
  });

  it.each([
    ['of the stream', null, '640x480'],
    ['that is asked for', 480, '640x480'],
    ['of the stream, if more is asked for', 1080, '640x480'],
  ] as const)('has the size %s', async (_, height, size) => {
    const stills = startStills(filled());
    const jpeg = await stills.take(height);
    expect(jpeg === null ? null : sizeOfJpeg(jpeg)).toBe(size);
    stills.stop();
  });

  it('is that of the newest key frame', async () => {
    const hub = filled();
    const stills = startStills(hub);
    const before = await stills.take(null);
    if (before === null) throw new Error('no picture');
    // Compared as bytes: element by element takes seconds.
    const isAsBefore = async () => (await stills.take(null))?.equals(before);
    expect(await isAsBefore()).toBe(true);
    const [key] = hub.group();
    const other = createFlvReader()
      .push(stream)
      .flatMap((item) => (item.kind === 'unit' && item.unit.isKey && item.unit !== key ? [item.unit] : []))[0];
    if (other === undefined) throw new Error('no other key frame');
    hub.publish(other);
    expect(await isAsBefore()).toBe(false);
    stills.stop();
  });

  it('is taken one at a time, in order', async () => {
    await made.ffmpeg(`mkdir ${made.root}/busy || touch ${made.root}/two
/usr/bin/ffmpeg "$@"; rmdir ${made.root}/busy`);
    const stills = startStills(filled(), { env: made.env });
    for (const id of [1, 2, 3]) stills.tell({ type: 'still.take', id, height: null });
    await vi.waitFor(() => expect(stills.facts.map((fact) => fact.id)).toEqual([1, 2, 3]), { timeout: 20_000 });
    expect(stills.facts.every(({ jpeg }) => jpeg !== null)).toBe(true);
    expect(existsSync(`${made.root}/two`)).toBe(false);
    stills.stop();
  });
});

describe.skipIf(!existsSync('/usr/bin/ffmpeg'))('a still that fails', () => {
  it('has no picture, if nothing is filmed', async () => {
    const stills = startStills(createFrameHub(() => 0));
    expect(await stills.take(480)).toBeNull();
    stills.stop();
  });

  it.each([
    ['there is no ffmpeg', null],
    ['it ends without one', 'exit 0'],
    ['it is cut off', "printf '\\377\\330\\377\\340....'"],
    ['it is larger than 2 MB', 'exec cat /dev/zero'],
  ])('has none, if %s', async (_, script) => {
    if (script !== null) await made.ffmpeg(script);
    const stills = startStills(filled(), { env: script === null ? { PATH: made.root } : made.env });
    expect(await stills.take(null)).toBeNull();
    stills.stop();
  });

  it('has none, if it takes too long, and the next one has', async () => {
    await made.ffmpeg(`mkdir ${made.root}/first && exec sleep 60
printf '\\377\\330....\\377\\331'`);
    const stills = startStills(filled(), { env: made.env, boundMs: 3000 });
    expect(await stills.take(null)).toBeNull();
    expect(await isRunning(await made.pid())).toBe(false);
    expect(await stills.take(null)).not.toBeNull();
    stills.stop();
  });

  it('has none, if too many wait', async () => {
    await made.ffmpeg('exec sleep 60');
    const stills = startStills(filled(), { env: made.env });
    for (let id = 1; id <= 17; id += 1) stills.tell({ type: 'still.take', id, height: null });
    expect(await stills.until(taken)).toEqual({ type: 'still.taken', id: 17, jpeg: null });
    stills.stop();
    await stills.settled();
  });

  it('is not waited for, once the driver stops', async () => {
    await made.ffmpeg('exec sleep 60');
    const stills = startStills(filled(), { env: made.env });
    stills.tell({ type: 'still.take', id: 1, height: null });
    await vi.waitFor(async () => expect(await made.pid()).toBeGreaterThan(0), { timeout: 10_000 });
    const pid = await made.pid();
    stills.stop();
    await stills.settled();
    expect(await isRunning(pid)).toBe(false);
    expect(stills.crashed()).toBeUndefined();
  });
});
