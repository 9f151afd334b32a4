import type { Milliseconds } from '#machines/kit/units.ts';

import type { AccessUnit, FrameHub, FrameRates, FrameReader, StreamFormat } from './frames.ts';

/** Span of the rates. */
const WINDOW_MS: Milliseconds = 5000;
/** Before that, a rate says nothing. */
const FIRST_MS: Milliseconds = 1000;
/** Pictures of the window that are counted: more than any camera delivers. */
const MOST_COUNTED = 1024;
/** Bounds of what a client that joins is given: a second of pictures, and several times the highest bit rate. */
const MOST_UNITS = 300;
const MOST_BYTES = 16 * 1024 * 1024;

const bytesOf = ({ nals }: AccessUnit): number => nals.reduce((sum, nal) => sum + nal.length, 0);

interface Counted {
  readonly at: Milliseconds;
  readonly bytes: number;
}

/** Rates of one capture, by the moment at which each picture came. */
function createMeter(elapsed: () => Milliseconds) {
  let counted: Counted[] = [];
  let firstAt: Milliseconds | null = null;
  let lastAt: Milliseconds | null = null;
  const drop = (now: Milliseconds): void => {
    const kept = counted.findIndex(({ at }) => at > now - WINDOW_MS);
    counted = kept < 0 ? [] : counted.slice(Math.max(kept, counted.length - MOST_COUNTED));
  };
  return {
    reset: (): void => {
      counted = [];
      firstAt = null;
      lastAt = null;
    },
    count: (bytes: number): void => {
      const at = elapsed();
      lastAt = at;
      // The first picture begins the first interval, so it belongs to none.
      if (firstAt === null) firstAt = at;
      else counted.push({ at, bytes });
      if (counted.length > MOST_COUNTED) drop(at);
    },
    rates: (): FrameRates => {
      const now = elapsed();
      if (firstAt === null || now - firstAt < FIRST_MS) return { fps: null, kbps: null, lastAt };
      drop(now);
      const spanMs = Math.min(WINDOW_MS, now - firstAt);
      const bytes = counted.reduce((sum, one) => sum + one.bytes, 0);
      // Bits per millisecond are kilobits per second.
      return { fps: (counted.length * 1000) / spanMs, kbps: (bytes * 8) / spanMs, lastAt };
    },
  };
}

/**
 * Where the one capture publishes, and streams and stills read. Keeps the pictures since the newest key frame; if these
 * exceed their bounds, none until the next one.
 */
export function createFrameHub(elapsed: () => Milliseconds): FrameHub {
  const readers = new Set<FrameReader>();
  const meter = createMeter(elapsed);
  let format: StreamFormat | null = null;
  let group: AccessUnit[] = [];
  let groupBytes = 0;

  const empty = (): void => {
    group = [];
    groupBytes = 0;
  };
  const keep = (unit: AccessUnit, bytes: number): void => {
    if (unit.isKey) empty();
    else if (group.length === 0) return;
    if (group.length >= MOST_UNITS || groupBytes + bytes > MOST_BYTES) return empty();
    group.push(unit);
    groupBytes += bytes;
  };
  /** A reader may leave, and take others with it, while it is called. */
  const each = (call: (reader: FrameReader) => void): void => {
    for (const reader of Array.from(readers)) if (readers.has(reader)) call(reader);
  };
  return {
    begin: (next) => {
      format = next;
      empty();
      meter.reset();
      each((reader) => reader.onFormat(next));
    },
    publish: (unit) => {
      if (format === null) return;
      const bytes = bytesOf(unit);
      meter.count(bytes);
      keep(unit, bytes);
      each((reader) => reader.onUnit(unit));
    },
    end: () => {
      if (format === null) return;
      format = null;
      empty();
      meter.reset();
      each((reader) => reader.onEnd());
    },
    format: () => format,
    group: () => [...group],
    rates: meter.rates,
    read: (reader) => {
      // A copy, so that one that reads twice is two.
      const own = { ...reader };
      readers.add(own);
      if (format !== null) own.onFormat(format);
      return () => void readers.delete(own);
    },
  };
}
