import type { ActorInterface, AnswerOf, AskEventOf, AskTypeOf, ErasedActor, TellEventOf } from './actor.ts';
import { ok, type Result } from './result.ts';
import type { SnapshotView } from './snapshot.ts';

/** Longest state of an entity in Home Assistant, in characters; it refuses a longer one. */
export const STATE_LENGTH = 255;

/** A colour, each part 0 to 255. */
export interface Rgb {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

/** What a light offers: `switch` knows on and off alone, `level` 0 to 255, `rgb` a colour and a level. */
export interface LightModes {
  readonly colour: 'switch' | 'level' | 'rgb';
  /** Names of the effects that can be asked for; empty for a light without effects. */
  readonly effects: readonly string[];
}

/** State of a light row; `brightness` is 0 to 255, null where the level is unknown. */
export interface LightValue {
  readonly on: boolean;
  readonly brightness: number | null;
  /** Of a light with a colour alone. */
  readonly rgb?: Rgb | null;
  /** The effect that runs, of a light with effects alone. */
  readonly effect?: string | null;
}

/** What Home Assistant asks of a light: any part may be missing. */
export interface LightCommand {
  readonly on?: boolean;
  /** 0 to 255; 0 means off (contract: "brightness integer 0 to 255"). */
  readonly brightness?: number;
  /** Asked of a light with a colour alone. */
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
  /** Flat and short. */
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

interface RowBase<A extends ActorInterface> {
  /** Suffix of entity id and unique id, for ever (`light.<panel>_<key>`). */
  readonly key: string;
  /** Name shown beside the device's name. */
  readonly name: string;
  /** `mdi:` icon; absent where the device class brings one. */
  readonly icon?: string;
  readonly category?: 'config' | 'diagnostic';
  readonly deviceClass?: string;
  readonly stateClass?: 'measurement' | 'total' | 'total_increasing';
  /** Unit of measurement in Home Assistant's spelling (`%`, `°C`, `dBm`). */
  readonly unit?: string;
  /** Registry id of the actor it reads and commands. */
  readonly actor: A['id'];
  /** Capability it needs: the row is left out where the profile declares it absent. */
  readonly capability?: string;
  /** Settings key whose `ha_expose_<key>` shows or hides it; absent rows are always published. */
  readonly expose?: string;
  /**
   * Whether there is such a thing on this panel at all; rows without it are always there. While false the row is left
   * out.
   */
  readonly shown?: (snapshot: SnapshotView<A['context']>) => boolean;
  /** Whether the value can be trusted now; false publishes the row as unavailable. */
  readonly available: (snapshot: SnapshotView<A['context']>) => boolean;
  /**
   * Whether the retained state is taken back while it is unavailable, so that nobody reads an old one as true
   * (as panel-assistant).
   */
  readonly clearedWhenUnavailable?: boolean;
}

/** Every question that may be put to an actor, without the id of its request. */
type QuestionOf<A extends ActorInterface> = {
  readonly [T in AskTypeOf<A>]: { readonly type: T } & AskEventOf<A, T>;
}[AskTypeOf<A>];

/** How a row has a command carried out by its actor: told where nothing is answered, asked where it is. */
export type RowCommand<A extends ActorInterface> =
  | { readonly do: 'tell'; readonly event: TellEventOf<A> }
  | {
      readonly do: 'ask';
      readonly event: QuestionOf<A>;
      /** Why the actor did not do it, by its answer: a stable code; null when it did. */
      readonly answered: (outcome: unknown) => string | null;
    };

/** The command that tells `event` to the row's actor: `telling<ScreenActor>({ type: 'screen.set', ... })`. */
export const telling = <A extends ActorInterface>(event: TellEventOf<A>): Result<RowCommand<A>, never> =>
  ok({ do: 'tell', event });

/**
 * The command that asks `event` of the row's actor; `answered` says by its answer why it was not done, null if it was.
 */
export const asking =
  <A extends ActorInterface>() =>
  <T extends AskTypeOf<A>>(
    event: { readonly type: T } & AskEventOf<A, T>,
    answered: (outcome: AnswerOf<A, T>) => string | null,
  ): Result<RowCommand<A>, never> =>
    // The registry answers an event with the outcome that the actor's interface names for it.
    ok({ do: 'ask', event, answered: answered as (outcome: unknown) => string | null });

/** One entity of the catalogue; both ways to Home Assistant walk the same rows (ARCHITECTURE.md). */
export type EntityRow<A extends ActorInterface = ActorInterface, C = RowCommand<A>> =
  | (RowBase<A> & {
      readonly entityKind: 'light';
      /** What it offers until its hardware is known; a level without effects when absent. */
      readonly modes?: LightModes;
      /** What its hardware offers, null while that is unknown; rows without it always offer `modes`. */
      readonly modesNow?: (snapshot: SnapshotView<A['context']>) => LightModes | null;
      readonly read: (snapshot: SnapshotView<A['context']>) => LightValue | null;
      readonly write: (command: LightCommand) => Result<C>;
    })
  | (RowBase<A> & {
      readonly entityKind: 'number';
      /** Bounds and step in `unit`. */
      readonly range: { readonly min: number; readonly max: number; readonly step: number };
      readonly read: (snapshot: SnapshotView<A['context']>) => number | null;
      readonly write: (value: number) => Result<C>;
    })
  | (RowBase<A> & {
      readonly entityKind: 'text';
      /** Longest text in characters, at most 255 (Home Assistant's own bound). */
      readonly maxLength: number;
      readonly read: (snapshot: SnapshotView<A['context']>) => string | null;
      readonly write: (value: string) => Result<C>;
    })
  | (RowBase<A> & {
      readonly entityKind: 'switch';
      readonly read: (snapshot: SnapshotView<A['context']>) => boolean | null;
      readonly write: (on: boolean) => Result<C>;
    })
  | (RowBase<A> & {
      readonly entityKind: 'select';
      readonly options: readonly string[];
      readonly read: (snapshot: SnapshotView<A['context']>) => string | null;
      readonly write: (option: string) => Result<C>;
    })
  | (RowBase<A> & { readonly entityKind: 'button'; readonly write: () => Result<C> })
  | (RowBase<A> & {
      readonly entityKind: 'sensor';
      /** Digits after the decimal point that Home Assistant shows. */
      readonly precision?: number;
      readonly read: (snapshot: SnapshotView<A['context']>) => number | string | null;
      /** Extra facts beside the state, flat and bounded. */
      readonly attributes?: (
        snapshot: SnapshotView<A['context']>,
      ) => Readonly<Record<string, string | number | boolean | null>>;
    })
  | (RowBase<A> & {
      readonly entityKind: 'event';
      readonly eventTypes: readonly string[];
      /** The newest history events, oldest first; what was published before is not published again. */
      readonly read: (snapshot: SnapshotView<A['context']>) => readonly EntityOccurrence[];
    })
  | (RowBase<A> & {
      readonly entityKind: 'binary_sensor';
      readonly read: (snapshot: SnapshotView<A['context']>) => boolean | null;
    });

/** A row as it is read, whoever carries out its commands. */
export type AnyRow = EntityRow<ActorInterface, unknown>;

/** The kinds of entities in Home Assistant that rows of this catalogue use; its word for them is platform. */
export type EntityKind = AnyRow['entityKind'];

/**
 * The rows of one actor as rows of the catalogue, which is walked without knowing whose they are; the interface that is
 * named checks what they read and what they send.
 */
export const rowsOf = <A extends ActorInterface>(
  rows: readonly EntityRow<A>[],
): readonly EntityRow<ErasedActor<A>, RowCommand<A>>[] =>
  // A row is only ever given snapshots of the actor it names, whose context has the type that was checked here.
  rows as unknown as readonly EntityRow<ErasedActor<A>, RowCommand<A>>[];
