import { endianness } from 'node:os';
import { close, open } from 'node:fs';
import { promisify } from 'node:util';

import { type NativeCalls, nativeCalls } from './native.ts';

const openFile = promisify(open);
const closeFile = promisify(close);

/** Requests of the character device, version 2 (include/uapi/linux/gpio.h; the same numbers on x86, ARM and RISC-V). */
const CHIP_INFO = 0x8044b401;
const LINE_INFO = 0xc100b405;
const GET_LINE = 0xc250b407;
const GET_VALUES = 0xc010b40e;
const SET_VALUES = 0xc010b40f;

const USED = 1;
const ACTIVE_LOW = 2;
const INPUT = 4;
const OUTPUT = 8;
/** Attribute of a request with the initial values of its outputs. */
const OUTPUT_VALUES = 2;

/** Sizes and offsets of the structures in bytes. */
const CHIP_BYTES = 68;
const INFO_BYTES = 256;
const VALUES_BYTES = 16;
const REQUEST = {
  bytes: 592,
  consumer: 256,
  flags: 288,
  attributeCount: 296,
  attributes: 320,
  lineCount: 560,
  fd: 588,
} as const;
const NAME_BYTES = 32;

const isLittle = endianness() === 'LE';
const put32 = (bytes: Buffer, value: number, at: number): void =>
  void (isLittle ? bytes.writeUInt32LE(value, at) : bytes.writeUInt32BE(value, at));
const put64 = (bytes: Buffer, value: number, at: number): void =>
  void (isLittle ? bytes.writeBigUInt64LE(BigInt(value), at) : bytes.writeBigUInt64BE(BigInt(value), at));
const get32 = (bytes: Buffer, at: number): number => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
const get64 = (bytes: Buffer, at: number): bigint => (isLittle ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at));
const textAt = (bytes: Buffer, at: number): string => bytes.toString('utf8', at, at + NAME_BYTES).split('\0')[0] ?? '';

export interface GpioChipFacts {
  /** Such as `gpiochip0`; the number may change at each boot. */
  readonly name: string;
  /** Label of the hardware, such as `pinctrl-bcm2711`. */
  readonly label: string;
  readonly lines: number;
}

/** Decodes the kernel's `gpiochip_info`. */
export const decodeChip = (bytes: Buffer): GpioChipFacts => ({
  name: textAt(bytes, 0),
  label: textAt(bytes, NAME_BYTES),
  lines: get32(bytes, 2 * NAME_BYTES),
});

/** Decodes the kernel's `gpio_v2_line_info`. */
const decodeLine = (bytes: Buffer): { readonly used: boolean; readonly consumer: string } => ({
  used: (get64(bytes, 2 * NAME_BYTES + 8) & BigInt(USED)) !== 0n,
  consumer: textAt(bytes, NAME_BYTES),
});

/** A request for a line as an input. */
export interface ListenRequest {
  readonly line: number;
  /** True if a low line counts as on. */
  readonly activeLow: boolean;
}

/** A request for a line as an output. */
export interface LineRequest extends ListenRequest {
  /** Initial state, set with the request so that the line does not flicker. */
  readonly on: boolean;
}

function requestFor({ line, activeLow }: ListenRequest, direction: number): Buffer {
  const bytes = Buffer.alloc(REQUEST.bytes);
  put32(bytes, line, 0);
  bytes.write('sconce', REQUEST.consumer);
  put64(bytes, direction | (activeLow ? ACTIVE_LOW : 0), REQUEST.flags);
  put32(bytes, 1, REQUEST.lineCount);
  return bytes;
}

export const encodeListening = (request: ListenRequest): Buffer => requestFor(request, INPUT);

export function encodeRequest(request: LineRequest): Buffer {
  const bytes = requestFor(request, OUTPUT);
  put32(bytes, 1, REQUEST.attributeCount);
  put32(bytes, OUTPUT_VALUES, REQUEST.attributes);
  put64(bytes, request.on ? 1 : 0, REQUEST.attributes + 8);
  put64(bytes, 1, REQUEST.attributes + 16);
  return bytes;
}

function encodeValues(on: boolean): Buffer {
  const bytes = Buffer.alloc(VALUES_BYTES);
  put64(bytes, on ? 1 : 0, 0);
  put64(bytes, 1, 8);
  return bytes;
}

function demand(calls: NativeCalls, fd: number, code: number, bytes: Buffer): void {
  const failure = calls.ioctl(fd, code, bytes);
  if (failure !== null) throw Object.assign(new Error('the kernel refused'), { code: failure });
}

/** A held input. Its calls throw with the kernel's error. */
interface InputLine {
  readonly read: () => boolean;
  readonly release: () => Promise<void>;
}

/** A held output, which keeps its state until it is released. Its calls throw with the kernel's error. */
export interface OutputLine extends InputLine {
  readonly write: (on: boolean) => void;
}

/** The GPIO chips of the kernel. Its calls reject with the kernel's error. */
export interface GpioChips {
  readonly chip: (path: string) => Promise<GpioChipFacts>;
  readonly line: (path: string, line: number) => Promise<{ readonly used: boolean; readonly consumer: string }>;
  readonly hold: (path: string, request: LineRequest) => Promise<OutputLine>;
  readonly listen: (path: string, request: ListenRequest) => Promise<InputLine>;
}

/** The chips through system calls; null on a machine without a build of the native library. */
export async function nativeChips(): Promise<GpioChips | null> {
  const calls = await nativeCalls();
  if (calls === null) return null;
  const withChip = async <T>(path: string, use: (fd: number) => T): Promise<T> => {
    const fd = await openFile(path, 'r+');
    try {
      return use(fd);
    } finally {
      await closeFile(fd);
    }
  };
  const take = (path: string, request: Buffer): Promise<OutputLine> =>
    withChip(path, (fd) => {
      demand(calls, fd, GET_LINE, request);
      const own = get32(request, REQUEST.fd);
      return {
        read: () => {
          const values = encodeValues(false);
          demand(calls, own, GET_VALUES, values);
          return (get64(values, 0) & 1n) === 1n;
        },
        write: (on) => demand(calls, own, SET_VALUES, encodeValues(on)),
        release: () => closeFile(own),
      };
    });
  return {
    chip: (path) =>
      withChip(path, (fd) => {
        const bytes = Buffer.alloc(CHIP_BYTES);
        demand(calls, fd, CHIP_INFO, bytes);
        return decodeChip(bytes);
      }),
    line: (path, line) =>
      withChip(path, (fd) => {
        const bytes = Buffer.alloc(INFO_BYTES);
        put32(bytes, line, 2 * NAME_BYTES);
        demand(calls, fd, LINE_INFO, bytes);
        return decodeLine(bytes);
      }),
    hold: (path, request) => take(path, encodeRequest(request)),
    listen: (path, request) => take(path, encodeListening(request)),
  };
}
