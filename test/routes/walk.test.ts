import type { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { createApp } from '#routes/app.ts';
import { problemsOf } from '#routes/kit/describe.ts';
import { Problem, problemStatus, type ProblemCode } from '#routes/kit/problem.ts';
import type { ParsedBody, RouteSpec } from '#routes/kit/route-spec.ts';
import { fakeDeps } from '#test/fakes/route-deps.ts';
import {
  alternativesOf,
  fieldsOf,
  isLoose,
  spelledForms,
  wrongBodies,
  wrongTexts,
  type WrongRequest,
} from './wrong-requests.ts';

const inspection = { charts: [], records: () => [], onNext: () => () => {} };
const deps = fakeDeps({ inspection });
const app = createApp(deps);

/** What the panel's own page says of itself: the guided calibration asks for it before it looks at a body. */
const own = { 'x-proximity-ui': '1', origin: 'http://panel.invalid' };
const formType = 'application/x-www-form-urlencoded';

const call = (path: string, init?: RequestInit): Promise<Response> =>
  Promise.resolve(app.fetch(new Request(`http://panel.invalid${path}`, init), {}));
const post = (path: string, type: string, body: string): Promise<Response> =>
  call(path, { method: 'POST', headers: { ...own, 'content-type': type }, body });
const form = (fields: Readonly<Record<string, unknown>>): string =>
  new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();

/** What is wrong with the refusal of a wrong request; null where it is refused as it has to be. */
async function faultOf(
  spec: RouteSpec,
  { kind, place, fields }: WrongRequest,
  response: Response,
  code: ProblemCode,
): Promise<string | null> {
  const sent = `${kind} ${place} in ${JSON.stringify(fields)}`;
  const parsed = Problem().safeParse(await response.json());
  if (!parsed.success) return `${sent}: answered ${response.status}, which is no refusal`;
  const { error, reasons = {} } = parsed.data;
  if (error !== code || response.status !== problemStatus(code) || Math.floor(response.status / 100) !== 4)
    return `${sent}: ${response.status} ${error} instead of ${code}`;
  if (!problemsOf(spec).includes(code)) return `${sent}: ${code} is not declared`;
  const places = Object.keys(reasons);
  const named = places.length > 0 && places.every((one) => one === place || one.startsWith(`${place}.`));
  if (!named) return `${sent}: the reasons name ${places.join(', ') || 'nothing'}`;
  if (!Object.values(reasons).every((sentence) => /^[^\n]{10,300}[.]$/.test(sentence)))
    return `${sent}: a reason is no sentence: ${JSON.stringify(reasons)}`;
  return null;
}

/** Faults in the refusals of all of them, one after another; no actor was told anything. */
async function faultsOf(
  spec: RouteSpec,
  all: readonly WrongRequest[],
  send: (one: WrongRequest) => Promise<Response>,
  codeOf: (one: WrongRequest) => ProblemCode,
): Promise<readonly string[]> {
  const faults: string[] = [];
  deps.registry.told.length = 0;
  for (const one of all) {
    // oxlint-disable-next-line no-await-in-loop -- one request after another
    const fault = await faultOf(spec, one, await send(one), codeOf(one));
    if (fault !== null) faults.push(fault);
  }
  for (const { id, event } of deps.registry.told) faults.push(`${id} was told ${event.type}`);
  return faults;
}

/** What is to be refused, with its place; where nothing is left that tells which alternative was meant, the body. */
function placed(schema: z.ZodType, all: readonly WrongRequest[]): readonly WrongRequest[] {
  if ('discriminator' in schema._zod.def) return all;
  const alternatives = alternativesOf(schema).map((one) => new Set(fieldsOf(one).map(([name]) => name)));
  const fitting = ({ fields }: WrongRequest): number =>
    alternatives.filter((names) => Object.keys(fields).every((name) => names.has(name))).length;
  return all.map((one) => (one.kind === 'missing' && fitting(one) > 1 ? { ...one, place: 'body' } : one));
}

const isParsed = (spec: RouteSpec): spec is RouteSpec & { readonly body: ParsedBody } =>
  spec.body !== undefined && (spec.body.reads === undefined || spec.body.reads === 'schema');
const bodies = app.table.filter(isParsed).map((spec) => ({
  name: `${spec.method} ${spec.path}`,
  spec,
  formSchema: spec.body.form === undefined ? spec.body.schema : spec.body.form,
  codeOf: ({ place }: WrongRequest): ProblemCode =>
    spec.body.refusal.fields?.[place.split('.')[0] ?? ''] ?? spec.body.refusal.code,
  wrong: placed(spec.body.schema, wrongBodies(spec.body.schema, spec.body)),
}));
const countOf = (all: readonly WrongRequest[], kind: WrongRequest['kind']): number =>
  all.filter((one) => one.kind === kind).length;

describe('a JSON body', () => {
  const all = bodies.flatMap(({ wrong }) => wrong);
  it('can be wrong in every way', () => {
    expect(bodies.map(({ spec }) => spec.operationId).toSorted()).toEqual(
      app.table
        .filter(({ body }) => body !== undefined && body.reads === undefined)
        .map(({ operationId }) => operationId)
        .toSorted(),
    );
    for (const kind of ['wrong', 'missing', 'extra'] as const) expect(countOf(all, kind), kind).toBeGreaterThan(9);
    const loose = bodies.filter(({ spec }) => alternativesOf(spec.body.schema).every(isLoose));
    // A file of a later version may have more.
    expect(loose.map(({ spec }) => spec.operationId)).toEqual(['importConfig']);
    for (const { name, wrong } of bodies.filter((body) => !loose.includes(body)))
      expect(countOf(wrong, 'extra'), name).toBeGreaterThan(0);
    for (const nested of ['ref.id', 'led.red', 'air.celsius', 'zigbee.running'])
      expect(all.some(({ place }) => place === nested)).toBe(true);
  });
  it.each(bodies)('$name: a wrong type, a missing and an extra field are refused with a place', async (body) => {
    const send = ({ fields }: WrongRequest): Promise<Response> =>
      post(body.spec.path, 'application/json', JSON.stringify(fields));
    expect(await faultsOf(body.spec, body.wrong, send, body.codeOf)).toEqual([]);
  });
});

describe('a form', () => {
  const forms = bodies.flatMap((body) => {
    const { formSchema, spec } = body;
    if (formSchema === null) return [];
    const said = { example: spec.body.example, within: spec.body.schema };
    const wrong = placed(formSchema, wrongTexts(formSchema, said));
    return [{ ...body, wrong, spelled: spelledForms(formSchema, said) }];
  });
  it('can be wrong in every way', () => {
    const all = forms.flatMap(({ wrong }) => wrong);
    for (const kind of ['wrong', 'missing', 'extra'] as const) expect(countOf(all, kind), kind).toBeGreaterThan(9);
    for (const name of ['press', 'hold', 'down', 'lux', 'value', 'x', 'capture', 'confirm'])
      expect(all.some(({ place, fields }) => place === name && fields[name] === '')).toBe(true);
    expect(forms.flatMap(({ spelled }) => spelled).length).toBeGreaterThan(40);
  });
  it.each(forms)('$name: what stands for no value is refused, "" too', async (body) => {
    const send = ({ fields }: WrongRequest): Promise<Response> => post(body.spec.path, formType, form(fields));
    expect(await faultsOf(body.spec, body.wrong, send, body.codeOf)).toEqual([]);
  });
  it.each(forms.filter(({ spelled }) => spelled.length > 0))('$name: takes yes and no as settings do', async (body) => {
    const refused: string[] = [];
    for (const { name, fields } of body.spelled) {
      // oxlint-disable-next-line no-await-in-loop -- one request after another
      const response = await post(body.spec.path, formType, form(fields));
      if (response.status === 400) refused.push(`${name} in ${form(fields)}`);
    }
    expect(refused).toEqual([]);
  });
});

describe('a form of the simulator', () => {
  it.each([
    ['press=1', { type: 'simulator.press', button: 1 }],
    ['hold=2&down=true', { type: 'simulator.hold', button: 2, down: true }],
    ['hold=2&down=off', { type: 'simulator.hold', button: 2, down: false }],
    ['lux=12.5', { type: 'simulator.light', lux: 12.5 }],
    ['proximity=1000', { type: 'simulator.near', proximity: 1000 }],
    ['plug=climate&plugged=no', { type: 'simulator.plug', part: 'climate', plugged: false }],
    ['relay=1&closed=on', { type: 'simulator.relay', relay: 1, closed: true }],
  ])('%s does what it says', async (body, event) => {
    deps.registry.told.length = 0;
    expect((await post('/api/v1/simulator', formType, body)).status).toBe(202);
    expect(deps.registry.told).toEqual([{ id: 'simulator', event }]);
  });
  it('says each touch that has no fields inside of fields', () => {
    const spec = bodies.find(({ spec: { operationId } }) => operationId === 'touchSimulator');
    const flat = alternativesOf(spec?.spec.body.schema ?? never()).filter((touch) =>
      fieldsOf(touch).every(([, field]) => field._zod.def.type !== 'object'),
    );
    expect(alternativesOf(spec?.formSchema ?? never()).map((touch) => Object.keys(touch.shape))).toEqual(
      flat.map((touch) => Object.keys(touch.shape)),
    );
  });
});

function never(): never {
  throw new Error('there is no such route');
}

describe('a query', () => {
  const queries = app.table.flatMap((spec) =>
    spec.query === undefined
      ? []
      : [{ name: `${spec.method} ${spec.path}`, spec, query: spec.query, wrong: wrongTexts(spec.query, {}) }],
  );
  it('can be wrong in every way; something is required of three, the addresses to probe and the value to check', () => {
    const all = queries.flatMap(({ wrong }) => wrong);
    expect(countOf(all, 'wrong')).toBeGreaterThan(9);
    expect(countOf(all, 'extra')).toBe(queries.length - 1);
    expect(countOf(all, 'missing')).toBe(4);
    for (const place of ['limit', 'backlog', 'since', 'refresh'])
      expect(all.some((one) => one.place === place && one.fields[place] === '')).toBe(true);
  });
  it.each(queries)('$name: a wrong value and an extra parameter are refused with a place', async ({ spec, wrong }) => {
    const send = ({ fields }: WrongRequest): Promise<Response> =>
      call(`${spec.path}?${form(fields)}`, { method: spec.method.toUpperCase() });
    expect(await faultsOf(spec, wrong, send, () => 'invalid-query')).toEqual([]);
  });
  it.each(queries)('$name: a parameter that is there twice is refused', async ({ spec, query }) => {
    const twice = fieldsOf(query).map(([place]): WrongRequest => ({
      kind: 'extra',
      place,
      fields: { [place]: 'one', again: 'two' },
    }));
    const send = ({ place }: WrongRequest): Promise<Response> =>
      call(`${spec.path}?${place}=1&${place}=1`, { method: spec.method.toUpperCase() });
    expect(twice.length).toBeGreaterThan(0);
    expect(await faultsOf(spec, twice, send, () => 'invalid-query')).toEqual([]);
  });
  it('is loose where Home Assistant adds parameters of its own, and nowhere else', async () => {
    const loose = queries.filter(({ query }) => isLoose(query));
    expect(loose.map(({ spec }) => spec.operationId)).toEqual(['finishSignIn']);
    const response = await call('/api/v1/ha/oauth/callback?state=x&code=y&storeToken=true');
    expect(await response.text()).not.toContain('invalid-query');
    expect(deps.registry.told.map(({ id }) => id)).toContain('sign-in');
  });
});

describe('a path with parameters', () => {
  const paths = app.table.flatMap((spec) =>
    spec.params === undefined ? [] : [{ name: spec.path, spec, params: spec.params }],
  );
  it('is declared with a schema of them', () => {
    expect(paths.map(({ spec }) => spec.path)).toEqual(
      app.table.filter(({ path }) => path.includes('{')).map(({ path }) => path),
    );
    expect(paths.length).toBeGreaterThan(0);
  });
  it.each(paths)('$name: what cannot be one is refused with a place', async ({ spec, params }) => {
    const wrong = wrongTexts(params, {}).filter(({ kind, place, fields }) => kind === 'wrong' && fields[place] !== '');
    expect(new Set(wrong.map(({ place }) => place))).toEqual(new Set(Object.keys(params.shape)));
    const send = ({ fields }: WrongRequest): Promise<Response> =>
      call(
        spec.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(fields[name]))),
        { method: spec.method.toUpperCase() },
      );
    expect(await faultsOf(spec, wrong, send, () => spec.unknown?.code ?? 'not-found')).toEqual([]);
  });
});
