import type { matchFields, ProfileLink, ProfileMaturity, ProfileValue } from '#machines/profile-catalog/reading.ts';

/** A part as a profile declares it: a compiled driver and its options. */
export interface ChosenDriver {
  readonly driver: string;
  readonly options?: Readonly<Record<string, ProfileValue>>;
}

/** How a predicate compares a fact with its values. */
export const matchOperators = ['equals', 'starts_with', 'contains'] as const;

/** Holds if a fact matches one of the values; of a list of facts one is enough. */
export interface MatchPredicate {
  readonly field: (typeof matchFields)[number];
  readonly op: (typeof matchOperators)[number];
  readonly values: readonly string[];
}

/** Holds if all its predicates do. */
export interface MatchGroup {
  /** 0 to 1000; the highest matched group decides before the profile's own priority. */
  readonly priority: number;
  readonly all: readonly MatchPredicate[];
}

export interface MatchRules {
  readonly priority: number;
  /** True for the one profile that is used if none matches. */
  readonly fallback: boolean;
  readonly any: readonly MatchGroup[];
}

/** Systems of panels; a simulated one touches no hardware. */
export const profileSystems = ['linux', 'android', 'simulated'] as const;

interface WantedPackage {
  readonly package: string;
  readonly importance: 'recommended' | 'optional';
  readonly note?: string;
}

/** A step that only a person can do, in words. */
interface ManualStep {
  readonly id: string;
  readonly title: string;
  readonly note?: string;
}

/** What a document says about a device without a slot. */
type Presence = 'auto' | 'absent';

/** The parts of a document that name drivers; `slots.ts` lists the possible names. */
export interface ProfileParts {
  /** The slots, and `camera` and `microphone`, which may be a word or name a driver. */
  readonly hardware?: Readonly<Record<string, ChosenDriver | readonly ChosenDriver[] | Presence>>;
  readonly sensors?: Readonly<Record<string, ChosenDriver | readonly ChosenDriver[]>>;
  readonly input?: ChosenDriver;
}

/** A document that has passed the schema (`profiles/schema/profile.ts`). */
export interface ProfileShape extends ProfileParts {
  readonly schema: 1;
  readonly id: string;
  readonly version: string;
  readonly display_name: string;
  readonly metadata: {
    readonly author: string;
    readonly source?: string;
    readonly links?: readonly ProfileLink[];
    readonly license: string;
    readonly maturity: ProfileMaturity;
    readonly tested_firmware?: readonly string[];
    readonly limitations?: readonly string[];
  };
  readonly requires: { readonly min_core_version?: string; readonly drivers: readonly string[] };
  readonly match: MatchRules;
  readonly platform: {
    readonly os: (typeof profileSystems)[number];
    readonly session?: 'any' | 'kiosk' | 'desktop';
    readonly rights?: 'user' | 'root';
  };
  readonly display?: { readonly physical_ppi?: number; readonly diagonal_inch?: number };
  readonly provisioning?: { readonly packages?: readonly WantedPackage[]; readonly manual?: readonly ManualStep[] };
}
