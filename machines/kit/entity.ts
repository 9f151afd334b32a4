import type { ActorInterface, AnswerOf, AskEventOf, AskTypeOf, ErasedActor, TellEventOf } from './actor.ts';
import { ok, type Result } from './result.ts';
import type { SnapshotView } from './snapshot.ts';
import type { EpochMs } from './units.ts';

/** Longest state that Home Assistant accepts, in characters. */
export const STATE_LENGTH = 255;

/** A colour, each part 0 to 255. */
export interface Rgb {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

/** What a light supports: `switch` is on and off only, `level` adds 0 to 255, `rgb` a colour and a level. */
export interface LightModes {
  readonly colour: 'switch' | 'level' | 'rgb';
  /** Names of its effects; empty for a light without any. */
  readonly effects: readonly string[];
}

/** State of a light row; `brightness` is 0 to 255, null while the level is unknown. */
export interface LightValue {
  readonly on: boolean;
  readonly brightness: number | null;
  /** Only for a light with a colour. */
  readonly rgb?: Rgb | null;
  /** The running effect; only for a light with effects. */
  readonly effect?: string | null;
}

/** A command from Home Assistant to a light; any part may be missing. */
export interface LightCommand {
  readonly on?: boolean;
  /** 0 to 255; 0 means off (contract: "brightness integer 0 to 255"). */
  readonly brightness?: number;
  /** Only for a light with a colour. */
  readonly rgb?: Rgb;
  /** One of the light's own effects. */
  readonly effect?: string;
}

/** One thing that happened, for an event row. */
export interface EntityOccurrence {
  /** Counts up from 1 since the actor started; each is published once. */
  readonly sequence: number;
  /** One of the row's event types. */
  readonly type: string;
  /** Few and short. */
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

/** A picture that the panel serves: Home Assistant is given its URL, and fetches it only while a person looks. */
export interface Picture {
  /** Path and query of its URL, from the slash. */
  readonly path: string;
  /** Another number means another picture: Home Assistant is told to fetch again, though the URL is the same. */
  readonly sequence: number;
}

/** A way in which the panel's entities reach Home Assistant: over a broker, or by its own integration. */
export type EntitySurface = 'mqtt' | 'native';

interface RowBase<A extends ActorInterface> {
  /** Suffix of entity id and unique id (`light.<panel>_<key>`); never changes. */
  readonly key: string;
  /** Suffix of the entity id instead of the key; never changes. */
  readonly objectId?: string;
  /** Where it is offered; on both if absent. */
  readonly surfaces?: readonly EntitySurface[];
  /** Shown after the device's name. */
  readonly name: string;
  /** `mdi:` icon; absent if the device class has one. */
  readonly icon?: string;
  readonly category?: 'config' | 'diagnostic';
  readonly deviceClass?: string;
  readonly stateClass?: 'measurement' | 'total' | 'total_increasing';
  /** Unit of measurement in Home Assistant's spelling (`%`, `°C`, `dBm`). */
  readonly unit?: string;
  /** Registry id of the actor it reads and commands. */
  readonly actor: A['id'];
  /** Capability it needs: the row is omitted if the profile declares it absent. */
  readonly capability?: string;
  /** Settings key whose `ha_expose_<key>` shows or hides it; absent rows are always published. */
  readonly expose?: string;
  /**
   * True if this panel has such a thing at all; while false the row is omitted. Rows without it are always published.
   */
  readonly shown?: (snapshot: SnapshotView<A['context']>) => boolean;
  /**
   * True if a look at the machine found its hardware, whether or not it works. While false, the row is omitted where
   * the profile calls its capability optional; elsewhere it is published in any case.
   */
  readonly found?: (snapshot: SnapshotView<A['context']>) => boolean;
  /**
   * True if the actor of its capability looks for the hardware, instead of its own: until that found it, the row is
   * withheld, whatever the profile says.
   */
  readonly foundByCapability?: true;
  /** True if the value can be trusted now; false publishes the row as unavailable. */
  readonly available: (snapshot: SnapshotView<A['context']>) => boolean;
  /**
   * True if the retained state is cleared while it is unavailable, so that an old one is not taken as current (as
   * panel-assistant).
   */
  readonly clearedWhenUnavailable?: boolean;
  /** The last command to its actor, if that tells how commands end; null before the first. */
  readonly outcome?: (snapshot: SnapshotView<A['context']>) => CommandOutcome | null;
  /**
   * How a command that its actor took has ended, from the actor's facts just before it and now; null while that is not
   * known. A command to a row without it is over once its actor took it, or answered.
   */
  readonly ends?: (now: SnapshotView<A['context']>, before: SnapshotView<A['context']>) => CommandEnd | null;
}

/** Why a command from Home Assistant was not carried out. */
export interface CommandRefused {
  /** Stable code, words joined by hyphens. */
  readonly reason: string;
  /** One plain sentence for the owner; never repeats the command. */
  readonly message: string;
}

/** How a command ended; `refused` is null if it was carried out. */
export interface CommandEnd {
  readonly refused: CommandRefused | null;
}

/** The last command to an actor, from any origin, and how it ended. */
export interface CommandOutcome {
  /** `shown` if it was carried out, `refused` at once, `kept` or `dropped` if it has no end of its own. */
  readonly outcome: string;
  /** The code of a refusal. */
  readonly refusal: string | null;
  readonly message: string | null;
  /** Who sent it: `home-assistant`, `http`. */
  readonly origin: string;
  readonly at: EpochMs;
}

/** Every event that may be asked of an actor, without the request id. */
type QuestionOf<A extends ActorInterface> = {
  readonly [T in AskTypeOf<A>]: { readonly type: T } & AskEventOf<A, T>;
}[AskTypeOf<A>];

/** How a row passes a command to its actor: by `tell`, or by `ask` if the actor answers. */
export type RowCommand<A extends ActorInterface> =
  | { readonly do: 'tell'; readonly event: TellEventOf<A> }
  | {
      readonly do: 'ask';
      readonly event: QuestionOf<A>;
      /** Why the actor refused, from its answer; null on success. */
      readonly answered: (outcome: unknown) => CommandRefused | null;
    };

/** A command that sends `event` to the row's actor by `tell`: `telling<ScreenActor>({ type: 'screen.set', ... })`. */
export const telling = <A extends ActorInterface>(event: TellEventOf<A>): Result<RowCommand<A>, never> =>
  ok({ do: 'tell', event });

/**
 * A command that sends `event` to the row's actor by `ask`; `answered` maps the answer to a refusal, null on success.
 */
export const asking =
  <A extends ActorInterface>() =>
  <T extends AskTypeOf<A>>(
    event: { readonly type: T } & AskEventOf<A, T>,
    answered: (outcome: AnswerOf<A, T>) => CommandRefused | null,
  ): Result<RowCommand<A>, never> =>
    // The registry returns the answer that the actor's interface declares for this event.
    ok({ do: 'ask', event, answered: answered as (outcome: unknown) => CommandRefused | null });

/**
 * The operation (`machines/operations.ts`) that needs a person at the panel before a command is carried out: null for
 * none, its name, or a decision over the command and the actor as it is then.
 */
export type RowProtection<A extends ActorInterface, V> =
  | string
  | null
  | ((command: V, snapshot: SnapshotView<A['context']>) => string | null);

/**
 * Why the actor of a row, as it is now, cannot carry out a command, in its owner's words; null if it can. The same
 * decision as that of `POST /api/v1/action`.
 */
type RowObjection<C, V> = (snapshot: SnapshotView<C>, command: V) => CommandRefused | null;

/**
 * One entity of the catalogue; both ways to Home Assistant walk the same rows (ARCHITECTURE.md). `write` makes the
 * event for its actor; `origin` is who commands, as the actor notes it.
 */
export type EntityRow<A extends ActorInterface = ActorInterface, C = RowCommand<A>> =
  | (RowBase<A> & {
      readonly entityKind: 'light';
      /** What it supports until its hardware is known; a level without effects if absent. */
      readonly modes?: LightModes;
      /** What its hardware supports, null while unknown; rows without it always have `modes`. */
      readonly modesNow?: (snapshot: SnapshotView<A['context']>) => LightModes | null;
      readonly read: (snapshot: SnapshotView<A['context']>) => LightValue | null;
      readonly protects: RowProtection<A, LightCommand>;
      readonly objection?: RowObjection<A['context'], LightCommand>;
      readonly write: (command: LightCommand, origin: string) => Result<C>;
    })
  | (RowBase<A> & {
      readonly entityKind: 'number';
      /** Bounds and step in `unit`. */
      readonly range: { readonly min: number; readonly max: number; readonly step: number };
      readonly read: (snapshot: SnapshotView<A['context']>) => number | null;
      readonly protects: RowProtection<A, number>;
      readonly objection?: RowObjection<A['context'], number>;
      readonly write: (value: number, origin: string) => Result<C>;
    })
  | (RowBase<A> & {
      readonly entityKind: 'text';
      /** Longest text in characters, at most 255 (Home Assistant's own bound). */
      readonly maxLength: number;
      readonly read: (snapshot: SnapshotView<A['context']>) => string | null;
      readonly protects: RowProtection<A, string>;
      readonly objection?: RowObjection<A['context'], string>;
      readonly write: (value: string, origin: string) => Result<C>;
    })
  | (RowBase<A> & {
      readonly entityKind: 'switch';
      readonly read: (snapshot: SnapshotView<A['context']>) => boolean | null;
      readonly protects: RowProtection<A, boolean>;
      readonly objection?: RowObjection<A['context'], boolean>;
      readonly write: (on: boolean, origin: string) => Result<C>;
    })
  | (RowBase<A> & {
      readonly entityKind: 'select';
      readonly options: readonly string[];
      readonly read: (snapshot: SnapshotView<A['context']>) => string | null;
      readonly protects: RowProtection<A, string>;
      readonly objection?: RowObjection<A['context'], string>;
      readonly write: (option: string, origin: string) => Result<C>;
    })
  | (RowBase<A> & {
      readonly entityKind: 'button';
      readonly protects: RowProtection<A, null>;
      readonly objection?: RowObjection<A['context'], null>;
      readonly write: (origin: string) => Result<C>;
    })
  | (RowBase<A> & {
      readonly entityKind: 'sensor';
      /** Digits after the decimal point that Home Assistant shows. */
      readonly precision?: number;
      /** Every state, for a sensor of the class `enum`; any other is published as unknown. */
      readonly options?: readonly string[];
      readonly read: (snapshot: SnapshotView<A['context']>) => number | string | null;
      /** Extra facts beside the state, flat and bounded. */
      readonly attributes?: (
        snapshot: SnapshotView<A['context']>,
      ) => Readonly<Record<string, string | number | boolean | null>>;
    })
  | (RowBase<A> & {
      readonly entityKind: 'event';
      readonly eventTypes: readonly string[];
      /** The newest occurrences, oldest first; each is published only once. */
      readonly read: (snapshot: SnapshotView<A['context']>) => readonly EntityOccurrence[];
    })
  | (RowBase<A> & {
      readonly entityKind: 'binary_sensor';
      readonly read: (snapshot: SnapshotView<A['context']>) => boolean | null;
      /** As of a sensor. */
      readonly attributes?: (
        snapshot: SnapshotView<A['context']>,
      ) => Readonly<Record<string, string | number | boolean | null>>;
    })
  | (RowBase<A> & {
      readonly entityKind: 'image';
      readonly read: (snapshot: SnapshotView<A['context']>) => Picture | null;
      /** Never: Home Assistant logs an error for an empty URL. */
      readonly clearedWhenUnavailable?: never;
    });

/** A row for reading, whatever its commands are. */
export type AnyRow = EntityRow<ActorInterface, unknown>;

/** The kinds of Home Assistant entities in this catalogue; Home Assistant calls them platforms. */
export type EntityKind = AnyRow['entityKind'];

/** All of them, for what is read from a store or a connection. */
export const entityKinds = [
  'light',
  'number',
  'text',
  'switch',
  'select',
  'button',
  'sensor',
  'binary_sensor',
  'event',
  'image',
] as const satisfies readonly EntityKind[];

/** The rows of one actor as rows of the common catalogue; its interface `A` checks what they read and send. */
export const rowsOf = <A extends ActorInterface>(
  rows: readonly EntityRow<A>[],
): readonly EntityRow<ErasedActor<A>, RowCommand<A>>[] =>
  // A row is only ever given snapshots of the actor it names, whose context has the type that was checked here.
  rows as unknown as readonly EntityRow<ErasedActor<A>, RowCommand<A>>[];
