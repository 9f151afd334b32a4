import type { Requirement, SlotEvidence } from '#machines/provisioning/events.ts';
import type { ProfileMaturity } from '#machines/profile-catalog/reading.ts';
import type { SimulatorDriver } from '#machines/simulator/events.ts';
import type { AdbLink } from '#drivers/adb/link.ts';

import type { DriverFamily } from './driver-entry.ts';
import type { SlotName, Slots } from './slots.ts';

/**
 * One part that the profile declares: what its driver needs of the machine, and a probe for its device that touches
 * nothing; parts that share a driver share the probe.
 */
export interface DeclaredPart {
  readonly requirement: Requirement;
  readonly probe: () => Promise<SlotEvidence>;
}

/** Where a resolved profile comes from. */
export interface ProfileRevision {
  /** SHA-256 of the exact bytes; empty for the emergency profile, which comes from no file. */
  readonly hash: string;
  readonly origin: 'bundled' | 'local';
  readonly version: string;
  readonly maturity: ProfileMaturity;
}

/** A driver of a slot with the registry id of the actor that it is for. */
export interface SlotDriver<Id, Made> {
  readonly id: Id;
  readonly driver: Made;
}

/** The contract of one driver of a family; some families make several at once. */
type ContractOf<Family> =
  Family extends DriverFamily<infer Made> ? (Made extends readonly (infer One)[] ? One : Made) : never;

/**
 * The drivers of a profile by the names of its slots: null or nothing in the list where the profile declares that
 * absent.
 */
export type ResolvedSlots = {
  readonly [Name in SlotName]: Slots[Name]['ids'] extends readonly [infer Id]
    ? SlotDriver<Id, ContractOf<Slots[Name]['family']>> | null
    : readonly SlotDriver<Slots[Name]['ids'][number], ContractOf<Slots[Name]['family']>>[];
};

/** What the active profile says this panel has, with the compiled driver that reaches each part. */
export interface ResolvedProfile {
  /** Stable id, `generic-linux` or `simulated`. */
  readonly id: string;
  readonly title: string;
  /** Which exact bytes it came from. */
  readonly revision: ProfileRevision;
  /** True when no hardware is touched; said loudly wherever the panel is shown. */
  readonly simulated: boolean;
  readonly slots: ResolvedSlots;
  /** The link to the Android panel that the other drivers share; null on any other panel. */
  readonly adb: AdbLink | null;
  /** Driver of the simulated hardware's own page; null on real hardware. */
  readonly simulator: SimulatorDriver | null;
  /** Every part that the profile declares, in the order of the document. */
  readonly declared: readonly DeclaredPart[];
  /** Capabilities that the profile declares absent. */
  readonly absent: readonly string[];
  /** Whether the profile says there is no camera. */
  readonly cameraSuppressed: boolean;
}
