// The least that a touch can take in Node: reads one event device and writes the backlight's switch, and nothing else.
// `dark` on its input switches the light off; it tells how many milliseconds each touch took to light it.
import { createReadStream, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [, , device, power] = process.argv;
const EVENT_BYTES = 24;
/** EV_KEY, BTN_TOUCH (linux/input-event-codes.h). */
const KEY = 1;
const TOUCH = 0x14a;

let dark = false;
createReadStream(device).on('data', (bytes) => {
  for (let at = 0; at < bytes.length; at += EVENT_BYTES) {
    if (!dark || bytes.readUInt16LE(at + 16) !== KEY || bytes.readUInt16LE(at + 18) !== TOUCH) continue;
    if (bytes.readInt32LE(at + 20) !== 1) continue;
    writeFileSync(power, '0\n');
    const written = performance.timeOrigin + performance.now();
    dark = false;
    const happened = Number(bytes.readBigUInt64LE(at)) * 1000 + Number(bytes.readBigUInt64LE(at + 8)) / 1000;
    console.log(JSON.stringify({ took: written - happened }));
  }
});
createInterface({ input: process.stdin }).on('line', () => {
  writeFileSync(power, '4\n');
  dark = true;
  console.log(JSON.stringify({ dark: true }));
});
