import type { DriverLogic } from '../kit/placeholder.ts';
import type { Verdict } from '../kit/verdict.ts';

/** State of the debugging bridge. */
export type AdbPhase =
  /** The program `adb` is not installed, or its server does not start. */
  | 'no-bridge'
  /** The device does not answer. */
  | 'waiting'
  /** The device asks its user to allow debugging. */
  | 'unauthorized'
  /** The device is connected by USB, but this user may not open it. */
  | 'denied'
  /** Several devices are connected and none was selected. */
  | 'ambiguous'
  | 'online';

/** The selected device: the only one connected, one by its serial number, or one on the network. */
export type AdbTarget =
  | { readonly kind: 'only' }
  | { readonly kind: 'serial'; readonly serial: string }
  | { readonly kind: 'network'; readonly host: string; readonly port: number };

export type AdbKey = 'home' | 'back' | 'recents' | 'volume_up' | 'volume_down' | 'sleep' | 'wakeup';

/** The closed list of everything that is ever sent to the Android panel. */
export type AdbCommand =
  | { readonly do: 'key'; readonly key: AdbKey }
  /** Device pixels, 0 to 16383. */
  | { readonly do: 'tap'; readonly x: number; readonly y: number }
  | { readonly do: 'screenshot' }
  | { readonly do: 'read-screen' }
  | { readonly do: 'read-lock' }
  | { readonly do: 'read-brightness' }
  /** 1 to 255; this also switches automatic brightness off. */
  | { readonly do: 'set-brightness'; readonly level: number }
  | { readonly do: 'read-volume' }
  /** Steps of the music stream, 0 to 100 (Android has 15 or 25). */
  | { readonly do: 'set-volume'; readonly step: number }
  | { readonly do: 'packages' }
  | { readonly do: 'facts' }
  | { readonly do: 'reboot' };

/** Result of one command: text from the panel, or a picture. */
export type AdbOutcome =
  | { readonly ok: true; readonly text: string; readonly png: Uint8Array | null }
  | { readonly ok: false; readonly reason: 'offline' | 'refused' | 'late' };

/** One command of the closed list, with the request that it answers. */
export interface AdbTask {
  readonly requestId: string;
  readonly command: AdbCommand;
}

/** Commands of the bridge's driver. */
export type AdbDriverCommand =
  | ({ readonly type: 'adb.do' } & AdbTask)
  /** The device to use from now on; null for none. */
  | { readonly type: 'adb.use'; readonly target: AdbTarget | null };

/** State of the selected device. */
export type AdbReport =
  | { readonly phase: Exclude<AdbPhase, 'denied'> }
  /** `user` is the user that the agent runs as; null if a command could not contain the name. */
  | { readonly phase: 'denied'; readonly user: string | null };

/** Reported by the bridge's driver. */
export type AdbFact =
  | ({ readonly type: 'adb.observed' } & AdbReport)
  | { readonly type: 'adb.done'; readonly requestId: string; readonly outcome: AdbOutcome };

/** Contract of the bridge's driver. */
export type AdbDriver = DriverLogic<AdbDriverCommand, undefined, AdbFact>;

/** The setting `adb_device` names another device. */
export interface DeviceFact {
  readonly type: 'adb.chosen';
  /** Empty, a serial number, or an address with an optional port. */
  readonly device: string;
}

export type AdbEvent =
  | AdbFact
  /** Press a key, without an answer. */
  | { readonly type: 'adb.press'; readonly key: AdbKey }
  /** Run one command; answered with one `reply` that has an `AdbOutcome`. */
  | ({ readonly type: 'adb.ask' } & AdbTask)
  | DeviceFact;

/** Public facts of the bridge; never the device's serial number or address. */
export interface AdbContext {
  /** True if the selected device is on the network. */
  readonly network: boolean;
  readonly verdict: Verdict;
}

export interface AdbActor {
  readonly id: 'adb';
  readonly context: AdbContext;
  readonly event: Extract<AdbEvent, { readonly type: 'adb.press' | 'adb.ask' }>;
  readonly asks: {
    readonly 'adb.ask': AdbOutcome;
  };
}
