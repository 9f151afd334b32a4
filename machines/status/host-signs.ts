/** What is read of the operating system; null where it says nothing. */
export interface HostSigns {
  readonly node: string;
  readonly arch: string;
  readonly platform: string;
  /** The kernel's release, `6.12.25+rpt-rpi-v8`. */
  readonly release: string;
  readonly memoryBytes: number;
  readonly cpus: number;
  readonly cpuKilohertz: number | null;
  /** Whether the processor says that a hypervisor is beneath it. */
  readonly hypervisor: boolean;
  /** Maker and product of the machine as the firmware spells them; only words of a closed list are kept of it. */
  readonly maker: string;
  /** The device tree's `compatible`, from the board itself to its chip; null without a device tree. */
  readonly compatible: readonly string[] | null;
  /** Name of the container's program; null outside of one. */
  readonly container: string | null;
  readonly efi: boolean;
  /** 1 or 0 of the firmware's variable `SecureBoot`. */
  readonly secureBoot: number | null;
  /** The kernel's list of lockdown modes, with the one in force in brackets. */
  readonly lockdown: string | null;
  /** Type and options of the root file system. */
  readonly root: { readonly type: string; readonly options: string } | null;
  /** Name of the first process, and of the one that started the agent. */
  readonly init: string | null;
  readonly parent: string | null;
  /** Whether a service manager of systemd says that it started the agent itself. */
  readonly systemdStarted: boolean;
  /** Whether the variables of such a manager are there at all, which its children have too. */
  readonly systemdAround: boolean;
  readonly terminal: boolean;
  readonly remote: boolean;
  /** Seconds from the machine's start to that of the agent. */
  readonly bootedBeforeS: number;
  /** Whether `XDG_SESSION_TYPE`, `WAYLAND_DISPLAY`, `DISPLAY` and `XDG_CURRENT_DESKTOP` name a session. */
  readonly session: {
    readonly type: string | null;
    readonly wayland: boolean;
    readonly x11: boolean;
    readonly desktop: string | null;
  };
  readonly uid: number | null;
  /** Groups of the process by name. */
  readonly groups: readonly string[];
  /** Effective capabilities (capabilities(7)) in hexadecimal. */
  readonly capabilities: string | null;
  readonly noNewPrivileges: boolean | null;
  /** `1` enforcing, `0` permissive. */
  readonly selinux: string | null;
  readonly apparmor: string | null;
  /** Devices of each kind that the kernel lists. */
  readonly devices: Readonly<Record<string, number>>;
}

/** What only holds at the moment of the start: a parent may end, and another process takes its place. */
export type StartSigns = Pick<
  HostSigns,
  'parent' | 'systemdStarted' | 'systemdAround' | 'terminal' | 'remote' | 'bootedBeforeS' | 'session'
>;
