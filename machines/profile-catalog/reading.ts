/** What a reader of profiles found wrong, with the place in the bytes. */
export interface ProfileIssue {
  /** An error refuses the profile; a warning is shown and the profile may be used. */
  readonly severity: 'error' | 'warning';
  /** Dotted place in the document, `hardware.relays[0].options.line`; empty for the document itself. */
  readonly path: string;
  /** Line in the bytes, from 1; null where the issue has no place. */
  readonly line: number | null;
  /** Column in the line, from 1, counted in UTF-16 units; null where the issue has no place. */
  readonly column: number | null;
  /** Stable code, for programs. */
  readonly reason: string;
  /** One sentence that names field, reason and fix. */
  readonly message: string;
}

/** What using a profile can do to a machine, shown before it is taken. */
export interface ProfileRisk {
  /** Stable code: one of the drivers' risks, `packages`, `manual-steps`, `root` or `overrides-bundled`. */
  readonly code: string;
  /** One or two plain sentences; words of the profile's author stand as quotations. */
  readonly detail: string;
}

/** One place at which two profiles differ. */
export interface ProfileDiff {
  readonly path: string;
  /** Value there, shortened to 120 characters; null where there is none. */
  readonly before: string | null;
  readonly after: string | null;
}

/** Most differences that a comparison lists. */
export const mostProfileDiffs = 200;

/** The system that a profile is for: `linux` runs on the panel, `android` is reached over adb. */
export type ProfilePlatform = 'linux' | 'android' | 'simulated';

/** How far a profile was proved, in its author's words. */
export const profileMaturities = ['draft', 'experimental', 'verified'] as const;
export type ProfileMaturity = (typeof profileMaturities)[number];

/** Shown to a person; nothing behind it is ever fetched. */
export interface ProfileLink {
  readonly label: string;
  readonly url: string;
}

/** One revision of a profile as lists show it. */
export interface ProfileSummary {
  readonly id: string;
  /** SHA-256 of the exact bytes, 64 lower-case hexadecimal digits. */
  readonly revision: string;
  readonly origin: 'bundled' | 'local';
  readonly display_name: string;
  /** Version as the profile states it, `1.0.0`. */
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

/** Plain JSON: what a profile's document is made of once it is read. */
export type ProfileValue =
  | string
  | number
  | boolean
  | null
  | readonly ProfileValue[]
  | { readonly [key: string]: ProfileValue };

/** A parsed document; `profiles/schema/profile.ts` says what its fields mean. */
export type ProfileDocument = Readonly<Record<string, ProfileValue>>;

/**
 * What reading the bytes of a profile came to. A reader cannot know where bytes came from: `origin` is `local` until
 * said otherwise.
 */
export type ProfileReading =
  | {
      readonly ok: true;
      readonly summary: ProfileSummary;
      readonly document: ProfileDocument;
      readonly warnings: readonly ProfileIssue[];
      readonly risks: readonly ProfileRisk[];
      /** Capabilities that a panel with it does not have. */
      readonly absent: readonly string[];
    }
  | {
      readonly ok: false;
      /** The id as far as it could be read; null where it could not. */
      readonly id: string | null;
      /** At least one error, at most 100 issues. */
      readonly issues: readonly ProfileIssue[];
    };

/** Facts of a machine that do not change while it runs: lower case, at most 100 characters each; null where unknown. */
export interface MatchFacts {
  /** `/proc/device-tree/model`. */
  readonly devicetree_model: string | null;
  /** `/proc/device-tree/compatible`, at most 32; empty where there is no device tree. */
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

/** What a device draft may say of a driver: the result of a passive probe. */
export interface DraftEvidence {
  readonly driver: string;
  readonly state: 'found' | 'denied' | 'missing' | 'unknown';
  /** Names as the kernel gives them, at most 32. */
  readonly names: readonly string[];
  readonly detail: string;
}

/** One compiled driver as the catalogue lists it. */
export interface CatalogueEntry {
  /** Family and way, `relay.gpio`. */
  readonly id: string;
  /** Which part of a panel it drives. */
  readonly kind: string;
  readonly title: string;
  readonly summary: string;
  /** System whose profiles may name it. */
  readonly system: 'linux' | 'android' | 'simulated';
  /** JSON Schema of its options, with bounds. */
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
