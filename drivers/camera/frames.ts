import type { Milliseconds } from '#machines/kit/units.ts';

/** Parameter sets of an H.264 stream, without start codes, and the size that they declare, in pixels. */
export interface StreamFormat {
  readonly sps: Buffer;
  readonly pps: Buffer;
  readonly width: number;
  readonly height: number;
}

/** One picture: its NAL units without start codes, delimiters, parameter sets and SEI. */
export interface AccessUnit {
  readonly nals: readonly Buffer[];
  /** Of the encoder's clock. */
  readonly timestampMs: number;
  readonly isKey: boolean;
}

/** Called by the hub; the format comes before the first picture. */
export interface FrameReader {
  readonly onFormat: (format: StreamFormat) => void;
  readonly onUnit: (unit: AccessUnit) => void;
  /** The capture has ended; another may follow with a new format. */
  readonly onEnd: () => void;
}

/** Rates over a sliding window of 5 s; null before the first second. */
export interface FrameRates {
  readonly fps: number | null;
  readonly kbps: number | null;
  readonly lastAt: Milliseconds | null;
}

/** Where the one capture publishes and all others read: frames never travel as events. */
export interface FrameHub {
  readonly begin: (format: StreamFormat) => void;
  readonly publish: (unit: AccessUnit) => void;
  readonly end: () => void;
  readonly format: () => StreamFormat | null;
  /** The pictures since the newest key frame, that one first; empty before it. */
  readonly group: () => readonly AccessUnit[];
  readonly rates: () => FrameRates;
  /** Reads from the next picture on; returns what ends it. */
  readonly read: (reader: FrameReader) => () => void;
}
