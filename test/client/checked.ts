// Holds every request and answer of a client against the OpenAPI document that the client was made from.
import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Middleware } from 'openapi-fetch';

interface Described {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, object>>;
}
interface Operation {
  readonly requestBody?: Described;
  readonly responses: Readonly<Record<string, Described>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation | undefined>> | undefined>>;
  readonly components: { readonly responses: Readonly<Record<string, Described>> };
}

const pointer = (...names: readonly string[]): string =>
  `#/${names.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;

/** `a/b; charset=UTF-8` as `a/b`. */
const essence = (type: string | null): string => (type ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/**
 * Fails where a request or an answer does not fit. Fields that the document does not know are fine. `isOlder`: the
 * document is that of an earlier agent. Its clients know a success by its class where its status is new, and an answer
 * may have a new value of an enumeration, which the changelog has to name (`test/routes/api-breaks.ts`).
 */
export function checked(document: Document, isOlder: boolean): Middleware {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(document, 'document');
  const isNewer = (place: readonly string[]): boolean => isOlder && place.includes('responses');
  /** Checks a body by one of the media types at a place of the document. */
  const check = (what: string, place: readonly string[], { content = {} }: Described, type: string, text: string) => {
    const name = Object.keys(content).find((one) => essence(one) === type);
    assert.ok(name !== undefined, `${what} is ${type}, which is not described`);
    const validate = ajv.getSchema(`document${pointer(...place, 'content', name, 'schema')}`);
    assert.ok(validate !== undefined, `${what} has no schema`);
    const value: unknown = type === 'application/json' ? JSON.parse(text) : text;
    validate(value);
    const errors = (validate.errors ?? []).filter(({ keyword }) => !(isNewer(place) && keyword === 'enum'));
    assert.ok(errors.length === 0, `${what} does not fit: ${ajv.errorsText(errors).slice(0, 500)}`);
  };
  const placed = (path: string, request: Request) => {
    const method = request.method.toLowerCase();
    const operation = document.paths[path]?.[method];
    assert.ok(operation !== undefined, `${method} ${path} is not described`);
    return { operation, place: ['paths', path, method] };
  };
  return {
    onRequest: async ({ request, schemaPath }) => {
      const { operation, place } = placed(schemaPath, request);
      const text = await request.clone().text();
      const what = `what is sent to ${schemaPath}`;
      if (operation.requestBody === undefined) assert.equal(text, '', what);
      else
        check(
          what,
          [...place, 'requestBody'],
          operation.requestBody,
          essence(request.headers.get('content-type')),
          text,
        );
    },
    onResponse: async ({ request, response, schemaPath }) => {
      const { operation, place } = placed(schemaPath, request);
      const { status } = response;
      const declared = operation.responses[status];
      if (declared === undefined && isOlder && response.ok) return;
      assert.ok(declared !== undefined, `${status} of ${schemaPath} is not described`);
      const [, shared] = /^#\/components\/responses\/(.+)$/.exec(declared.$ref ?? '') ?? [];
      const [at, answer] =
        shared === undefined
          ? [[...place, 'responses', String(status)], declared]
          : [['components', 'responses', shared], document.components.responses[shared]];
      assert.ok(answer !== undefined, `${String(shared)} is not described`);
      const type = essence(response.headers.get('content-type'));
      check(`${status} of ${schemaPath}`, at, answer, type, await response.clone().text());
    },
  };
}
