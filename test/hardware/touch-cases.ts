import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createActor, type EventObject } from 'xstate';

import { linuxInput } from '#drivers/input/linux.ts';
import type { ButtonOption } from '#drivers/input/named-buttons.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { nativeCalls } from '#drivers/kit/native.ts';
import type { InputDriverCommand, InputFact, WakeCommand } from '#machines/input/events.ts';
import { inputMachine } from '#machines/input/machine.ts';

import { isFact, runDriver } from '../drivers/run-driver.ts';
import { openLibinput } from './devices/libinput.ts';
import { keypad, plugIn, touchScreen } from './devices/uhid.ts';
import { type GuestCase, turn, until } from './guest-case.ts';
import { act, goDark, power, startAgent, status } from './wake-cases.ts';

/** Somebody else who has the same device open, as a compositor has. */
interface Onlooker {
  readonly fd: number;
  /** How many events came since the last question. */
  readonly heard: () => number;
  readonly close: () => void;
}

const nodeOf = async (label: string): Promise<string> => {
  const root = '/sys/class/input';
  const events = (await readdir(root)).filter((name) => name.startsWith('event'));
  const labels = await Promise.all(events.map((name) => readFile(`${root}/${name}/device/name`, 'utf8')));
  const found = events[labels.findIndex((name) => name.trim() === label)];
  if (found === undefined) throw new Error(`no device ${label}`);
  return `/dev/input/${found}`;
};

const lookOn = async (label: string): Promise<Onlooker> => {
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
};

const held = (count: number) => async (): Promise<boolean> => (await status()).input?.first_touch.held === count;
const lit = async (): Promise<boolean> => (await power()) === 0 && (await status()).screen?.lit === true;

/** A finger on the glass at one place. */
const on = [1, 100, 0, 50, 0] as const;
const moved = [1, 140, 0, 90, 0] as const;
const off = [0, 140, 0, 90, 0] as const;

const firstTouchOnlyWakes = async (bundle: string): Promise<string> => {
  const panel = plugIn({ name: 'Touch panel', descriptor: touchScreen });
  const other = await lookOn('Touch panel');
  const agent = await startAgent(bundle);
  try {
    panel.report(...on);
    panel.report(...off);
    await turn(200);
    const whileLit = other.heard();
    assert.ok(whileLit > 0, 'a touch on the lit screen reaches others');

    await goDark();
    await until('the hold', held(1));
    panel.report(...on);
    await until('light', lit);
    panel.report(...moved);
    await turn(1500);
    assert.equal((await status()).input?.first_touch.held, 1, 'held until the finger has left');
    panel.report(...off);
    await until('the end of the hold', held(0));
    assert.equal(other.heard(), 0, 'nothing of the waking touch reaches others');
    panel.report(...on);
    panel.report(...off);
    await turn(200);
    const next = other.heard();
    assert.ok(next > 0, 'the next touch reaches others');

    // A finger that is on the glass when the screen goes dark: whoever saw it come sees it go.
    panel.report(...on);
    await turn(200);
    assert.ok(other.heard() > 0);
    await goDark();
    await turn(1500);
    assert.equal((await status()).input?.first_touch.held, 0, 'nothing is taken in the middle of a touch');
    panel.report(...off);
    await until('the hold after the touch', held(1));
    assert.ok(other.heard() > 0, 'the end of that touch reaches others');

    // Lit by somebody else, with nobody touching.
    await act('screen_on');
    await until('light', lit);
    await until('the end of the hold without a touch', held(0));

    // Taken away while it is held, and back while it is still dark.
    await goDark();
    await until('the hold', held(1));
    panel.unplug();
    await until('the loss', held(0));
    const again = plugIn({ name: 'Touch panel', descriptor: touchScreen });
    await until('the hold of the new one', held(1));
    const later = await lookOn('Touch panel');
    agent.child.kill('SIGKILL');
    await agent.ended;
    again.report(...on);
    again.report(...off);
    await until('a touch after kill -9', async () => later.heard() > 0);
    later.close();
    again.unplug();
    return `events heard by another reader: ${whileLit} on the lit screen, 0 of the waking touch, ${next} of the next`;
  } finally {
    agent.child.kill('SIGKILL');
    other.close();
  }
};

const takenByAnother = async (bundle: string): Promise<string> => {
  const native = await nativeCalls();
  if (native === null) throw new Error('no system calls');
  const panel = plugIn({ name: 'Touch panel', descriptor: touchScreen });
  const other = await lookOn('Touch panel');
  const agent = await startAgent(bundle);
  try {
    assert.equal(native.grabInput(other.fd, true), null);
    await goDark();
    await until(
      'the refusal',
      async () =>
        (await status()).input?.first_touch.refused === 'busy' && (await status()).input?.state === 'needs_you',
    );
    assert.equal(native.grabInput(other.fd, false), null);
    await until('the hold', async () => (await held(1)()) && (await status()).input?.state === 'working');
    return 'busy, said, and taken once it was free';
  } finally {
    agent.child.kill('SIGKILL');
    await agent.ended;
    other.close();
    panel.unplug();
  }
};

const timing = { kind: 'key', grab: false, longMs: 3000, doubleMs: 2000 } as const;
const buttonA: ButtonOption = { ...timing, name: 'left', device: 'wall key*', code: 30 };

const mute = <T extends EventObject>() => fromDriver<T, undefined, never>(() => {});

/** The input part with the real driver, without a screen. */
const listenTo = (buttons: readonly ButtonOption[]) => {
  const actor = createActor(
    inputMachine.provide({
      actors: {
        devices: linuxInput({ scanMs: 100, buttons }),
        screens: mute<EventObject>(),
        wake: mute<WakeCommand>(),
      },
    }),
  ).start();
  const facts = () => actor.getSnapshot().context;
  return {
    stop: () => actor.stop(),
    facts,
    told: () => facts().buttons.happened.map(({ button, event }) => `${button} ${event}`),
  };
};

const buttons = async (): Promise<string> => {
  const keys = plugIn({ name: 'Wall keypad', descriptor: keypad });
  const panel = listenTo([buttonA, { ...buttonA, name: 'elsewhere', device: 'another thing' }]);
  const expect = (...events: readonly string[]) =>
    until(
      `${events.join(', ')}; told: ${panel.told().join(', ')}`,
      async () => panel.told().join(',') === events.map((event) => `left ${event}`).join(','),
      30_000,
    );
  try {
    await until('the keypad', async () => panel.facts().named.some(({ name, here }) => name === 'left' && here));
    assert.deepEqual(panel.facts().named, [
      { name: 'left', here: true },
      { name: 'elsewhere', here: false },
    ]);
    // Usage 4 is the key a, code 30; usage 5 is b, which nobody named.
    keys.report(4);
    keys.report(0);
    keys.report(5);
    keys.report(0);
    await expect('press', 'release');
    keys.report(4);
    keys.report(0);
    await expect('press', 'release', 'press', 'double_press', 'release');
    await turn(2500);
    keys.report(4);
    await expect('press', 'release', 'press', 'double_press', 'release', 'press', 'long_press');
    // Held while it is pulled out: it is let go.
    keys.unplug();
    await expect('press', 'release', 'press', 'double_press', 'release', 'press', 'long_press', 'release');
    await until('the loss', async () => panel.facts().named.every(({ here }) => !here));
    return panel.told().join(', ');
  } finally {
    panel.stop();
  }
};

const grabbedButtons = async (): Promise<string> => {
  const keys = plugIn({ name: 'Wall keypad', descriptor: keypad });
  const other = await lookOn('Wall keypad');
  const panel = listenTo([{ ...buttonA, grab: true }]);
  try {
    await until('the hold', async () => panel.facts().grab.held === 1);
    other.heard();
    keys.report(4);
    keys.report(0);
    await until('the press', async () => panel.told().join(',') === 'left press,left release', 30_000);
    assert.equal(other.heard(), 0);
    panel.stop();
    keys.report(4);
    keys.report(0);
    await until('a press for others', async () => other.heard() > 0, 30_000);
    return 'for Sconce alone while it runs';
  } finally {
    panel.stop();
    other.close();
    keys.unplug();
  }
};

const compositorsLibrary = async (): Promise<string> => {
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
      30_000,
    );
  const tap = async (): Promise<number> => {
    panel.report(...on);
    await turn(100);
    panel.report(...moved);
    panel.report(...off);
    await turn(500);
    return compositor.touches();
  };
  try {
    await driver.until(
      isFact<InputFact, 'input.devices'>('input.devices', ({ counts }) => counts.touch === 1),
      0,
      30_000,
    );
    const before = await tap();
    driver.tell({ type: 'input.grab', on: true });
    await grabbed(1, 0);
    const during = await tap();
    const from = driver.facts.length;
    driver.tell({ type: 'input.grab', on: false });
    await grabbed(0, from);
    const after = await tap();
    assert.ok(before > 0 && after > 0, `libinput hears touches: ${before}, ${after}`);
    assert.equal(during, 0);
    return `touch events in libinput: ${before} before, ${during} of the touch that is held back, ${after} of the next`;
  } finally {
    driver.stop();
    compositor.close();
    panel.unplug();
    execFileSync('umount', ['/run']);
  }
};

/** Who hears what of a touch screen and of hardware buttons; `bundle` is what users start. */
export const touchCases = (bundle: string): readonly GuestCase[] => [
  {
    title: 'the touch that lights the dark screen reaches nobody else, and the next one does',
    run: () => firstTouchOnlyWakes(bundle),
  },
  {
    title: 'libinput, through which compositors read, hears nothing of a touch that is held back',
    run: compositorsLibrary,
  },
  {
    title: 'a touch screen that another program holds is said, and taken once it is free',
    run: () => takenByAnother(bundle),
  },
  {
    title: 'a hardware button is told: press, release, double press, long press, and a release when it is pulled out',
    run: buttons,
  },
  { title: 'a hardware button can be kept from everybody else', run: grabbedButtons },
];
