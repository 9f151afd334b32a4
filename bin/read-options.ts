import { parseArgs, type ParseArgsConfig } from 'node:util';
import { nearestNames } from '#machines/kit/nearest-name.ts';
import { ok, refuse, type Result } from '#machines/kit/result.ts';

/** The options of a command, in the form of `parseArgs`. */
export type OptionTable = NonNullable<ParseArgsConfig['options']>;

/** Longest word of a command line that is repeated in a sentence. */
const longestShown = 40;

/** A typed word for a sentence, without what a terminal would act on. */
export const shownWord = (word: string): string => word.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').slice(0, longestShown);

/** The question after the nearest names to a word, with a space before it; "" if there are none. */
export function didYouMean(word: string, names: readonly string[], prefix = ''): string {
  const near = nearestNames(word, names);
  return near.length === 0 ? '' : ` Did you mean ${near.map((name) => prefix + name).join(' or ')}?`;
}

/** The words of a command line as options, values and other words. */
export const tokensOf = (args: readonly string[], options: OptionTable) =>
  parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true }).tokens;

type Token = ReturnType<typeof tokensOf>[number];

/** Why a part of a command line cannot be read; null if it can. The value of an option, a secret maybe, is left out. */
function fault(verb: string, token: Token, options: OptionTable): string | null {
  if (token.kind === 'option-terminator') return null;
  const names = Object.keys(options);
  if (token.kind === 'positional') {
    const near = didYouMean(token.value, names, '--');
    return `${verb} takes options only, which begin with --, not "${shownWord(token.value)}".${near}`;
  }
  const { name, rawName, value, inlineValue } = token;
  if (!Object.hasOwn(options, name))
    return `${verb} has no option ${shownWord(rawName)}.${didYouMean(name, names, '--')}`;
  if (options[name]?.type === 'boolean') return inlineValue ? `${rawName} takes no value.` : null;
  if (value === undefined) return `${rawName} needs a value.`;
  return !inlineValue && value.length > 1 && value.startsWith('-')
    ? `${rawName} needs a value. One that begins with - is written ${rawName}=VALUE.`
    : null;
}

/** Reads the options of a command; a refusal's message says which one is wrong. */
export function readOptions<T extends OptionTable>(verb: string, args: readonly string[], options: T) {
  for (const token of tokensOf(args, options)) {
    const why = fault(verb, token, options);
    if (why !== null) return refuse('usage', why) satisfies Result<never, 'usage'>;
  }
  return ok(parseArgs({ args: [...args], options, allowPositionals: true }).values);
}
