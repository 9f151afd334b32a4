import { chipFiles, findChip, isForbidden } from '#drivers/kit/gpio-chip.ts';
import { gpioLineTaken, noGpioCalls } from '#drivers/kit/gpio-verdicts.ts';
import { type GpioChips, nativeChips } from '#drivers/kit/gpio.ts';
import { ownUser } from '#drivers/kit/own-user.ts';
import type { Verdict } from '#machines/kit/verdict.ts';
import type { ProximityDriver } from '#machines/proximity/events.ts';

import { type ProximityDecisions, sampledProximity } from './sampled.ts';
import type { Opened } from './sensor.ts';

export interface GpioProximityOptions {
  readonly decisions: ProximityDecisions;
  /** Label of the chip (`pinctrl-bcm2711`), which does not change between boots. At most 31 characters. */
  readonly chipLabel: string;
  /** Offset of the line in its chip, 0 to 4095. */
  readonly line: number;
  /** True if the line is low while a person is near. */
  readonly activeLow: boolean;
  /** Readings per second, 10 to 50. */
  readonly pollHz: number;
  /** Folder of the device files; the system's by default. */
  readonly root?: string;
  /** Access to the chips; system calls by default. */
  readonly chips?: () => Promise<GpioChips | null>;
}

/** The verdict if there is no such line; `what` names it within a sentence. */
export const noProximityLine = (what: string): Verdict => ({
  state: 'not_here',
  reason: 'no-proximity-sensor',
  detail: `This machine shows no ${what}. Sconce looks for it every two seconds.`,
  missing: 'The GPIO line of the proximity sensor, as the profile names it.',
  fix: null,
});

/** The verdict if the chips may not be used; `user` is the name the agent runs under. */
export const proximityLineDenied = (user: string | null): Verdict => ({
  state: 'needs_you',
  reason: 'proximity-not-readable',
  detail: 'The proximity sensor is on a GPIO line, but Sconce may not use the GPIO chips.',
  missing: 'Permission to use the GPIO chips.',
  fix: {
    command: `sudo sconce install${user === null ? '' : ` --user ${user}`}`,
    effect: 'Writes the rules that open the devices of this panel to the user of Sconce.',
  },
});

/** Finds the line and requests it as an input; never rejects. */
export async function openLine({
  chipLabel,
  line,
  activeLow,
  root = '/dev',
  chips: openChips = nativeChips,
}: GpioProximityOptions): Promise<Opened> {
  const chip = `GPIO chip "${chipLabel}"`;
  const chips = await openChips();
  if (chips === null) return { verdict: (await chipFiles(root)).length === 0 ? noProximityLine(chip) : noGpioCalls };
  const found = await findChip(chips, root, { label: chipLabel });
  if (found === 'denied') return { verdict: proximityLineDenied(ownUser()) };
  if (found === null) return { verdict: noProximityLine(chip) };
  if (line >= found.lines) return { verdict: noProximityLine(`line ${line} on the ${chip}, which has ${found.lines}`) };
  try {
    const { used, consumer } = await chips.line(found.path, line);
    if (used) return { verdict: gpioLineTaken(line, consumer, 'proximity sensor') };
    const held = await chips.listen(found.path, { line, activeLow });
    return {
      sensor: {
        source: { driver: 'proximity.gpio', name: `${chipLabel} line ${line}` },
        read: () => Number(held.read()),
        close: held.release,
      },
    };
  } catch (error) {
    return {
      verdict: isForbidden(error) ? proximityLineDenied(ownUser()) : noProximityLine(`line ${line} of the ${chip}`),
    };
  }
}

/**
 * A sensor that reports only near or far on a GPIO line, such as a motion sensor. The line is requested as an input and
 * polled.
 */
export const gpioProximity = (options: GpioProximityOptions): ProximityDriver =>
  sampledProximity({ decisions: options.decisions, pollHz: options.pollHz, open: () => openLine(options) });
