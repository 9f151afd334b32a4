import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { program as chromium } from '#test/drivers/renderer/rig.ts';
import { until } from '#test/scenarios/live-agent.ts';

import type { conversation } from './house.ts';

const run = promisify(execFile);

/** Makes a folder with a `chromium` that listens on a DevTools port beside the agent's pipe; its path. */
export function openBrowserIn(folder: string, eyePort: number): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const script = join(bin, 'chromium');
  writeFileSync(script, `#!/bin/sh\nexec ${chromium} --remote-debugging-port=${eyePort} "$@"\n`);
  chmodSync(script, 0o755);
  return bin;
}

/** What is seen in the browser: addresses of all pages, and the value of what was asked as text. */
interface Seen {
  readonly pages: readonly string[];
  readonly value: string;
}

/** A person who looks at a panel's display and has a mouse there. */
interface Person {
  /** Addresses of all pages, and the value of an expression in the page at that path; "" without one. */
  readonly look: (path?: string, expression?: string) => Promise<Seen>;
  readonly pages: (count: number) => Promise<boolean>;
  /** Waits until a part of the question is in sight with one of these texts. */
  readonly shows: (selector: string, ...texts: readonly string[]) => Promise<string>;
  readonly click: (path: string, selector: string) => Promise<void>;
  /** Clicks on one of the panel's own pages until that led on: a page that is redrawn at that moment moves away. */
  readonly go: (path: string, selector: string, hasLed: () => Promise<boolean>) => Promise<void>;
  /** Holds "Approve" until the panel says how it ended. */
  readonly hold: () => Promise<void>;
}

/** Where a person is: the name of the X server's display, and the program that looks into the browser. */
interface Place {
  readonly display: string;
  readonly eye: ReturnType<typeof conversation>;
}

/** `place` is asked for at each use, so that tests can name it before it is there. */
export function personAt(place: () => Place): Person {
  const look: Person['look'] = async (path, expression) =>
    // As the program prints it.
    JSON.parse(await place().eye('a look into the browser', { path, expression })) as Seen;
  const shows: Person['shows'] = (selector, ...texts) => {
    const part = `document.querySelector('${selector}')`;
    const expression = `${part}.closest('[hidden]') === null ? ${part}.textContent : ''`;
    let last = {};
    return until(
      () => `${texts.join(' or ')} in ${selector}, last ${JSON.stringify(last)}`,
      async () => {
        const seen = await look('/ask', expression);
        last = seen;
        return texts.find((text) => seen.value.includes(text));
      },
    );
  };
  const mouse = (...words: readonly string[]) =>
    run('xdotool', words, { env: { ...process.env, DISPLAY: place().display } });
  /** Moves the mouse to the middle of an element, and turns its wheel while that is out of sight. */
  const pointAt = async (path: string, selector: string): Promise<void> => {
    const expression = `(() => {
      const element = document.querySelector('${selector}');
      if (document.readyState !== 'complete' || element === null || element.disabled) return '';
      const { left, width, top, height } = element.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2].map(Math.round);
      return [x, y, element.contains(document.elementFromPoint(x, y))].join(' ');
    })()`;
    let last = {};
    const [x = '', y = ''] = await until(
      () => `${selector} on ${path}, last ${JSON.stringify(last)}`,
      async () => {
        const seen = await look(path, expression);
        last = seen;
        const words = seen.value.split(' ');
        if (words[2] === 'false') await mouse('mousemove', '400', '240', 'click', '5');
        // A page that still moves has it elsewhere a moment later.
        return words[2] === 'true' && (await look(path, expression)).value === seen.value ? words : null;
      },
    );
    await mouse('mousemove', x, y);
  };
  const click: Person['click'] = async (path, selector) => {
    await pointAt(path, selector);
    await mouse('click', '1');
  };
  const go: Person['go'] = async (path, selector, hasLed) => {
    await click(path, selector);
    const led = await until('what follows', hasLed, 8000).catch(() => false);
    if (!led) await go(path, selector, hasLed);
  };
  const hold = async (): Promise<void> => {
    await pointAt('/ask', '[data-hold]');
    await mouse('mousedown', '1');
    const result = await shows('[data-mark]', 'Not approved', 'Approved');
    await mouse('mouseup', '1');
    // An agent that hardly gets the processor learns of a press late, and takes it for a short one: press again.
    if (result === 'Not approved') await hold();
  };
  return {
    look,
    pages: (count) => until(`${count} pages`, async () => (await look()).pages.length === count),
    shows,
    click,
    go,
    hold,
  };
}
