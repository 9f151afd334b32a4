/** What was read from the operating system; null if it reports nothing. */
export interface HostSigns {
  readonly node: string;
  readonly arch: string;
  readonly platform: string;
  /** The kernel's release, `6.12.25+rpt-rpi-v8`. */
  readonly release: string;
  readonly memoryBytes: number;
  readonly cpus: number;
  readonly cpuKilohertz: number | null;
  /** True if the processor reports a hypervisor. */
  readonly hypervisor: boolean;
  /** Maker and product of the machine as spelled by the firmware; only words of a closed list are kept. */
  readonly maker: string;
  /** The device tree's `compatible`, from the board down to its chip; null without a device tree. */
  readonly compatible: readonly string[] | null;
  /** Name of the container runtime; null outside of a container. */
  readonly container: string | null;
  readonly efi: boolean;
  /** 1 or 0 of the firmware's variable `SecureBoot`. */
  readonly secureBoot: number | null;
  /** The kernel's list of lockdown modes, with the active one in brackets. */
  readonly lockdown: string | null;
  /** Type and options of the root file system. */
  readonly root: { readonly type: string; readonly options: string } | null;
  /** Names of the first process and of the one that started the agent. */
  readonly init: string | null;
  readonly parent: string | null;
  /** True if systemd reports that it started the agent itself. */
  readonly systemdStarted: boolean;
  /** True if systemd's variables are set at all; its children inherit them. */
  readonly systemdAround: boolean;
  readonly terminal: boolean;
  readonly remote: boolean;
  /** Seconds from the machine's start to that of the agent. */
  readonly bootedBeforeS: number;
  /** The session named by `XDG_SESSION_TYPE`, `WAYLAND_DISPLAY`, `DISPLAY` and `XDG_CURRENT_DESKTOP`. */
  readonly session: {
    readonly type: string | null;
    readonly wayland: boolean;
    readonly x11: boolean;
    readonly desktop: string | null;
  };
  readonly uid: number | null;
  /** Names of the groups of the process. */
  readonly groups: readonly string[];
  /** Effective capabilities (capabilities(7)) in hexadecimal. */
  readonly capabilities: string | null;
  readonly noNewPrivileges: boolean | null;
  /** `1` enforcing, `0` permissive. */
  readonly selinux: string | null;
  readonly apparmor: string | null;
  /** Number of devices of each kind that the kernel lists. */
  readonly devices: Readonly<Record<string, number>>;
}

/** What is only true at the start: a parent may end, and another process takes its place. */
export type StartSigns = Pick<
  HostSigns,
  'parent' | 'systemdStarted' | 'systemdAround' | 'terminal' | 'remote' | 'bootedBeforeS' | 'session'
>;
