import { attach, type AttachedDevice, errorCode, isGone, type Look, POLL_MS } from '#drivers/kit/attached.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type {
  LightAbility,
  LightDriver,
  LightDriverCommand,
  LightEffect,
  LightFact,
  LightOutput,
} from '#machines/lights/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import { FRAME_MS, frameOf } from './effect.ts';

/** A light that is open. Its calls reject with the kernel's error. */
export interface Lamp extends AttachedDevice {
  readonly ability: LightAbility;
  /** What it shows now; null while the device shows no such thing (another program drives it). */
  readonly read: () => Promise<LightOutput | null>;
  readonly write: (output: LightOutput) => Promise<void>;
}

/** How a lamp is looked for. */
export interface LampPlan {
  readonly look: () => Promise<Look<Lamp>>;
  readonly watch?: (stir: () => void) => () => void;
  /**
   * Pause between two looks for a lamp that is not there, and between two readings of one that is; two seconds when
   * absent.
   */
  readonly lookMs?: Milliseconds;
  readonly pollMs?: Milliseconds;
}

interface Show {
  readonly output: LightOutput;
  readonly effect: LightEffect;
}

/** Whether two readings look the same; what colour a dark light has is nobody's news. */
const sameOutput = (one: LightOutput | null, other: LightOutput): boolean =>
  one !== null &&
  one.level === other.level &&
  (one.level === 0 || JSON.stringify(one.rgb) === JSON.stringify(other.rgb));

/** The output of one frame; a lamp that knows on and off alone is dark for the darker half. */
const frameOutput = ({ ability }: Lamp, output: LightOutput, share: number): LightOutput => ({
  ...output,
  level: ability.colour === 'switch' ? (share < 0.5 ? 0 : output.level) : output.level * share,
});

/** A light by whichever lamp is found: the newest wish is written and read back, effects are run frame by frame. */
export const lampLight = ({ look, watch, lookMs, pollMs = POLL_MS }: LampPlan): LightDriver =>
  fromDriver<LightDriverCommand, undefined, LightFact>(({ send, onEvent, guard, signal }) => {
    let wish: Show | null = null;
    let isNew = false;
    let begunAt = 0;
    let dueAt = 0;
    let told: LightOutput | null = null;
    // A reading of what was written comes back rounded by the hardware's own steps; it stands for the wish itself.
    let written: { readonly wanted: LightOutput; readonly read: LightOutput } | null = null;

    const runs = (show: Show | null): show is Show => show !== null && show.effect !== 'none' && show.output.level > 0;
    const attempt = async (lamp: Lamp, output: LightOutput): Promise<string | null> => {
      try {
        await lamp.write(output);
        return null;
      } catch (error) {
        if (isGone(error)) throw error;
        return errorCode(error);
      }
    };
    const tell = (output: LightOutput): void => {
      told = output;
      send({ type: 'light.seen', output });
    };
    const meaningOf = (read: LightOutput): LightOutput =>
      written !== null && sameOutput(written.read, read) ? written.wanted : read;
    const isOutdated = (): boolean => isNew;
    /** Writes the wish, or the next frame of its effect. */
    const writeWish = async (lamp: Lamp, show: Show): Promise<Milliseconds> => {
      const isFirst = isNew;
      const now = performance.now();
      if (!isFirst && now < dueAt) return dueAt - now;
      isNew = false;
      if (isFirst) begunAt = now;
      const frame = frameOf(runs(show) ? show.effect : 'none', now - begunAt);
      const refused = await attempt(lamp, frameOutput(lamp, show.output, frame.share));
      if (refused !== null) send({ type: 'light.refused', code: refused });
      // A newer wish came meanwhile: what is read now is no answer to it.
      if (isOutdated()) return 0;
      if (refused !== null) wish = null;
      else if (frame.nextMs !== null) {
        if (isFirst) tell(show.output);
        const pause = Math.max(FRAME_MS, frame.nextMs);
        dueAt = performance.now() + pause;
        return pause;
      }
      const read = await lamp.read();
      if (isOutdated() || read === null) return pollMs;
      written = refused === null ? { wanted: show.output, read } : null;
      tell(meaningOf(read));
      return pollMs;
    };

    const attached = attach<Lamp>(
      { guard, signal },
      {
        look,
        ...(watch === undefined ? {} : { watch }),
        ...(lookMs === undefined ? {} : { lookMs }),
        report: ({ device, verdict }) => {
          told = null;
          written = null;
          wish = null;
          isNew = false;
          send({ type: 'light.found', ability: device?.ability ?? null, verdict });
        },
        step: async (lamp) => {
          if (wish !== null && (isNew || runs(wish))) return writeWish(lamp, wish);
          const read = await lamp.read();
          if (isNew) return 0;
          if (read !== null && !sameOutput(told, meaningOf(read))) tell(meaningOf(read));
          return pollMs;
        },
      },
    );
    onEvent((command) => {
      if (command.type === 'light.show') {
        wish = { output: command.output, effect: command.effect };
        isNew = true;
      }
      attached.stir();
    });
    // An effect is not left in the middle: the light stays lit as it was wanted.
    return () => attached.stop(async (lamp) => (runs(wish) ? lamp.write(wish.output) : undefined));
  });
