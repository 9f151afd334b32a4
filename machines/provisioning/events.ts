import type { EpochMs } from '../kit/units.ts';

/** How much the panel is the worse without an item (as panel-assistant). */
export type Importance = 'required' | 'recommended' | 'optional';

/** One part that the active profile wants, with what its driver needs of the machine. */
export interface Requirement {
  /** Name of the part, each once: `screen`, `relay1`, `button_backlight`; `buttons` for those that `input` lists. */
  readonly slot: string;
  /** Id of the driver: `relay.gpio`. */
  readonly driver: string;
  /** Capability that the part is judged as; null where none is. */
  readonly capability: string | null;
  /** Name of the driver for people. */
  readonly title: string;
  readonly importance: Importance;
  /** Groups of the system that open the device. */
  readonly groups: readonly string[];
  /** Debian packages. */
  readonly packages: readonly string[];
  /** udev rules that open the device, one text per rule. */
  readonly udev: readonly string[];
  /**
   * What the profile asks for beside its parts, in words of its author: a package, or a step that only a person can
   * do; left out for a part. No note where the author gave none.
   */
  readonly beside?: { readonly kind: 'package' | 'manual'; readonly note: string | null };
}

/** What a passive probe of one part's device found. */
export interface SlotEvidence {
  readonly state: 'found' | 'denied' | 'missing' | 'unknown';
  /** Names as the kernel gives them, at most 32. */
  readonly names: readonly string[];
  readonly detail: string;
}

/** Everything that was observed in one scan; nothing was changed for it. */
export interface Observed {
  readonly at: EpochMs;
  /** Whether each wanted package is installed; null where this system has no dpkg. */
  readonly packages: Readonly<Record<string, boolean>> | null;
  /** Groups that this system knows, of the wanted ones. */
  readonly groupsKnown: readonly string[];
  /** Groups that this process has, of the wanted ones. */
  readonly groupsOwn: readonly string[];
  /** Whether the process is root, which needs no group. */
  readonly root: boolean;
  /** Name of the user that the agent runs as; null where it has none that a command could hold. */
  readonly user: string | null;
  /** Lines of the udev rules that an installation wrote; null where there are none. */
  readonly rules: readonly string[] | null;
  readonly evidence: Readonly<Record<string, SlotEvidence>>;
}

/** What the driver is told. */
export interface ProvisioningDriverCommand {
  readonly type: 'provisioning.observe';
}

/** What the driver reports. */
export interface ProvisioningFact {
  readonly type: 'provisioning.observed';
  readonly observed: Observed;
}

export type ProvisioningEvent =
  | ProvisioningFact
  /** Scan again and answer with what was found; one `reply` with an `Observed`. */
  | { readonly type: 'provisioning.scan'; readonly requestId: string };

/** The requirements of the active profile and the last scan. */
export interface ProvisioningContext {
  readonly requirements: readonly Requirement[];
  readonly observed: Observed | null;
}

/** What the actor of what the profile wants of the machine shows to the rest of the house. */
export interface ProvisioningActor {
  readonly id: 'provisioning';
  readonly context: ProvisioningContext;
  readonly event: Exclude<ProvisioningEvent, ProvisioningFact>;
  readonly asks: {
    readonly 'provisioning.scan': Observed;
  };
}
