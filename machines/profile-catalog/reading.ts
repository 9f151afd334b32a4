/** A problem in a profile, with its location. */
export interface ProfileIssue {
  /** A profile with an error is refused; one with a warning may be used. */
  readonly severity: 'error' | 'warning';
  /** Dotted path in the document, `hardware.relays[0].options.line`; empty for the document itself. */
  readonly path: string;
  /** Line, from 1; null for an issue without a location. */
  readonly line: number | null;
  /** Column in UTF-16 units, from 1; null for an issue without a location. */
  readonly column: number | null;
  /** Stable code, for programs. */
  readonly reason: string;
  /** One sentence that names field, reason and fix. */
  readonly message: string;
}

/** A risk of using a profile, shown before it is saved. */
export interface ProfileRisk {
  /** Stable code: one of the drivers' risks, `packages`, `manual-steps`, `root` or `overrides-bundled`. */
  readonly code: string;
  /** One or two plain sentences; the author's words are quoted. */
  readonly detail: string;
}

/** One difference between two profiles. */
export interface ProfileDiff {
  readonly path: string;
  /** Its value, cut to 120 characters; null if absent. */
  readonly before: string | null;
  readonly after: string | null;
}

/** Most differences that a comparison lists. */
export const mostProfileDiffs = 200;

/** The system that a profile is for: `linux` runs on the panel itself, `android` is controlled over adb. */
export type ProfilePlatform = 'linux' | 'android' | 'simulated';

/** How well a profile is tested, as its author states. */
export const profileMaturities = ['draft', 'experimental', 'verified'] as const;
export type ProfileMaturity = (typeof profileMaturities)[number];

/** Only shown; the agent never fetches it. */
export interface ProfileLink {
  readonly label: string;
  readonly url: string;
}

/** One revision of a profile, for lists. */
export interface ProfileSummary {
  readonly id: string;
  /** SHA-256 of the exact bytes, 64 lower-case hexadecimal digits. */
  readonly revision: string;
  readonly origin: 'bundled' | 'local';
  readonly display_name: string;
  /** Version as stated in the profile, `1.0.0`. */
  readonly version: string;
  readonly author: string;
  /** SPDX identifiers. */
  readonly license: string;
  readonly maturity: ProfileMaturity;
  readonly limitations: readonly string[];
  readonly tested_firmware: readonly string[];
  readonly links: readonly ProfileLink[];
  /** Size of the exact bytes. */
  readonly bytes: number;
  /** Drivers that the profile uses. */
  readonly drivers: readonly string[];
}

/** Plain JSON: the values of a parsed profile. */
export type ProfileValue =
  | string
  | number
  | boolean
  | null
  | readonly ProfileValue[]
  | { readonly [key: string]: ProfileValue };

/** A parsed profile; `profiles/schema/profile.ts` defines its fields. */
export type ProfileDocument = Readonly<Record<string, ProfileValue>>;

/**
 * The result of reading the bytes of a profile. A reader does not know where the bytes are from, so `origin` is `local`
 * by default.
 */
export type ProfileReading =
  | {
      readonly ok: true;
      readonly summary: ProfileSummary;
      readonly document: ProfileDocument;
      readonly warnings: readonly ProfileIssue[];
      readonly risks: readonly ProfileRisk[];
      /** Capabilities that it declares absent. */
      readonly absent: readonly string[];
    }
  | {
      readonly ok: false;
      /** The id, if it could be read. */
      readonly id: string | null;
      /** At least one error, at most 100 issues. */
      readonly issues: readonly ProfileIssue[];
    };

/** Constant facts of a machine: lower case, at most 100 characters each; null if unknown. */
export interface MatchFacts {
  /** `/proc/device-tree/model`. */
  readonly devicetree_model: string | null;
  /** `/proc/device-tree/compatible`, at most 32; empty without a device tree. */
  readonly devicetree_compatible: readonly string[];
  /** Compatible names of the display panels in the device tree, at most 32: `raspberrypi,dsi-7inch`. */
  readonly devicetree_panels: readonly string[];
  readonly dmi_product: string | null;
  readonly dmi_vendor: string | null;
  /** `ID` of os-release. */
  readonly os_id: string | null;
  /** `ID_LIKE` of os-release, at most 32. */
  readonly os_like: readonly string[];
  /** `ro.product.model` of an Android panel; null on other machines. */
  readonly android_model: string | null;
  /** `ro.product.device`. */
  readonly android_device: string | null;
  /** `ro.build.product` or the product's version string. */
  readonly android_product: string | null;
}

/** Names of the facts that match rules may use. */
export const matchFields = [
  'devicetree_model',
  'devicetree_compatible',
  'devicetree_panels',
  'dmi_product',
  'dmi_vendor',
  'os_id',
  'os_like',
  'android_model',
  'android_device',
  'android_product',
] as const satisfies readonly (keyof MatchFacts)[];

/** The result of a passive probe for one driver, for a device draft. */
export interface DraftEvidence {
  readonly driver: string;
  readonly state: 'found' | 'denied' | 'missing' | 'unknown';
  /** Names from the kernel, at most 32. */
  readonly names: readonly string[];
  readonly detail: string;
}

/** One driver in the catalogue. */
export interface CatalogueEntry {
  /** Family and method, `relay.gpio`. */
  readonly id: string;
  /** Which part of a panel it drives. */
  readonly kind: string;
  readonly title: string;
  readonly summary: string;
  /** System whose profiles may use it. */
  readonly system: 'linux' | 'android' | 'simulated';
  /** JSON Schema of its options, with limits. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly needs: {
    readonly groups: readonly string[];
    readonly packages: readonly string[];
    readonly kernel: readonly string[];
    readonly udev: readonly string[];
  };
  readonly risks: readonly ProfileRisk[];
  readonly probe: string;
}
