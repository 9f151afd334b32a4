import type { Requirement, SlotEvidence } from '#machines/provisioning/events.ts';
import type { ProfileMaturity } from '#machines/profile-catalog/reading.ts';
import type { SimulatedDevice } from '#drivers/simulator/device.ts';
import type { SimulatorDriver } from '#machines/simulator/events.ts';
import type { AdbLink } from '#drivers/adb/link.ts';
import type { CameraDevice } from '#drivers/camera/device.ts';
import type { MicrophoneDevice } from '#drivers/voice/device.ts';

import type { DriverFamily } from './driver-entry.ts';
import type { SlotName, Slots } from './slots.ts';

/**
 * A part that the profile declares: what its driver needs of the machine, and a passive probe for its device. Parts
 * that share a driver share the probe.
 */
export interface DeclaredPart {
  readonly requirement: Requirement;
  readonly probe: () => Promise<SlotEvidence>;
}

export interface ProfileRevision {
  /** SHA-256 of the exact bytes; empty for the emergency profile, which has no file. */
  readonly hash: string;
  readonly origin: 'bundled' | 'local';
  readonly version: string;
  readonly maturity: ProfileMaturity;
}

/** A driver of a slot, with the registry id of its actor. */
export interface SlotDriver<Id, Made> {
  readonly id: Id;
  readonly driver: Made;
}

/** The contract of one driver of a family; some families create several at once. */
type ContractOf<Family> =
  Family extends DriverFamily<infer Made> ? (Made extends readonly (infer One)[] ? One : Made) : never;

/** The drivers of a profile by slot: null or missing from the list if the profile declares the part absent. */
export type ResolvedSlots = {
  readonly [Name in SlotName]: Slots[Name]['ids'] extends readonly [infer Id]
    ? SlotDriver<Id, ContractOf<Slots[Name]['family']>> | null
    : readonly SlotDriver<Slots[Name]['ids'][number], ContractOf<Slots[Name]['family']>>[];
};

/** The parts of this panel according to the active profile, each with its compiled driver. */
export interface ResolvedProfile {
  /** Stable id, `generic-linux` or `simulated`. */
  readonly id: string;
  readonly title: string;
  readonly revision: ProfileRevision;
  /** True if no hardware is touched; shown prominently wherever the panel appears. */
  readonly simulated: boolean;
  readonly slots: ResolvedSlots;
  /** The link to the Android panel, shared by its drivers; null on any other panel. */
  readonly adb: AdbLink | null;
  /** The simulated hardware, and the driver of its page; null on real hardware. */
  readonly simulator: { readonly driver: SimulatorDriver; readonly device: SimulatedDevice } | null;
  /** All declared parts, in the order of the document. */
  readonly declared: readonly DeclaredPart[];
  readonly absent: readonly string[];
  /** Capabilities whose driver is only to look whether this machine has them. */
  readonly optional: readonly string[];
  /** The camera; null if the profile says that there is none. */
  readonly camera: CameraDevice | null;
  /** The microphone; null if the profile says that there is none. */
  readonly microphone: MicrophoneDevice | null;
}
