import { closeSync, openSync, writeSync } from 'node:fs';

/** Sizes and types of the kernel's linux/uhid.h; all fields packed, little endian on the guest's x86. */
const EVENT_BYTES = 4380;
const DESTROY = 1;
const CREATE2 = 11;
const INPUT2 = 12;
const BUS_USB = 3;

const TOUCH_SCREEN = `
05 0d 09 04 a1 01 09 22 a1 02
09 42 15 00 25 01 75 01 95 01 81 02 95 07 81 03
05 01 26 ff 0f 75 10 95 01 09 30 81 02 09 31 81 02
c0 c0`;
/** A touch screen with one finger: tip switch, then x and y of two bytes each. */
export const touchScreen: readonly number[] = TOUCH_SCREEN.trim().split(/\s+/).map((byte) => Number.parseInt(byte, 16));
/** A keypad with the keys a to z: one byte with the key's usage, 0 for none. */
export const keypad: readonly number[] = [0x05, 0x01, 0x09, 0x06, 0xa1, 0x01, 0x05, 0x07, 0x19, 0x00, 0x29, 0x1d, 0x15, 0x00, 0x25, 0x1d, 0x75, 0x08, 0x95, 0x01, 0x81, 0x00, 0xc0];

/** An input device that the kernel takes for a USB one. */
export interface HidDevice {
  readonly report: (...bytes: readonly number[]) => void;
  readonly unplug: () => void;
}

/** Plugs a device in. Throws where the kernel has no uhid. */
export const plugIn = (name: string, descriptor: readonly number[]): HidDevice => {
  const fd = openSync('/dev/uhid', 'r+');
  const create = Buffer.alloc(EVENT_BYTES);
  create.writeUInt32LE(CREATE2, 0);
  create.write(name, 4, 'latin1');
  create.writeUInt16LE(descriptor.length, 260);
  create.writeUInt16LE(BUS_USB, 262);
  create.writeUInt32LE(0x1209, 264);
  create.writeUInt32LE(0x0001, 268);
  Buffer.from(descriptor).copy(create, 280);
  writeSync(fd, create);
  return {
    report: (...bytes) => {
      const event = Buffer.alloc(EVENT_BYTES);
      event.writeUInt32LE(INPUT2, 0);
      event.writeUInt16LE(bytes.length, 4);
      Buffer.from(bytes).copy(event, 6);
      writeSync(fd, event);
    },
    unplug: () => {
      const event = Buffer.alloc(EVENT_BYTES);
      event.writeUInt32LE(DESTROY, 0);
      writeSync(fd, event);
      closeSync(fd);
    },
  };
};
