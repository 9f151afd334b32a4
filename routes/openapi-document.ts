import { OpenAPIHono } from '@hono/zod-openapi';
import { recordedExample } from './recorded-examples.ts';
import { describeRoute, groupsOf, sharedRefusals } from './kit/describe.ts';
import { Problem } from './kit/problem.ts';
import type { RouteSpec } from './kit/route-spec.ts';
import { marks, tags } from './kit/tags.ts';
import { flatPaths } from './legacy.ts';

/** What holds for every operation; `twins` are the paths at the root whose GET is a page. */
const describe = (twins: string): string => `The machine API of this wall panel.

Every request is checked before it is routed: the peer must be local (403 \`peer-not-local\`), a Host must be an address, \`localhost\`, a \`.local\` name or a name in \`http_allowed_hosts\` (403 \`host-not-allowed\`), and a write or an active GET from a page of another origin is refused (403 \`cross-origin-refused\`). A path that does not exist is 404 \`not-found\`, a method that a path does not accept 405 \`method-not-allowed\` with \`Allow\`. The paths without \`/api/v1\` answer 308 to their versioned twins.

Every answer carries \`X-Content-Type-Options: nosniff\`, \`X-Frame-Options: DENY\`, \`Referrer-Policy\`, \`Content-Security-Policy\`, \`Cross-Origin-Opener-Policy: same-origin\` and \`Cross-Origin-Resource-Policy: same-origin\`, and \`Cache-Control: no-store\` unless it says otherwise. Text of 1 kB or more is compressed for a client whose \`Accept-Encoding\` includes gzip (\`Content-Encoding: gzip\`), with \`Vary: Accept-Encoding\` in either form; an event stream never does.

The entities are those of the build with MQTT discovery. The proximity sensor follows the current build: it is calibrated at the panel, and the earlier training (\`teach\`, \`test\`, \`relearn\` and manual thresholds) answers 410 \`gone\`.

Bodies are JSON objects or forms; an undescribed field is refused, as is an undescribed parameter if an operation takes any, and \`reasons\` says why for each field. Operations keep their \`operationId\`; fields are added, never renamed. Names are in snake_case, with a few historical exceptions in camelCase: \`readOnly\` and \`maxLength\` of \`SchemaItem\`, the counts under \`runtime\` of \`EntityFilter\` and \`DashboardFilter\`, and the documents of \`/api/v1/proximity\`, \`/api/v1/auto-brightness\` and \`/api/v1/simulator\`.

Every operation may answer 503 \`restarting\` with \`Retry-After\` (the response \`r503\`) for a few seconds at the start of the agent and around a change of profile. A question about something else (an address, a value) answers 200 once it was checked: \`ok\` has the result. Far-reaching changes require \`confirm: true\` and answer 409 without it, with \`code\` \`not-confirmed\`; \`clear-storage\` and \`sign-out\` require none.

In Hardened mode (\`security_mode\` of \`/api/v1/diag\`) an operation with \`x-operation\` needs a person at the panel: its request answers 202 \`approval-required\` with an \`approval_id\`, and once it is approved there, the same request (method, path, parameters, body) from the same address, within ten minutes of the first, is carried out, once. So with 202 read \`error\`: without it the request was admitted. \`/api/v1/approvals/{id}\` tells what became of it. A program on the panel itself is not asked.

Programs use the paths under \`/api/v1\`. A GET of ${twins} is a page for people, while a POST there is redirected like every other machine path. A client of a panel needs nothing from the groups \`developer\` and \`deprecated\`.`;

/**
 * Removes redundant text from a parameter: the description in its schema, since the package writes it at both places,
 * and that it is optional, which is the default.
 */
function describedOnce(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('in' in value) || !('schema' in value)) return value;
  const { schema } = value;
  if (typeof schema !== 'object') return value;
  const required = 'required' in value && value.required === true ? true : undefined;
  return { ...value, required, schema: { ...schema, description: undefined } };
}

/** The document as JSON, made from the routes that run; `pages` are the paths whose GET is a page. */
export function openapiDocument(table: readonly RouteSpec[], version: string, pages: ReadonlySet<string>): string {
  const described = new OpenAPIHono();
  const registry = described.openAPIRegistry;
  const refusals = sharedRefusals(registry);
  // Only shared refusals refer to the one error shape, by name. A copy made now can be registered: the package prepares
  // only schemas that are made after it was loaded.
  registry.register('Problem', Problem().clone());
  for (const spec of table) describeRoute(registry, spec, refusals, recordedExample);
  const used = new Set(table.flatMap(groupsOf));
  const twins = flatPaths(table).filter((path) => pages.has(path));
  const named = twins.map((path) => `\`${path}\``).join(', ');
  const whole = described.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Sconce', version, description: describe(named) },
    servers: [{ url: '/' }],
    tags: Object.entries({ ...tags, ...marks })
      .filter(([name]) => used.has(name))
      .map(([name, about]) => ({ name, description: about })),
  });
  return JSON.stringify(whole, describedOnce);
}
