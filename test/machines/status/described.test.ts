import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { historyEntryStatus } from '#machines/history/status.ts';
import { StatusDocument } from '#machines/status.ts';
import { EventFrame, Machines } from '#machines/status/inspection.ts';

interface Shape {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly additionalProperties?: Shape | boolean;
  readonly anyOf?: readonly Shape[];
  readonly $defs?: Readonly<Record<string, Shape>>;
}

/** Every field below a shape with where it stands; what is referred to is walked where it is defined. */
const fieldsIn = (shape: Shape, place: string): readonly (readonly [string, Shape])[] => [
  ...Object.entries(shape.properties ?? {}).flatMap(([name, field]) => [
    [`${place}.${name}`, field] as const,
    ...fieldsIn(field, `${place}.${name}`),
  ]),
  ...(shape.items === undefined ? [] : fieldsIn(shape.items, `${place}[]`)),
  ...(typeof shape.additionalProperties === 'object' ? fieldsIn(shape.additionalProperties, `${place}{}`) : []),
  ...(shape.anyOf ?? []).flatMap((one) => fieldsIn(one, place)),
  ...Object.entries(shape.$defs ?? {}).flatMap(([name, one]) => fieldsIn(one, name)),
];

const fieldsOf = (name: string, schema: z.ZodType): readonly (readonly [string, Shape])[] =>
  // What the library writes is JSON Schema, of which the shape above names the parts that are read.
  fieldsIn(z.toJSONSchema(schema) as Shape, name);

const said = ({ description, $ref, anyOf = [] }: Shape): boolean =>
  description !== undefined || $ref !== undefined || anyOf.some(said);

const documents: readonly (readonly [string, readonly (readonly [string, Shape])[]])[] = [
  ['Status', fieldsOf('Status', StatusDocument())],
  ['Machines', fieldsOf('Machines', Machines())],
  ['EventFrame', fieldsOf('EventFrame', EventFrame())],
  ['HistoryEntry', fieldsOf('HistoryEntry', historyEntryStatus(['screen']))],
];

describe.each(documents)('every field of %s', (_, fields) => {
  it('is described', () => {
    expect(fields.length).toBeGreaterThan(3);
    expect(fields.filter(([, field]) => !said(field)).map(([place]) => place)).toEqual([]);
  });

  it('that is a moment has its unit', () => {
    const moments = fields.filter(([place, { type }]) => /(_at|\.at|since|_until)$/.test(place) && type !== 'object');
    const bare = moments.filter(
      ([, { description }]) => !/Unix epoch/.test(description ?? '') && description !== undefined,
    );
    expect(bare.map(([place]) => place)).toEqual([]);
  });

  it('that counts is a whole number', () => {
    const fractions = fields.filter(([, { type }]) => [type].flat().includes('number')).map(([place]) => place);
    expect(fractions.filter((place) => !/(percent|_fps|theme_ambient_level|took_ms)$/.test(place))).toEqual([]);
  });
});

it('descriptions are short', () => {
  const lengths = documents.flatMap(([, fields]) => fields.flatMap(([, { description = '' }]) => [description.length]));
  expect(lengths.reduce((sum, length) => sum + length, 0) / lengths.length).toBeLessThan(80);
});
