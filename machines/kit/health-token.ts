/** The values of a token: a list of words with their meanings, or a pattern. */
type TokenValues =
  | { readonly words: Readonly<Record<string, string>> }
  | {
      /** Source of a regular expression without capturing groups. */
      readonly pattern: string;
      /** The pattern in words, with the unit. */
      readonly written: string;
    };

/** One ` name=value` of the health line; the line and its description are generated from such rows. */
export interface HealthToken<F> {
  readonly name: string;
  readonly values: TokenValues;
  /** One sentence of description. */
  readonly about: string;
  /** When it is absent from the line; null if it never is. */
  readonly absent: string | null;
  /** The equivalent field of the status document, as a dotted path; null without one. */
  readonly member: string | null;
  /** The value now; null while the token is absent. */
  readonly read: (facts: F) => string | number | null;
}

/** The words of a value, for the schema of the equivalent status field. */
export const wordsOf = <W extends string>(words: Readonly<Record<W, string>>): readonly [W, ...W[]] =>
  // The keys of a literal are those of its type, and no such table is empty.
  Object.keys(words) as [W, ...W[]];

/** The present tokens, each preceded by a space; '' without any. */
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
 * Source of a regular expression for the whole line with its line end: the product, its version, the tokens in order,
 * then any that a later version may add.
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

/** The tokens as a Markdown list. */
export const lineGrammar = (tokens: readonly Described[]): string =>
  tokens
    .map(
      ({ name, values, about, absent, member }) =>
        `- \`${name}=\` ${about} ${valuesWords(values)}. ${absent === null ? 'Always there.' : `Absent ${absent}.`}${
          member === null ? '' : ` Status: \`${member}\`.`
        }`,
    )
    .join('\n');
