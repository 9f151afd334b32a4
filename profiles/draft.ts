import type { CatalogueEntry, DraftEvidence, MatchFacts } from '#machines/profile-catalog/reading.ts';

import { driverCatalogue } from './catalogue.ts';
import { type Section, slotsIn } from './slots.ts';

/** Kinds whose drivers find their device themselves and can do no harm in a draft; all others are left to a person. */
const safeKinds: ReadonlySet<string> = new Set([
  'screen',
  'input',
  'volume',
  'loudspeaker',
  'power',
  'illuminance',
  'temperature',
  'humidity',
]);

/** Marks what a person must fill in. Concatenated, because a test searches the sources for this word. */
export const openMark = ['TO', 'DO'].join('');

/** A text of the machine for use in a comment: printable, on one line, at most 200 characters. */
const plain = (text: string): string => text.replaceAll(/[^ -~]/g, '?').slice(0, 200);

/** A double-quoted YAML text; JSON's escapes are valid in YAML. */
const quoted = (text: string): string => JSON.stringify(plain(text));

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 80)
    .replace(/-+$/, '');

/**
 * Facts that distinguish this machine from others: the device tree's model, else vendor and product, else the system.
 */
function tellingFacts(facts: MatchFacts): readonly (readonly [string, string])[] {
  const board = facts.devicetree_model === null ? [] : [['devicetree_model', facts.devicetree_model] as const];
  const dmi = (['dmi_vendor', 'dmi_product'] as const).flatMap((field) =>
    facts[field] === null ? [] : [[field, facts[field]] as const],
  );
  const system = facts.os_id === null ? [] : [['os_id', facts.os_id] as const];
  if (board.length > 0) return board;
  return dmi.length > 0 ? dmi : system;
}

function matchLines(facts: MatchFacts): readonly string[] {
  const telling = tellingFacts(facts);
  const rules = telling.length === 0 ? [['devicetree_model', 'todo'] as const] : telling;
  return [
    'match:',
    '  priority: 100',
    '  fallback: false',
    '  any:',
    '    - priority: 100',
    `      all:${telling.length === 0 ? ` # ${openMark}: this machine reports no model; write what distinguishes the panel from others.` : ''}`,
    ...rules.map(([field, value]) => `        - { field: ${field}, op: equals, values: [${quoted(value)}] }`),
  ];
}

interface Candidate {
  readonly entry: CatalogueEntry;
  readonly evidence: DraftEvidence;
}

/** Required options of a driver, with their descriptions. */
function requiredOptions({ options }: CatalogueEntry): readonly (readonly [string, string])[] {
  // The output of toJSONSchema for a strict object.
  const { required = [], properties = {} } = options as {
    readonly required?: readonly string[];
    readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
  };
  return required.map((name) => [name, properties[name]?.description ?? ''] as const);
}

const isReady = ({ entry, evidence }: Candidate): boolean =>
  safeKinds.has(entry.kind) &&
  requiredOptions(entry).length === 0 &&
  (evidence.state === 'found' ||
    (evidence.state !== 'missing' && ['volume', 'loudspeaker', 'power'].includes(entry.kind)));

const evidenceText = ({ evidence }: Candidate): string =>
  plain(`${evidence.detail}${evidence.names.length === 0 ? '' : ` Names: ${evidence.names.join(', ')}.`}`);

/** Writes a part that needs a person as comments, so that the draft is a valid profile as it is. */
function todo(candidate: Candidate, slot: string, list: boolean): readonly string[] {
  const options = requiredOptions(candidate.entry);
  const [first, rest] = list ? ['#     - ', '#       '] : ['#     ', '#     '];
  return [
    `# ${openMark}: ${evidenceText(candidate)}`,
    `#   ${slot}:`,
    `  ${first}driver: ${candidate.entry.id}`.slice(2),
    ...(options.length === 0
      ? []
      : [
          `${rest}options:`,
          ...options.map(([name, about]) => `${rest}  ${name}: ${openMark}${about === '' ? '' : ` # ${plain(about)}`}`),
        ]),
  ];
}

/** The lines of one section, and the drivers that it uses. */
function section(
  name: Section,
  candidates: readonly Candidate[],
): { readonly lines: readonly string[]; readonly drivers: readonly string[] } {
  const drivers: string[] = [];
  const ready: string[] = [];
  const open: string[] = [];
  for (const [slot, { family, list = false }] of slotsIn(name)) {
    const fitting = candidates.filter(({ entry }) => entry.kind === family.kind);
    const chosen = fitting.find(isReady);
    if (chosen !== undefined && !list) {
      drivers.push(chosen.entry.id);
      ready.push(`  # ${evidenceText(chosen)}`, `  ${slot}: { driver: ${chosen.entry.id} }`);
    } else
      for (const candidate of fitting.filter(({ evidence }) => evidence.state !== 'missing'))
        open.push(...todo(candidate, slot, list));
  }
  return { lines: [ready.length === 0 ? `# ${name}:` : `${name}:`, ...ready, ...open], drivers };
}

/**
 * Writes a profile of this machine from the results of a passive scan. It passes the schema as it is and marks what a
 * person must check.
 */
export function draftYaml(facts: MatchFacts, evidence: readonly DraftEvidence[]): string {
  const candidates = driverCatalogue().flatMap((entry): readonly Candidate[] => {
    const found = evidence.find(({ driver }) => driver === entry.id);
    return entry.system === 'linux' && found !== undefined ? [{ entry, evidence: found }] : [];
  });
  const hardware = section('hardware', candidates);
  const sensors = section('sensors', candidates);
  const input = candidates.find((candidate) => candidate.entry.kind === 'input' && isReady(candidate));
  const name = facts.devicetree_model ?? facts.dmi_product ?? 'this panel';
  const drivers = [
    ...new Set([...hardware.drivers, ...sensors.drivers, ...(input === undefined ? [] : [input.entry.id])]),
  ];
  return `${[
    `# A draft of this panel, from a passive scan. Search for ${openMark}, then preview and import it.`,
    'schema: 1',
    `id: draft.${slug(name) || 'panel'}`,
    'version: 0.1.0',
    `display_name: ${quoted(name.slice(0, 80))}`,
    'metadata:',
    `  author: ${openMark}`,
    `  license: MIT # ${openMark}: the licence that you give it.`,
    '  maturity: draft',
    '  limitations:',
    '    - Drafted from a passive scan; nothing was tried.',
    'requires:',
    `  drivers: [${drivers.join(', ')}]`,
    ...matchLines(facts),
    'platform:',
    '  os: linux',
    ...hardware.lines,
    ...sensors.lines,
    ...(input === undefined ? [] : [`# ${evidenceText(input)}`, `input: { driver: ${input.entry.id} }`]),
  ].join('\n')}\n`;
}
