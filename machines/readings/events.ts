import type { EpochMs } from '../kit/units.ts';

/** One reading of the machine; null for a value that it does not provide. */
export interface MachineReading {
  /** 0 to 100, averaged over the time since the last reading. */
  readonly cpuPercent: number | null;
  readonly memoryPercent: number | null;
  /** Degrees Celsius of the processor. */
  readonly socCelsius: number | null;
  /** When the machine started. */
  readonly bootedAt: EpochMs | null;
  /** The address that other machines on the network can reach; kept out of diagnostics and status. */
  readonly address: string | null;
  /** Whether there is a wireless interface, and whether it has joined a network. */
  readonly wifi: 'none' | 'idle' | 'joined';
  /** Name of the wireless network; kept out of diagnostics and status. */
  readonly wifiName: string | null;
  /** Signal strength in dBm. */
  readonly wifiSignalDbm: number | null;
  /** Address family of the default route. */
  readonly routeFamily: 'ipv4' | 'ipv6';
}

/** Reported by the driver. */
export interface ReadingsFact {
  readonly type: 'readings.taken';
  readonly reading: MachineReading;
  readonly at: EpochMs;
}

export type ReadingsEvent =
  | ReadingsFact
  /** Take a reading now: a page was opened, or an entity was just exposed. */
  | { readonly type: 'readings.refresh' };

export interface ReadingsDriverCommand {
  readonly type: 'readings.read';
}

/** Public facts about the machine itself. */
export interface ReadingsContext {
  readonly reading: MachineReading | null;
  readonly takenAt: EpochMs | null;
}

export interface ReadingsActor {
  readonly id: 'readings';
  readonly context: ReadingsContext;
  readonly event: Extract<ReadingsEvent, { readonly type: 'readings.refresh' }>;
}
