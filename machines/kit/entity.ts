import type { ActorInterface, ErasedActor } from './actor.ts';
import type { Result } from './result.ts';
import type { SnapshotView } from './snapshot.ts';

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

/** What the platform asks of a light: either part may be missing. */
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
export interface EntityHappening {
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
  /** Unit of measurement in the platform's spelling (`%`, `°C`, `dBm`). */
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
   * (behaviour-facts 9.4).
   */
  readonly clearedWhenUnavailable?: boolean;
}

/** One entity of the catalogue; both surfaces walk the same rows (design, section 4). */
export type EntityRow<A extends ActorInterface = ActorInterface> =
  | (RowBase<A> & {
      readonly platform: 'light';
      /** What it offers until its hardware is known; a level without effects when absent. */
      readonly modes?: LightModes;
      /** What its hardware offers, null while that is unknown; rows without it always offer `modes`. */
      readonly modesNow?: (snapshot: SnapshotView<A['context']>) => LightModes | null;
      readonly read: (snapshot: SnapshotView<A['context']>) => LightValue | null;
      readonly write: (command: LightCommand) => Result<A['event']>;
    })
  | (RowBase<A> & {
      readonly platform: 'number';
      /** Bounds and step in `unit`. */
      readonly range: { readonly min: number; readonly max: number; readonly step: number };
      readonly read: (snapshot: SnapshotView<A['context']>) => number | null;
      readonly write: (value: number) => Result<A['event']>;
    })
  | (RowBase<A> & {
      readonly platform: 'text';
      /** Longest text in characters, at most 255 (the platform's own bound). */
      readonly maxLength: number;
      readonly read: (snapshot: SnapshotView<A['context']>) => string | null;
      readonly write: (value: string) => Result<A['event']>;
    })
  | (RowBase<A> & {
      readonly platform: 'switch';
      readonly read: (snapshot: SnapshotView<A['context']>) => boolean | null;
      readonly write: (on: boolean) => Result<A['event']>;
    })
  | (RowBase<A> & {
      readonly platform: 'select';
      readonly options: readonly string[];
      readonly read: (snapshot: SnapshotView<A['context']>) => string | null;
      readonly write: (option: string) => Result<A['event']>;
    })
  | (RowBase<A> & { readonly platform: 'button'; readonly write: () => Result<A['event']> })
  | (RowBase<A> & {
      readonly platform: 'sensor';
      /** Digits after the decimal point that the platform shows. */
      readonly precision?: number;
      readonly read: (snapshot: SnapshotView<A['context']>) => number | string | null;
      /** Extra facts beside the state, flat and bounded. */
      readonly attributes?: (
        snapshot: SnapshotView<A['context']>,
      ) => Readonly<Record<string, string | number | boolean | null>>;
    })
  | (RowBase<A> & {
      readonly platform: 'event';
      readonly eventTypes: readonly string[];
      /** The newest happenings, oldest first; what was published before is not published again. */
      readonly read: (snapshot: SnapshotView<A['context']>) => readonly EntityHappening[];
    })
  | (RowBase<A> & {
      readonly platform: 'binary_sensor';
      readonly read: (snapshot: SnapshotView<A['context']>) => boolean | null;
    });

/** The platforms that rows of this catalogue use. */
export type EntityPlatform = EntityRow['platform'];

/**
 * The rows of one actor as rows of the catalogue, which is walked without knowing whose they are; the interface that is
 * named checks what they read and what they send.
 */
export const rowsOf = <A extends ActorInterface>(rows: readonly EntityRow<A>[]): readonly EntityRow<ErasedActor<A>>[] =>
  // A row is only ever given snapshots of the actor it names, whose context has the type that was checked here.
  rows as unknown as readonly EntityRow<ErasedActor<A>>[];
