import { z } from 'zod';
import { spelledBoolean, spelledNumber } from '#machines/kit/spelled.ts';

/** A whole or decimal number as sent by a form or a query; anything else stays text, for the schema to refuse. */
const formNumber = (raw: string): number | string => spelledNumber(raw) ?? raw;

/** A boolean in a spelling that settings accept; anything else, such as "", stays text, for the schema to refuse. */
const formBoolean = (raw: string): boolean | string => spelledBoolean(raw) ?? raw;

/** The schema inside a wrapper that only makes a field optional, nullable or default. */
function bare(schema: z.core.$ZodType): z.core.$ZodType {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodReadonly
  )
    return bare(schema.unwrap());
  return schema instanceof z.ZodPipe ? bare(schema.in) : schema;
}

/** The decoder for the value of one field of a form; null if it is text. */
function codecOf(field: z.core.$ZodType): ((raw: string) => unknown) | null {
  const schema = bare(field);
  if (schema instanceof z.ZodNumber) return formNumber;
  if (schema instanceof z.ZodBoolean) return formBoolean;
  if (!(schema instanceof z.ZodLiteral)) return null;
  const [value] = schema.values;
  if (typeof value === 'boolean') return formBoolean;
  return typeof value === 'number' ? formNumber : null;
}

/** The fields that a schema has at the top level; for a union, those of each alternative. */
export function fieldsOf(schema: z.core.$ZodType): readonly (readonly [string, z.core.$ZodType])[] {
  const inner = bare(schema);
  if (inner instanceof z.ZodObject) return Object.entries<z.core.$ZodType>(inner.shape);
  return inner instanceof z.ZodUnion ? inner.options.flatMap((option: z.core.$ZodType) => fieldsOf(option)) : [];
}

/**
 * Turns the text values of a form, a query or a path into the types of the schema's fields. A field of the same name
 * has the same type in each alternative of a union.
 */
export function decodeFields(
  schema: z.core.$ZodType,
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const codecs = new Map(fieldsOf(schema).map(([name, field]) => [name, codecOf(field)]));
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? (codecs.get(name)?.(value) ?? value) : value,
    ]),
  );
}
