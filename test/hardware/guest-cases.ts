import { readFile, writeFile } from 'node:fs/promises';

import { sysfsBacklight } from '#drivers/screen/sysfs-backlight.ts';

import { screenContract, type ScreenRig } from '../drivers/screen.contract.ts';
import { wakeCases } from './wake-cases.ts';
import { decisions } from '../drivers/screen/decisions.ts';

const folder = '/sys/class/backlight/acpi_video0';
const read = async (file: string): Promise<number> => Number(await readFile(`${folder}/${file}`, 'utf8'));
const write = (file: string, value: number): Promise<void> => writeFile(`${folder}/${file}`, String(value));

const poke: ScreenRig['poke'] = async ({ raw, powered }) => {
  await write('brightness', raw);
  await write('bl_power', powered ? 0 : 4);
};

// Every line for the host begins with this word: the kernel writes on the same console.
const say = (...words: readonly string[]): void => void process.stdout.write(`\nSCONCE ${words.join(' ')}\n`);

const rig: ScreenRig = {
  logic: sysfsBacklight(decisions),
  rawMax: await read('max_brightness'),
  power: true,
  peek: async () => ({ raw: await read('actual_brightness'), powered: (await read('bl_power')) === 0 }),
  poke,
  end: async () => {},
};
say('display', 'acpi_video0', String(rig.rawMax));
let failed = 0;
for (const { title, run } of screenContract) {
  await poke({ raw: 5, powered: true });
  try {
    await run(rig);
    say('ok', title);
  } catch (error) {
    failed += 1;
    say('failed', title, '|', String(error instanceof Error ? error.message : error).replaceAll('\n', ' '));
  }
}
await poke({ raw: 5, powered: true });
const more = wakeCases(process.env['SCONCE_BUNDLE'] ?? '');
for (const { title, run } of more) {
  try {
    say('ok', title, '|', await run());
  } catch (error) {
    failed += 1;
    say('failed', title, '|', String(error instanceof Error ? error.message : error).replaceAll('\n', ' '));
  }
}
say('done', String(screenContract.length + more.length), String(failed));
process.exit(failed === 0 ? 0 : 1);
