import type { Path } from '../yaml/places.ts';
import { profileSchema } from './profile.ts';
import { ownField } from '#machines/kit/own-field.ts';

/** The part of JSON Schema that is used here. */
interface Node {
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly oneOf?: readonly Node[];
  readonly const?: unknown;
  readonly description?: string;
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Chooses the branch of a union whose constants match the value. */
function branchFor(node: Node, value: unknown): Node {
  // A choice may be among words and a choice of drivers.
  const branches = (node.oneOf ?? node.anyOf)?.flatMap((branch) => branch.oneOf ?? [branch]);
  if (branches === undefined) return node;
  const fits = branches.find(({ properties = {} }) =>
    Object.entries(properties).some(
      ([key, { const: fixed }]) => fixed !== undefined && isMap(value) && ownField(value, key) === fixed,
    ),
  );
  return fits ?? branches[0] ?? node;
}

/** The node of the schema for a path in a document; null if there is none. */
function nodeAt(path: Path, document: unknown): Node | null {
  // `profileSchema` returns the output of toJSONSchema.
  let node = branchFor(profileSchema() as Node, document);
  let value: unknown = document;
  for (const step of path) {
    // The steps of a path index maps and lists alike.
    value =
      Array.isArray(value) || isMap(value)
        ? ownField(value as Readonly<Record<string, unknown>>, String(step))
        : undefined;
    const next = typeof step === 'number' ? node.items : ownField(node.properties, step);
    if (next === undefined) return null;
    node = branchFor(next, value);
  }
  return node;
}

/** Keys that the schema allows at a path in a document. */
export const keysAt = (path: Path, document: unknown): readonly string[] =>
  Object.keys(nodeAt(path, document)?.properties ?? {});

/** The description of a path in a document; null if there is none. */
export const purposeOf = (path: Path, document: unknown): string | null => nodeAt(path, document)?.description ?? null;
