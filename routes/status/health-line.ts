import { z } from 'zod';
import type { KnownBase } from '#actors/kit/base-facts.ts';
import { healthTokens, homeAssistantTokens } from '#machines/home-assistant/health-tokens.ts';
import { networkOf } from '#machines/home-assistant/phase.ts';
import { type HealthToken, lineGrammar, linePattern, writeTokens } from '#machines/kit/health-token.ts';
import { once } from '#machines/kit/once.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';

/** What is on every health line; null before the start is over. */
interface Base {
  readonly build: string;
  readonly known: KnownBase | null;
}

/** Where the health line is. */
export const healthPaths = ['/api/v1/health', '/health'] as const;

const product = 'sconce';

const baseTokens: readonly HealthToken<Base>[] = [
  {
    name: 'panel',
    values: { pattern: '-|[a-z0-9_]{1,63}', written: 'Lower-case letters, digits and `_`; `-` during the start' },
    about: 'Panel id in force.',
    absent: null,
    member: null,
    read: ({ known }) => known?.panelId ?? '-',
  },
  {
    name: 'build',
    values: { pattern: '[^ \\n]+', written: 'Text without blanks' },
    about: 'Which build of that version runs.',
    absent: null,
    member: null,
    read: ({ build }) => build,
  },
  {
    name: 'cfg',
    values: { pattern: '[0-9a-f]{8}', written: 'Eight hexadecimal digits; `00000000` during the start' },
    about: 'Digest of the configuration: another one once a setting was changed.',
    absent: null,
    member: null,
    read: ({ known }) => known?.digest ?? '00000000',
  },
];

const all = [...baseTokens, ...homeAssistantTokens];

/** The health line as a schema: one line of text. */
export const HealthLine = once(() =>
  z
    .string()
    .regex(new RegExp(linePattern(product, all)))
    .meta({ id: 'HealthLine', description: 'The health line with its line end.' }),
);

/** What the document says of it: every token with its words and unit, and when it is absent. */
export const healthGrammar = `One line: \`${product}\`, the version, then \`name=value\` tokens, each after one blank, in this order; the line ends with a line feed. Take tokens by their name: a later version may add some. \`Status\` names the member of \`/api/v1/status\` that says the same; it is null, -1 or 0 while the token is absent.

${lineGrammar(all)}`;

type Shown = Parameters<typeof networkOf>[0];

/** How long a line is given out again, in milliseconds: the only thing in it that goes on by itself is an age. */
const keptMs: Milliseconds = 100;

/** The health line of an agent, each time it is asked for. */
export function healthLines({
  version,
  build,
  base,
  registry,
  elapsed,
}: Pick<RouteDeps, 'base' | 'build' | 'elapsed' | 'registry' | 'version'>): () => string {
  const headOf = (known: KnownBase | null): string =>
    `${product} ${version}${writeTokens(baseTokens, { build, known })}`;
  const starting = `${headOf(null)}\n`;
  let last: { readonly of: KnownBase; readonly head: string } | null = null;
  let kept: { readonly of: KnownBase; readonly shown: Shown; readonly at: Milliseconds; readonly line: string } | null =
    null;
  return () => {
    const known = base.known();
    if (known === null) return starting;
    const shown = registry.read('home-assistant');
    const at = elapsed();
    if (
      kept?.of === known &&
      at - kept.at < keptMs &&
      kept.shown?.context === shown?.context &&
      kept.shown?.value === shown?.value
    )
      return kept.line;
    if (last?.of !== known) last = { of: known, head: headOf(known) };
    const facts = { network: networkOf(shown), lifecycle: shown?.context.lifecycle ?? null };
    const line = `${last.head}${healthTokens(facts, at)}\n`;
    kept = { of: known, shown, at, line };
    return line;
  };
}
