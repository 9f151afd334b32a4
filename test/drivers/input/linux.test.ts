import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync, closeSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

import { nativeCalls } from '#drivers/kit/native.ts';
import { onInputSignal, openDevice } from '#drivers/input/open-device.ts';
import { linuxInput } from '#drivers/input/linux.ts';
import type { InputDriverCommand, InputFact } from '#machines/input/events.ts';

import { asUser } from '../as-user.ts';
import { isFact, runDriver, type RunningDriver } from '../run-driver.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A class folder and device files made of FIFOs: the kernel signals and reads both alike. */
function machine() {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-input-'));
  const [root, dev] = [join(folder, 'class'), join(folder, 'dev')];
  mkdirSync(root);
  mkdirSync(dev);
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  return {
    root,
    dev,
    plug: (
      name: string,
      ev: string,
      key: string,
      abs = '0',
    ): ((...events: readonly [number, number, number][]) => void) => {
      const capabilities = join(root, name, 'device/capabilities');
      mkdirSync(capabilities, { recursive: true });
      for (const [file, text] of Object.entries({ ev, key, abs, rel: '0' }))
        writeFileSync(join(capabilities, file), `${text}\n`);
      execFileSync('mkfifo', [join(dev, name)]);
      const fd = openSync(join(dev, name), constants.O_RDWR | constants.O_NONBLOCK);
      ends.push(() => closeSync(fd));
      return (...events) => {
        const bytes = Buffer.alloc(24 * events.length);
        events.forEach(([type, code, value], index) => {
          const now = Date.now();
          bytes.writeBigInt64LE(BigInt(Math.floor(now / 1000)), index * 24);
          bytes.writeBigInt64LE(BigInt((now % 1000) * 1000), index * 24 + 8);
          bytes.writeUInt16LE(type, index * 24 + 16);
          bytes.writeUInt16LE(code, index * 24 + 18);
          bytes.writeInt32LE(value, index * 24 + 20);
        });
        writeSync(fd, bytes);
      };
    },
    unplug: (name: string) => {
      rmSync(join(root, name), { recursive: true });
      rmSync(join(dev, name));
    },
  };
}

const touchBits = ['b', '400 0 0 0 0 0', '260800000000003'] as const;
const keyBits = ['3', '10000000000000 0'] as const;
const keyboardBits = ['120013', '1000000000007 ff9f207ac14057ff febeffdfffefffff fffffffffffffffe'] as const;

function listen(
  made: ReturnType<typeof machine>,
  more: Parameters<typeof linuxInput>[0] = {},
): RunningDriver<InputDriverCommand, InputFact> {
  const driver = runDriver<InputDriverCommand, InputFact>(
    linuxInput({ root: made.root, dev: made.dev, scanMs: 20, ...more }),
  );
  ends.unshift(() => driver.stop());
  return driver;
}
const devices = (touch: number, key: number) =>
  isFact<InputFact, 'input.devices'>('input.devices', ({ counts }) => counts.touch === touch && counts.key === key);
const touched = isFact<InputFact, 'input.touched'>('input.touched');
const nothing = Promise.resolve(null);

// The files of this test hold events as a 64-bit process reads them.
describe.skipIf(process.arch === 'arm' || process.arch === 'ia32')('input devices', () => {
  it.each([
    ['signalled by the kernel', {}],
    ['read in turns where nothing can be signalled', { native: nothing }],
  ])('are heard, %s', async (_, more) => {
    const made = machine();
    const touch = made.plug('event0', ...touchBits);
    made.plug('event1', ...keyBits);
    const driver = listen(made, more);
    await driver.until(devices(1, 1));
    const before = Date.now();
    touch([3, 0x39, 5], [1, 0x14a, 1], [0, 0, 0]);
    const fact = await driver.until(touched);
    expect(fact).toMatchObject({ kind: 'touch' });
    expect(fact.at).toBeGreaterThanOrEqual(before);
    expect(Object.keys(fact).toSorted()).toEqual(['at', 'kind', 'type']);
    expect(driver.crashed()).toBeUndefined();
  });

  it('are signalled by the kernel the moment they speak', async () => {
    const made = machine();
    const press = made.plug('event0', ...keyBits);
    const device = openDevice(
      join(made.dev, 'event0'),
      { name: 'event0', label: 'Keys', kind: 'key', abilities: { ev: 0n, key: 0n, abs: 0n, rel: 0n, sw: 0n } },
      await nativeCalls(),
    );
    if (typeof device === 'string') throw new Error(device);
    expect(device.signalled).toBe(true);
    const heard = new Promise<void>((resolve) => ends.push(onInputSignal(resolve)));
    expect(device.drain()).toBeNull();
    press([1, 116, 1]);
    await heard;
    expect(device.drain()).toBeGreaterThan(0);
    device.close();
  });

  it('say no more than fifty times a second that somebody touches, and lose no last touch', async () => {
    const made = machine();
    const press = made.plug('event0', ...keyBits);
    const driver = listen(made);
    await driver.until(devices(0, 1));
    const began = performance.now();
    for (let count = 0; count < 50; count += 1) press([1, 116, 1], [1, 116, 0]);
    await driver.until(touched);
    press([1, 116, 1]);
    await driver.until(touched, driver.facts.findIndex(touched) + 1);
    const took = performance.now() - began;
    expect(took).toBeGreaterThanOrEqual(19);
    expect(driver.facts.filter(touched).length).toBeLessThanOrEqual(2 + Math.floor(took / 20));
  });

  it('tell how many letters they have, and nothing of them once they are unplugged', async () => {
    const made = machine();
    made.plug('event0', ...touchBits);
    made.plug('event1', ...keyBits);
    const driver = listen(made);
    expect(await driver.until(devices(1, 1))).toMatchObject({ letterKeys: [] });
    made.plug('event2', ...keyboardBits);
    expect(await driver.until(devices(1, 2))).toMatchObject({ letterKeys: [26] });
    made.unplug('event2');
    const gone = await driver.until(devices(1, 1), driver.facts.findIndex(devices(1, 2)));
    expect(gone).toMatchObject({ letterKeys: [] });
  });

  it('report an on-screen keyboard once it runs, looked for anew with each scan that is asked for', async () => {
    let runs = false;
    const driver = listen(machine(), { onScreenKeyboard: () => runs });
    await driver.until(devices(0, 0));
    const told = (wanted: boolean) =>
      isFact<InputFact, 'input.on-screen-keyboard'>('input.on-screen-keyboard', (fact) => fact.runs === wanted);
    expect(driver.facts.some(told(false))).toBe(false);
    runs = true;
    driver.tell({ type: 'input.scan' });
    await driver.until(told(true));
    runs = false;
    driver.tell({ type: 'input.scan' });
    await driver.until(told(false));
  });

  it('come and go while the agent runs', async () => {
    const made = machine();
    const driver = listen(made);
    expect((await driver.until(devices(0, 0))).verdict.reason).toBe('no-input-device');
    const press = made.plug('event3', ...keyBits);
    expect((await driver.until(devices(0, 1))).verdict.state).toBe('working');
    press([1, 116, 1]);
    await driver.until(touched);
    const from = driver.facts.length;
    made.unplug('event3');
    await driver.until(devices(0, 0), from);
    made.plug('event3', ...touchBits);
    await driver.until(devices(1, 0), from);
  });

  it('ignore what nobody touches', async () => {
    const made = machine();
    made.plug('event0', '21', '0');
    const driver = listen(made);
    expect((await driver.until(devices(0, 0))).verdict.reason).toBe('no-input-device');
  });

  it('that may not be read are said with the one command that helps', async () => {
    const made = machine();
    made.plug('event0', ...touchBits);
    execFileSync('chmod', ['000', join(made.dev, 'event0')]);
    const verdict = await asUser(
      './test/drivers/input/first-verdict.ts',
      'firstVerdict',
      JSON.stringify({ root: made.root, dev: made.dev }),
    );
    expect(verdict).toMatchObject({
      state: 'needs_you',
      reason: 'input-not-readable',
      fix: { command: expect.stringMatching(/^sudo usermod -aG input /) },
    });
  });

  it('are kept from others while that is wanted, except in the middle of a touch, and new ones at once', async () => {
    const made = machine();
    const touch = made.plug('event0', ...touchBits);
    made.plug('event1', ...keyBits);
    const real = await nativeCalls();
    if (real === null) throw new Error('no system calls');
    const held = new Set<number>();
    // A FIFO knows no such request; everything else is real.
    const native = Promise.resolve({
      ...real,
      grabInput: (fd: number, on: boolean) => {
        if (on) held.add(fd);
        else held.delete(fd);
        return null;
      },
    });
    const driver = listen(made, { native });
    const grabbed = (count: number, from: number) =>
      driver.until(
        isFact<InputFact, 'input.grabbed'>('input.grabbed', (fact) => fact.held === count),
        from,
      );
    await driver.until(devices(1, 1));
    touch([3, 0x39, 5], [1, 0x14a, 1]);
    await driver.until(touched);
    driver.tell({ type: 'input.grab', on: true });
    expect(held.size).toBe(0);
    let from = driver.facts.length;
    touch([3, 0x39, -1], [1, 0x14a, 0]);
    await grabbed(1, from);
    expect(held.size).toBe(1);
    made.plug('event2', ...touchBits);
    await grabbed(2, from);
    touch([3, 0x39, 6], [1, 0x14a, 1]);
    await driver.until(touched, from);
    driver.tell({ type: 'input.grab', on: false });
    from = driver.facts.length;
    // The new one has no finger on it; the one that was touched is held until the finger leaves.
    expect(held.size).toBe(1);
    touch([3, 0x39, -1], [1, 0x14a, 0]);
    await grabbed(0, from);
    expect(held.size).toBe(0);
    expect(driver.crashed()).toBeUndefined();
  });

  it('say that the waking touch reaches the page where nothing can be kept', async () => {
    const made = machine();
    made.plug('event0', ...touchBits);
    const driver = listen(made, { native: nothing });
    expect((await driver.until(devices(1, 0))).verdict.detail).toContain('also reaches the page');
    expect(driver.facts).toContainEqual({ type: 'input.grabbed', held: 0, refused: 'unsupported' });
  });

  it('have their named buttons told, and no other key, and let go what is pulled out', async () => {
    const made = machine();
    const press = made.plug('event0', ...keyBits);
    writeFileSync(join(made.root, 'event0/device/name'), 'gpio-keys\n');
    const driver = listen(made, {
      buttons: [{ name: 'power', device: 'gpio*', code: 116, kind: 'key', grab: false, longMs: 800, doubleMs: 400 }],
    });
    expect((await driver.until(devices(0, 1))).buttons).toEqual([{ name: 'power', here: true }]);
    press([1, 117, 1], [1, 116, 1], [1, 116, 2], [1, 117, 0]);
    const change = isFact<InputFact, 'input.button'>('input.button');
    expect(await driver.until(change)).toMatchObject({ name: 'power', down: true, longMs: 800, doubleMs: 400 });
    driver.tell({ type: 'input.settle' });
    await driver.until(isFact<InputFact, 'input.settled'>('input.settled'));
    const from = driver.facts.length;
    made.unplug('event0');
    expect(await driver.until(change, from)).toMatchObject({ name: 'power', down: false });
    expect((await driver.until(devices(0, 0), from)).buttons).toEqual([{ name: 'power', here: false }]);
    expect(driver.facts.filter(change)).toHaveLength(2);
  });

  it('with letter keys are never read for buttons, whatever the profile names, and still light the screen', async () => {
    const made = machine();
    // The bitmaps of a keyboard (KEY_ESC to KEY_F10 and KEY_POWER) and of a volume key beside it.
    const type = made.plug('event0', '120013', '10000000000000 fffffffffffffffe');
    const turn = made.plug('event1', '3', '8000000000000 0');
    const button = { device: '*', kind: 'key', grab: true, longMs: 800, doubleMs: 400 } as const;
    const driver = listen(made, {
      buttons: [
        { ...button, name: 'letter', code: 30 },
        { ...button, name: 'power', code: 116 },
        { ...button, name: 'volume', code: 115, grab: false },
      ],
      refused: ['word'],
    });
    const { buttons, verdict } = await driver.until(devices(0, 2));
    expect(buttons).toEqual([
      { name: 'letter', here: false, refused: 'typing-device' },
      { name: 'power', here: false, refused: 'typing-device' },
      { name: 'volume', here: true },
      { name: 'word', here: false, refused: 'typing-key' },
    ]);
    expect(verdict.detail).toContain('never which key');
    type([1, 30, 1], [1, 30, 0], [1, 116, 1]);
    expect(await driver.until(touched)).toMatchObject({ kind: 'key' });
    const change = isFact<InputFact, 'input.button'>('input.button');
    turn([1, 115, 1]);
    expect(await driver.until(change)).toMatchObject({ name: 'volume', down: true });
    driver.tell({ type: 'input.settle' });
    await driver.until(isFact<InputFact, 'input.settled'>('input.settled'));
    expect(driver.facts.filter(change)).toHaveLength(1);
    expect(driver.facts).not.toContainEqual(expect.objectContaining({ type: 'input.grabbed', held: 1 }));
  });

  it('say nothing after the end', async () => {
    const made = machine();
    const press = made.plug('event0', ...keyBits);
    const driver = listen(made);
    await driver.until(devices(0, 1));
    driver.stop();
    const count = driver.facts.length;
    press([1, 116, 1]);
    await new Promise(setImmediate);
    expect(driver.facts.length).toBe(count);
  });
});
