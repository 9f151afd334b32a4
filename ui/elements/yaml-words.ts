import type { OutlineNode, Spot } from './yaml-outline.ts';

/** A JSON Schema as far as an editor reads it. */
export interface SchemaNode {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

/** One word that fits at the cursor. */
export interface Word {
  readonly word: string;
  /** What is written after it: a value, a list or a map comes. */
  readonly follows: 'scalar' | 'list' | 'map' | 'nothing';
  readonly required: boolean;
  /** What it is for; empty where nothing is known. */
  readonly about: string;
}

const branchesOf = (node: SchemaNode): readonly SchemaNode[] => node.oneOf ?? node.anyOf ?? [node];

/** Of several shapes those whose fixed values agree with the values that are written; all of them where none does. */
function shapesFor(node: SchemaNode, written: OutlineNode | null): readonly SchemaNode[] {
  const branches = branchesOf(node);
  const fits = branches.filter(({ properties = {} }) =>
    Object.entries(properties).some(
      ([key, { const: fixed }]) =>
        fixed !== undefined && written?.children.some((child) => child.key === key && child.value === fixed),
    ),
  );
  return fits.length > 0 ? fits : branches;
}

/** What the schema allows at a node of the outline. */
function schemasAt(root: SchemaNode, node: OutlineNode): readonly SchemaNode[] {
  const { parent, key } = node;
  if (parent === null) return shapesFor(root, node);
  const steps = schemasAt(root, parent).flatMap((schema) => {
    const next = typeof key === 'number' ? schema.items : schema.properties?.[key];
    return next === undefined ? [] : [next];
  });
  return steps.flatMap((schema) => shapesFor(schema, node));
}

function followsOf(node: SchemaNode): Word['follows'] {
  const [first = node] = branchesOf(node);
  if (first.type === 'array') return 'list';
  return first.type === 'object' ? 'map' : 'scalar';
}

const once = (words: readonly Word[]): readonly Word[] =>
  words.filter((one, index) => words.findIndex((other) => other.word === one.word) === index);

const keysOf = (schemas: readonly SchemaNode[], written: readonly (string | number)[]): readonly Word[] =>
  schemas.flatMap((schema) =>
    Object.entries(schema.properties ?? {}).flatMap(([word, property]) =>
      written.includes(word)
        ? []
        : [
            {
              word,
              follows: followsOf(property),
              required: schema.required?.includes(word) === true,
              about: property.description ?? '',
            },
          ],
    ),
  );

const plainWord = (value: unknown, about = ''): Word => ({
  word: String(value),
  follows: 'nothing',
  required: false,
  about,
});

function valuesOf(schema: SchemaNode): readonly Word[] {
  if (schema.const !== undefined) return [plainWord(schema.const, schema.description)];
  if (schema.enum !== undefined) return schema.enum.map((value) => plainWord(value));
  return schema.type === 'boolean' ? [plainWord(true), plainWord(false)] : [];
}

/** Names of drivers anywhere in the schema: they are fixed values of a key `driver`. */
const driversIn = (schema: SchemaNode): readonly Word[] => [
  ...Object.entries(schema.properties ?? {}).flatMap(([key, property]) =>
    key === 'driver' ? valuesOf(property) : driversIn(property),
  ),
  ...(schema.items === undefined ? [] : driversIn(schema.items)),
  ...[...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].flatMap(driversIn),
];

const isDriverList = (node: OutlineNode): boolean => node.key === 'drivers' && node.parent?.key === 'requires';

/**
 * The words that the schema has for a spot, required ones first; values of a list's items where the list is being
 * written.
 */
export function wordsAt(schema: SchemaNode, { kind, node }: Spot): readonly Word[] {
  const schemas = schemasAt(schema, node);
  // An item of a list is a map or one word; both are written at the same place.
  const list = isDriverList(node) || (node.parent !== null && isDriverList(node.parent)) ? driversIn(schema) : [];
  const values = kind === 'value' || typeof node.key === 'number' ? [...list, ...schemas.flatMap(valuesOf)] : [];
  const written = node.children.map((child) => child.key);
  const keys = kind === 'key' ? keysOf(schemas, written) : [];
  return once([...values, ...keys.filter((word) => word.required), ...keys.filter((word) => !word.required)]);
}
