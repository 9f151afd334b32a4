import { describe, expect, it } from 'vitest';

import type { AccessUnit, FrameReader } from '#drivers/camera/frames.ts';
import { createFrameHub } from '#drivers/camera/hub.ts';

const format = { sps: Buffer.from([0x67]), pps: Buffer.from([0x68]), width: 640, height: 480 };
const unit = (isKey: boolean, bytes = 100, timestampMs = 0): AccessUnit => ({
  nals: [Buffer.alloc(bytes)],
  timestampMs,
  isKey,
});

function opened() {
  let now = 1000;
  const hub = createFrameHub(() => now);
  return {
    hub,
    /** Publishes pictures at equal distances. */
    film: (count: number, everyMs: number, bytes = 100, keyEvery = 10): void => {
      for (let index = 0; index < count; index += 1) {
        hub.publish(unit(index % keyEvery === 0, bytes));
        now += everyMs;
      }
    },
    wait: (ms: number): void => void (now += ms),
    now: () => now,
  };
}

function noting() {
  const noted: string[] = [];
  const reader: FrameReader = {
    onFormat: ({ width }) => noted.push(`format ${width}`),
    onUnit: ({ isKey, timestampMs }) => noted.push(`${isKey ? 'key' : 'unit'} ${timestampMs}`),
    onEnd: () => noted.push('end'),
  };
  return { noted, reader };
}

describe('the hub', () => {
  it('hands the format, then each picture, to all who read', () => {
    const { hub } = opened();
    const [early, late] = [noting(), noting()];
    hub.read(early.reader);
    hub.begin(format);
    hub.publish(unit(true, 1, 0));
    hub.read(late.reader);
    hub.publish(unit(false, 1, 66));
    hub.end();
    expect(early.noted).toEqual(['format 640', 'key 0', 'unit 66', 'end']);
    expect(late.noted).toEqual(['format 640', 'unit 66', 'end']);
  });

  it('goes on with the next capture, and gives nothing between two', () => {
    const { hub } = opened();
    const { noted, reader } = noting();
    hub.read(reader);
    hub.begin(format);
    hub.end();
    hub.end();
    hub.publish(unit(true));
    expect([hub.format(), hub.group()]).toEqual([null, []]);
    hub.begin({ ...format, width: 1280 });
    expect(noted).toEqual(['format 640', 'end', 'format 1280']);
  });

  it('calls nobody who has left, even if another made it leave just now', () => {
    const { hub } = opened();
    const { noted, reader } = noting();
    hub.begin(format);
    const leaves: (() => void)[] = [];
    hub.read({ ...reader, onUnit: () => leaves.forEach((leave) => leave()) });
    leaves.push(hub.read(reader));
    hub.publish(unit(true));
    expect(noted).toEqual(['format 640', 'format 640']);
  });

  it('keeps the pictures since the newest key frame', () => {
    const { hub } = opened();
    hub.begin(format);
    hub.publish(unit(false, 1, 0));
    expect(hub.group()).toEqual([]);
    for (const at of [10, 20, 30]) hub.publish(unit(at === 10, 1, at));
    const group = hub.group();
    expect(group.map(({ timestampMs }) => timestampMs)).toEqual([10, 20, 30]);
    hub.publish(unit(true, 1, 40));
    expect(hub.group().map(({ timestampMs }) => timestampMs)).toEqual([40]);
    // What was given out does not change.
    expect(group).toHaveLength(3);
  });

  it.each([
    ['in number', 302, 1],
    ['in bytes', 18, 1024 * 1024],
  ])('keeps none of a group that is too large %s', (_, count, bytes) => {
    const { hub, film } = opened();
    hub.begin(format);
    film(count, 1, bytes, 100_000);
    expect(hub.group()).toEqual([]);
    hub.publish(unit(true));
    expect(hub.group()).toHaveLength(1);
  });

  it('knows no rate before a second has passed', () => {
    const { hub, film, wait } = opened();
    hub.begin(format);
    expect(hub.rates()).toEqual({ fps: null, kbps: null, lastAt: null });
    film(3, 400);
    wait(-201);
    expect(hub.rates()).toEqual({ fps: null, kbps: null, lastAt: 1800 });
    wait(1);
    expect(hub.rates().fps).toBe(2);
  });

  it('counts over the last five seconds', () => {
    const { hub, film, wait } = opened();
    hub.begin(format);
    film(151, 100, 1250);
    wait(-100);
    expect(hub.rates()).toEqual({ fps: 10, kbps: 100, lastAt: 16_000 });
    film(51, 200, 1250);
    wait(-200);
    expect(hub.rates()).toMatchObject({ fps: 5, kbps: 50 });
  });

  it('falls to nothing while none come', () => {
    const { hub, film, wait } = opened();
    hub.begin(format);
    film(100, 100);
    const { lastAt } = hub.rates();
    wait(2400);
    expect(hub.rates().fps).toBe(5);
    wait(2600);
    expect(hub.rates()).toEqual({ fps: 0, kbps: 0, lastAt });
  });

  it('forgets the rates of the capture before', () => {
    const { hub, film } = opened();
    hub.begin(format);
    film(100, 100);
    hub.end();
    expect(hub.rates()).toEqual({ fps: null, kbps: null, lastAt: null });
  });

  it('counts no more pictures than a camera could deliver', () => {
    const { hub, film } = opened();
    hub.begin(format);
    film(20_000, 0.1);
    expect(hub.rates().fps).toBeLessThanOrEqual(1025);
  });
});
