import { readFile, writeFile } from 'node:fs/promises';

import { sysfsBacklight } from '#test/drivers/screen/sysfs-backlight.ts';

import { screenContract, type ScreenRig } from '../drivers/screen.contract.ts';
import { decisions } from '../drivers/screen/decisions.ts';
import { backlight } from './agent-process.ts';
import { cameraCases } from './camera-cases.ts';
import { deviceCases } from './device-cases.ts';
import { type GuestCase, NotHere, say } from './guest-case.ts';
import { touchToLight } from './latency/touch-to-light.ts';
import { microphoneCases } from './microphone-cases.ts';
import { panelCases } from './panel-cases.ts';
import { sharedPanel } from './panel/panel.ts';
import { readerCases, touchCases } from './touch-cases.ts';
import { voiceCases } from './voice-cases.ts';
import { hearCases, stopCase, wakeCase } from './wake-cases.ts';

const read = async (file: string): Promise<number> => Number(await readFile(`${backlight}/${file}`, 'utf8'));
const write = (file: string, value: number): Promise<void> => writeFile(`${backlight}/${file}`, String(value));

const poke: ScreenRig['poke'] = async ({ raw, powered }) => {
  await write('brightness', raw);
  await write('bl_power', powered ? 0 : 4);
};

const rig: ScreenRig = {
  logic: sysfsBacklight(decisions),
  rawMax: await read('max_brightness'),
  power: true,
  peek: async () => ({ raw: await read('actual_brightness'), powered: (await read('bl_power')) === 0 }),
  poke,
  end: async () => {},
};
const screenCases = screenContract.map(({ title, run }): GuestCase => ({
  title,
  run: async () => {
    await poke({ raw: 5, powered: true });
    await run(rig);
    return `${rig.rawMax} levels`;
  },
}));

let failed = 0;
// Runs only the cases whose titles match, while one is written. Replaced when the bundle is made.
const only = process.env['SCONCE_GUEST_ONLY'] ?? '';
const bundle = process.env['SCONCE_BUNDLE'] ?? '';
const all = process.env['SCONCE_TEST_ALL'] === '1';
const shared = sharedPanel(bundle);
const cases = [
  ...screenCases,
  ...deviceCases,
  ...cameraCases,
  ...microphoneCases,
  ...hearCases,
  ...readerCases,
  ...panelCases(shared),
  ...voiceCases(shared),
  wakeCase(shared),
  ...touchCases(shared),
  stopCase(bundle),
  touchToLight(bundle),
]
  .filter(({ onlyInAll = false }) => all || !onlyInAll)
  .filter(({ title }) => new RegExp(only, 'v').test(title));
for (const { title, run } of cases) {
  const began = performance.now();
  try {
    const measured = await run();
    say('ok', title, '|', measured, '|', `took ${((performance.now() - began) / 1000).toFixed(1)} s`);
  } catch (error) {
    const reason = String(error instanceof Error ? error.message : error).replaceAll('\n', ' ');
    if (!(error instanceof NotHere)) failed += 1;
    say(error instanceof NotHere ? 'skipped' : 'failed', title, '|', reason);
  }
}
await poke({ raw: 5, powered: true });
say('done', String(cases.length), String(failed));
process.exit(failed === 0 ? 0 : 1);
