import { CODES, type DeviceEvent } from './event-format.ts';

/** What is down on one device, according to its events. */
export interface Held {
  readonly take: (event: Pick<DeviceEvent, 'type' | 'code' | 'value'>) => void;
  /** True if a finger is on it or a key is down. */
  readonly any: () => boolean;
  readonly key: (code: number) => boolean;
  readonly switched: (code: number) => boolean;
  /** Restarts from the kernel's state of keys and switches; fingers, which it does not report, count as lifted. */
  readonly reset: (state: { readonly keys: readonly number[]; readonly switches: readonly number[] }) => void;
}

/** Tracks fingers, keys and switches of one device. */
export function heldOn(): Held {
  const keys = new Set<number>();
  const switches = new Set<number>();
  const fingers = new Set<number>();
  let slot = 0;
  const mark = (set: Set<number>, code: number, on: boolean): void => {
    if (on) set.add(code);
    else set.delete(code);
  };
  return {
    take: ({ type, code, value }) => {
      if (type === CODES.EV_KEY) {
        mark(keys, code, value !== 0);
        // The kernel derives BTN_TOUCH from all fingers: 0 means that the last one has left, even if events were
        // missed.
        if (code === CODES.BTN_TOUCH && value === 0) fingers.clear();
      } else if (type === CODES.EV_SW) mark(switches, code, value !== 0);
      else if (type === CODES.EV_ABS && code === CODES.ABS_MT_SLOT) slot = value;
      else if (type === CODES.EV_ABS && code === CODES.ABS_MT_TRACKING_ID) mark(fingers, slot, value >= 0);
    },
    any: () => keys.size > 0 || fingers.size > 0,
    key: (code) => keys.has(code),
    switched: (code) => switches.has(code),
    reset: (state) => {
      keys.clear();
      switches.clear();
      fingers.clear();
      for (const code of state.keys) keys.add(code);
      for (const code of state.switches) switches.add(code);
    },
  };
}
