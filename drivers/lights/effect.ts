import type { LightEffect } from '#machines/lights/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

/** One frame of an effect: its brightness and duration. */
export interface EffectFrame {
  /** Share of the wanted level, 0 to 1. */
  readonly share: number;
  /** Time until the next frame; null for a steady light. */
  readonly nextMs: Milliseconds | null;
}

/** Shortest time between two writes of an effect: twenty a second look smooth and do not flood a slow bus. */
export const FRAME_MS: Milliseconds = 50;
/** Half a period of blinking: one second lit, one dark. */
const BLINK_HALF_MS: Milliseconds = 1000;
/** Period of a pulse, from full to dark and back. */
const PULSE_MS: Milliseconds = 2000;
/** Lowest share of a pulse, so that the light does not look broken. */
const PULSE_LOW = 0.05;
/** Period of the strobe: at most three flashes a second, since faster ones can trigger seizures (WCAG 2.3.1). */
const STROBE_MS: Milliseconds = 340;
const FLASH_MS: Milliseconds = 100;

/** Returns the frame of an effect that began `elapsedMs` ago. */
export function frameOf(effect: LightEffect, elapsedMs: Milliseconds): EffectFrame {
  switch (effect) {
    case 'none':
      return { share: 1, nextMs: null };
    case 'blink': {
      const at = elapsedMs % (2 * BLINK_HALF_MS);
      return at < BLINK_HALF_MS
        ? { share: 1, nextMs: BLINK_HALF_MS - at }
        : { share: 0, nextMs: 2 * BLINK_HALF_MS - at };
    }
    case 'strobe': {
      const at = elapsedMs % STROBE_MS;
      return at < FLASH_MS ? { share: 1, nextMs: FLASH_MS - at } : { share: 0, nextMs: STROBE_MS - at };
    }
    case 'pulse': {
      const wave = (1 + Math.cos((2 * Math.PI * elapsedMs) / PULSE_MS)) / 2;
      return { share: PULSE_LOW + (1 - PULSE_LOW) * wave, nextMs: FRAME_MS };
    }
  }
}
