import type { EpochMs } from '../kit/units.ts';

/** How badly the panel is affected without an item (as in panel-assistant). */
export type Importance = 'required' | 'recommended' | 'optional';

/** One part that the active profile requires, with what its driver needs of the machine. */
export interface Requirement {
  /** Unique name of the part: `screen`, `relay1`, `button_backlight`; `buttons` for those that `input` lists. */
  readonly slot: string;
  /** Id of the driver: `relay.gpio`. */
  readonly driver: string;
  /** Capability that the part is judged as; null for none. */
  readonly capability: string | null;
  /** Name of the driver for people. */
  readonly title: string;
  readonly importance: Importance;
  /** System groups that may open the device. */
  readonly groups: readonly string[];
  /** Debian packages. */
  readonly packages: readonly string[];
  /** udev rules that open the device, one text per rule. */
  readonly udev: readonly string[];
  /**
   * What the profile requires beside its parts, in its author's words: a package, or a step that only a person can
   * do; absent for a part. `note` is null if the author gave none.
   */
  readonly beside?: { readonly kind: 'package' | 'manual'; readonly note: string | null };
}

/** Result of a passive probe of one part's device. */
export interface SlotEvidence {
  readonly state: 'found' | 'denied' | 'missing' | 'unknown';
  /** The kernel's names of the devices, at most 32. */
  readonly names: readonly string[];
  readonly detail: string;
}

/** Everything observed in one scan; scanning changes nothing. */
export interface Observed {
  readonly at: EpochMs;
  /** Whether each required package is installed; null on a system without dpkg. */
  readonly packages: Readonly<Record<string, boolean>> | null;
  /** Required groups that exist on this system. */
  readonly groupsKnown: readonly string[];
  /** Required groups that this process has. */
  readonly groupsOwn: readonly string[];
  /** True if the process is root, which needs no group. */
  readonly root: boolean;
  /** Name of the user that the agent runs as; null if it has none that a command could contain. */
  readonly user: string | null;
  /** Lines of the udev rules that an installation wrote; null without any. */
  readonly rules: readonly string[] | null;
  readonly evidence: Readonly<Record<string, SlotEvidence>>;
}

export interface ProvisioningDriverCommand {
  readonly type: 'provisioning.observe';
}

/** Reported by the driver. */
export interface ProvisioningFact {
  readonly type: 'provisioning.observed';
  readonly observed: Observed;
}

export type ProvisioningEvent =
  | ProvisioningFact
  /** Scan again and answer with the result; one `reply` with an `Observed`. */
  | { readonly type: 'provisioning.scan'; readonly requestId: string };

/** The requirements of the active profile and the last scan. */
export interface ProvisioningContext {
  readonly requirements: readonly Requirement[];
  readonly observed: Observed | null;
}

export interface ProvisioningActor {
  readonly id: 'provisioning';
  readonly context: ProvisioningContext;
  readonly event: Exclude<ProvisioningEvent, ProvisioningFact>;
  readonly asks: {
    readonly 'provisioning.scan': Observed;
  };
}
