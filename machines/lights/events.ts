import type { Verdict } from '../kit/verdict.ts';

/** Registry ids and entity keys of the lights beside the screen (contract, "Platform entities"). */
export const lightIds = ['led', 'buttons', 'button_led1', 'button_led2', 'button_led3', 'button_led4'] as const;

/** One of the lights beside the screen. */
export type LightId = (typeof lightIds)[number];

/** What the hardware of a light can do. */
export interface LightAbility {
  /** `switch` knows on and off alone, `level` 0 to 255, `rgb` a colour and a level. */
  readonly colour: 'switch' | 'level' | 'rgb';
  /** Whether effects are offered. */
  readonly effects: boolean;
}

/** A colour, each part 0 to 255. */
export interface Rgb {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

/** What a light is to show; `level` 0 to 255 scales the colour, 0 is dark. */
export interface LightOutput {
  readonly level: number;
  readonly rgb: Rgb | null;
}

/** Effects that the agent runs itself (behaviour-facts 25). */
export const lightEffects = ['none', 'blink', 'pulse', 'strobe'] as const;
export type LightEffect = (typeof lightEffects)[number];

/** What a light's driver is told; the latest command wins. An effect is run by the driver and stopped by the next command. */
export type LightDriverCommand =
  | { readonly type: 'light.show'; readonly output: LightOutput; readonly effect: LightEffect }
  /** Look for the device now. */
  | { readonly type: 'light.look' };

/** What a light's driver reports. */
export type LightFact =
  /** The look for the device: null ability while there is none. */
  | { readonly type: 'light.found'; readonly ability: LightAbility | null; readonly verdict: Verdict }
  /** What was read back from the device, after each write and when somebody else changed it. */
  | { readonly type: 'light.seen'; readonly output: LightOutput }
  /** A write that the device refused, with the POSIX name of the error. */
  | { readonly type: 'light.refused'; readonly code: string };
