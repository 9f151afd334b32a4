import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';

/** Size of the kernel's `struct uhid_event` (linux/uhid.h); all fields are packed, little endian on the guest's x86. */
const EVENT_BYTES = 4380;
const DESTROY = 1;
const OUTPUT = 6;
const GET_REPORT = 9;
const GET_REPORT_REPLY = 10;
const CREATE2 = 11;
const INPUT2 = 12;
const SET_REPORT = 13;
const SET_REPORT_REPLY = 14;
const BUS_USB = 3;
/** POSIX EIO: what is asked for is not there. */
const EIO = 5;

/** What the kernel asks a device for, as it numbers them. */
type ReportKind = 'feature' | 'output' | 'input';
const kinds: readonly ReportKind[] = ['feature', 'output', 'input'];

/** An input device that the kernel takes for a USB one. */
export interface HidDevice {
  readonly report: (...bytes: readonly number[]) => void;
  readonly unplug: () => void;
}

/** How a device behaves towards the kernel; without it the kernel's questions stay unanswered. */
export interface HidBehaviour {
  /** Bytes that the kernel sends, the report's id first where reports are numbered. */
  readonly output?: (bytes: Buffer, device: HidDevice) => void;
  /** Answer to a question, the report's id first; null refuses. */
  readonly ask?: (id: number, kind: ReportKind) => Buffer | null;
  /** A report that the kernel sets. */
  readonly set?: (id: number, kind: ReportKind, bytes: Buffer) => void;
}

/** What a device is to the kernel. */
export interface HidIdentity {
  readonly name: string;
  readonly descriptor: readonly number[];
  readonly vendor?: number;
  readonly product?: number;
}

/** Bytes of a descriptor as it is printed, `05 0d 09`. */
export const hex = (text: string): readonly number[] =>
  text
    .trim()
    .split(/\s+/)
    .map((byte) => Number.parseInt(byte, 16));

/** A touch screen with one finger: tip switch, then x and y of two bytes each. */
export const touchScreen = hex(`
05 0d 09 04 a1 01 09 22 a1 02
09 42 15 00 25 01 75 01 95 01 81 02 95 07 81 03
05 01 26 ff 0f 75 10 95 01 09 30 81 02 09 31 81 02
c0 c0`);
/** The buttons of a panel, F1 to F12: one byte with the number of the key, 0 for none. */
export const panelKeys = hex('05 01 09 06 a1 01 05 07 19 3a 29 45 15 01 25 0c 75 08 95 01 81 00 c0');
/** A keypad with the keys a to z: one byte with the key's usage, 0 for none. */
export const keypad = hex('05 01 09 06 a1 01 05 07 19 00 29 1d 15 00 25 1d 75 08 95 01 81 00 c0');
/** The same keypad with the lights of a keyboard: one byte with a bit for each of num, caps and scroll lock. */
export const keypadWithLights = hex(`
05 01 09 06 a1 01
05 07 19 00 29 1d 15 00 25 1d 75 08 95 01 81 00
05 08 19 01 29 03 15 00 25 01 75 01 95 03 91 02 95 05 91 03
c0`);

function event(type: number): Buffer {
  const bytes = Buffer.alloc(EVENT_BYTES);
  bytes.writeUInt32LE(type, 0);
  return bytes;
}

function answer(fd: number, bytes: Buffer, device: HidDevice, behaviour: HidBehaviour): void {
  const type = bytes.readUInt32LE(0);
  const kind = kinds[bytes[9] ?? 0] ?? 'feature';
  if (type === OUTPUT) behaviour.output?.(bytes.subarray(4, 4 + bytes.readUInt16LE(4100)), device);
  else if (type === GET_REPORT) {
    const found = behaviour.ask?.(bytes[8] ?? 0, kind) ?? null;
    const reply = event(GET_REPORT_REPLY);
    bytes.copy(reply, 4, 4, 8);
    reply.writeUInt16LE(found ? 0 : EIO, 8);
    reply.writeUInt16LE(found?.length ?? 0, 10);
    found?.copy(reply, 12);
    writeSync(fd, reply);
  } else if (type === SET_REPORT) {
    behaviour.set?.(bytes[8] ?? 0, kind, bytes.subarray(12, 12 + bytes.readUInt16LE(10)));
    const reply = event(SET_REPORT_REPLY);
    bytes.copy(reply, 4, 4, 8);
    writeSync(fd, reply);
  }
}

/**
 * Another process waits for the kernel's questions: a read in here would hold a thread, and looking in turns costs the
 * guest most of its time.
 */
function listen(fd: number, hear: (bytes: Buffer) => void): ChildProcess {
  const child = spawn('cat', [], { stdio: [fd, 'pipe', 'ignore'] });
  let pending = Buffer.alloc(0);
  child.stdout?.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= EVENT_BYTES) {
      const whole = pending.subarray(0, EVENT_BYTES);
      pending = pending.subarray(EVENT_BYTES);
      hear(whole);
    }
  });
  return child;
}

/** Plugs a device in. Throws where the kernel has no uhid. */
export function plugIn(
  { name, descriptor, vendor = 0x1209, product = 0x0001 }: HidIdentity,
  behaviour?: HidBehaviour,
): HidDevice {
  const fd = openSync('/dev/uhid', 'r+');
  let plugged = true;
  const device: HidDevice = {
    report: (...bytes) => {
      if (!plugged) return;
      const input = event(INPUT2);
      input.writeUInt16LE(bytes.length, 4);
      Buffer.from(bytes).copy(input, 6);
      writeSync(fd, input);
    },
    unplug: () => {
      if (!plugged) return;
      plugged = false;
      writeSync(fd, event(DESTROY));
      ear?.kill('SIGKILL');
      closeSync(fd);
    },
  };
  const ear = behaviour && listen(fd, (bytes) => plugged && answer(fd, bytes, device, behaviour));
  const create = event(CREATE2);
  create.write(name, 4, 'latin1');
  create.writeUInt16LE(descriptor.length, 260);
  create.writeUInt16LE(BUS_USB, 262);
  create.writeUInt32LE(vendor, 264);
  create.writeUInt32LE(product, 268);
  Buffer.from(descriptor).copy(create, 280);
  writeSync(fd, create);
  return device;
}
