import { readdir, writeFile } from 'node:fs/promises';

import { attribute, inClass } from './classes.ts';
import { type HidDevice, hex, plugIn } from './uhid.ts';

/**
 * A USB bridge to I2C with four GPIO lines (hid-mcp2221), and on its bus a sensor of temperature and humidity (sht3x).
 */
export interface Bridge {
  readonly device: HidDevice;
  readonly climate: (celsius: number, percent: number) => void;
  /** Level of a line that the kernel drives, or null while it is an input. */
  readonly line: (offset: number) => boolean | null;
}

const SENSOR = 0x44;
const REPORT_BYTES = 64;

const zeros = (length: number): number[] => Array.from({ length }, () => 0);

/**
 * Check sum of the sensor's words: CRC-8 of polynomial 0x31 that begins at 0xff (data sheet of the SHT3x, "Checksum
 * calculation").
 */
function withCheck(word: number): readonly number[] {
  const bytes = [(word >> 8) & 0xff, word & 0xff];
  let crc = 0xff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x80 ? 0x31 : 0)) & 0xff;
  }
  return [...bytes, crc];
}

interface Engine {
  command: number;
  wanted: number;
  absent: boolean;
  celsius: number;
  percent: number;
}

function reading({ command, celsius, percent }: Engine): readonly number[] {
  if (command === 0x2c06 || command === 0x2400)
    return [
      ...withCheck(Math.round(((celsius + 45) / 175) * 65_536)),
      ...withCheck(Math.round((percent / 100) * 65_536)),
    ];
  return [...withCheck(0), ...withCheck(0)];
}

/**
 * Plugs the bridge in (data sheet of the MCP2221A, "USB commands and responses"). The sensor is told to the kernel by
 * `attachClimate`.
 */
export function bridge(): Bridge {
  const engine: Engine = { command: 0, wanted: 0, absent: false, celsius: 20, percent: 50 };
  const lines = Array.from({ length: 4 }, () => ({ value: 0, direction: 1 }));
  const answers: Record<number, (bytes: Buffer) => readonly number[]> = {
    0x10: (bytes) => {
      const status = zeros(REPORT_BYTES - 2);
      status[1] = bytes[3] ?? 0;
      status[18] = engine.absent ? 0x40 : 0;
      return status;
    },
    0x40: () => {
      const got = reading(engine).slice(0, engine.wanted);
      engine.wanted = 0;
      return [0x55, got.length, ...got];
    },
    0x50: (bytes) => {
      for (const [offset, line] of lines.entries()) {
        const at = 2 + offset * 4;
        if (bytes[at]) line.value = bytes[at + 1] ?? 0;
        if (bytes[at + 2]) line.direction = bytes[at + 3] ?? 0;
      }
      return [...bytes.subarray(2, 18)];
    },
    0x51: () => lines.flatMap(({ value, direction }) => [value, direction]),
  };
  const write = (bytes: Buffer): readonly number[] => {
    engine.absent = (bytes[3] ?? 0) >> 1 !== SENSOR;
    engine.command = ((bytes[4] ?? 0) << 8) | (bytes[5] ?? 0);
    return [];
  };
  const read = (bytes: Buffer): readonly number[] => {
    engine.absent = (bytes[3] ?? 0) >> 1 !== SENSOR;
    engine.wanted = bytes[1] ?? 0;
    return [];
  };
  const device = plugIn(
    {
      name: 'Bridge',
      descriptor: hex('06 00 ff 09 01 a1 01 15 00 26 ff 00 75 08 95 40 09 02 81 02 09 03 91 02 c0'),
      vendor: 0x04d8,
      product: 0x00dd,
    },
    {
      output: (bytes, self) => {
        const command = bytes[0] ?? 0;
        const answer =
          command === 0x90 || command === 0x94
            ? write(bytes)
            : command === 0x91 || command === 0x93
              ? read(bytes)
              : (answers[command]?.(bytes) ?? []);
        self.report(command, 0, ...answer, ...zeros(REPORT_BYTES - 2 - answer.length));
      },
    },
  );
  return {
    device,
    climate: (celsius, percent) => Object.assign(engine, { celsius, percent }),
    line: (offset) => (lines[offset]?.direction === 0 ? lines[offset].value !== 0 : null),
  };
}

/**
 * Tells the kernel that the sensor is on the bridge's bus; answers whether it is there now, to be asked again until it
 * is. A 6.1 kernel does not hear the bridge while it sets it up: a sensor that it was told of then stays without a
 * driver and is told again.
 */
export async function attachClimate(sensor: () => Promise<string | null>): Promise<boolean> {
  if ((await sensor()) !== null) return true;
  const root = '/sys/bus/i2c/devices';
  const bus = await inClass(root, async (folder) => (await attribute(`${folder}/name`)).startsWith('MCP2221'));
  if (bus === null) return false;
  if ((await readdir(root)).some((name) => name.endsWith('-0044'))) await writeFile(`${bus}/delete_device`, '0x44');
  await writeFile(`${bus}/new_device`, 'sht3x 0x44');
  return (await sensor()) !== null;
}
