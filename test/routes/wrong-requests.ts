import { z } from 'zod';

type Schema = z.core.$ZodType;
type Fields = Readonly<Record<string, unknown>>;

/** One request that a schema must refuse, and where it is wrong. */
export interface WrongRequest {
  readonly kind: 'wrong' | 'missing' | 'extra';
  /** The field as a refusal names it: `ref.id`. */
  readonly place: string;
  readonly fields: Fields;
}

/** What a request is made from besides its own schema. */
interface Within {
  readonly example?: unknown;
  /** What takes the request too: the schema of the body for one of its forms. */
  readonly within?: Schema;
}

/** A name that no schema knows. */
const stranger = 'no_such_field';

/** What is tried in the place of each value; what its own schema takes is left out. */
const strangeValues: readonly unknown[] = [
  '',
  '12',
  'no such value',
  -77.25,
  1e9,
  true,
  null,
  [],
  [stranger],
  { [stranger]: 1 },
];

/** What is tried as the text of each value in a form or a query. */
const strangeTexts = ['', ' ', 'no such value', '-77.25', '1e3', '0x10', '1000000000', '2'] as const;

/** Texts of which one has the form that a schema of text asks for. */
const plainTexts = [
  'x',
  'light.hall',
  'sensor.hall',
  'a'.repeat(16),
  'a'.repeat(32),
  'a'.repeat(64),
  '#ff7800',
  '0123abcd-1',
] as const;

const takes = (schema: Schema, value: unknown): boolean => z.safeParse(schema, value).success;

function bare(schema: Schema): Schema {
  if (schema instanceof z.ZodPipe) return bare(schema.in);
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
    ? bare(schema.unwrap())
    : schema;
}

/** The objects that a request may be: one for each alternative of a union. */
export function alternativesOf(schema: Schema): readonly z.ZodObject[] {
  const inner = bare(schema);
  if (inner instanceof z.ZodObject) return [inner];
  if (inner instanceof z.ZodUnion) return inner.options.flatMap((option: Schema) => alternativesOf(option));
  throw new Error(`a request is an object, not ${inner._zod.def.type}`);
}

/** The fields of an object with the schema of each. */
export const fieldsOf = (object: z.ZodObject): readonly (readonly [string, Schema])[] =>
  Object.entries<Schema>(object.shape);

/** Whether a schema says that what it does not know is taken. */
export const isLoose = (object: z.ZodObject): boolean => object.def.catchall instanceof z.ZodUnknown;

function firstTaken(schema: Schema, values: readonly unknown[]): unknown {
  const found = values.find((value) => takes(schema, value));
  if (found === undefined) throw new Error(`no value was found for a field of the type ${schema._zod.def.type}`);
  return found;
}

/** A value that a schema takes. */
function valueOf(schema: Schema): unknown {
  const inner = bare(schema);
  if (inner instanceof z.ZodLiteral) return [...inner.values][0];
  if (inner instanceof z.ZodEnum) return inner.options[0];
  if (inner instanceof z.ZodBoolean) return true;
  if (inner instanceof z.ZodString) return firstTaken(inner, plainTexts);
  if (inner instanceof z.ZodNumber) return firstTaken(inner, [inner.maxValue, inner.minValue, 1]);
  if (inner instanceof z.ZodUnion) return valueOf(inner.options[0] ?? inner);
  if (inner instanceof z.ZodObject) return requiredOf(inner);
  if (inner instanceof z.ZodRecord) return {};
  if (inner instanceof z.ZodArray) {
    const one = valueOf(inner.element);
    return firstTaken(
      inner,
      [0, 1, 2, 3, 4].map((length) => Array.from({ length }, () => one)),
    );
  }
  throw new Error(`no value is known for a field of the type ${inner._zod.def.type}`);
}

const isRequired = (schema: Schema): boolean => !takes(schema, undefined);

const requiredOf = (object: z.ZodObject): Fields =>
  Object.fromEntries(
    fieldsOf(object).flatMap(([name, schema]) => (isRequired(schema) ? [[name, valueOf(schema)]] : [])),
  );

/** Objects with every required field and each choice of the others, the smallest first. */
function choicesOf(object: z.ZodObject): readonly Fields[] {
  const optional = fieldsOf(object).filter(([, schema]) => !isRequired(schema));
  return optional
    .reduce<readonly Fields[]>(
      (choices, [name, schema]) => [...choices, ...choices.map((one) => ({ ...one, [name]: valueOf(schema) }))],
      [requiredOf(object)],
    )
    .toSorted((one, other) => Object.keys(one).length - Object.keys(other).length);
}

/** What an object takes with this field in it: the example where it has it, otherwise as little as possible. */
function basis(object: z.ZodObject, { example, within = object }: Within, name?: string): Fields {
  const examples: readonly Fields[] = typeof example === 'object' && example !== null ? [{ ...example }] : [];
  const found = [...examples, ...choicesOf(object)].find(
    (fields) => (name === undefined || name in fields) && takes(object, fields) && takes(within, fields),
  );
  if (found === undefined) throw new Error(`nothing was found that has the field ${name ?? stranger} and is taken`);
  return found;
}

const without = (fields: Fields, name: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([one]) => one !== name));

/** Every way in which an object can be wrong in one place, nested ones too; `wrap` puts it where it belongs. */
const wrongOf = (
  object: z.ZodObject,
  more: Within,
  prefix = '',
  wrap: (fields: Fields) => Fields = (fields) => fields,
): readonly WrongRequest[] => [
  ...(isLoose(object)
    ? []
    : [
        {
          kind: 'extra' as const,
          place: prefix + stranger,
          fields: wrap({ ...basis(object, more), [stranger]: 1 }),
        },
      ]),
  ...fieldsOf(object).flatMap(([name, schema]): readonly WrongRequest[] => {
    const whole = basis(object, more, name);
    const place = prefix + name;
    const nested = bare(schema);
    return [
      ...strangeValues
        .filter((value) => !takes(schema, value))
        .map((value) => ({ kind: 'wrong' as const, place, fields: wrap({ ...whole, [name]: value }) })),
      ...(isRequired(schema) ? [{ kind: 'missing' as const, place, fields: wrap(without(whole, name)) }] : []),
      ...(nested instanceof z.ZodObject
        ? wrongOf(nested, { example: whole[name] }, `${place}.`, (inner) => wrap({ ...whole, [name]: inner }))
        : []),
    ];
  }),
];

/** Every way in which a JSON body can be wrong in one place, for each of its alternatives. */
export const wrongBodies = (schema: Schema, more: Within): readonly WrongRequest[] =>
  alternativesOf(schema).flatMap((object) => wrongOf(object, more));

const isScalar = (value: unknown): boolean => typeof value !== 'object';
const texts = (fields: Fields): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));

/** Whether a text stands for a value that the schema takes, in any spelling. */
function standsFor(schema: Schema, text: string): boolean {
  const inner = bare(schema);
  const [literal] = inner instanceof z.ZodLiteral ? [...inner.values] : [];
  if (inner instanceof z.ZodNumber || typeof literal === 'number')
    return /^[+-]?\d+(\.\d+)?$/.test(text) && takes(schema, Number(text));
  if (inner instanceof z.ZodBoolean || typeof literal === 'boolean') return false;
  return takes(schema, text);
}

/** The same for text: a form, whose alternatives say their fields as text, or a query. */
export const wrongTexts = (schema: Schema, more: Within): readonly WrongRequest[] =>
  alternativesOf(schema).flatMap((object): readonly WrongRequest[] => {
    const sayable = fieldsOf(object).filter(([, field]) => isScalar(valueOf(field)));
    return [
      ...(isLoose(object)
        ? []
        : [{ kind: 'extra' as const, place: stranger, fields: { ...texts(basis(object, more)), [stranger]: '1' } }]),
      ...sayable.flatMap(([name, field]): readonly WrongRequest[] => {
        const whole = texts(basis(object, more, name));
        return [
          ...strangeTexts
            .filter((text) => !standsFor(field, text))
            .map((text) => ({ kind: 'wrong' as const, place: name, fields: { ...whole, [name]: text } })),
          ...(isRequired(field) ? [{ kind: 'missing' as const, place: name, fields: without(whole, name) }] : []),
        ];
      }),
    ];
  });

/** Forms that say each yes or no in every spelling that is taken. */
export const spelledForms = (
  schema: Schema,
  more: Within,
): readonly { readonly name: string; readonly value: boolean; readonly fields: Fields }[] =>
  alternativesOf(schema).flatMap((object) =>
    fieldsOf(object).flatMap(([name, field]) =>
      [
        ...['1', 'on', 'yes', 'true', 'TRUE'].map((text) => ({ text, value: true })),
        ...['0', 'off', 'no', 'false'].map((text) => ({ text, value: false })),
      ]
        .map(({ text, value }) => ({
          name,
          value,
          whole: { ...basis(object, more, name), [name]: value },
          text,
        }))
        // Left out is what a rule over several fields refuses, and where the field is no yes or no at all.
        .filter(({ whole }) => takes(field, whole[name]) && takes(more.within ?? object, whole))
        .map(({ value, whole, text }) => ({ name, value, fields: { ...texts(whole), [name]: text } })),
    ),
  );
