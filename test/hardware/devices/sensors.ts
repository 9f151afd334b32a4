import { type HidDevice, hex, plugIn } from './uhid.ts';

/** A sensor of the HID sensor page: the kernel shows it as an IIO device whose raw value is asked of this process. */
export interface HidSensor {
  /** Value that the next reading gives, in the sensor's own steps. */
  set: (raw: number) => void;
  readonly device: HidDevice;
}

/** Feature report: interval 4 bytes, reporting state and power state 1 byte each, after the report's id. */
const FEATURES = `
0a 0e 03 15 00 27 ff ff ff 7f 75 20 95 01 55 00 b1 02
0a 16 03 15 00 25 05 75 08 95 01 a1 02 0a 40 08 0a 41 08 0a 42 08 0a 43 08 0a 44 08 0a 45 08 b1 00 c0
0a 19 03 15 00 25 05 75 08 95 01 a1 02 0a 50 08 0a 51 08 0a 52 08 0a 53 08 0a 54 08 0a 55 08 b1 00 c0`;

const kinds = {
  /** Steps of 0.01 lx. */
  illuminance: { usage: '09 41', field: '0a d1 04', exponent: '55 0e' },
  /** Steps of 0.01 degrees Celsius. */
  temperature: { usage: '09 33', field: '0a 34 04', exponent: '55 0e' },
  /** Whatever the sensor counts: presence, 0 to 65,535. */
  proximity: { usage: '09 11', field: '0a b1 04', exponent: '55 00' },
} as const;

/** Plugs a sensor in (HID usage tables, "Sensors page"). */
export function hidSensor(kind: keyof typeof kinds, raw: number): HidSensor {
  const { usage, field, exponent } = kinds[kind];
  const feature = Buffer.from([1, 0, 0, 0, 0, 0, 0]);
  let value = raw;
  const device = plugIn(
    {
      name: `Sensor of ${kind}`,
      descriptor: hex(
        `05 20 ${usage} a1 00 85 01 ${FEATURES} ${field} 17 00 00 00 80 27 ff ff ff 7f 75 20 95 01 ${exponent} 81 02 c0`,
      ),
      product: 0x0010,
    },
    {
      ask: (_id, asked) => {
        if (asked === 'feature') return feature;
        const input = Buffer.alloc(5);
        input[0] = 1;
        input.writeInt32LE(value, 1);
        return input;
      },
      set: (_id, _kind, bytes) => void bytes.copy(feature, 0, 0, feature.length),
    },
  );
  return { device, set: (next) => void (value = next) };
}
