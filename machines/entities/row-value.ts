import type { AnyRow, EntityOccurrence, LightValue, Picture } from '../kit/entity.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import { type RowShape, shapeOf } from './shape.ts';
import { type EntityValue, occurrencesOf, pictureOf, valueOf } from './value.ts';

/** Facts beside a state, flat. */
export type RowAttributes = Readonly<Record<string, string | number | boolean | null>>;

/** Everything that Home Assistant may learn of a row now, before any surface encodes it. */
export interface RowValue {
  /**
   * `read` from its actor. `absent`: its actor does not run, so nothing is known, not even that the value is unknown.
   * `cleared`: it is unavailable, and an older value must not be taken as current.
   */
  readonly basis: 'read' | 'absent' | 'cleared';
  readonly available: boolean;
  /** Within the row's limits; null if unknown, and for a row without a state (button, event, image). */
  readonly value: EntityValue;
  /** Null if the row has none. */
  readonly attributes: RowAttributes | null;
  /** Recent occurrences, oldest first; only event rows have them. Each is sent once and never repeated. */
  readonly occurrences?: readonly EntityOccurrence[];
  /** Only image rows have it; null for none. */
  readonly picture?: Picture | null;
}

const absent: RowValue = { basis: 'absent', available: false, value: null, attributes: null };
const absentAndCleared: RowValue = { ...absent, basis: 'cleared' };

const attributesOf = (row: AnyRow, snapshot: SnapshotView): RowAttributes | null =>
  'attributes' in row && row.attributes !== undefined ? row.attributes(snapshot) : null;

const newest = ({ occurrences }: Occurred<Pick<EntityOccurrence, 'sequence'>>): number =>
  occurrences?.at(-1)?.sequence ?? 0;

/** Reads `row` from the snapshot of its actor, which is undefined while that is absent. */
export function readRow(row: AnyRow, snapshot: SnapshotView | undefined, shape: RowShape = shapeOf(row)): RowValue {
  const isCleared = row.clearedWhenUnavailable === true;
  if (snapshot === undefined) return isCleared ? absentAndCleared : absent;
  const available = row.available(snapshot);
  const isRead = available || !isCleared;
  const occurrences = occurrencesOf(row, snapshot);
  const picture = pictureOf(row, snapshot);
  const read: RowValue = {
    basis: isRead ? 'read' : 'cleared',
    available,
    value: isRead ? valueOf(row, snapshot, shape) : null,
    attributes: attributesOf(row, snapshot),
  };
  // Few rows have these, and each change of an actor reads all of its rows.
  return occurrences === undefined && picture === undefined
    ? read
    : { ...read, ...(occurrences !== undefined && { occurrences }), ...(picture !== undefined && { picture }) };
}

const isLight = (value: EntityValue): value is LightValue => typeof value === 'object' && value !== null;

function sameLight(a: LightValue, b: LightValue): boolean {
  return (
    a.on === b.on &&
    a.brightness === b.brightness &&
    a.effect === b.effect &&
    a.rgb?.red === b.rgb?.red &&
    a.rgb?.green === b.rgb?.green &&
    a.rgb?.blue === b.rgb?.blue
  );
}

const sameValue = (a: EntityValue, b: EntityValue): boolean =>
  isLight(a) && isLight(b) ? sameLight(a, b) : Object.is(a, b);

function sameAttributes(a: RowAttributes | null, b: RowAttributes | null): boolean {
  if (a === null || b === null) return a === b;
  const mine = Object.keys(a);
  const theirs = Object.keys(b);
  return mine.length === theirs.length && mine.every((name, at) => name === theirs[at] && Object.is(a[name], b[name]));
}

/** True if both have the same picture, or none. */
export const samePicture = (a: Pick<RowValue, 'picture'>, b: Pick<RowValue, 'picture'>): boolean =>
  a.picture?.path === b.picture?.path && a.picture?.sequence === b.picture?.sequence;

/** True if Home Assistant would learn the same from both. */
export const sameRowValue = (a: RowValue, b: RowValue): boolean =>
  a.basis === b.basis &&
  a.available === b.available &&
  sameValue(a.value, b.value) &&
  sameAttributes(a.attributes, b.attributes) &&
  newest(a) === newest(b) &&
  samePicture(a, b) &&
  (a.occurrences === undefined) === (b.occurrences === undefined);

interface Occurred<O extends Pick<EntityOccurrence, 'sequence'>> {
  readonly occurrences?: readonly O[];
}

/**
 * The occurrences since `before`. The first value of a row brings none, since all of them happened earlier.
 */
export function occurredSince<O extends Pick<EntityOccurrence, 'sequence'>>(
  before: Occurred<O> | undefined,
  after: Occurred<O>,
): readonly O[] {
  if (before?.occurrences === undefined || after.occurrences === undefined) return [];
  // An actor that restarted counts from 1 again.
  const last = newest(after) < newest(before) ? 0 : newest(before);
  return after.occurrences.filter(({ sequence }) => sequence > last);
}
