import type { DriverLogic } from '../kit/placeholder.ts';
import type { Verdict } from '../kit/verdict.ts';

/** How the debugging bridge stands. */
export type AdbPhase =
  /** The program `adb` is not installed, or its server does not start. */
  | 'no-bridge'
  /** No such device answers. */
  | 'waiting'
  /** The device asks its user to allow debugging. */
  | 'unauthorized'
  /** The device is attached by USB, and this user may not open it. */
  | 'denied'
  /** Several devices are attached and none was named. */
  | 'ambiguous'
  | 'online';

/** Which device is meant: the only one attached, one by its serial number, or one in the network. */
export type AdbTarget =
  | { readonly kind: 'only' }
  | { readonly kind: 'serial'; readonly serial: string }
  | { readonly kind: 'network'; readonly host: string; readonly port: number };

/** Keys that may be pressed. */
export type AdbKey = 'home' | 'back' | 'recents' | 'volume_up' | 'volume_down' | 'sleep' | 'wakeup';

/** What the Android panel can be asked for; the closed list of everything that is ever sent to it. */
export type AdbCommand =
  | { readonly do: 'key'; readonly key: AdbKey }
  /** Device pixels, 0 to 16383. */
  | { readonly do: 'tap'; readonly x: number; readonly y: number }
  | { readonly do: 'screenshot' }
  | { readonly do: 'read-screen' }
  | { readonly do: 'read-lock' }
  | { readonly do: 'read-brightness' }
  /** 1 to 255; the automatic brightness is switched off with it. */
  | { readonly do: 'set-brightness'; readonly level: number }
  | { readonly do: 'read-volume' }
  /** Steps of the music stream, 0 to 100 (Android has 15 or 25). */
  | { readonly do: 'set-volume'; readonly step: number }
  | { readonly do: 'packages' }
  | { readonly do: 'facts' }
  | { readonly do: 'reboot' };

/** What became of one command: text of the panel, or a picture. */
export type AdbOutcome =
  | { readonly ok: true; readonly text: string; readonly png: Uint8Array | null }
  | { readonly ok: false; readonly reason: 'offline' | 'refused' | 'late' };

/** One command of the closed list, with whom its answer is for. */
export interface AdbTask {
  readonly requestId: string;
  readonly command: AdbCommand;
}

/** What the bridge's driver is told. */
export type AdbDriverCommand =
  | ({ readonly type: 'adb.do' } & AdbTask)
  /** Which device is meant from now on; null for none. */
  | { readonly type: 'adb.use'; readonly target: AdbTarget | null };

/** How the device that is meant stands. */
export type AdbReport =
  | { readonly phase: Exclude<AdbPhase, 'denied'> }
  /** `user` is whom the agent runs as; null where a command could not hold the name. */
  | { readonly phase: 'denied'; readonly user: string | null };

/** What the bridge's driver reports. */
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
  /** Press a key; nobody waits for it. */
  | { readonly type: 'adb.press'; readonly key: AdbKey }
  /** Do one thing and answer; one `reply` with an `AdbOutcome`. */
  | ({ readonly type: 'adb.ask' } & AdbTask)
  | DeviceFact;

/** Public facts of the bridge; never the device's serial number or address. */
export interface AdbContext {
  /** Whether the device that is meant is in the network. */
  readonly network: boolean;
  readonly verdict: Verdict;
}

/** What the actor of the bridge to an Android panel shows to the rest of the house. */
export interface AdbActor {
  readonly id: 'adb';
  readonly context: AdbContext;
  readonly event: Extract<AdbEvent, { readonly type: 'adb.press' | 'adb.ask' }>;
  readonly asks: {
    readonly 'adb.ask': AdbOutcome;
  };
}
