/** The parts of a JSON schema that the explorer reads. */
export interface SchemaFacts {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, SchemaFacts>>;
  readonly required?: readonly string[];
  readonly items?: SchemaFacts;
  readonly allOf?: readonly SchemaFacts[];
  readonly anyOf?: readonly SchemaFacts[];
  readonly oneOf?: readonly SchemaFacts[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
}

interface ParameterFacts {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: SchemaFacts;
}

interface Media {
  readonly schema?: SchemaFacts;
  readonly example?: unknown;
}

interface Content {
  readonly [type: string]: Media;
}

interface RawAnswer {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Content;
}

interface RawOperation {
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly tags?: readonly string[];
  readonly parameters?: readonly ParameterFacts[];
  readonly requestBody?: { readonly description?: string; readonly content?: Content };
  readonly responses?: Readonly<Record<string, RawAnswer>>;
}

/** The parts of an OpenAPI document that the explorer reads; all are optional. */
export interface OpenApi {
  readonly info?: { readonly description?: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, SchemaFacts>>;
    readonly responses?: Readonly<Record<string, RawAnswer>>;
  };
}

/** One input of a form. */
export interface FieldFacts {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** The values it can have; null for any. */
  readonly options: readonly string[] | null;
  readonly number: boolean;
  /** Initial value. */
  readonly value: string;
}

/** One possible shape of a body. */
interface AlternativeFacts {
  readonly label: string;
  /** Initial text. */
  readonly text: string;
  /** Initial form. */
  readonly fields: readonly FieldFacts[];
}

/** A media type in which a body can be sent. */
export interface BodyFacts {
  readonly type: string;
  /** True for a form; otherwise it is text. */
  readonly form: boolean;
  readonly alternatives: readonly AlternativeFacts[];
  /** The alternative of the example. */
  readonly first: number;
}

export interface AnswerFacts {
  readonly status: string;
  readonly description: string;
  readonly types: readonly string[];
  /** Its error codes; empty for a success. */
  readonly codes: readonly string[];
  readonly example: string | null;
}

/** One request of the document, ready to be drawn. */
export interface OperationFacts {
  readonly index: number;
  /** Upper case. */
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly deprecated: boolean;
  /** Parameters of path, query and headers. */
  readonly parameters: readonly (FieldFacts & { readonly in: string })[];
  /** Media types of its body; empty if it takes none. */
  readonly bodies: readonly BodyFacts[];
  readonly answers: readonly AnswerFacts[];
  /** An endless response, which the page does not open. */
  readonly stream: boolean;
  readonly writes: boolean;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];
const formType = 'application/x-www-form-urlencoded';
const deepest = 6;

const lastName = (ref: string): string => ref.split('/').pop() ?? '';

const resolve = (document: OpenApi, schema: SchemaFacts): SchemaFacts =>
  schema.$ref === undefined ? schema : (document.components?.schemas?.[lastName(schema.$ref)] ?? {});

const typeOf = ({ type }: SchemaFacts): string | undefined => (typeof type === 'string' ? type : type?.[0]);

/** An example value of a schema, at most six levels deep, without optional fields. */
export function exampleOf(document: OpenApi, schema: SchemaFacts, depth = 0): unknown {
  const facts = resolve(document, schema);
  if (facts.example !== undefined) return facts.example;
  if (facts.default !== undefined) return facts.default;
  if (facts.const !== undefined) return facts.const;
  if (facts.enum !== undefined) return facts.enum[0];
  if (depth >= deepest) return typeOf(facts) === 'object' ? {} : null;
  const of = (one: SchemaFacts): unknown => exampleOf(document, one, depth + 1);
  if (facts.allOf !== undefined) return Object.assign({}, ...facts.allOf.map(of));
  const choice = facts.anyOf?.[0] ?? facts.oneOf?.[0];
  if (choice !== undefined) return of(choice);
  switch (typeOf(facts)) {
    case 'array':
      return facts.items === undefined ? [] : Array.from({ length: facts.minItems ?? 1 }, () => of(facts.items ?? {}));
    case 'object':
      return Object.fromEntries(
        (facts.required ?? []).flatMap((name) => {
          const property = facts.properties?.[name];
          return property === undefined ? [] : [[name, of(property)]];
        }),
      );
    case 'integer':
    case 'number':
      return facts.minimum ?? 0;
    case 'boolean':
      return true;
    case 'string':
      return '';
    default:
      return null;
  }
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  // Checked to be an object on the same line.
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

/** True if a value matches this shape, judged by its fields. */
function isOf(document: OpenApi, schema: SchemaFacts, value: unknown): boolean {
  const { required = [], properties = {} } = resolve(document, schema);
  const said = fieldsOf(value);
  return (
    required.every((name) => name in said) &&
    Object.entries(said).every(([name, one]) => {
      const property = properties[name];
      if (property === undefined) return false;
      const { enum: options } = resolve(document, property);
      return options === undefined || options.includes(one);
    })
  );
}

function fieldOf(
  document: OpenApi,
  name: string,
  given: SchemaFacts,
  more: { readonly required: boolean; readonly value: unknown; readonly description?: string | undefined },
): FieldFacts {
  const schema = resolve(document, given);
  const type = typeOf(schema);
  const options = schema.enum ?? (type === 'boolean' ? [true, false] : null);
  const { value } = more;
  return {
    name,
    description: more.description ?? given.description ?? schema.description ?? '',
    required: more.required,
    options: options?.filter((one) => one !== null).map(String) ?? null,
    number: type === 'integer' || type === 'number',
    value: typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '',
  };
}

/** Title of a shape: its first sentence, or else its required fields. */
const labelOf = ({ description, required = [] }: SchemaFacts): string =>
  description === undefined ? required.join(', ') : description.replace(/\.$/, '');

function alternativeOf(document: OpenApi, schema: SchemaFacts, example: unknown): AlternativeFacts {
  const facts = resolve(document, schema);
  const start = example ?? exampleOf(document, facts);
  const { required = [], properties = {} } = facts;
  return {
    label: labelOf(facts),
    text: asText(start),
    fields: Object.entries(properties).map(([name, property]) =>
      fieldOf(document, name, property, { required: required.includes(name), value: fieldsOf(start)[name] }),
    ),
  };
}

function bodiesOf(document: OpenApi, content: Content): readonly BodyFacts[] {
  // The example of one media type also serves the others.
  const examples = Object.values(content).flatMap(({ example }) => (example === undefined ? [] : [example]));
  return Object.entries(content).map(([type, { schema = {}, example }]): BodyFacts => {
    const facts = resolve(document, schema);
    const shapes = facts.oneOf ?? facts.anyOf ?? [facts];
    const form = type === formType;
    const isText = !form && typeOf(facts) === 'string';
    const known = examples.filter((one) => (typeof one === 'string') === isText);
    const exampleFor = (shape: SchemaFacts): unknown =>
      shapes.length === 1 && !form ? (example ?? known[0]) : known.find((one) => isOf(document, shape, one));
    return {
      type,
      form,
      alternatives: shapes.map((shape) => alternativeOf(document, shape, exampleFor(shape))),
      first: Math.max(
        0,
        shapes.findIndex((shape) => exampleFor(shape) !== undefined),
      ),
    };
  });
}

/** The error codes that a schema allows. */
const codesOf = ({ allOf = [] }: SchemaFacts): readonly string[] =>
  allOf.flatMap(({ properties }) => properties?.['error']?.enum?.map(String) ?? []);

function answerOf(document: OpenApi, status: string, given: RawAnswer): AnswerFacts {
  const answer = given.$ref === undefined ? given : (document.components?.responses?.[lastName(given.$ref)] ?? {});
  const contents = Object.values(answer.content ?? {});
  const example = contents.find((one) => one.example !== undefined)?.example;
  return {
    status,
    description: answer.description ?? '',
    types: Object.keys(answer.content ?? {}),
    codes: contents.flatMap(({ schema = {} }) => codesOf(schema)),
    example: example === undefined ? null : asText(example),
  };
}

/** Every operation, in document order. */
export function operationsOf(document: OpenApi): readonly OperationFacts[] {
  const found: OperationFacts[] = [];
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const method of methods) {
      if (!(method in item)) continue;
      // Path items hold operations under method names (OpenAPI 3.1, 4.8.9).
      const raw = item[method] as RawOperation;
      const answers = Object.entries(raw.responses ?? {}).map(([status, answer]) => answerOf(document, status, answer));
      found.push({
        index: found.length,
        method: method.toUpperCase(),
        path,
        tag: raw.tags?.[0] ?? '',
        summary: raw.summary ?? '',
        description: raw.description ?? '',
        deprecated: raw.deprecated === true,
        parameters: (raw.parameters ?? []).map(({ name, in: where, required = false, description, schema = {} }) => ({
          ...fieldOf(document, name, schema, { required, description, value: '' }),
          in: where,
        })),
        bodies: bodiesOf(document, raw.requestBody?.content ?? {}),
        answers,
        stream: answers.some((answer) => answer.types.includes('text/event-stream')),
        writes: method !== 'get',
      });
    }
  }
  return found;
}
