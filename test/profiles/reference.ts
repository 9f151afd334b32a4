import { bundledProfiles } from '#profiles/bundled.ts';
import { profileSchema } from '#profiles/schema/profile.ts';

/** A JSON Schema as far as the reference shows it. */
interface Node {
  readonly type?: string;
  readonly description?: string;
  readonly const?: string | number | boolean;
  readonly enum?: readonly (string | number | boolean)[];
  readonly oneOf?: readonly Node[];
  readonly anyOf?: readonly Node[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

function range(low: number | undefined, high: number | undefined, what: string): string {
  const top = high === Number.MAX_SAFE_INTEGER ? undefined : high;
  return top === undefined ? '' : ` (${low === undefined ? 'at most ' : `${low} to `}${top}${what})`;
}

function kindOf(node: Node): string {
  if (node.oneOf !== undefined) return 'a driver and its options';
  if (node.anyOf !== undefined) return node.anyOf.map(kindOf).join(', or ');
  if (node.const !== undefined) return `\`${String(node.const)}\``;
  if (node.enum !== undefined) return node.enum.map((one) => `\`${String(one)}\``).join(', ');
  switch (node.type) {
    case 'string':
      return `text${range(node.minLength, node.maxLength, ' characters')}`;
    case 'integer':
      return `whole number${range(node.minimum, node.maximum, '')}`;
    case 'number':
      return `number${range(node.minimum, node.maximum, '')}`;
    case 'array': {
      const of = node.items === undefined ? ' of values' : ` of ${kindOf(node.items)}`;
      return `list${range(node.minItems, node.maxItems, '')}${node.items?.properties === undefined ? of : ''}`;
    }
    case 'boolean':
      return 'true or false';
    default:
      return 'map';
  }
}

function rowsOf(node: Node, path: string, required: boolean): readonly string[] {
  const own =
    path === '' ? [] : [`| \`${path}\` | ${required ? 'yes' : ''} | ${kindOf(node)} | ${node.description ?? ''} |`];
  const inside = node.properties ?? node.items?.properties ?? {};
  const needed = node.required ?? node.items?.required ?? [];
  const below = Object.entries(inside).flatMap(([key, one]) =>
    rowsOf(one, `${path === '' ? '' : `${path}${node.items === undefined ? '' : '[]'}.`}${key}`, needed.includes(key)),
  );
  return [...own, ...below];
}

/** The table of every field, from the schema itself; the output of toJSONSchema is read as what it is. */
export const fieldTable = (): string =>
  ['| field | needed | what | for |', '|---|---|---|---|', ...rowsOf(profileSchema() as Node, '', true)].join('\n');

/** The table of the profiles that come with Sconce. */
export const profileTable = (): string =>
  [
    '| profile | for | system | maturity |',
    '|---|---|---|---|',
    ...bundledProfiles().map(
      ({ document, summary }) =>
        `| \`${summary.id}\` | ${summary.display_name} | ${document.platform.os} | ${summary.maturity} |`,
    ),
  ].join('\n');
