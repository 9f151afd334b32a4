import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createActor, type EventObject } from 'xstate';

import { STUCK_MS } from '#drivers/input/grab.ts';
import { linuxInput } from '#drivers/input/linux.ts';
import type { ButtonOption } from '#drivers/input/named-buttons.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { nativeCalls } from '#drivers/kit/native.ts';
import type { InputDriverCommand, InputFact, WakeCommand } from '#machines/input/events.ts';
import { inputMachine } from '#machines/input/machine.ts';

import { isFact, runDriver } from '../drivers/run-driver.ts';
import { openLibinput } from './devices/libinput.ts';
import { type HidDevice, keypad, panelKeys, plugIn, touchScreen } from './devices/uhid.ts';
import { type GuestCase, turn, until } from './guest-case.ts';
import { act, goDark, held, lit, power, save, status, untilStatus } from './agent-process.ts';
import { PADS, type SharedPanel } from './panel/panel.ts';

/** Another process with the same device open, like a compositor. */
interface Onlooker {
  readonly fd: number;
  /** How many events came since the last question. */
  readonly heard: () => number;
  readonly close: () => void;
}

/** The device file of an input device. */
export async function nodeOf(label: string): Promise<string> {
  const root = '/sys/class/input';
  const events = (await readdir(root)).filter((name) => name.startsWith('event'));
  const labels = await Promise.all(events.map((name) => readFile(`${root}/${name}/device/name`, 'utf8')));
  const found = events[labels.findIndex((name) => name.trim() === label)];
  if (found === undefined) throw new Error(`no device ${label}`);
  return `/dev/input/${found}`;
}

async function lookOn(label: string): Promise<Onlooker> {
  let path = '';
  await until(`the device ${label}`, async () => (path = await nodeOf(label)) !== '');
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const buffer = Buffer.alloc(24 * 64);
  const heard = (): number => {
    let events = 0;
    try {
      for (;;) events += readSync(fd, buffer, 0, buffer.length, null) / 24;
    } catch {
      // Nothing more to read.
      return events;
    }
  };
  heard();
  return { fd, heard, close: () => closeSync(fd) };
}

/** A finger on the screen at one place. */
const on = [1, 100, 0, 50, 0] as const;
const moved = [1, 140, 0, 90, 0] as const;
const off = [0, 140, 0, 90, 0] as const;

/** How long nothing must happen. */
const WATCH_MS = 1000;

type OnTouchPanel = (parts: { readonly panel: HidDevice; readonly other: Onlooker }) => Promise<string>;

const plugTouch = (): HidDevice => plugIn({ name: 'Touch panel', descriptor: touchScreen });
const sees = (touch: number): Promise<void> =>
  untilStatus(`${touch} touch screens`, ({ input }) => input?.devices.touch === touch);

/** With the agent, its screen lit, a touch screen, and another reader of it. */
const onTouchPanel = (shared: SharedPanel, run: OnTouchPanel) => async (): Promise<string> => {
  await shared.useLit();
  // That of the case before may be on its way out.
  await sees(PADS);
  const panel = plugTouch();
  const other = await lookOn('Touch panel');
  try {
    await sees(PADS + 1);
    return await run({ panel, other });
  } finally {
    other.close();
    panel.unplug();
  }
};

/** Waits until a touch made now is news: within a second of the last one status keeps the moment of that one. */
const touchIsNews = (): Promise<void> =>
  untilStatus('a second without a touch', ({ input }) => Math.abs(Date.now() - (input?.last?.at ?? 0)) > 1000);

/** Waits until the agent has read a touch made since `began`: read later, it would light a screen that is dark. */
async function hasRead(began: number): Promise<void> {
  await untilStatus('the touch in status', ({ input }) => (input?.last?.at ?? 0) >= began);
  // It reads before it answers.
  await turn(100);
  await status();
}

/** Has the screen go dark by itself 5 s after the last touch. */
const sleepSoon = () => save({ auto_sleep_source: 'touch', auto_sleep_touch_delay_seconds: '5', auto_sleep: 'true' });

/** Waits for that; what wakes it then wakes it for the rest of the case, however slow this processor is. */
async function fallAsleep(): Promise<void> {
  await untilStatus('sleep', ({ screen }) => screen?.lit === false && screen.changed?.by === 'auto-sleep');
  assert.equal(await power(), 4);
  await save({ auto_sleep_touch_delay_seconds: '3600' });
}

/** How often a wake is looked at that lasted so long that the bound of a finger which never leaves ran out. */
const SLOW_TRIES = 3;

/** A finger that lights the dark screen, moves and leaves is kept from others from its first event to its last. */
async function wakeHeld(parts: Parameters<OnTouchPanel>[0], tries: number): Promise<void> {
  const { panel, other } = parts;
  await fallAsleep();
  await held(PADS + 1);
  const since = performance.now();
  panel.report(...on);
  await lit();
  panel.report(...moved);
  await turn(WATCH_MS);
  const keeps = (await status()).input?.first_touch.held;
  const tookMs = performance.now() - since;
  panel.report(...off);
  await held(0);
  const heard = other.heard();
  // An emulated processor beside other work may take longer than a finger may stay.
  if (keeps === 0 && tookMs > STUCK_MS && tries > 1) {
    await save({ auto_sleep: 'false' });
    await sleepSoon();
    await wakeHeld(parts, tries - 1);
    return;
  }
  assert.equal(keeps, 1, `held until the finger has left, looked at after ${Math.round(tookMs)} ms`);
  assert.equal(heard, 0, 'nothing of the waking touch reaches others');
}

const firstTouchOnlyWakes: OnTouchPanel = async ({ panel, other }) => {
  await sleepSoon();
  await touchIsNews();
  const began = Date.now();
  panel.report(...on);
  panel.report(...off);
  const whileLit = other.heard();
  assert.ok(whileLit > 0, 'a touch on the lit screen reaches others');

  await hasRead(began);
  await wakeHeld({ panel, other }, SLOW_TRIES);
  panel.report(...on);
  panel.report(...off);
  const next = other.heard();
  assert.ok(next > 0, 'the next touch reaches others');
  const { auto_sleep: sleep, screen } = await status();
  assert.deepEqual([sleep.phase, screen?.changed?.by], ['holding', 'touch']);
  await save({ auto_sleep: 'false' });
  return `events heard by another reader: ${whileLit} on the lit screen, 0 of the waking touch, ${next} of the next`;
};

const touchedWhileItWentDark: OnTouchPanel = async ({ panel, other }) => {
  await touchIsNews();
  const began = Date.now();
  panel.report(...on);
  assert.ok(other.heard() > 0);
  await hasRead(began);
  await goDark();
  await turn(WATCH_MS);
  assert.equal((await status()).input?.first_touch.held, PADS, 'nothing is taken in the middle of a touch');
  panel.report(...off);
  await held(PADS + 1);
  assert.ok(other.heard() > 0, 'the end of that touch reaches others');
  return 'whoever saw it come saw it go';
};

const litWithoutTouch: OnTouchPanel = async () => {
  await goDark();
  await held(PADS + 1);
  await act('screen_on');
  await lit();
  await held(0);
  return 'held while it was dark alone';
};

const pulledOutWhileHeld: OnTouchPanel = async ({ panel }) => {
  await goDark();
  await held(PADS + 1);
  panel.unplug();
  await held(PADS);
  const again = plugTouch();
  try {
    await held(PADS + 1);
    return 'held, gone, held';
  } finally {
    again.unplug();
  }
};

const takenByAnother: OnTouchPanel = async ({ other }) => {
  const native = await nativeCalls();
  if (native === null) throw new Error('no system calls');
  assert.equal(native.grabInput(other.fd, true), null);
  await goDark();
  await untilStatus('the refusal', ({ input }) => input?.first_touch.refused === 'busy' && input.state === 'needs_you');
  assert.equal(native.grabInput(other.fd, false), null);
  await untilStatus('the hold', ({ input }) => input?.first_touch.held === PADS + 1 && input.state === 'working');
  return 'busy, said, and taken once it was free';
};

const killedInTheDark =
  (shared: SharedPanel): OnTouchPanel =>
  async ({ panel, other }) => {
    await goDark();
    await held(PADS + 1);
    const began = performance.now();
    await shared.kill();
    await until('light', async () => (await power()) === 0);
    const took = performance.now() - began;
    panel.report(...on);
    panel.report(...off);
    assert.ok(other.heard() > 0, 'a touch after kill -9 reaches others');
    await shared.unplug();
    return `ms ${took.toFixed(0)}`;
  };

const timing = { kind: 'key', grab: false, longMs: 3000, doubleMs: 2000 } as const;
/** After this long a press is no second one. */
const AFTER_DOUBLE_MS = 2500;
const single = ['press', 'release'];
const double = ['press', 'release', 'press', 'double_press', 'release'];
const buttonOne: ButtonOption = { ...timing, name: 'left', device: 'wall key*', code: 59 };

const mute = <T extends EventObject>() => fromDriver<T, undefined, never>(() => {});

/** The input part with the real driver, without a screen. */
function listenTo(listed: readonly ButtonOption[]) {
  const actor = createActor(
    inputMachine.provide({
      actors: {
        devices: linuxInput({ scanMs: 100, buttons: listed }),
        screens: mute<EventObject>(),
        wake: mute<WakeCommand>(),
      },
    }),
  ).start();
  const facts = () => actor.getSnapshot().context;
  return {
    stop: () => actor.stop(),
    facts,
    told: () => facts().buttons.occurrences.map(({ button, event }) => `${button} ${event}`),
  };
}

async function buttons(): Promise<string> {
  const keys = plugIn({ name: 'Wall keypad', descriptor: panelKeys });
  const panel = listenTo([buttonOne, { ...buttonOne, name: 'elsewhere', device: 'another thing' }]);
  const expect = (...events: readonly string[]) =>
    until(
      `${events.join(', ')}; told: ${panel.told().join(', ')}`,
      async () => panel.told().join(',') === events.map((event) => `left ${event}`).join(','),
    );
  try {
    await until('the keypad', async () => panel.facts().named.some(({ name, here }) => name === 'left' && here));
    assert.deepEqual(panel.facts().named, [
      { name: 'left', here: true },
      { name: 'elsewhere', here: false },
    ]);
    // The first key is F1, code 59; the second is F2, which the profile does not name.
    keys.report(1);
    keys.report(0);
    keys.report(2);
    keys.report(0);
    await expect('press', 'release');
    await turn(AFTER_DOUBLE_MS);
    // In one go: on a busy machine more than the time of a double press may pass between two looks.
    for (const usage of [1, 0, 1, 0]) keys.report(usage);
    await expect(...single, ...double);
    await turn(AFTER_DOUBLE_MS);
    keys.report(1);
    await expect(...single, ...double, 'press', 'long_press');
    // Held while it is pulled out: it is let go.
    keys.unplug();
    await expect(...single, ...double, 'press', 'long_press', 'release');
    await until('the loss', async () => panel.facts().named.every(({ here }) => !here));
    return panel.told().join(', ');
  } finally {
    panel.stop();
  }
}

async function grabbedButtons(): Promise<string> {
  const keys = plugIn({ name: 'Wall keypad', descriptor: panelKeys });
  const other = await lookOn('Wall keypad');
  const panel = listenTo([{ ...buttonOne, grab: true }]);
  try {
    await until('the hold', async () => panel.facts().grab.held === 1);
    other.heard();
    keys.report(1);
    keys.report(0);
    await until('the press', async () => panel.told().join(',') === 'left press,left release');
    assert.equal(other.heard(), 0);
    panel.stop();
    keys.report(1);
    keys.report(0);
    await until('a press for others', async () => other.heard() > 0);
    return 'for Sconce alone while it runs';
  } finally {
    panel.stop();
    other.close();
    keys.unplug();
  }
}

async function keyboard(): Promise<string> {
  const keys = plugIn({ name: 'Wall keyboard', descriptor: keypad });
  // Code 30 is the key a, whose usage is 4.
  const panel = listenTo([{ ...buttonOne, device: '*', code: 30, grab: true }]);
  try {
    await until('the keyboard', async () =>
      panel.facts().named.some(({ here, refused }) => !here && refused === 'typing-device'),
    );
    keys.report(4);
    keys.report(0);
    await until('its use', async () => panel.facts().last?.kind === 'key');
    assert.deepEqual(panel.told(), []);
    assert.equal(panel.facts().grab.held, 0);
    const { connected } = panel.facts().keyboards;
    assert.ok(connected >= 1);
    const second = plugIn({ name: 'Second keyboard', descriptor: keypad });
    await until('the second keyboard', async () => panel.facts().keyboards.connected === connected + 1);
    second.unplug();
    await until('its end', async () => panel.facts().keyboards.connected === connected);
    const { key } = panel.facts().counts;
    const keysOnly = plugIn({ name: 'Wall keys', descriptor: panelKeys });
    await until('the keys', async () => panel.facts().counts.key === key + 1);
    assert.equal(panel.facts().keyboards.connected, connected);
    keysOnly.unplug();
    return `its use alone, and that there are ${connected}`;
  } finally {
    panel.stop();
    keys.unplug();
  }
}

/** Longest wait for one fact; it says nothing of the driver. */
const FACT_MS = 60_000;

async function compositorsLibrary(): Promise<string> {
  const panel = plugIn({ name: 'Touch panel', descriptor: touchScreen });
  // The shared root is read-only, and no udev runs in the guest.
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', '/run']);
  let path = '';
  await until('the device', async () => (path = await nodeOf('Touch panel')) !== '');
  const compositor = openLibinput(path);
  const driver = runDriver<InputDriverCommand, InputFact>(linuxInput({ scanMs: 100 }));
  const grabbed = (count: number, from: number) =>
    driver.until(
      isFact<InputFact, 'input.grabbed'>('input.grabbed', (fact) => fact.held === count),
      from,
      FACT_MS,
    );
  const tap = async (): Promise<void> => {
    panel.report(...on);
    await turn(100);
    panel.report(...moved);
    panel.report(...off);
  };
  const heard = async (): Promise<number> => {
    let touches = 0;
    await until('libinput to hear a touch', async () => (touches += compositor.touches()) >= 3);
    return touches;
  };
  try {
    await driver.until(
      isFact<InputFact, 'input.devices'>('input.devices', ({ counts }) => counts.touch === 1),
      0,
      FACT_MS,
    );
    await tap();
    const before = await heard();
    driver.tell({ type: 'input.grab', on: true });
    await grabbed(1, 0);
    await tap();
    await turn(WATCH_MS);
    const during = compositor.touches();
    const from = driver.facts.length;
    driver.tell({ type: 'input.grab', on: false });
    await grabbed(0, from);
    await tap();
    const after = await heard();
    assert.equal(during, 0);
    return `touch events in libinput: ${before} before, ${during} of the touch that is held back, ${after} of the next`;
  } finally {
    driver.stop();
    compositor.close();
    panel.unplug();
    execFileSync('umount', ['/run']);
  }
}

/** Which reader gets which events of a touch screen and of hardware buttons, without an agent. */
export const readerCases: readonly GuestCase[] = [
  {
    title: 'libinput, through which compositors read, hears nothing of a touch that is held back',
    run: compositorsLibrary,
  },
  {
    title: 'a hardware button is told: press, release, double press, long press, and a release when it is pulled out',
    run: buttons,
  },
  { title: 'a hardware button can be kept from everybody else', run: grabbedButtons },
  { title: 'a keyboard is never read for buttons; its use, its coming and going count', run: keyboard },
];

/** Which reader gets which events of a touch screen; the last case ends the panel. */
export const touchCases = (shared: SharedPanel): readonly GuestCase[] => [
  {
    title: 'the touch that lights the sleeping screen reaches nobody else, and the next one does',
    run: onTouchPanel(shared, firstTouchOnlyWakes),
  },
  {
    title: 'a finger that is on the screen when the screen goes dark is seen to leave it',
    run: onTouchPanel(shared, touchedWhileItWentDark),
  },
  { title: 'a screen that is lit by somebody else is held no longer', run: onTouchPanel(shared, litWithoutTouch) },
  {
    title: 'a touch screen that is pulled out in the dark is held once it is back',
    run: onTouchPanel(shared, pulledOutWhileHeld),
    onlyInAll: true,
  },
  {
    title: 'a touch screen that another program holds is said, and taken once it is free',
    run: onTouchPanel(shared, takenByAnother),
    onlyInAll: true,
  },
  {
    title: 'after kill -9 of the agent the screen is lit, and touches reach others',
    run: onTouchPanel(shared, killedInTheDark(shared)),
  },
];
