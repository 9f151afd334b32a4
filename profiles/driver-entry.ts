import type { z } from 'zod';

import type { AdbLink } from '#drivers/adb/link.ts';
import type { ReadInTurn } from '#drivers/sensors/read-queue.ts';
import type { SimulatedDevice } from '#drivers/simulator/device.ts';
import { once } from '#machines/kit/once.ts';

/** What a driver can do to a machine; shown before a profile that uses it is activated. */
export const driverRisks = [
  'relay-write',
  'gpio-write',
  'gpio-read',
  'led-write',
  'evdev-read',
  'evdev-grab',
  'camera-open',
  'microphone-open',
  'screen-off',
  'reboot',
  'android-debugging',
  'none',
] as const;
export type DriverRisk = (typeof driverRisks)[number];

export interface DriverNeeds {
  /** Groups of the system that open the device (`video`, `input`, `gpio`). */
  readonly groups: readonly string[];
  /** Debian packages without which it does not work; alternative tools, found by trying, are not listed. */
  readonly packages: readonly string[];
  /** Kernel interfaces as the kernel's documentation names them (`/sys/class/leds`). */
  readonly kernel: readonly string[];
  /** udev rules that open the device to the groups above, one line per rule; written only by `sconce install`. */
  readonly udev: readonly string[];
}

/** An option that a driver refuses although it has passed the schema. */
export interface OptionFault {
  /** Path below the options. */
  readonly path: readonly (string | number)[];
  /** Stable code, for programs. */
  readonly reason: string;
  /** Reason and fix; completes a sentence that begins with the path. */
  readonly words: string;
}

/** Result of a passive scan, which writes nothing, opens nothing for writing and queries no device. */
export interface Evidence {
  /**
   * `found`: the device exists; `denied`: it exists but may not be used; `missing`: there is none; `unknown`: only
   * using it can tell.
   */
  readonly state: 'found' | 'denied' | 'missing' | 'unknown';
  /** Names as the kernel reports them, at most 32; never a serial number or an address. */
  readonly names: readonly string[];
  /** One plain sentence. */
  readonly detail: string;
}

/** What the drivers of one profile share. */
export interface DriverParts {
  /** The simulated hardware, one for the whole profile. */
  readonly simulated: () => SimulatedDevice;
  /** The link to the Android panel, one for the whole profile. */
  readonly android: () => AdbLink;
  /** The queue in which sensors are read, one for the whole profile. */
  readonly sensorReads: ReadInTurn;
}

/** A compiled driver that a profile can name; `Made` is the contract of what it creates. */
export interface DriverEntry<Made = unknown, Options extends z.ZodType = z.ZodType> {
  /** Family and way, `led.class` or `relay.gpio`. Stable: profiles in the field name it. */
  readonly id: string;
  /** Family of the driver; a slot takes the drivers of one kind. Stable. */
  readonly kind: string;
  readonly title: string;
  /** One sentence: what it reaches and how. */
  readonly summary: string;
  /** Schema of its options, created on first use: a strict object whose fields have descriptions. */
  readonly options: () => Options;
  readonly needs: DriverNeeds;
  readonly risks: readonly DriverRisk[];
  /** Sentences about what these options name, appended to that of the risk. */
  readonly riskWords?: (options: z.infer<Options>) => Readonly<Partial<Record<DriverRisk, string>>>;
  /**
   * Which of these options are refused in a new profile. In a profile that was saved earlier, `create` leaves them out
   * and uses the rest.
   */
  readonly faults?: (options: z.infer<Options>) => readonly OptionFault[];
  /** How the driver finds out by trying whether the device works, in one sentence. */
  readonly probe: string;
  /** Scans for the device without touching it. */
  readonly scan: (options: z.infer<Options>) => Promise<Evidence>;
  readonly create: (options: z.infer<Options>, parts: DriverParts) => Made;
}

/** A driver before its family has set its kind. */
export type DriverPlan<Made = unknown, Options extends z.ZodType = z.ZodType> = Omit<
  DriverEntry<Made, Options>,
  'kind'
>;

/** Keeps the types of one driver's options; the drivers of a family have options of different shapes. */
export const driverEntry = <Made, Options extends z.ZodType>(
  plan: DriverPlan<Made, Options>,
): DriverPlan<Made, Options> => ({ ...plan, options: once(plan.options) });

/** The drivers for one kind of slot, all of which create a `Made`. */
export interface DriverFamily<Made = unknown> {
  readonly kind: string;
  readonly drivers: readonly DriverEntry<Made>[];
}

/** Creates a family of drivers; one that creates anything but a `Made` does not compile. */
export const driverFamily = <Made>(kind: string, plans: readonly DriverPlan<Made>[]): DriverFamily<Made> => ({
  kind,
  drivers: plans.map((plan) => ({ ...plan, kind })),
});
