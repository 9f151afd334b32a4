import { watch } from 'node:fs';
import { join } from 'node:path';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { type NativeCalls, nativeCalls } from '#drivers/kit/native.ts';
import { ownUser } from '#drivers/kit/own-user.ts';
import { rounds } from '#drivers/kit/rounds.ts';
import type {
  Grab,
  InputCounts,
  InputDriver,
  InputDriverCommand,
  InputFact,
  InputKind,
} from '#machines/input/events.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';

import { canType, countLetterKeys, type FoundDevice, listEvents, scanDevice } from './devices.ts';
import { type DeviceGrab, grabOn } from './grab.ts';
import { type ButtonOption, buttonsOf, watchButtons } from './named-buttons.ts';
import { findOnScreenKeyboard } from './on-screen-keyboard.ts';
import { onInputSignal, type OpenDevice, openDevice } from './open-device.ts';
import { inputNotReadable, listeningVerdict, noInput } from './verdicts.ts';

export interface InputOptions {
  /** Class folder; the kernel's by default. */
  readonly root?: string;
  /** Folder of the device files; the system's by default. */
  readonly dev?: string;
  /** Pause between two scans for devices that were plugged in or removed; 2 s by default. */
  readonly scanMs?: Milliseconds;
  /** Kinds that are grabbed while the screen is dark; only touch screens by default. */
  readonly grab?: readonly InputKind[];
  /** Hardware buttons that are reported by name; none by default. */
  readonly buttons?: readonly ButtonOption[];
  /** Names of buttons that the profile assigns to typing keys, which are never read; none by default. */
  readonly refused?: readonly string[];
  /** Finds an on-screen keyboard of this user; looks through the system's processes by default. */
  readonly onScreenKeyboard?: () => boolean;
  /** System calls that Node lacks; the process's shared binding by default. */
  readonly native?: Promise<NativeCalls | null>;
}

/** Shortest time between two facts: too short to delay a wake, yet it bounds a device that chatters. */
const FACT_PAUSE_MS: Milliseconds = 20;
/** Read interval of devices without a signal. With signals, a slower one catches those that were lost. */
const TURN_MS: Milliseconds = 20;
const SAFETY_TURN_MS: Milliseconds = 500;
/** Delay from a change among the device files to the scan: udev sets the rights of a new file a moment later. */
const PLUG_MS: Milliseconds = 50;
/** Pause between two looks for an on-screen keyboard, which starts with the session; one takes some milliseconds. */
const ON_SCREEN_MS: Milliseconds = 60_000;

interface Listened {
  readonly device: OpenDevice;
  readonly grab: DeviceGrab;
  /** The named buttons on this device. */
  readonly has: readonly ButtonOption[];
  /** True if it is grabbed all the time, not only while the screen is dark. */
  readonly always: boolean;
}

/**
 * Reads this machine's touch screens, keys and buttons, found by their abilities, and follows them as they come and go.
 */
export const linuxInput = (options: InputOptions = {}): InputDriver =>
  fromDriver<InputDriverCommand, undefined, InputFact>(async ({ send, onEvent, guard, signal }) => {
    const { root = '/sys/class/input', dev = '/dev/input', scanMs = 2000, grab = ['touch'], buttons = [] } = options;
    const onScreenKeyboard = options.onScreenKeyboard ?? findOnScreenKeyboard;
    const neverRead = (options.refused ?? []).map((name) => ({ name, here: false, refused: 'typing-key' as const }));
    const native = await (options.native ?? nativeCalls());
    if (signal.aborted) return undefined;
    const known = new Map<string, FoundDevice | null>();
    const open = new Map<string, Listened>();
    const named = watchButtons(buttons, (change) => send({ type: 'input.button', ...change }));
    let grabs = false;
    let denied = 0;
    let reportedDevices = '';
    let reportedGrab = '';
    /** The first touch that was read but not reported yet. */
    let first: { readonly kind: InputKind; readonly at: EpochMs } | null = null;
    let quietUntil = 0;
    let turn: NodeJS.Timeout | undefined;
    let rest: NodeJS.Timeout | undefined;

    const drop = (name: string): void => {
      const gone = open.get(name);
      known.delete(name);
      open.delete(name);
      gone?.device.close();
      // Buttons held on it will never be released there.
      if (gone !== undefined) named.update(name, gone.has, null, Date.now());
    };

    const read = (name: string, { device }: Listened): void => {
      const at = device.drain();
      if (at === 'gone') drop(name);
      else if (at !== null && device.kind !== null && (first === null || at < first.at))
        first = { kind: device.kind, at };
    };

    const reportTouch = (): void => {
      if (first === null || performance.now() < quietUntil) return;
      quietUntil = performance.now() + FACT_PAUSE_MS;
      send({ type: 'input.touched', ...first });
      first = null;
    };

    const reportDevices = (): void => {
      const all = [...open.values()];
      const counts = countKinds(all.map(({ device }) => device));
      const held = grabOf(all, native === null && grab.length > 0);
      if (JSON.stringify(held) !== reportedGrab) {
        reportedGrab = JSON.stringify(held);
        send({ type: 'input.grabbed', ...held });
      }
      const found = [...known.values()].filter((one) => one !== null);
      const here = [
        ...named.named(
          all.map(({ has }) => has),
          found,
        ),
        ...neverRead,
      ];
      const keyboards = all.filter(({ device }) => canType(device.abilities)).length;
      // The desktop reads a keyboard that this user may not read.
      const letterKeys = found.map(({ abilities }) => countLetterKeys(abilities)).filter((count) => count > 0);
      const state = JSON.stringify([counts, denied > 0, held.refused, here, keyboards, letterKeys]);
      if (state === reportedDevices) return;
      reportedDevices = state;
      const listens = counts.touch + counts.key + counts.pointer > 0;
      const verdict =
        denied > 0
          ? inputNotReadable(ownUser())
          : listens
            ? listeningVerdict(counts, held.refused, keyboards)
            : noInput;
      send({ type: 'input.devices', counts, verdict, buttons: here, letterKeys });
    };

    // Report the touch first: grabbing devices must not delay the light.
    const readNow = (): void => {
      for (const [name, one] of open) read(name, one);
      reportTouch();
      for (const [name, one] of open) {
        const kind = one.device.kind;
        one.grab.adjust(one.always || (grabs && kind !== null && grab.includes(kind)), () => read(name, one));
      }
      reportDevices();
      if (first !== null) readLater();
    };
    const readLater = (): void => {
      rest ??= setTimeout(
        guard(() => {
          rest = undefined;
          readNow();
        }),
        Math.max(0, quietUntil - performance.now()),
      );
    };
    const readAll = (): void => {
      if (performance.now() < quietUntil) readLater();
      else readNow();
    };

    const takeTurns = (): void => {
      const every = [...open.values()].every(({ device }) => device.signalled) ? SAFETY_TURN_MS : TURN_MS;
      turn = setTimeout(
        guard(() => {
          readAll();
          takeTurns();
        }),
        every,
      );
    };

    const listen = (name: string, found: FoundDevice): 'denied' | null => {
      const has = buttonsOf(buttons, found);
      if (found.kind === null && has.length === 0) return null;
      const device = openDevice(join(dev, name), found, native, (held, at) => named.update(name, has, held, at));
      if (device === 'gone') return null;
      if (device === 'denied') return device;
      named.begin(name, has, device.held);
      // A permanently grabbed touch screen would make the panel unusable.
      const always = found.kind !== 'touch' && has.some((button) => button.grab);
      open.set(name, { device, has, always, grab: grabOn({ fd: device.fd, held: device.held.any }, native) });
      return null;
    };

    const scan = async (): Promise<void> => {
      const names = await listEvents(root);
      for (const name of [...known.keys()].filter((one) => !names.includes(one))) drop(name);
      const fresh = await Promise.all(
        names.filter((name) => !known.has(name)).map(async (name) => [name, await scanDevice(root, name)] as const),
      );
      if (signal.aborted) return;
      for (const [name, found] of fresh) known.set(name, found);
      denied = 0;
      for (const [name, found] of known)
        if (found !== null && !open.has(name) && listen(name, found) === 'denied') denied += 1;
      readNow();
    };
    const scans = rounds({ guard, signal }, async () => {
      await scan();
      return scanMs;
    });

    let reportedOnScreen = false;
    const looks = rounds({ guard, signal }, () => {
      const runs = onScreenKeyboard();
      if (runs !== reportedOnScreen) send({ type: 'input.on-screen-keyboard', runs });
      reportedOnScreen = runs;
      return ON_SCREEN_MS;
    });

    const unlisten = onInputSignal(guard(readAll));
    const unwatch = onPlug(dev, () => scans.nextIn(Math.min(PLUG_MS, scanMs)));
    onEvent((command) => {
      switch (command.type) {
        case 'input.scan':
          scans.now();
          looks.now();
          return;
        case 'input.grab':
          grabs = command.on;
          readNow();
          return;
        case 'input.settle':
          readNow();
          send({ type: 'input.settled', at: Date.now() });
      }
    });
    takeTurns();
    scans.now();
    looks.now();
    return () => {
      unlisten();
      unwatch();
      void scans.stop();
      void looks.stop();
      for (const timer of [turn, rest]) clearTimeout(timer);
      // The kernel releases a grabbed device when its file is closed.
      for (const { device } of open.values()) device.close();
      open.clear();
    };
  });

/** Calls `changed` when a device file appears, disappears or changes its rights. Returns a function that stops it. */
function onPlug(dev: string, changed: () => void): () => void {
  try {
    const watcher = watch(dev, { persistent: false }, changed);
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    // No such folder, or no watch left: the regular scan finds the change a little later.
    return () => {};
  }
}

const grabOf = (all: readonly Listened[], unsupported: boolean): Grab => ({
  held: all.filter(({ grab }) => grab.holds()).length,
  refused: unsupported
    ? 'unsupported'
    : (all.map(({ grab }) => grab.refused()).find((reason) => reason !== null) ?? null),
});

function countKinds(devices: readonly FoundDevice[]): InputCounts {
  const count = (wanted: InputKind): number => devices.filter(({ kind }) => kind === wanted).length;
  return { touch: count('touch'), key: count('key'), pointer: count('pointer') };
}
