import type { Requirement } from '../provisioning/events.ts';

/**
 * Which of the two ways of living on a machine: a screen of its own, or the session of somebody who uses the desktop.
 */
export type Shape = 'kiosk' | 'user';

/** A user of this machine. */
export interface Person {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
}

/** A Node.js found here. */
export interface FoundNode {
  readonly path: string;
  /** As it prints it, without the leading `v`. */
  readonly version: string;
  /** Whether every user may run it and it lies outside of homes, which the unit of the panel cannot see. */
  readonly open: boolean;
}

/** What apt and dpkg say of a package. */
export interface PackageState {
  readonly installed: boolean;
  /** Version that would be installed; null when this release has none. */
  readonly candidate: string | null;
}

/** What was found on this machine before anything is decided; nothing was changed for it. */
export interface MachineScan {
  readonly root: boolean;
  readonly systemd: boolean;
  /** Whether apt-get is here and has package lists. */
  readonly apt: 'none' | 'no-lists' | 'ready';
  readonly nodes: readonly FoundNode[];
  /** Version of the Node.js that the set-up brought for Sconce alone and that can go along with the program. */
  readonly broughtNode: string | null;
  readonly packages: Readonly<Record<string, PackageState>>;
  /** What shows that somebody uses a desktop here, in words; null when nothing does. */
  readonly desktop: string | null;
  /** Whose session it is; null when nobody's was found. */
  readonly desktopUser: Person | null;
  /** Who called, also through sudo; null for root itself. */
  readonly caller: Person | null;
  /** Whom the caller named; null when nobody of that name is here. */
  readonly named: Person | null;
  /** The panel's own user; null before it is made. */
  readonly kioskUser: Person | null;
  readonly groups: readonly string[];
  readonly backlight: boolean;
  /** Whether a backlight or a connected monitor shows that there is a screen. */
  readonly screen: boolean;
  /** Whether a graphics card with outputs is here. */
  readonly outputs: boolean;
  readonly fonts: boolean;
  /** Whether a tool that sets the volume is here. */
  readonly soundTool: boolean;
  /** The profile that this machine gets, and what its drivers want; a `local` one was imported over the network. */
  readonly profile: {
    readonly id: string;
    readonly title: string;
    readonly origin: 'bundled' | 'local';
    readonly requirements: readonly Requirement[];
  };
  /** Where `bin/run` of who called, else of root, keeps its settings; null where there are none. */
  readonly tried: { readonly folder: string; readonly owner: Person } | null;
  /** How it was installed before; null when it was not. */
  readonly installed: { readonly shape: Shape; readonly user: string; readonly profile: string | null } | null;
  /** The unit and the other texts that came with the program, by file name. */
  readonly templates: Readonly<Record<string, string>>;
}

/** What the caller asks for. */
export interface InstallRequest {
  readonly shape: Shape | null;
  /** Whose desktop; null for whoever the scan finds. */
  readonly user: string | null;
  /** The profile until another one is selected; `auto` for the one that fits, null for what it was installed with. */
  readonly profile: string | null;
  /** The options that set the panel up, by name: their values are nowhere in a plan. */
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
  /** `owner` writes it, so that a link in a home leads nobody else astray; null for root. */
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly text: string;
      readonly mode: number;
      readonly owner: Person | null;
    }
  | { readonly kind: 'linger'; readonly user: string }
  /** Copied with the rights of their owner, and written with those of `user`, where that folder has none yet. */
  | {
      readonly kind: 'settings';
      readonly from: string;
      readonly owner: Person;
      readonly to: string;
      readonly user: string;
    }
  /** What the panel is given, left in its data folder and written with the rights of `user`, who alone may read it. */
  | { readonly kind: 'given'; readonly folder: string; readonly user: string; readonly inHome: boolean }
  /** Enabled and started; `person` for the manager of that user, null for the system's. */
  | { readonly kind: 'unit'; readonly name: string; readonly person: Person | null }
);

/** Everything that will be there, in the order in which it is added. */
export interface InstallPlan {
  readonly shape: Shape;
  readonly because: string;
  /** Who the agent runs as. */
  readonly user: string;
  readonly data: string;
  /** What `--profile` of `install` said last; null where it said nothing. */
  readonly profile: string | null;
  readonly steps: readonly Step[];
  /** What an owner should know, in sentences. */
  readonly notes: readonly string[];
  /** Why it can only be looked at on this machine, in sentences; null where it can be carried out. */
  readonly obstacle: string | null;
}

/**
 * One thing that Sconce added, noted before it was added: what is not there when it is taken away again is no fault.
 */
export type Added =
  | { readonly kind: 'package' | 'group' | 'user'; readonly name: string }
  | { readonly kind: 'membership'; readonly user: string; readonly group: string }
  | {
      readonly kind: 'file';
      readonly path: string;
      /** SHA-256 of what was written, in hexadecimal. */
      readonly sha256: string;
      readonly owner: Person | null;
      /** Name of the copy of what was there before; null when nothing was. */
      readonly before: string | null;
    }
  /** A folder that had to be made for a file; removed again when it is empty. */
  | { readonly kind: 'folder'; readonly path: string; readonly owner: Person | null }
  | { readonly kind: 'linger'; readonly user: string }
  /** What was left for the agent in that data folder, until it took it. */
  | { readonly kind: 'given'; readonly folder: string; readonly user: string }
  | { readonly kind: 'unit'; readonly name: string; readonly person: Person | null };

/** What Sconce added to this machine, and how. */
export interface Manifest {
  readonly version: 1;
  readonly shape: Shape;
  readonly user: string;
  readonly data: string;
  /** What `--profile` of `install` said last; null where it said nothing. */
  readonly profile: string | null;
  readonly added: readonly Added[];
}

/** What the owner wants gone besides the program. */
export interface RemovalRequest {
  /** Settings, sign-in and everything else in the data folder, and files that were changed by hand. */
  readonly purge: boolean;
  /** Debian packages that came with Sconce. */
  readonly packages: boolean;
}

/** One act of an uninstallation. */
export type Removal =
  | { readonly kind: 'entry'; readonly entry: Added }
  | { readonly kind: 'data'; readonly folder: string; readonly remove: boolean }
  | { readonly kind: 'program' };

/** How a step stands before anything is done. */
export type StepState = 'there' | 'to-add' | 'to-replace';

/** A file or folder that an installation copies from or runs, or a folder above it (lstat(2)). */
export interface Entry {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link';
  /** Whether it is a folder above what is copied, in which only the way down counts. */
  readonly isAbove: boolean;
  readonly uid: number;
  readonly gid: number;
  /** With the sticky bit. */
  readonly mode: number;
}

/** Who may write: root and whoever calls. */
export interface Trusted {
  readonly uids: readonly number[];
  /** Groups without anybody else in them. */
  readonly gids: readonly number[];
}
