import type { LightModes, Rgb } from '../kit/entity.ts';
import type { DriverLogic } from '../kit/placeholder.ts';
import type { Verdict } from '../kit/verdict.ts';

export type { Rgb } from '../kit/entity.ts';

/** Registry ids and entity keys of the lights beside the screen (contract, "Platform entities"). */
export const lightIds = ['led', 'buttons', 'button_led1', 'button_led2', 'button_led3', 'button_led4'] as const;

export type LightId = (typeof lightIds)[number];

/**
 * Capability of each light. `buttons` differs: as a capability that name belongs to the hardware buttons, as an
 * entity to the light behind them.
 */
export const lightCapabilities: Readonly<Record<LightId, string>> = {
  led: 'led',
  buttons: 'button_backlight',
  button_led1: 'button_led1',
  button_led2: 'button_led2',
  button_led3: 'button_led3',
  button_led4: 'button_led4',
};

/** What the hardware of a light can do. */
export interface LightAbility {
  readonly colour: LightModes['colour'];
  /** True if effects are offered. */
  readonly effects: boolean;
}

/** What a light should show; `level` 0 to 255 scales the colour, 0 is dark. */
export interface LightOutput {
  readonly level: number;
  readonly rgb: Rgb | null;
}

/** Effects that the agent runs itself (as panel-assistant does). */
export const lightEffects = ['none', 'blink', 'pulse', 'strobe'] as const;
export type LightEffect = (typeof lightEffects)[number];

/**
 * Commands of a light's driver. Each is answered once with its generation, unless a newer one overtook it. The driver
 * runs an effect until the next command.
 */
export interface LightDriverCommand {
  readonly type: 'light.show';
  readonly generation: number;
  readonly output: LightOutput;
  readonly effect: LightEffect;
  /** Reports what is read back as it is, also where the hardware rounded it. */
  readonly exact?: true;
}

/** Reported by a light's driver. */
export type LightFact =
  /** The result of a probe for the device: null ability while there is none. */
  | { readonly type: 'light.found'; readonly ability: LightAbility | null; readonly verdict: Verdict }
  /** What was read back from the device, after each write and after a change from outside. */
  | { readonly type: 'light.observed'; readonly output: LightOutput }
  /** The answer to a command that was carried out; the read-back was reported before it. */
  | { readonly type: 'light.written'; readonly generation: number }
  /**
   * The answer to a command that the device refused, with the POSIX name of the error; also sent if it refuses a
   * later frame of the effect.
   */
  | { readonly type: 'light.refused'; readonly generation: number; readonly code: string };

/** Contract of a light's driver. */
export type LightDriver = DriverLogic<LightDriverCommand, undefined, LightFact>;

/** What a light shows, as its store keeps it. */
export interface KeptShowing {
  readonly output: LightOutput;
  readonly effect: LightEffect;
}

/** Command of a light's store: what it shows once it is no longer held; null while it is not held. */
export interface LightStoreCommand {
  readonly type: 'light.keep';
  readonly showing: KeptShowing | null;
}

/** Reported by a light's store at the start: what it kept; set only if the agent was killed while it held the light. */
export interface LightStoreFact {
  readonly type: 'light.recalled';
  readonly showing: KeptShowing | null;
}

/** A request to a light; at least one part is present. */
export interface LightRequest {
  readonly on?: boolean;
  /** 0 to 255; 0 means off. */
  readonly level?: number;
  readonly rgb?: Rgb;
  readonly effect?: LightEffect;
}

/** What may hold a light. */
type LightHolder = 'in-use';

export type LightEvent =
  | ({ readonly type: 'light.set'; readonly origin: string } & LightRequest)
  /** Full red, or full without colours, until the release. Requests wait: the last one is carried out then. */
  | { readonly type: 'light.hold'; readonly by: LightHolder }
  /** Shows the last request again, or what it showed before it was held. */
  | { readonly type: 'light.release'; readonly by: LightHolder }
  | LightStoreFact
  | LightFact;

/** Public facts of one light. */
export interface LightContext {
  readonly verdict: Verdict;
  /** What it can do, as last found; kept while the device is gone, null before it was first found. */
  readonly ability: LightAbility | null;
  /** Null while unknown. */
  readonly on: boolean | null;
  /** Level while lit, 1 to 255. */
  readonly level: number | null;
  /** Level to restore when it is switched on again, 1 to 255. */
  readonly lastLevel: number;
  /** Its colour, kept while it is off. */
  readonly rgb: Rgb;
  readonly effect: LightEffect;
  /**
   * Why the last request was not carried out: the POSIX name of an error, `no-answer` or `gone`; null after a
   * successful one.
   */
  readonly fault: string | null;
  /** What holds it; null if it follows requests. */
  readonly heldBy: LightHolder | null;
  /** True while it is held and was read back as that. */
  readonly holdShown: boolean;
}

export interface LightActor {
  readonly id: LightId;
  readonly context: LightContext;
  readonly event: Extract<LightEvent, { readonly type: 'light.set' | 'light.hold' | 'light.release' }>;
}
