// Cuts what `families.ts` uses, or all operations, out of an OpenAPI document, without words and examples, once for
// each release: cut.mjs < document > before.json, and cut.mjs all < document > ../routes/openapi-before.json
import { readFileSync } from 'node:fs';

const kept = {
  '/api/v1/health': ['get'],
  '/api/v1/status': ['get'],
  '/api/v1/config': ['get', 'post'],
  '/api/v1/config/schema': ['get'],
  '/play': ['post'],
  '/api/v1/play': ['post'],
  '/api/v1/profiles': ['get'],
  '/api/v1/profiles/preview': ['post'],
  '/api/v1/profiles/import': ['post'],
  '/api/v1/profiles/select': ['post'],
};

const { openapi, info, servers, paths: all, components } = JSON.parse(readFileSync(0, 'utf8'));

const isWords = (key, value) => key === 'example' || (/^(description|summary)$/.test(key) && typeof value === 'string');

/** Without words; below `properties` every key is the name of a field. */
function bare(node, named = false) {
  if (Array.isArray(node)) return node.map((one) => bare(one));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => named || !isWords(key, value))
      .map(([key, value]) => [key, bare(value, !named && key === 'properties')]),
  );
}

const found = { schemas: {}, responses: {} };
function follow(node) {
  if (typeof node !== 'object' || node === null) return;
  const [, kind, name] = /^#\/components\/(schemas|responses)\/(.+)$/.exec(node.$ref ?? '') ?? [];
  if (name !== undefined && !(name in found[kind])) {
    found[kind][name] = components[kind][name];
    follow(found[kind][name]);
  }
  for (const value of Object.values(node)) follow(value);
}

const whole = process.argv[2] === 'all';
const paths = Object.fromEntries(
  Object.entries(
    whole ? Object.fromEntries(Object.entries(all).map(([path, of]) => [path, Object.keys(of)])) : kept,
  ).map(([path, methods]) => [path, Object.fromEntries(methods.map((method) => [method, all[path][method]]))]),
);
follow(paths);
const { title, version } = info;
console.log(JSON.stringify(bare({ openapi, info: { title, version }, servers, paths, components: found })));
