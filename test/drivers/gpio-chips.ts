import type { GpioChips } from '#drivers/kit/gpio.ts';

import { sysfsTree } from './sysfs-tree.ts';

function refusing(code: string): never {
  throw Object.assign(new Error(code), { code });
}

/** A chip in memory behind files of its name: what the kernel's own answers are is tested on a kernel. */
export function fakeChips() {
  let here = true;
  let closed = false;
  const calls = { held: 0, released: 0, taken: '', chipCode: '', swapped: false };
  const chips: { -readonly [name in keyof GpioChips]: GpioChips[name] } = {
    chip: async (path) => {
      if (!here) refusing('ENODEV');
      if (calls.chipCode !== '') refusing(calls.chipCode);
      return path.endsWith('gpiochip10') !== calls.swapped
        ? { name: 'gpiochip10', label: 'relays', lines: 8 }
        : { name: 'gpiochip2', label: 'other', lines: 54 };
    },
    line: async () => ({ used: calls.taken !== '', consumer: calls.taken }),
    listen: async (_path, request) => {
      if (!here) refusing('ENODEV');
      calls.held += 1;
      return {
        read: () => (here ? closed !== request.activeLow : refusing('ENODEV')),
        release: async () => {
          calls.released += 1;
        },
      };
    },
    hold: async (_path, request) => {
      if (!here) refusing('ENODEV');
      calls.held += 1;
      closed = request.on;
      return {
        read: () => (here ? closed : refusing('ENODEV')),
        write: (on) => {
          if (!here) refusing('ENODEV');
          closed = on;
        },
        release: async () => {
          calls.released += 1;
        },
      };
    },
  };
  return {
    chips,
    calls,
    isClosed: () => closed,
    pull: (on: boolean) => void (closed = on),
    plug: (plugged: boolean) => void ([here, closed] = [plugged, false]),
  };
}

/** A folder of device files in which two of four are chips. */
export async function gpioTree() {
  const tree = await sysfsTree();
  for (const name of ['gpiochip10', 'gpiochip2', 'gpiochipx', 'tty']) await tree.add(name, {});
  return tree;
}
