import { join } from 'node:path';

import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
import { type NativeCalls, nativeCalls } from '#drivers/kit/native.ts';
import { ownUser } from '#drivers/kit/own-user.ts';
import type { InputCounts, InputDriverCommand, InputFact, InputKind } from '#machines/input/events.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';

import { type FoundDevice, listEvents, lookAt } from './devices.ts';
import { onInputSignal, type OpenDevice, openDevice } from './open-device.ts';
import { inputNotReadable, listeningVerdict, noInput } from './verdicts.ts';

/** Where and how often to look. */
export interface InputOptions {
  /** Class folder; the kernel's own when absent. */
  readonly root?: string;
  /** Folder of the device files; the system's own when absent. */
  readonly dev?: string;
  /** Pause between two looks for devices that were plugged in or taken away; 2 s when absent. */
  readonly lookMs?: Milliseconds;
  /** The system calls that Node lacks; bound for the process when absent. */
  readonly native?: Promise<NativeCalls | null>;
}

/** Least time between two facts: fast enough that no wake waits for it, and a bound for a device that chatters. */
const FACT_PAUSE_MS: Milliseconds = 20;
/** How often devices without a signal are read; beside it only for a signal that got lost. */
const TURN_MS: Milliseconds = 20;
const SAFETY_TURN_MS: Milliseconds = 500;

/** Touch screens, keys and buttons of this machine: found by what they can do, read as they speak, gone and back without a fuss. */
export const linuxInput = (options: InputOptions = {}): DriverLogic<InputDriverCommand, undefined> =>
  fromDriver<InputDriverCommand, undefined, InputFact>(async ({ send, onEvent, guard, signal }) => {
    const { root = '/sys/class/input', dev = '/dev/input', lookMs = 2000 } = options;
    const native = await (options.native ?? nativeCalls());
    if (signal.aborted) return undefined;
    const known = new Map<string, FoundDevice | null>();
    const open = new Map<string, OpenDevice>();
    let said = '';
    let quietUntil = 0;
    let looking = false;
    let round: NodeJS.Timeout | undefined;
    let turn: NodeJS.Timeout | undefined;
    let rest: NodeJS.Timeout | undefined;

    const drop = (name: string): void => {
      known.delete(name);
      open.get(name)?.close();
      open.delete(name);
    };

    const readAll = (): void => {
      const wait = quietUntil - performance.now();
      if (wait > 0) {
        rest ??= setTimeout(
          guard(() => {
            rest = undefined;
            readAll();
          }),
          wait,
        );
        return;
      }
      let first: { readonly kind: InputKind; readonly at: EpochMs } | null = null;
      for (const [name, device] of open) {
        const at = device.drain();
        if (at === 'gone') drop(name);
        else if (at !== null && (first === null || at < first.at)) first = { kind: device.kind, at };
      }
      if (first === null) return;
      quietUntil = performance.now() + FACT_PAUSE_MS;
      send({ type: 'input.touched', ...first });
    };

    const takeTurns = (): void => {
      const every = [...open.values()].every((device) => device.signalled) ? SAFETY_TURN_MS : TURN_MS;
      turn = setTimeout(
        guard(() => {
          readAll();
          takeTurns();
        }),
        every,
      );
    };

    const say = (denied: number): void => {
      const counts: InputCounts = { touch: 0, key: 0, pointer: 0, ...countKinds(open.values()) };
      const news = JSON.stringify([counts, denied > 0]);
      if (news === said) return;
      said = news;
      send({ type: 'input.devices', counts, verdict: denied > 0 ? inputNotReadable(ownUser()) : open.size > 0 ? listeningVerdict(counts) : noInput });
    };

    const look = async (): Promise<void> => {
      const names = await listEvents(root);
      for (const name of [...known.keys()].filter((one) => !names.includes(one))) drop(name);
      const fresh = await Promise.all(names.filter((name) => !known.has(name)).map(async (name) => [name, await lookAt(root, name)] as const));
      if (signal.aborted) return;
      for (const [name, found] of fresh) known.set(name, found);
      let denied = 0;
      for (const [name, found] of known) {
        if (found === null || open.has(name)) continue;
        const opened = openDevice(join(dev, name), found, native);
        if (opened === 'denied') denied += 1;
        else if (opened !== 'gone') open.set(name, opened);
      }
      say(denied);
    };
    const lookInTurns = async (): Promise<void> => {
      if (looking) return;
      looking = true;
      clearTimeout(round);
      await look();
      looking = false;
      if (!signal.aborted) round = setTimeout(guard(lookInTurns), lookMs);
    };

    const unlisten = onInputSignal(guard(readAll));
    onEvent(lookInTurns);
    takeTurns();
    guard(lookInTurns)();
    return () => {
      unlisten();
      for (const timer of [round, turn, rest]) clearTimeout(timer);
      for (const device of open.values()) device.close();
      open.clear();
    };
  });

const countKinds = (devices: Iterable<FoundDevice>): Partial<Record<InputKind, number>> => {
  const counts: Partial<Record<InputKind, number>> = {};
  for (const { kind } of devices) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};
