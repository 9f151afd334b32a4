import { setTimeout as pause } from 'node:timers/promises';

import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
import { ownUser } from '#drivers/kit/own-user.ts';
import type { DisplayReading, ScreenDriverCommand, ScreenFact } from '#machines/screen/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import { type BacklightDevice, type BacklightGauge, errorCode, lookForBacklight, openGauge, writeBrightness, writePower } from './backlight-device.ts';
import { noBacklight, notWritable } from './verdicts.ts';

/** Where and how often to look. */
export interface BacklightOptions {
  /** Class folder; the kernel's own when absent. */
  readonly root?: string;
  /** Pause between two looks at the value; 500 ms when absent, so that changes made elsewhere are seen within a second. */
  readonly pollMs?: Milliseconds;
}

/** Looks at a value that has not arrived yet (hardware that fades): this often, this far apart. */
const READ_BACKS = 5;
const READ_BACK_PAUSE_MS = 20;
/** Errors that mean the device itself is gone. */
const GONE = new Set(['ENOENT', 'ENODEV', 'ENXIO', 'ENOTDIR']);

type Write = Extract<ScreenDriverCommand, { type: 'display.write' }>;

const readBack = async (gauge: BacklightGauge, power: boolean, wanted: Write, signal: AbortSignal): Promise<DisplayReading | null> => {
  const arrived = (reading: DisplayReading | null): boolean =>
    reading !== null && (wanted.raw === null || !reading.powered || reading.raw === wanted.raw);
  let reading = await gauge.read(power);
  for (let look = 1; look < READ_BACKS && !arrived(reading); look += 1) {
    await pause(READ_BACK_PAUSE_MS, undefined, { signal });
    reading = await gauge.read(power);
  }
  return reading;
};

/** The kernel's backlight: found by trying, polled (sysfs has no change events), every write read back. */
export const sysfsBacklight = (options: BacklightOptions = {}): DriverLogic<ScreenDriverCommand, undefined> =>
  fromDriver<ScreenDriverCommand, undefined, ScreenFact>(({ send, onEvent, guard, signal }) => {
    const { root = '/sys/class/backlight', pollMs = 500 } = options;
    let held: { readonly device: BacklightDevice; readonly gauge: BacklightGauge } | null = null;
    let power = false;
    let last: DisplayReading | null = null;
    let writes = 0;
    let timer: NodeJS.Timeout | undefined;
    let line: Promise<void> = Promise.resolve();

    const lose = (error: unknown): void => {
      if (held === null) return;
      void held.gauge.close();
      held = null;
      clearTimeout(timer);
      send({ type: 'display.lost', reason: errorCode(error) });
    };

    const poll = async (): Promise<void> => {
      const mine = held;
      if (mine === null) return;
      const before = writes;
      try {
        const reading = await mine.gauge.read(power);
        // Lost, and perhaps found again, while this look was under way.
        if (signal.aborted || held !== mine) return;
        // A look that a write overtook shows the old value.
        if (before === writes && reading !== null && (last?.raw !== reading.raw || last.powered !== reading.powered)) {
          last = reading;
          send({ type: 'display.observed', reading, at: Date.now() });
        }
      } catch (error) {
        if (!signal.aborted && held === mine) lose(error);
        return;
      }
      later();
    };
    const later = (): void => {
      if (!signal.aborted) timer = setTimeout(guard(poll), pollMs);
    };

    const look = async (): Promise<void> => {
      if (held !== null) return;
      const found = await lookForBacklight(root);
      if (signal.aborted) return;
      if (!('device' in found)) {
        send({ type: 'display.missing', verdict: 'unwritable' in found ? notWritable(found.unwritable, ownUser()) : noBacklight });
        return;
      }
      const { device } = found;
      const gauge = await openGauge(device).catch(() => null);
      const reading = gauge === null ? null : await gauge.read(device.facts.power).catch(() => null);
      if (gauge === null || reading === null || signal.aborted) {
        await gauge?.close();
        send({ type: 'display.missing', verdict: noBacklight });
        return;
      }
      last = reading;
      held = { device, gauge };
      power = device.facts.power;
      send({ type: 'display.found', display: device.facts, reading, at: Date.now() });
      later();
    };

    const write = async (command: Write): Promise<void> => {
      const { generation } = command;
      if (held === null) {
        send({ type: 'display.refused', generation, reason: 'no-display' });
        return;
      }
      const { device, gauge } = held;
      writes += 1;
      try {
        // Brightness first: a screen that lights up at its old level would flash.
        if (command.raw !== null) await writeBrightness(device, command.raw);
        if (command.powered !== null && power) {
          const switched = await writePower(device, command.powered).then(
            () => true,
            (error: unknown) => {
              if (GONE.has(errorCode(error))) throw error;
              return false;
            },
          );
          const honoured = switched && (await gauge.read(true))?.powered === command.powered;
          if (!honoured) {
            power = false;
            send({ type: 'display.refused', generation, reason: 'power-not-honoured' });
            return;
          }
        }
        const at = Date.now();
        const reading = await readBack(gauge, power, command, signal);
        if (reading === null) {
          send({ type: 'display.refused', generation, reason: 'unreadable' });
          return;
        }
        last = reading;
        send({ type: 'display.written', generation, reading: last, at });
      } catch (error) {
        if (signal.aborted) return;
        if (GONE.has(errorCode(error))) lose(error);
        else send({ type: 'display.refused', generation, reason: errorCode(error) });
      } finally {
        writes += 1;
      }
    };

    // One at a time: two writes that overlap would read back each other's values.
    const inLine = (work: () => Promise<void>): Promise<void> => {
      const turn = line.then(() => (signal.aborted ? undefined : work()));
      line = turn.catch(() => {});
      return turn;
    };
    onEvent((command) => inLine(() => (command.type === 'display.probe' ? look() : write(command))));
    return inLine(look).then(() => async () => {
      clearTimeout(timer);
      await held?.gauge.close();
    });
  });
