import { access } from 'node:fs/promises';

import { gone, isGone, type Probe } from '#drivers/kit/attached.ts';
import { chipFiles, findChip, gpioRules, isForbidden, type WantedChip } from '#drivers/kit/gpio-chip.ts';
import { gpioLineTaken, noGpioCalls } from '#drivers/kit/gpio-verdicts.ts';
import { type GpioChips, type OutputLine, nativeChips } from '#drivers/kit/gpio.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { RelayDriver, RelayRestore } from '#machines/relays/events.ts';

import { type OpenRelay, driveRelay } from './open-relay.ts';
import { noRelay, relayFound, relayNotPermitted } from './verdicts.ts';

export interface GpioRelayOptions {
  /**
   * The chip by its label (`pinctrl-bcm2711`), which is stable, or its name (`gpiochip0`), which may change between
   * boots.
   */
  readonly chip: WantedChip;
  /** Offset of the line in its chip, 0 to 4095. */
  readonly line: number;
  /** True if the relay closes when the line is low. */
  readonly activeLow: boolean;
  readonly restore: RelayRestore;
  /** Folder of the device files; the system's by default. */
  readonly root?: string;
  /** Access to the chips; system calls by default. */
  readonly chips?: () => Promise<GpioChips | null>;
  readonly probeMs?: Milliseconds;
  readonly pollMs?: Milliseconds;
}

function openRelayOf(
  chips: GpioChips,
  path: string,
  { chip, line, activeLow, root = '/dev' }: GpioRelayOptions,
): OpenRelay {
  let held: OutputLine | null = null;
  const hold = async (on: boolean): Promise<OutputLine> => {
    // Chips are numbered as they are plugged in: this path may now belong to another chip, with another device on the
    // line.
    const now = await findChip(chips, root, chip);
    if (now === null || now === 'denied' || now.path !== path) throw gone();
    return chips.hold(path, { line, activeLow, on });
  };
  return {
    read: async () => {
      if (held !== null) return held.read();
      // Requesting the line to read it could change it, so its state is unknown until the first write.
      await access(path);
      return null;
    },
    write: async (closed) => {
      if (held === null) held = await hold(closed);
      else held.write(closed);
    },
    close: async () => {
      await held?.release().catch(() => {});
      held = null;
    },
  };
}

async function probeFor(options: GpioRelayOptions): Promise<Probe<OpenRelay>> {
  const { chip, line, root = '/dev', chips: openChips = nativeChips } = options;
  const name = 'label' in chip ? chip.label : chip.name;
  const what = `line ${line} of the GPIO chip "${name}"`;
  const chips = await openChips();
  if (chips === null)
    return {
      device: null,
      verdict: (await chipFiles(root)).length === 0 ? noRelay(`GPIO chip "${name}"`) : noGpioCalls,
    };
  const found = await findChip(chips, root, chip);
  if (found === 'denied') return { device: null, verdict: relayNotPermitted(what, gpioRules, 'gpio') };
  if (found === null) return { device: null, verdict: noRelay(`GPIO chip "${name}"`) };
  if (line >= found.lines)
    return { device: null, verdict: noRelay(`line ${line} on the GPIO chip "${name}", which has ${found.lines}`) };
  try {
    const { used, consumer } = await chips.line(found.path, line);
    return used
      ? { device: null, verdict: gpioLineTaken(line, consumer) }
      : { device: openRelayOf(chips, found.path, options), verdict: relayFound(what) };
  } catch (error) {
    return {
      device: null,
      verdict: isForbidden(error)
        ? relayNotPermitted(what, gpioRules, 'gpio')
        : noRelay(isGone(error) ? `GPIO chip "${name}"` : what),
    };
  }
}

/**
 * A relay on a GPIO line, which is held from the first write on. When the agent ends, the kernel frees the line: most
 * chips leave it as it is, some turn it into an input. The start state of the profile is therefore written at the next
 * start.
 */
export const gpioRelay = (options: GpioRelayOptions): RelayDriver =>
  driveRelay({
    probe: () => probeFor(options),
    restore: options.restore,
    ...(options.probeMs === undefined ? {} : { probeMs: options.probeMs }),
    ...(options.pollMs === undefined ? {} : { pollMs: options.pollMs }),
  });
