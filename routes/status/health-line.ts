import { z } from 'zod';
import type { KnownBase } from '#actors/kit/base-facts.ts';
import { healthTokens, homeAssistantTokens } from '#machines/home-assistant/health-tokens.ts';
import { networkOf } from '#machines/home-assistant/phase.ts';
import { type HealthToken, lineGrammar, linePattern, writeTokens } from '#machines/kit/health-token.ts';
import { once } from '#machines/kit/once.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';

/** What every health line has; null until the start is over. */
interface Base {
  readonly build: string;
  readonly known: KnownBase | null;
}

/** The paths of the health line. */
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
    values: { pattern: '[^ \\n]+', written: 'Text without spaces' },
    about: 'The running build of that version.',
    absent: null,
    member: null,
    read: ({ build }) => build,
  },
  {
    name: 'cfg',
    values: { pattern: '[0-9a-f]{8}', written: 'Eight hexadecimal digits; `00000000` during the start' },
    about: 'Digest of the configuration; it changes with each setting.',
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

/** The description in the document: every token with its meaning and unit, and when it is absent. */
export const healthGrammar = `One line: \`${product}\`, the version, then \`name=value\` tokens, each after one space, in this order; the line ends with a line feed. Read tokens by name: a later version may add some. \`Status\` names the member of \`/api/v1/status\` with the same fact; it is null, -1 or 0 while the token is absent.

${lineGrammar(all)}`;

type Shown = Parameters<typeof networkOf>[0];

/** How long a line is reused, in milliseconds: only ages in it depend on the time. */
const keptMs: Milliseconds = 100;

/** Returns the health line of an agent on each call. */
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
