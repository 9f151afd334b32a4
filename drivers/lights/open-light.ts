import { attach, type AttachedDevice, isGone, POLL_MS, type Probe } from '#drivers/kit/attached.ts';
import { errorCode } from '#drivers/kit/error-code.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { LightAbility, LightDriver, LightDriverCommand, LightFact, LightOutput } from '#machines/lights/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import { FRAME_MS, frameOf } from './effect.ts';

/** A light that is open. Its calls reject with the kernel's error. */
export interface OpenLight extends AttachedDevice {
  readonly ability: LightAbility;
  /** What it shows now; null if that means nothing, because a kernel trigger drives it. */
  readonly read: () => Promise<LightOutput | null>;
  readonly write: (output: LightOutput) => Promise<void>;
}

/** How a light is found and polled. */
export interface OpenLightPlan {
  readonly probe: () => Promise<Probe<OpenLight>>;
  readonly watch?: (now: () => void) => () => void;
  /** Pause between two probes for a missing light; two seconds by default. */
  readonly probeMs?: Milliseconds;
  /** Pause between two readings of a light that was found; two seconds by default. */
  readonly pollMs?: Milliseconds;
}

/** True if two readings look the same; the colour of a dark light does not matter. */
const sameOutput = (one: LightOutput | null, other: LightOutput): boolean =>
  one !== null &&
  one.level === other.level &&
  (one.level === 0 || JSON.stringify(one.rgb) === JSON.stringify(other.rgb));

/** The output of one frame; a light that can only be on or off is dark for the darker half. */
const frameOutput = ({ ability }: OpenLight, output: LightOutput, share: number): LightOutput => ({
  ...output,
  level: ability.colour === 'switch' ? (share < 0.5 ? 0 : output.level) : output.level * share,
});

const runsEffect = (command: LightDriverCommand | null): command is LightDriverCommand =>
  command !== null && command.effect !== 'none' && command.output.level > 0;

/** The driver of any light: it writes the newest command and reads it back, and runs effects frame by frame. */
export const driveLight = ({ probe, watch, probeMs, pollMs = POLL_MS }: OpenLightPlan): LightDriver =>
  fromDriver<LightDriverCommand, undefined, LightFact>(({ send, onEvent, guard, signal }) => {
    let command: LightDriverCommand | null = null;
    let isNew = false;
    let begunAt = 0;
    let dueAt = 0;
    let reported: LightOutput | null = null;
    // The hardware rounds what was written to its own steps; such a reading is reported as the value that was written.
    let written: { readonly wanted: LightOutput; readonly read: LightOutput } | null = null;

    const attempt = async (light: OpenLight, output: LightOutput): Promise<string | null> => {
      try {
        await light.write(output);
        return null;
      } catch (error) {
        if (isGone(error)) throw error;
        return errorCode(error);
      }
    };
    const report = (output: LightOutput): void => {
      reported = output;
      send({ type: 'light.observed', output });
    };
    const meaningOf = (read: LightOutput): LightOutput =>
      written !== null && sameOutput(written.read, read) ? written.wanted : read;
    const isOutdated = (): boolean => isNew;
    /** Writes the command, or the next frame of its effect. */
    const carryOut = async (
      light: OpenLight,
      { generation, output, effect, exact }: LightDriverCommand,
    ): Promise<Milliseconds> => {
      const isFirst = isNew;
      const now = performance.now();
      if (!isFirst && now < dueAt) return dueAt - now;
      isNew = false;
      if (isFirst) begunAt = now;
      const frame = frameOf(output.level > 0 ? effect : 'none', now - begunAt);
      const refused = await attempt(light, frameOutput(light, output, frame.share));
      // A newer command has come meanwhile: only that one is answered.
      if (isOutdated()) return 0;
      if (refused !== null) {
        command = null;
        send({ type: 'light.refused', generation, code: refused });
        if (isOutdated()) return 0;
      } else if (frame.nextMs !== null) {
        const pause = Math.max(FRAME_MS, frame.nextMs);
        dueAt = performance.now() + pause;
        if (isFirst) {
          report(output);
          send({ type: 'light.written', generation });
        }
        return isOutdated() ? 0 : pause;
      }
      const read = await light.read();
      if (isOutdated()) return 0;
      if (read !== null) {
        written = refused === null && exact !== true ? { wanted: output, read } : null;
        report(meaningOf(read));
      }
      if (refused === null) send({ type: 'light.written', generation });
      return isOutdated() ? 0 : pollMs;
    };

    const attached = attach<OpenLight>(
      { guard, signal },
      {
        probe,
        ...(watch === undefined ? {} : { watch }),
        ...(probeMs === undefined ? {} : { probeMs }),
        report: ({ device, verdict }) => {
          reported = null;
          written = null;
          command = null;
          isNew = false;
          send({ type: 'light.found', ability: device?.ability ?? null, verdict });
        },
        step: async (light) => {
          if (command !== null && (isNew || runsEffect(command))) return carryOut(light, command);
          const read = await light.read();
          if (isNew) return 0;
          if (read !== null && !sameOutput(reported, meaningOf(read))) report(meaningOf(read));
          return pollMs;
        },
      },
    );
    onEvent((newest) => {
      command = newest;
      isNew = true;
      attached.now();
    });
    // An effect does not stop halfway: the light stays lit at the commanded level.
    return () => attached.stop(async (light) => (runsEffect(command) ? light.write(command.output) : undefined));
  });
