/** How the value of a token is written: one of these words, each with its meaning, or what a pattern takes. */
type TokenValues =
  | { readonly words: Readonly<Record<string, string>> }
  | {
      /** Source of a regular expression without groups that are kept. */
      readonly pattern: string;
      /** The same in words, with the unit. */
      readonly written: string;
    };

/** One ` name=value` of the health line: the line is written from such rows, and described by them. */
export interface HealthToken<F> {
  readonly name: string;
  readonly values: TokenValues;
  /** What it says, one sentence. */
  readonly about: string;
  /** When it is not on the line; null for one that always is. */
  readonly absent: string | null;
  /** Member of the status document that says the same, its levels joined by dots; null without one. */
  readonly member: string | null;
  /** The value now; null while the token is absent. */
  readonly read: (facts: F) => string | number | null;
}

/** The words of a value, for the schema of what says the same elsewhere. */
export const wordsOf = <W extends string>(words: Readonly<Record<W, string>>): readonly [W, ...W[]] =>
  // The keys of a literal are those of its type; no such table is empty.
  Object.keys(words) as [W, ...W[]];

/** The tokens as they are now, each with a blank before it; '' without any. */
export function writeTokens<F>(tokens: readonly HealthToken<F>[], facts: F): string {
  return tokens.reduce((line, { name, read }) => {
    const value = read(facts);
    return value === null ? line : `${line} ${name}=${value}`;
  }, '');
}

type Described = Omit<HealthToken<never>, 'read'>;

const patternOf = (values: TokenValues): string =>
  'words' in values ? Object.keys(values.words).join('|') : values.pattern;

/**
 * Source of a regular expression for the whole line, its line end included: the product, its version, the tokens in
 * their order, then those that a later version may add.
 */
export function linePattern(product: string, tokens: readonly Described[]): string {
  const known = tokens.map((token) => {
    const one = ` ${token.name}=(?:${patternOf(token.values)})`;
    return token.absent === null ? one : `(?:${one})?`;
  });
  const later = `(?: (?!(?:${tokens.map(({ name }) => name).join('|')})=)[a-z][a-z0-9_]*=[^ \\n]+)*`;
  return `^${product} [^ \\n]+${known.join('')}${later}\\n$`;
}

const valuesWords = (values: TokenValues): string =>
  'words' in values
    ? Object.entries(values.words)
        .map(([word, meaning]) => `\`${word}\` (${meaning})`)
        .join(', ')
    : values.written;

/** The tokens as a list for people, one a line in Markdown. */
export const lineGrammar = (tokens: readonly Described[]): string =>
  tokens
    .map(
      ({ name, values, about, absent, member }) =>
        `- \`${name}=\` ${about} ${valuesWords(values)}. ${absent === null ? 'Always there.' : `Absent ${absent}.`}${
          member === null ? '' : ` Status: \`${member}\`.`
        }`,
    )
    .join('\n');
