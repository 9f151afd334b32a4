import { CODES, type DeviceEvent } from './event-format.ts';

/** What is down on one device, as its events say. */
export interface Held {
  readonly take: (event: Pick<DeviceEvent, 'type' | 'code' | 'value'>) => void;
  /** Whether a finger is on it or a key is down. */
  readonly any: () => boolean;
  /** Whether a key is down. */
  readonly key: (code: number) => boolean;
  /** Whether a switch is closed. */
  readonly switched: (code: number) => boolean;
  /** Starts anew from what the kernel says is down; fingers that it cannot tell are taken for gone. */
  readonly reset: (state: { readonly keys: readonly number[]; readonly switches: readonly number[] }) => void;
}

/** Keeps account of fingers, keys and switches of one device. */
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
        // The kernel derives it from all fingers: the last one has left, whatever was missed of the others.
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
