import { z } from 'zod';

import type { EpochMs } from '../kit/units.ts';
import { StatusDocument } from '../status.ts';

/** A top-level member of the status document whose changes viewers receive. */
export type Section = Exclude<keyof StatusDocument, 'taken_at'>;

/** A change of the status document, as the event `change` of the live stream carries it. */
export interface StatusChange {
  /** One more than in the previous event on the same connection; any other number means that one was missed. */
  readonly revision: number;
  readonly taken_at: EpochMs;
  /** The sections that differ, complete, as they were at `taken_at`; null for one that is absent. */
  readonly sections: { readonly [S in Section]?: StatusDocument[S] | null };
}

/** Marks which fields of a value age, that is, count up with time. */
export interface Marks {
  /** True if the value itself ages. */
  readonly ageing: boolean;
  readonly fields: ReadonlyMap<string, Marks>;
  /** The marks of each item of an array, or of each value of a record; null for anything else. */
  readonly each: Marks | null;
}

const isMarked = (schema: z.core.$ZodType): boolean => z.globalRegistry.get(schema)?.['x-ageing'] === true;

/** Reads the marks of a schema and of everything in it; a recursive schema is read once. */
export function marksOf(schema: z.core.$ZodType, known = new Map<z.core.$ZodType, Marks>()): Marks {
  let bare = schema;
  let ageing = isMarked(bare);
  while (bare instanceof z.ZodNullable || bare instanceof z.ZodOptional) {
    bare = bare.unwrap();
    ageing ||= isMarked(bare);
  }
  const before = known.get(bare);
  if (before !== undefined) return before;
  const fields = new Map<string, Marks>();
  let each: Marks | null = null;
  const marks: Marks = {
    ageing,
    fields,
    get each() {
      return each;
    },
  };
  known.set(bare, marks);
  if (bare instanceof z.ZodObject) {
    const shape: Readonly<Record<string, z.core.$ZodType>> = bare.shape;
    for (const [name, field] of Object.entries(shape)) fields.set(name, marksOf(field, known));
  }
  if (bare instanceof z.ZodArray) each = marksOf(bare.element, known);
  if (bare instanceof z.ZodRecord) each = marksOf(bare.def.valueType, known);
  return marks;
}

/** True for a measured age: unmeasured ones are null or -1. */
const isMeasured = (age: unknown): boolean => typeof age === 'number' && age >= 0;

/** True if two values are equal apart from ageing fields. */
export function saysTheSame(marks: Marks | undefined, a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (marks?.ageing === true) return isMeasured(a) && isMeasured(b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const left = Object.entries(a);
  const right = new Map<string, unknown>(Object.entries(b));
  return (
    Array.isArray(a) === Array.isArray(b) &&
    left.length === right.size &&
    left.every(
      ([key, value]) =>
        right.has(key) && saysTheSame(marks?.fields.get(key) ?? marks?.each ?? undefined, value, right.get(key)),
    )
  );
}

export const statusMarks = (): Marks => marksOf(StatusDocument());
