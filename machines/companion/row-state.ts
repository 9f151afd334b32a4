import type { RowShape } from '../entities/shape.ts';
import { type EntityValue, occurrencesOf, pictureOf, valueOf } from '../entities/value.ts';
import type { AnyRow, EntityOccurrence, LightValue, Picture } from '../kit/entity.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import type { ClientMessage, PanelMessage } from './messages.ts';

type State = Extract<PanelMessage, { readonly type: 'state' }>;
type Attributes = NonNullable<State['attributes']>;
type Occurred = Extract<PanelMessage, { readonly type: 'event' }>;

/** Largest attributes of one row as JSON, in characters; larger ones are left out (as over MQTT). */
const ATTRIBUTES_LENGTH = 8192;

/** The current value of a row, as sessions get it. */
export interface RowState {
  readonly available: boolean;
  readonly value: State['v'];
  readonly attributes: Attributes | null;
  /** Of an event row: its newest occurrences, oldest first; each is sent once. */
  readonly occurrences: readonly EntityOccurrence[] | null;
}

/** The value of a row whose actor is absent. */
const absentState: RowState = { available: false, value: null, attributes: null, occurrences: null };

const lightState = ({ on, brightness, rgb, effect }: LightValue): State['v'] => ({
  on,
  brightness,
  rgb: rgb == null ? null : [rgb.red, rgb.green, rgb.blue],
  effect: effect ?? null,
});

const pictureState = (picture: Picture | null): State['v'] =>
  picture === null ? null : { path: picture.path, n: picture.sequence };

const valueState = (value: EntityValue): State['v'] =>
  typeof value === 'object' && value !== null ? lightState(value) : value;

function attributesOf(row: AnyRow, snapshot: SnapshotView): Attributes | null {
  if (!('attributes' in row) || row.attributes === undefined) return null;
  const attributes = row.attributes(snapshot);
  return JSON.stringify(attributes).length > ATTRIBUTES_LENGTH ? {} : { ...attributes };
}

/** The state of `row` from `snapshot`, which is undefined for an absent actor. */
export function rowStateOf(row: AnyRow, snapshot: SnapshotView | undefined, shape: RowShape): RowState {
  if (snapshot === undefined) return absentState;
  const available = row.available(snapshot);
  const picture = pictureOf(row, snapshot);
  const isCleared = row.clearedWhenUnavailable === true && !available;
  const value = picture === undefined ? valueState(valueOf(row, snapshot, shape)) : pictureState(picture);
  return {
    available,
    value: isCleared ? null : value,
    attributes: attributesOf(row, snapshot),
    occurrences: occurrencesOf(row, snapshot) ?? null,
  };
}

const text = (state: Omit<RowState, 'occurrences'>): string =>
  JSON.stringify([state.available, state.value, state.attributes]);

const newest = ({ occurrences }: RowState): number => occurrences?.at(-1)?.sequence ?? 0;

/** True if sessions would get the same state message for both. */
export const sameState = (a: RowState, b: RowState): boolean => text(a) === text(b);

/** True if sessions would get nothing new of it. */
export const sameRow = (a: RowState, b: RowState): boolean =>
  newest(a) === newest(b) && (a.occurrences === null) === (b.occurrences === null) && sameState(a, b);

/** The message with the state of a row. */
export const stateMessage = (key: string, { available, value, attributes }: RowState): State => ({
  type: 'state',
  k: key,
  available,
  v: value,
  ...(attributes !== null && { attributes }),
});

/** What occurred since `before`; the first value of a row brings none, since all of them happened earlier. */
export function occurredSince(before: RowState | undefined, after: RowState): readonly EntityOccurrence[] {
  if (before == null || before.occurrences === null || after.occurrences === null) return [];
  // An actor that restarted counts from 1 again.
  const last = newest(after) < newest(before) ? 0 : newest(before);
  return after.occurrences.filter(({ sequence }) => sequence > last);
}

/** The message for one occurrence; `n` counts up in the life of the bridge, whatever the actor counts. */
export const eventMessage = (key: string, n: number, { type, attributes }: EntityOccurrence): Occurred => ({
  type: 'event',
  k: key,
  n,
  event: type,
  data: { ...attributes },
});

/** The value of a `set`. */
export type SetValue = Extract<ClientMessage, { readonly type: 'set' }>['v'];
