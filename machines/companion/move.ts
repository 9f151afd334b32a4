import type { EntitySurface } from '../kit/entity.ts';
import type { Milliseconds } from '../kit/units.ts';

/** The way in which the panel's entities reach Home Assistant (`entity_surface`). */
export type Surface = EntitySurface;

/** Where a move is. `prepare` and `commit` are not kept: before and between the kept ones nothing can be lost. */
export type MoveStep = 'prepare' | 'withdraw' | 'release' | 'commit' | 'apply';

/** The step that was begun, as the store keeps it: after a kill it is resumed, or taken back. */
export interface KeptMove {
  readonly to: Surface;
  readonly step: Extract<MoveStep, 'withdraw' | 'release' | 'apply'>;
  /** True if a person said that what cannot be withdrawn from the broker may stay there. */
  readonly leave: boolean;
}

/** What Home Assistant keeps of the owner's choices, and what there names the device. */
export interface MoveList {
  /** Entities whose name, area, labels and the like are kept. */
  readonly entities: number;
  /** Names of automations and scripts that name the device: they must be pointed to the new one. At most 20 each. */
  readonly automations: readonly string[];
  readonly scripts: readonly string[];
}

/** Why a move was not made, or not begun. */
export const moveCodes = [
  'moving',
  'not-known-yet',
  'no-session',
  'not-prepared',
  'not-released',
  'broker-away',
  'broker-silent',
  'publisher-busy',
  'no-broker',
  'not-saved',
  'denied',
  'stopping',
] as const;
export type MoveCode = (typeof moveCodes)[number];

/** Asks the native connection to move; answered by one `reply` with a `MoveOutcome`, within `MOVE_WITHIN_MS`. */
export interface MoveRequest {
  readonly type: 'companion.move';
  readonly requestId: string;
  readonly to: Surface;
  /** Only says what would happen: Home Assistant is asked, and nothing is changed. */
  readonly dryRun: boolean;
  /** A person agrees that what cannot be withdrawn stays behind. */
  readonly leave: boolean;
}

/** Why a move is made: a person asked, the setting was saved, Home Assistant asked, or its last key is gone. */
export type Cause = 'person' | 'setting' | 'home' | 'keys';

/** The move under way, with what became of its steps. */
export interface Move {
  readonly to: Surface;
  readonly cause: Cause;
  /** Null if no request waits for its end. */
  readonly requestId: string | null;
  readonly dryRun: boolean;
  readonly leave: boolean;
  /** True if Home Assistant keeps the owner's choices for it. */
  readonly isPrepared: boolean;
  readonly list: MoveList | null;
  /** Discovery topics that stay at the broker. */
  readonly topics: readonly string[];
}

/** What is stored beside the keys. */
export interface CompanionMemory {
  /** The surface that is in force. */
  readonly surface: Surface;
  readonly moving: KeptMove | null;
  /** Keys of the rows that were offered over the native connection. */
  readonly offered: readonly string[];
}

export const noMemory: CompanionMemory = { surface: 'mqtt', moving: null, offered: [] };

/** The answer to a `companion.move`. */
export type MoveOutcome =
  /** The panel is there already. */
  | { readonly status: 'unchanged' }
  /** What would happen; nothing was changed. */
  | {
      readonly status: 'preview';
      readonly to: Surface;
      /** Null without a session, or if Home Assistant did not answer. */
      readonly list: MoveList | null;
      /** Sentences that a person reads before consenting, such as what stays behind. */
      readonly notes: readonly string[];
    }
  /** The surface is changed. */
  | {
      readonly status: 'moved';
      readonly to: Surface;
      readonly list: MoveList | null;
      /** False if Home Assistant did not confirm that the owner's choices are on the new entities. */
      readonly applied: boolean;
      /** Discovery topics that stay at the broker. */
      readonly stays: readonly string[];
      readonly notes: readonly string[];
    }
  /** Nothing was changed. `topics`: what would stay at the broker with `leave`. */
  | {
      readonly status: 'refused';
      readonly code: MoveCode;
      readonly message: string;
      readonly topics: readonly string[];
    };

/** Longest time until a `companion.move` is answered; callers ask with this. */
export const MOVE_WITHIN_MS: Milliseconds = 75_000;
