/** What a guest is made of: paths of its kernel, its first root folder and the table with its backlight. */
export interface GuestParts {
  readonly kernel: string;
  readonly image: string;
  readonly acpiTable: string;
}

/** How a guest is run. */
export interface GuestOptions {
  /** Longest time for the guest, in milliseconds. */
  readonly withinMs: number;
  /** Hears each line of the console as it comes. */
  readonly onLine: (line: string) => void;
  /** QEMU; found by its name when absent. */
  readonly program?: string;
  /** The device of KVM; the system's own when absent. */
  readonly kvm?: string;
  /** Longest wait for the guest's first word on KVM, in milliseconds; 10 s when absent. */
  readonly firstWordMs?: number;
}

/** What a guest left. */
export interface GuestEnd {
  /** The lines of its console. */
  readonly lines: readonly string[];
  /** KVM, or an emulated processor and why. */
  readonly ranBy: string;
  /** The end of what QEMU complained about. */
  readonly complaint: string;
}

/** Arguments of QEMU for a guest with an ACPI backlight, which sees the root of this machine as a shared folder. */
export declare const guestArguments: (parts: GuestParts) => readonly string[];

/** Runs the guest on KVM where that works, which is tried, and else on an emulated processor. */
export declare const runGuest: (args: readonly string[], options: GuestOptions) => Promise<GuestEnd>;
