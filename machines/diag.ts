import { z } from 'zod';
import { $ZodCheckLengthEquals } from 'zod/v4/core';
import type { ActorId } from './actors.ts';
import { type DiagFacts, diagLine } from './kit/diag.ts';
import type { TreeNode } from './kit/status.ts';
import { StatusDocument } from './status.ts';
import type { Manifest } from './subsystem.ts';
import { subsystems } from './subsystems.ts';

const manifests: readonly Manifest[] = subsystems;

/**
 * Plain text fields that contain codes of this agent or of the system, never anything typed by an owner. Any other
 * text may be a sentence or contain a name: it is left out, or reduced to `yes` if it may be null.
 */
const codes: ReadonlySet<string> = new Set(
  (
    'reason failure fault fault_detail scan_failure recovery origin by brightness power route encoder browser ' +
    'platform_version power_source screen_off_mechanism screen_off_selected screen_off_reason system version'
  ).split(' '),
);

/** The time of an event reveals when a person was present. */
const isMoment = (name: string): boolean => /(^|_)(at|since|until)$/.test(name);

/** Pattern of a code, which no address matches. */
const code = /^(?!.*\d\.\d+\.\d+\.\d)[\w.,+/() -]{1,60}$/;

/** The text of a code as one word. */
function wordOf(text: string): string {
  if (text === '') return 'unknown';
  return code.test(text) ? text.replaceAll(/[ ,]+/g, '-') : 'other';
}

type Schema = z.core.$ZodType;

function bare(schema: Schema): Schema {
  let inner = schema;
  while (inner instanceof z.ZodNullable || inner instanceof z.ZodOptional) inner = inner.unwrap();
  return inner;
}

function fieldsOf(schema: Schema): readonly (readonly [string, Schema])[] {
  return schema instanceof z.ZodObject ? Object.entries<Schema>(schema.shape) : [];
}

/** True for a fixed count of numbers, such as a colour: one value in parts, not a list to be counted. */
const isTuple = (schema: z.ZodArray): boolean =>
  bare(schema.element) instanceof z.ZodNumber &&
  (schema.def.checks ?? []).some((check) => check instanceof $ZodCheckLengthEquals);

/** The facts of a value under its name, according to its schema; empty if the value is left out. */
function factsOf(name: string, schema: Schema, value: unknown): DiagFacts {
  const own = bare(schema);
  const last = name.slice(name.lastIndexOf('.') + 1);
  if (isMoment(last)) return {};
  if (own instanceof z.ZodString) {
    if (typeof value !== 'string') return { [name]: 'none' };
    if (codes.has(last)) return { [name]: wordOf(value) };
    return schema === own ? {} : { [name]: 'yes' };
  }
  if (value === null || value === undefined) return { [name]: 'none' };
  if (own instanceof z.ZodArray) {
    if (isTuple(own) && Array.isArray(value)) return { [name]: value.join(',') };
    const words = bare(own.element) instanceof z.ZodEnum && Array.isArray(value) ? value.join(',') || 'none' : null;
    return { [name]: words ?? Object.keys(value).length };
  }
  if (own instanceof z.ZodRecord) return { [name]: Object.keys(value).length };
  if (own instanceof z.ZodObject)
    return Object.fromEntries(
      fieldsOf(own).flatMap(([key, field]) =>
        Object.entries(factsOf(name === '' ? key : `${name}.${key}`, field, Reflect.get(value, key))),
      ),
    );
  if (typeof value === 'number') return { [name]: value === -1 ? 'unmeasured' : value };
  return typeof value === 'boolean' || typeof value === 'string' ? { [name]: value } : {};
}

/** The part that a section of the status is about. */
const partOf = (name: string): ActorId | undefined =>
  manifests.find(({ status }) => Object.keys(status?.shape() ?? {}).includes(name))?.ids[0];

const workerIn = (node: TreeNode, id: string): TreeNode | undefined =>
  node.kind === 'worker' && node.id === id
    ? node
    : node.children.map((child) => workerIn(child, id)).find((found) => found !== undefined);

/** Phase of a part without facts, so that one that is down is not mistaken for one that never existed. */
function phaseOf(tree: TreeNode, name: string): string {
  const phase = workerIn(tree, partOf(name) ?? '')?.phase ?? 'absent';
  return phase === 'running' ? 'starting' : phase;
}

/** The lines defined by the contract, with the names their readers expect. */
const named: { readonly [S in keyof StatusDocument]?: (document: StatusDocument) => DiagFacts } = {
  ha_network: ({ ha_network: network }) => ({
    state: network.state,
    measuring: network.measuring,
    ha_net: network.ha_net ?? 'none',
    ha_resp: network.ha_resp ?? 'none',
    probes: network.probes,
    misses: network.network_failures,
    unprobed: network.unprobed,
    server_failures: network.server_failures,
    auth_failures: network.auth_failures,
    p95_ms: network.p95_ms,
  }),
  ha_path_probe: ({ ha_path_probe: probe }) => ({
    state: probe.state,
    family: probe.family,
    available: probe.available,
    bursts: probe.bursts,
    echoes_sent: probe.echoes_sent,
    echoes_received: probe.echoes_received,
    loss_percent: probe.loss_percent,
    p95_ms: probe.p95_ms,
    interval_ms: probe.interval_ms,
  }),
};

/** Reported in separate lines by the caller of the diagnostics. */
const elsewhere: ReadonlySet<string> = new Set(['capabilities', 'supervision']);
/** Sections without codes or counts. */
const silent: ReadonlySet<string> = new Set(['sentence', 'next', 'happened', 'taken_at', 'panel_assistant_update']);

function linesOf(name: keyof StatusDocument, schema: Schema, document: StatusDocument): readonly string[] {
  const head = name.replaceAll('_', '-');
  const contract = named[name];
  if (contract !== undefined) return [diagLine(head, contract(document))];
  const value = document[name];
  if (value === null) return [diagLine(head, { state: phaseOf(document.supervision, name) })];
  const own = bare(schema);
  // Parts of a closed list have a line each.
  if (own instanceof z.ZodRecord && bare(own.keyType) instanceof z.ZodEnum)
    return Object.entries(value).map(([id, one]) => diagLine(`${head}.${id}`, factsOf('', own.valueType, one)));
  if (own instanceof z.ZodObject) return [diagLine(head, factsOf('', own, value))];
  return Object.values(factsOf(name, own, value)).map((word) => `[${head}] ${word}`);
}

/**
 * The lines of `/api/v1/diag` about the status: one per section, containing only classes, counts and codes, never an
 * address, a name or an identifier. -1 becomes `unmeasured`, null `none`.
 */
export function statusLines(document: StatusDocument): readonly string[] {
  const { shape } = StatusDocument();
  return (
    Object.keys(shape)
      // The keys of a shape are those of its type.
      .map((name) => name as keyof StatusDocument)
      .filter((name) => !elsewhere.has(name) && !silent.has(name))
      .flatMap((name) => linesOf(name, shape[name], document))
  );
}
