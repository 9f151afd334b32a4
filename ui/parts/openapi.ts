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
  readonly anyOf?: readonly SchemaFacts[];
  readonly oneOf?: readonly SchemaFacts[];
  readonly minimum?: number;
}

interface ParameterFacts {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: SchemaFacts;
}

interface Content {
  readonly [type: string]: { readonly schema?: SchemaFacts };
}

interface RawOperation {
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly ParameterFacts[];
  readonly requestBody?: { readonly content?: Content };
  readonly responses?: Readonly<Record<string, { readonly description?: string; readonly content?: Content }>>;
}

/** The parts of an OpenAPI document that the explorer reads; all may be missing. */
export interface OpenApi {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, SchemaFacts>> };
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
  readonly parameters: readonly ParameterFacts[];
  /** Schema of a JSON body; null when none is taken. */
  readonly body: SchemaFacts | null;
  readonly answers: readonly {
    readonly status: string;
    readonly description: string;
    readonly types: readonly string[];
  }[];
  /** An endless answer, which is not opened from the page. */
  readonly stream: boolean;
  readonly writes: boolean;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** Every operation of the document in its order. */
export const operationsOf = (document: OpenApi): readonly OperationFacts[] => {
  const found: OperationFacts[] = [];
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const method of methods) {
      if (!(method in item)) continue;
      // Path items hold operations under method names (OpenAPI 3.1, 4.8.9).
      const raw = item[method] as RawOperation;
      const answers = Object.entries(raw.responses ?? {}).map(([status, answer]) => ({
        status,
        description: answer.description ?? '',
        types: Object.keys(answer.content ?? {}),
      }));
      found.push({
        index: found.length,
        method: method.toUpperCase(),
        path,
        tag: raw.tags?.[0] ?? '',
        summary: raw.summary ?? '',
        description: raw.description ?? '',
        parameters: (raw.parameters ?? []).filter((parameter) => parameter.in === 'path' || parameter.in === 'query'),
        body: Object.values(raw.requestBody?.content ?? {})[0]?.schema ?? null,
        answers,
        stream: answers.some((answer) => answer.types.includes('text/event-stream')),
        writes: method !== 'get',
      });
    }
  }
  return found;
};

const resolve = (document: OpenApi, schema: SchemaFacts): SchemaFacts => {
  const name = schema.$ref?.split('/').pop();
  return name === undefined ? schema : (document.components?.schemas?.[name] ?? {});
};

/** An example value of a schema, at most six levels deep; optional fields are left out unless all are optional. */
export const exampleOf = (document: OpenApi, schema: SchemaFacts, depth = 0): unknown => {
  const facts = resolve(document, schema);
  if (facts.example !== undefined) return facts.example;
  if (facts.default !== undefined) return facts.default;
  if (facts.const !== undefined) return facts.const;
  if (facts.enum !== undefined) return facts.enum[0];
  const choice = facts.anyOf?.[0] ?? facts.oneOf?.[0];
  if (choice !== undefined && depth < 6) return exampleOf(document, choice, depth + 1);
  const type = typeof facts.type === 'string' ? facts.type : facts.type?.[0];
  if (type === 'array')
    return facts.items === undefined || depth >= 6 ? [] : [exampleOf(document, facts.items, depth + 1)];
  if (type === 'object' && depth < 6) {
    const names = facts.required ?? [];
    return Object.fromEntries(
      names.flatMap((name) =>
        facts.properties?.[name] === undefined ? [] : [[name, exampleOf(document, facts.properties[name], depth + 1)]],
      ),
    );
  }
  if (type === 'integer' || type === 'number') return facts.minimum ?? 0;
  if (type === 'boolean') return true;
  if (type === 'string') return '';
  return type === 'object' ? {} : null;
};
