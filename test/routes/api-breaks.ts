// What a client of one OpenAPI document can no longer rely on in another: a table of breaks, each with its operation
// and field. A request may take more than before and an answer may hold more fields, but no others.

/** The words of a JSON schema that are compared; `type` and the unions are taken apart by `alternativesOf`. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly [bound: `${'minimum' | 'maximum' | 'exclusiveM' | 'minL' | 'maxL' | 'minI' | 'maxI'}${string}`]: unknown;
}
type Content = Readonly<Record<string, { readonly schema?: Schema }>>;
interface Body {
  readonly $ref?: string;
  readonly content?: Content;
  readonly required?: boolean;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses?: Readonly<Record<string, Body>>;
}
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly responses?: Readonly<Record<string, Body>>;
  };
}

/** One thing that is no longer as it was; `field` is null where the operation as a whole, or its answer, is meant. */
export interface Break {
  readonly method: string;
  readonly path: string;
  readonly field: string | null;
  readonly what: string;
}

type Finding = Pick<Break, 'field' | 'what'>;
type Way = 'request' | 'answer';
interface Pair<T> {
  readonly before: T;
  readonly now: T;
}

/** Words whose value must not grow in what is taken, or must not shrink. */
const floors = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'] as const;
const ceilings = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'] as const;

const within = (field: string, name: string): string => (field === '' ? name : `${field}.${name}`);
const listed = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ');
const valuesOf = ({ const: only, enum: values }: Schema): readonly unknown[] | undefined =>
  only === undefined ? values : [only];

function named<T extends { readonly $ref?: string }>(document: ApiDocument, node: T): T {
  const [, kind, name = ''] = /^#\/components\/(schemas|responses)\/(.+)$/.exec(node.$ref ?? '') ?? [];
  if (kind === undefined) return node;
  const found = document.components?.[kind as 'schemas' | 'responses']?.[name];
  if (found === undefined) throw new Error(`${node.$ref} leads nowhere`);
  return named(document, found as T);
}

/** The answer to a protected request in Hardened mode, beside what its operation answers otherwise. */
const isWait = ({ $ref }: Schema): boolean => $ref === '#/components/schemas/ApprovalRequired';
const waits = ({ anyOf }: Schema): boolean => anyOf?.some(isWait) === true;

/** A schema as what it may be, each of one type; `any` where it says none. */
function alternativesOf(document: ApiDocument, schema: Schema): readonly Schema[] {
  const { anyOf, oneOf, allOf, type, ...rest } = named(document, schema);
  const union = anyOf ?? oneOf;
  if (union !== undefined) return union.flatMap((one) => alternativesOf(document, one));
  if (allOf !== undefined) {
    const parts = [{ ...rest, ...(type === undefined ? {} : { type }) }, ...allOf.map((one) => named(document, one))];
    const properties = Object.assign({}, ...parts.map((one) => one.properties)) as Schema['properties'];
    const required = parts.flatMap((one) => one.required ?? []);
    return [{ ...Object.assign({}, ...parts), allOf: undefined, properties, required, type: 'object' } as Schema];
  }
  const values = valuesOf(rest);
  const implied = values?.map((value) => (value === null ? 'null' : typeof value));
  return [...new Set([type ?? implied ?? 'any'].flat())].map((each) => ({ ...rest, type: each }));
}

/** Breaks between two documents, in the order of the one before. */
export function breaksOf(before: ApiDocument, now: ApiDocument): readonly Break[] {
  /** Pairs that are being compared: schemas may contain themselves. */
  const open = new Set<string>();

  const compareFields = (way: Way, field: string, pair: Pair<Schema>): Finding[] => {
    const [had, has] = [pair.before.properties ?? {}, pair.now.properties ?? {}];
    const found: Finding[] = [];
    const must = (schema: Schema, name: string): boolean => schema.required?.includes(name) === true;
    for (const [name, schema] of Object.entries(had)) {
      const next = has[name];
      const at = within(field, name);
      if (next === undefined) {
        found.push({ field: at, what: way === 'request' ? 'the field is not taken any more' : 'the field is gone' });
        continue;
      }
      if (way === 'answer' && must(pair.before, name) && !must(pair.now, name))
        found.push({ field: at, what: 'the field may be missing' });
      found.push(...compare(way, at, { before: schema, now: next }));
    }
    if (way === 'request')
      for (const name of pair.now.required ?? [])
        if (!must(pair.before, name)) found.push({ field: within(field, name), what: 'the field is required now' });
    return found;
  };

  const compareOthers = (way: Way, field: string, pair: Pair<Schema>): Finding[] => {
    const [had, has] = [pair.before.additionalProperties ?? true, pair.now.additionalProperties ?? true];
    if (typeof had === 'object' && typeof has === 'object')
      return compare(way, within(field, '*'), { before: had, now: has });
    const closed = way === 'request' && had !== false && has === false;
    return closed ? [{ field, what: 'other fields are not taken any more' }] : [];
  };

  const compareRules = (field: string, pair: Pair<Schema>): Finding[] => {
    const found: Finding[] = [];
    for (const word of ['format', 'pattern'] as const)
      if (pair.now[word] !== undefined && pair.now[word] !== pair.before[word])
        found.push({ field, what: `${word} ${pair.now[word]} is asked for` });
    const narrowed = (words: readonly (typeof floors | typeof ceilings)[number][], sign: number): void => {
      for (const word of words) {
        const [had, has] = [pair.before[word], pair.now[word]];
        if (typeof has === 'number' && (typeof had !== 'number' || (has - had) * sign > 0))
          found.push({ field, what: `${word} is ${has}, it was ${typeof had === 'number' ? had : 'open'}` });
      }
    };
    narrowed(floors, 1);
    narrowed(ceilings, -1);
    return found;
  };

  const compareValues = (way: Way, field: string, pair: Pair<Schema>): Finding[] => {
    const [had, has] = [valuesOf(pair.before), valuesOf(pair.now)];
    if (way === 'request') {
      if (has === undefined) return [];
      if (had === undefined) return [{ field, what: `only ${listed(has)} is taken` }];
      const gone = had.filter((value) => !has.includes(value));
      return gone.length === 0 ? [] : [{ field, what: `${listed(gone)} is not taken any more` }];
    }
    if (had === undefined) return [];
    if (has === undefined) return [{ field, what: `may be other than ${listed(had)}` }];
    const fresh = has.filter((value) => !had.includes(value));
    return fresh.length === 0 ? [] : [{ field, what: `may be ${listed(fresh)}` }];
  };

  const compareAlike = (way: Way, field: string, pair: Pair<Schema>): Finding[] => [
    ...compareValues(way, field, pair),
    ...(way === 'request' ? compareRules(field, pair) : []),
    ...(pair.before.type === 'object' ? [...compareFields(way, field, pair), ...compareOthers(way, field, pair)] : []),
    ...(pair.before.items === undefined || pair.now.items === undefined
      ? []
      : compare(way, `${field}[]`, { before: pair.before.items, now: pair.now.items })),
  ];

  /** The narrower side, each alternative of which the other has to cover: what was sent, or what is answered. */
  const compare = (way: Way, field: string, pair: Pair<Schema>): Finding[] => {
    const key = JSON.stringify([way, pair.before, pair.now]);
    if (open.has(key)) return [];
    open.add(key);
    const [had, has] = [alternativesOf(before, pair.before), alternativesOf(now, pair.now)];
    const found = (way === 'request' ? had : has).flatMap((one): Finding[] => {
      const others = (way === 'request' ? has : had).filter(({ type }) =>
        type === 'number' ? one.type === 'number' || one.type === 'integer' : type === one.type || type === 'any',
      );
      const tries = others.map((other) =>
        other.type === 'any'
          ? []
          : compareAlike(way, field, way === 'request' ? { before: one, now: other } : { before: other, now: one }),
      );
      const what = `${String(one.type)} is ${way === 'request' ? 'not taken any more' : 'a new type of it'}`;
      return tries.toSorted((a, b) => a.length - b.length)[0] ?? [{ field, what }];
    });
    open.delete(key);
    return found;
  };

  const compareContent = (way: Way, name: string, had: Content = {}, has: Content = {}): Finding[] =>
    Object.entries(had).flatMap(([type, { schema = {} }]): Finding[] => {
      const next = has[type];
      if (next === undefined) return [{ field: null, what: `${name}: ${type} is gone` }];
      const { schema: fresh = {} } = next;
      // One break, and not one for each field that such an answer lacks.
      if (!waits(fresh) || waits(schema)) return compare(way, '', { before: schema, now: fresh });
      const others = { ...fresh, anyOf: fresh.anyOf?.filter((one) => !isWait(one)) ?? [] };
      const waiting = { field: null, what: `${name} may wait for a person` };
      return [waiting, ...compare(way, '', { before: schema, now: others })];
    });

  const compareParameters = ({ before: had, now: has }: Pair<Operation>): Finding[] => [
    ...(had.parameters ?? []).flatMap((one): Finding[] => {
      const next = has.parameters?.find(({ name, in: place }) => name === one.name && place === one.in);
      if (next === undefined) return [{ field: one.name, what: `the ${one.in} parameter is gone` }];
      return compare('request', one.name, { before: one.schema ?? {}, now: next.schema ?? {} });
    }),
    ...(has.parameters ?? []).flatMap(({ name, in: place, required }): Finding[] => {
      const old = had.parameters?.find((one) => name === one.name && place === one.in);
      return required === true && old?.required !== true
        ? [{ field: name, what: `the ${place} parameter is required now` }]
        : [];
    }),
  ];

  const compareOperations = (had: Operation, has: Operation): Finding[] => [
    ...compareParameters({ before: had, now: has }),
    ...(has.requestBody?.required === true && had.requestBody?.required !== true
      ? [{ field: null, what: 'the body is required now' }]
      : []),
    ...compareContent('request', 'the body', had.requestBody?.content, has.requestBody?.content),
    ...Object.entries(had.responses ?? {}).flatMap(([status, answer]): Finding[] => {
      const next = has.responses?.[status];
      if (next === undefined) return [{ field: null, what: `the answer ${status} is gone` }];
      const [old, fresh] = [named(before, answer), named(now, next)];
      const found = compareContent('answer', `the answer ${status}`, old.content, fresh.content);
      // A client goes by the status of a refusal; its words may grow.
      return /^[23]/.test(status) ? found : found.filter(({ what }) => !what.startsWith('may be '));
    }),
  ];

  return Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, had]): Break[] => {
      const place = { method: method.toUpperCase(), path };
      const has = now.paths[path]?.[method];
      if (has === undefined)
        return [{ ...place, field: null, what: now.paths[path] === undefined ? 'the path is gone' : 'it is gone' }];
      return compareOperations(had, has).map((finding) => ({ ...place, ...finding }));
    }),
  );
}

/** Entries of "Changed" and "Removed" of the version that is not out yet, each with its continued lines. */
function announcedIn(changelog: string): readonly string[] {
  const [, unreleased = ''] = /^## \[?Unreleased\]?$([^]*?)(?=^## |$(?![^]))/m.exec(changelog) ?? [];
  return [...unreleased.matchAll(/^### (?:Changed|Removed)$([^]*?)(?=^### |$(?![^]))/gm)].flatMap(([, text = '']) =>
    text.split(/\n(?=- )/).filter((entry) => entry.startsWith('- ')),
  );
}

/** Whether a line names the break in backticks: its path, with or without method, and its field beside or after it. */
export const isAnnounced = ({ method, path, field }: Break, changelog: string): boolean =>
  announcedIn(changelog).some((line) => {
    const spans = [...line.matchAll(/`([^`]+)`/g)].map(([, text]) => text);
    const places = [path, `${method} ${path}`];
    if (field === null || field === '') return places.some((place) => spans.includes(place));
    if (places.some((place) => spans.includes(`${place} ${field}`))) return true;
    return spans.includes(field) && places.some((place) => spans.includes(place));
  });
