import { readFileSync } from 'node:fs';

import type { AccessUnit, FrameHub, FrameReader, StreamFormat } from '#drivers/camera/frames.ts';

/** Three seconds of 320x240 at 15 pictures a second, a key frame each second, with delimiters (FFmpeg's `testsrc2`). */
const FILE = new URL('./film.h264', import.meta.url);
const FRAME_MS = 1000 / 15;

const DELIMITER = 9;
const SPS = 7;
const PPS = 8;
const SEI = 6;
const KEY = 5;

/** NAL units between start codes. */
function nalsOf(bytes: Buffer): readonly Buffer[] {
  const nals: Buffer[] = [];
  const code = Buffer.from([0, 0, 1]);
  for (let at = bytes.indexOf(code); at >= 0;) {
    const next = bytes.indexOf(code, at + 3);
    const end = next < 0 ? bytes.length : bytes[next - 1] === 0 ? next - 1 : next;
    nals.push(bytes.subarray(at + 3, end));
    at = next;
  }
  return nals;
}

export interface Film {
  readonly format: StreamFormat;
  /** With times from 0 on. */
  readonly units: readonly AccessUnit[];
}

/** Access units of the film. */
export function readFilm(): Film {
  const units: { nals: Buffer[]; isKey: boolean; timestampMs: number }[] = [];
  let sps = Buffer.alloc(0);
  let pps = Buffer.alloc(0);
  for (const nal of nalsOf(readFileSync(FILE))) {
    const type = (nal[0] ?? 0) & 0x1f;
    if (type === DELIMITER) units.push({ nals: [], isKey: false, timestampMs: Math.round(units.length * FRAME_MS) });
    else if (type === SPS) sps = Buffer.from(nal);
    else if (type === PPS) pps = Buffer.from(nal);
    else if (type !== SEI) {
      const unit = units.at(-1);
      unit?.nals.push(nal);
      if (unit !== undefined && type === KEY) unit.isKey = true;
    }
  }
  return { format: { sps, pps, width: 320, height: 240 }, units };
}

/** A hub of the test's own, without rates. */
export function testHub(): FrameHub {
  const readers = new Set<FrameReader>();
  let format: StreamFormat | null = null;
  let group: AccessUnit[] = [];
  return {
    begin: (next) => {
      format = next;
      group = [];
      for (const reader of readers) reader.onFormat(next);
    },
    publish: (unit) => {
      if (unit.isKey) group = [unit];
      else if (group.length > 0) group.push(unit);
      for (const reader of readers) reader.onUnit(unit);
    },
    end: () => {
      format = null;
      group = [];
      for (const reader of readers) reader.onEnd();
    },
    format: () => format,
    group: () => [...group],
    rates: () => ({ fps: null, kbps: null, lastAt: null }),
    read: (reader) => {
      readers.add(reader);
      if (format !== null) reader.onFormat(format);
      return () => void readers.delete(reader);
    },
  };
}

/** Shows a film again and again: picture by picture on demand, or in real time. */
export interface Projector {
  /** Publishes the next pictures. */
  readonly show: (count?: number) => void;
  /** Publishes up to the next key frame, that one included. */
  readonly toKey: () => void;
  readonly play: () => void;
  readonly stop: () => void;
}

export function projector(hub: FrameHub, film: Film = readFilm(), frameMs = FRAME_MS): Projector {
  let shown = 0;
  let timer: NodeJS.Timeout | undefined;
  const show = (count = 1): void => {
    for (let index = 0; index < count; index += 1) {
      const unit = film.units[shown % film.units.length];
      if (unit !== undefined) hub.publish({ ...unit, timestampMs: Math.round(shown * frameMs) });
      shown += 1;
    }
  };
  return {
    show,
    toKey: () => {
      do show();
      while (hub.group().length !== 1);
    },
    play: () => {
      const began = performance.now() - shown * frameMs;
      const next = (): void => {
        show(Math.max(1, Math.floor((performance.now() - began) / frameMs) - shown));
        timer = setTimeout(next, Math.max(1, began + (shown + 1) * frameMs - performance.now()));
      };
      next();
    },
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
