import type { Requirement } from '../provisioning/events.ts';

/** The two ways to run on a machine: with a screen of its own, or in the session of a desktop user. */
export type Shape = 'kiosk' | 'user';

/** A user of this machine. */
export interface Person {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
}

/** A Node.js found on this machine. */
export interface FoundNode {
  readonly path: string;
  /** As printed by it, without the leading `v`. */
  readonly version: string;
  /** True if every user may run it and it lies outside of home folders, which the panel's unit cannot see. */
  readonly open: boolean;
}

/** What apt and dpkg report about a package. */
export interface PackageState {
  readonly installed: boolean;
  /** Version that would be installed; null if this release has none. */
  readonly candidate: string | null;
}

/** What was found on this machine before any decision; scanning changes nothing. */
export interface MachineScan {
  readonly root: boolean;
  readonly systemd: boolean;
  /** Whether apt-get is available and has package lists. */
  readonly apt: 'none' | 'no-lists' | 'ready';
  readonly nodes: readonly FoundNode[];
  /** Version of the Node.js that the set-up brought for Sconce alone and that can be copied with the program. */
  readonly broughtNode: string | null;
  readonly packages: Readonly<Record<string, PackageState>>;
  /** What shows that a desktop is used here, in words; null if nothing does. */
  readonly desktop: string | null;
  /** The user of that desktop session; null if none was found. */
  readonly desktopUser: Person | null;
  /** The calling user, also through sudo; null for root itself. */
  readonly caller: Person | null;
  /** The user named by the caller; null if there is none of that name. */
  readonly named: Person | null;
  /** The panel's own user; null before it is created. */
  readonly kioskUser: Person | null;
  readonly groups: readonly string[];
  readonly backlight: boolean;
  /** True if a backlight or a connected monitor shows that there is a screen. */
  readonly screen: boolean;
  /** True if there is a graphics card with outputs. */
  readonly outputs: boolean;
  readonly fonts: boolean;
  /** True if a tool that sets the volume is installed. */
  readonly soundTool: boolean;
  /** True if a program that records sound is installed. */
  readonly recorder: boolean;
  /** The profile for this machine, and what its drivers require; a `local` one was imported over the network. */
  readonly profile: {
    readonly id: string;
    readonly title: string;
    readonly origin: 'bundled' | 'local';
    readonly requirements: readonly Requirement[];
  };
  /** Where `bin/run` keeps the settings of the calling user, otherwise of root; null if there are none. */
  readonly tried: { readonly folder: string; readonly owner: Person } | null;
  /** The previous installation; null without one. */
  readonly installed: { readonly shape: Shape; readonly user: string; readonly profile: string | null } | null;
  /** The unit and the other texts that ship with the program, by file name. */
  readonly templates: Readonly<Record<string, string>>;
}

/** The caller's options. */
export interface InstallRequest {
  readonly shape: Shape | null;
  /** User of the desktop; null for the one that the scan finds. */
  readonly user: string | null;
  /**
   * The profile until another one is selected; `auto` for the best match, null for the one of the previous
   * installation.
   */
  readonly profile: string | null;
  /** Names of the options that set the panel up; their values never appear in a plan. */
  readonly given: readonly string[];
  /** False leaves Debian packages to the owner. */
  readonly packages: boolean;
}

/** One thing that an installation adds. */
export type Step = { readonly why: string } & (
  | { readonly kind: 'package'; readonly name: string }
  | { readonly kind: 'group'; readonly name: string }
  | { readonly kind: 'user'; readonly name: string; readonly home: string }
  | { readonly kind: 'membership'; readonly user: string; readonly group: string }
  | { readonly kind: 'program'; readonly folder: string }
  /** Written with the rights of `owner`, so that a link in a home folder cannot redirect the write; null for root. */
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly text: string;
      readonly mode: number;
      readonly owner: Person | null;
    }
  | { readonly kind: 'linger'; readonly user: string }
  /**
   * Copied with the rights of their owner, and written with those of `user`, unless that folder already has settings.
   */
  | {
      readonly kind: 'settings';
      readonly from: string;
      readonly owner: Person;
      readonly to: string;
      readonly user: string;
    }
  /** Settings for the panel, left in its data folder and written with the rights of `user`, who alone may read them. */
  | { readonly kind: 'given'; readonly folder: string; readonly user: string; readonly inHome: boolean }
  /** Enabled and started; `person` for that user's service manager, null for the system's. */
  | { readonly kind: 'unit'; readonly name: string; readonly person: Person | null }
);

/** Everything that will exist after the installation, in the order in which it is added. */
export interface InstallPlan {
  readonly shape: Shape;
  readonly because: string;
  /** The user that the agent runs as. */
  readonly user: string;
  readonly data: string;
  /** The last `--profile` given to `install`; null without one. */
  readonly profile: string | null;
  readonly steps: readonly Step[];
  /** What an owner should know, in sentences. */
  readonly notes: readonly string[];
  /** What the panel will lack until a person does something, in sentences. */
  readonly problems: readonly string[];
  /** Why the plan can only be viewed on this machine, in sentences; null if it can be carried out. */
  readonly obstacle: string | null;
}

/** One thing that Sconce adds, recorded before it is added: if it is missing at the removal, that is no error. */
export type Added =
  | { readonly kind: 'package' | 'group' | 'user'; readonly name: string }
  | { readonly kind: 'membership'; readonly user: string; readonly group: string }
  | {
      readonly kind: 'file';
      readonly path: string;
      /** SHA-256 of what was written, in hexadecimal. */
      readonly sha256: string;
      readonly owner: Person | null;
      /** Name of the copy of the previous file; null if there was none. */
      readonly before: string | null;
    }
  /** A folder created for a file; removed again once it is empty. */
  | { readonly kind: 'folder'; readonly path: string; readonly owner: Person | null }
  | { readonly kind: 'linger'; readonly user: string }
  /** What was left for the agent in that data folder until it takes it. */
  | { readonly kind: 'given'; readonly folder: string; readonly user: string }
  | { readonly kind: 'unit'; readonly name: string; readonly person: Person | null };

/** The clone that an installation was made from, as everyone on the machine may read it. */
export interface InstalledFrom {
  /** Path of the clone, without links. */
  readonly folder: string;
  /** The commit that was installed; null if it was no clone with an origin. */
  readonly commit: string | null;
  /** The address of its origin; null if it contains credentials or needs some. */
  readonly origin: string | null;
  /** The branch there, or `HEAD`. */
  readonly ref: string;
}

/** What Sconce added to this machine, and in which shape. */
export interface Manifest {
  readonly version: 1;
  readonly shape: Shape;
  readonly user: string;
  readonly data: string;
  /** The last `--profile` given to `install`; null without one. */
  readonly profile: string | null;
  /** Null if an older version installed it. */
  readonly from: InstalledFrom | null;
  readonly added: readonly Added[];
}

/** What the owner wants removed besides the program. */
export interface RemovalRequest {
  /** Settings, sign-in and everything else in the data folder, and files that were changed by hand. */
  readonly purge: boolean;
  /** Debian packages that were installed for Sconce. */
  readonly packages: boolean;
}

/** One action of an uninstallation. */
export type Removal =
  | { readonly kind: 'entry'; readonly entry: Added }
  | { readonly kind: 'data'; readonly folder: string; readonly remove: boolean }
  | { readonly kind: 'program' };

/** State of a step before anything is done. */
export type StepState = 'there' | 'to-add' | 'to-replace';

/** A file or folder that an installation copies from or runs, or a folder above it (lstat(2)). */
export interface Entry {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link';
  /** True for a folder above what is copied, where only replacing the path matters. */
  readonly isAbove: boolean;
  readonly uid: number;
  readonly gid: number;
  /** Permission bits including the sticky bit. */
  readonly mode: number;
}

/** Who may write: root and the calling user. */
export interface Trusted {
  readonly uids: readonly number[];
  /** Groups without other members. */
  readonly gids: readonly number[];
}
