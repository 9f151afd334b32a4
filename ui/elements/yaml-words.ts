import type { OutlineNode, Spot } from './yaml-outline.ts';

/** The parts of a JSON Schema that the editor reads. */
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
  /** What follows it: a value, a list or a map. */
  readonly follows: 'scalar' | 'list' | 'map' | 'nothing';
  readonly required: boolean;
  /** Its description; may be empty. */
  readonly about: string;
}

const branchesOf = (node: SchemaNode): readonly SchemaNode[] => node.oneOf ?? node.anyOf ?? [node];

/** The alternatives whose fixed values match the values written; all of them if none match. */
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

/** Driver names anywhere in the schema: the fixed values of the key `driver`. */
const driversIn = (schema: SchemaNode): readonly Word[] => [
  ...Object.entries(schema.properties ?? {}).flatMap(([key, property]) =>
    key === 'driver' ? valuesOf(property) : driversIn(property),
  ),
  ...(schema.items === undefined ? [] : driversIn(schema.items)),
  ...[...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].flatMap(driversIn),
];

const isDriverList = (node: OutlineNode): boolean => node.key === 'drivers' && node.parent?.key === 'requires';

/** The schema's words for a spot, required ones first; for a list being written, the values of its items. */
export function wordsAt(schema: SchemaNode, { kind, node }: Spot): readonly Word[] {
  const schemas = schemasAt(schema, node);
  // A list item is a map or one word; both are written in the same place.
  const list = isDriverList(node) || (node.parent !== null && isDriverList(node.parent)) ? driversIn(schema) : [];
  const values = kind === 'value' || typeof node.key === 'number' ? [...list, ...schemas.flatMap(valuesOf)] : [];
  const written = node.children.map((child) => child.key);
  const keys = kind === 'key' ? keysOf(schemas, written) : [];
  return once([...values, ...keys.filter((word) => word.required), ...keys.filter((word) => !word.required)]);
}
