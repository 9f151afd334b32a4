import { type HidDevice, hex, plugIn } from './uhid.ts';

/** What a lamp shows, as the device itself was told. */
interface Shown {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

/** A device with lamps. */
export interface Lamps {
  readonly device: HidDevice;
  readonly shown: (lamp?: number) => Shown;
}

/** One vendor-defined report each way. */
function descriptor(size: number, id?: number): readonly number[] {
  const bytes = size.toString(16).padStart(2, '0');
  const numbered = (n: number): string => (id === undefined ? '' : `85 ${(id + n).toString(16).padStart(2, '0')}`);
  return hex(
    `06 00 ff 09 01 a1 01 15 00 26 ff 00 75 08 95 ${bytes} ${numbered(0)} 09 02 81 02 ${numbered(1)} 09 03 91 02 c0`,
  );
}

/**
 * A game pad whose light bar is an RGB lamp of the kernel's multicolor class (hid-playstation); its name ends in
 * `:rgb:indicator`.
 */
export function lightBar(): Lamps {
  let now: Shown = { red: 0, green: 0, blue: 0 };
  const features: Record<number, Buffer> = {
    // Calibration: differences must not be zero, the kernel divides by them.
    0x05: Buffer.concat([
      Buffer.from([0x05, 0, 0, 0, 0, 0, 0]),
      Buffer.from(Array.from({ length: 14 }, (_, n) => (n % 2 === 0 ? [0x00, 0x10] : [0x00, 0xf0])).flat()),
      Buffer.alloc(6),
    ]),
    // Pairing: the device's own address.
    0x09: Buffer.concat([Buffer.from([0x09, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06]), Buffer.alloc(13)]),
    0x20: Buffer.concat([Buffer.from([0x20]), Buffer.alloc(63)]),
  };
  const device = plugIn(
    { name: 'Light bar', descriptor: descriptor(63, 1), vendor: 0x054c, product: 0x0ce6 },
    {
      ask: (id) => features[id] ?? null,
      output: (bytes) => {
        // Bit 2 of the second flags says that the colours count.
        if (bytes[0] === 2 && ((bytes[2] ?? 0) & 4) !== 0)
          now = { red: bytes[45] ?? 0, green: bytes[46] ?? 0, blue: bytes[47] ?? 0 };
      },
    },
  );
  return { device, shown: () => now };
}

/**
 * A signal lamp of six parts whose 18 colours are single lamps of 0 to 255 (hid-led): `luxaforN:red:led0` to
 * `:blue:led5`.
 */
export function signalLamp(): Lamps {
  const parts = Array.from({ length: 6 }, () => ({ red: 0, green: 0, blue: 0 }));
  const device = plugIn(
    { name: 'Signal lamp', descriptor: descriptor(8), vendor: 0x04d8, product: 0xf372 },
    {
      output: (bytes) => {
        const lamp = (bytes[2] ?? 0) - 1;
        if (lamp >= 0 && lamp < parts.length)
          parts[lamp] = { red: bytes[3] ?? 0, green: bytes[4] ?? 0, blue: bytes[5] ?? 0 };
      },
    },
  );
  return { device, shown: (lamp = 0) => parts[lamp] ?? { red: -1, green: -1, blue: -1 } };
}
