import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';

/** A GPIO chip that the kernel simulates (Documentation/admin-guide/gpio/gpio-sim.rst). */
export interface SimulatedChip {
  /** Level that the kernel drives on a line. */
  readonly level: (offset: number) => boolean;
  /** Pulls a line that is an input. */
  readonly pull: (offset: number, high: boolean) => void;
  readonly unplug: () => void;
}

const root = '/sys/kernel/config/gpio-sim';

/** Makes a chip of `lines` lines with this label. Throws where the kernel has no gpio-sim. */
export function gpioSim(label: string, lines: number): SimulatedChip {
  const folder = `${root}/${label}`;
  const read = (file: string): string => readFileSync(`${folder}/${file}`, 'utf8').trim();
  mkdirSync(`${folder}/bank0`, { recursive: true });
  writeFileSync(`${folder}/bank0/num_lines`, String(lines));
  writeFileSync(`${folder}/bank0/label`, label);
  writeFileSync(`${folder}/live`, '1');
  const chip = `/sys/devices/platform/${read('dev_name')}/${read('bank0/chip_name')}`;
  return {
    level: (offset) => readFileSync(`${chip}/sim_gpio${offset}/value`, 'utf8').trim() === '1',
    pull: (offset, high) => writeFileSync(`${chip}/sim_gpio${offset}/pull`, high ? 'pull-up' : 'pull-down'),
    unplug: () => {
      writeFileSync(`${folder}/live`, '0');
      rmdirSync(`${folder}/bank0`);
      rmdirSync(folder);
    },
  };
}
