import { join } from 'node:path';

import type { Probe } from '#drivers/kit/attached.ts';
import {
  findLed,
  LED_CLASS,
  mayWrite,
  readNumber,
  readTrigger,
  writeText,
  writeTrigger,
} from '#drivers/lights/led-folder.ts';
import { ledsNotWritable } from '#drivers/lights/verdicts.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { RelayDriver, RelayRestore } from '#machines/relays/events.ts';

import { type OpenRelay, driveRelay } from './open-relay.ts';
import { noRelay, relayFound } from './verdicts.ts';

export interface LedRelayOptions {
  /** Name of the LED, or `*:function`. */
  readonly name: string;
  readonly restore: RelayRestore;
  /** Class folder; the kernel's by default. */
  readonly root?: string;
  readonly probeMs?: Milliseconds;
  readonly pollMs?: Milliseconds;
}

async function probeFor({ name, root = LED_CLASS }: LedRelayOptions): Promise<Probe<OpenRelay>> {
  const led = await findLed(root, name);
  if (led === null) return { device: null, verdict: noRelay(`LED "${name}"`) };
  const brightness = join(led.folder, 'brightness');
  if (!(await mayWrite(brightness))) return { device: null, verdict: ledsNotWritable([led.name]) };
  const relay: OpenRelay = {
    read: async () => (await readNumber(brightness)) > 0,
    write: async (closed) => {
      // A trigger would switch the relay by itself, which is also why it is not restored.
      if ((await readTrigger(led)) !== null) await writeTrigger(led, null);
      await writeText(brightness, closed ? String(led.rawMax) : '0');
    },
    close: async () => {},
  };
  return { device: relay, verdict: relayFound(`the kernel's LED "${led.name}"`) };
}

/** A relay that the kernel exposes as an LED (gpio-leds); it keeps its state when the agent ends. */
export const ledRelay = (options: LedRelayOptions): RelayDriver =>
  driveRelay({
    probe: () => probeFor(options),
    restore: options.restore,
    ...(options.probeMs === undefined ? {} : { probeMs: options.probeMs }),
    ...(options.pollMs === undefined ? {} : { pollMs: options.pollMs }),
  });
