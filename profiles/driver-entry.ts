import type { z } from 'zod';

import type { AdbLink } from '#drivers/adb/link.ts';
import type { ReadInTurn } from '#drivers/sensors/read-queue.ts';
import type { SimulatedDevice } from '#drivers/simulator/device.ts';
import { once } from '#machines/kit/once.ts';

/** What a driver can do to a machine, shown before a profile that uses it is taken. */
export const driverRisks = [
  'relay-write',
  'gpio-write',
  'gpio-read',
  'led-write',
  'evdev-read',
  'evdev-grab',
  'screen-off',
  'reboot',
  'android-debugging',
  'none',
] as const;
export type DriverRisk = (typeof driverRisks)[number];

/** What a driver needs of the machine. */
export interface DriverNeeds {
  /** Groups of the system that open the device (`video`, `input`, `gpio`). */
  readonly groups: readonly string[];
  /** Debian packages without which it does not work; tools of which one is found by trying are not listed. */
  readonly packages: readonly string[];
  /** Kernel interfaces as a person finds them in its documentation (`/sys/class/leds`). */
  readonly kernel: readonly string[];
  /** udev rules that open the device to the groups above, one line per rule; written only by `sconce install`. */
  readonly udev: readonly string[];
}

/** What a driver refuses of options that have passed its schema. */
export interface OptionFault {
  /** Place below the options. */
  readonly path: readonly (string | number)[];
  /** Stable code, for programs. */
  readonly reason: string;
  /** Completes a sentence that begins with the place: reason and fix. */
  readonly words: string;
}

/** What a passive scan found: nothing is written, opened for writing or asked of a device. */
export interface Evidence {
  /**
   * `found` there is such a device; `denied` it is there and may not be used; `missing` there is none; `unknown` it can
   * only be told by using it.
   */
  readonly state: 'found' | 'denied' | 'missing' | 'unknown';
  /** Names as the kernel gives them, at most 32; never a serial number or an address. */
  readonly names: readonly string[];
  /** One plain sentence. */
  readonly detail: string;
}

/** What every driver of a profile is made with. */
export interface DriverParts {
  /** The simulated hardware, one for the whole profile. */
  readonly simulated: () => SimulatedDevice;
  /** The link to the Android panel, one for the whole profile. */
  readonly android: () => AdbLink;
  /** The turns in which the sensors of the room are read, one order for the whole profile. */
  readonly sensorReads: ReadInTurn;
}

/** One compiled driver as a profile names it; `Made` is the contract of what it makes. */
export interface DriverEntry<Made = unknown, Options extends z.ZodType = z.ZodType> {
  /** Family and way, for ever: `led.class`, `relay.gpio`. */
  readonly id: string;
  /** Family of the driver, for ever: a slot takes the drivers of one kind. */
  readonly kind: string;
  readonly title: string;
  /** One sentence: what it reaches and how. */
  readonly summary: string;
  /** Bounds of its options, made when they are first needed: a strict object whose fields carry a description. */
  readonly options: () => Options;
  readonly needs: DriverNeeds;
  readonly risks: readonly DriverRisk[];
  /** What these options name besides, as sentences behind the one of the risk. */
  readonly riskWords?: (options: z.infer<Options>) => Readonly<Partial<Record<DriverRisk, string>>>;
  /**
   * What of these options is refused in a new profile; in one that was saved before it is left out by `create`, and the
   * rest is used.
   */
  readonly faults?: (options: z.infer<Options>) => readonly OptionFault[];
  /** How it proves the device by trying, in one sentence. */
  readonly probe: string;
  /** Scans for the device without touching it. */
  readonly scan: (options: z.infer<Options>) => Promise<Evidence>;
  readonly create: (options: z.infer<Options>, parts: DriverParts) => Made;
}

/** One driver before its family has said of which kind it is. */
export type DriverPlan<Made = unknown, Options extends z.ZodType = z.ZodType> = Omit<
  DriverEntry<Made, Options>,
  'kind'
>;

/** Keeps the types of one driver's options; a family holds drivers with options of all shapes. */
export const driverEntry = <Made, Options extends z.ZodType>(
  plan: DriverPlan<Made, Options>,
): DriverPlan<Made, Options> => ({ ...plan, options: once(plan.options) });

/** The drivers that fit one kind of slot: all of them make what the contract `Made` says. */
export interface DriverFamily<Made = unknown> {
  readonly kind: string;
  readonly drivers: readonly DriverEntry<Made>[];
}

/** A family of drivers; one that makes anything but `Made` does not compile in it. */
export const driverFamily = <Made>(kind: string, plans: readonly DriverPlan<Made>[]): DriverFamily<Made> => ({
  kind,
  drivers: plans.map((plan) => ({ ...plan, kind })),
});
