import { redactAsValue, shortestEverywhere } from './short-secrets.ts';

/** Replacement for a secret. */
const REDACTED = '[redacted]';

/** Most values protected at a time; one more drops the oldest. */
const MOST_VALUES = 64;
/** Deepest nesting, and most entries of an object or list, that are written. */
const DEEPEST = 6;
const MOST_ENTRIES = 100;

/**
 * The ways a value can appear in a line: plain, inside a JSON string (also nested), inside a URL, and in Base64 as in
 * Basic credentials.
 */
function spellings(value: string): readonly string[] {
  const json = JSON.stringify(value).slice(1, -1);
  let url = value;
  let loose = value;
  try {
    url = encodeURIComponent(value);
    loose = encodeURI(value);
  } catch {
    // A lone surrogate cannot be in a URL.
  }
  const strict = url.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = strict.replaceAll('%20', '+');
  return [
    value,
    json,
    JSON.stringify(json).slice(1, -1),
    url,
    url.toLowerCase(),
    strict,
    form,
    loose,
    Buffer.from(value).toString('base64'),
  ];
}

/** Removes one spelling of a value from a text. */
interface Removal {
  readonly spelling: string;
  readonly remove: (text: string) => string;
}

const removalsOf = (value: string): readonly Removal[] =>
  [...new Set(spellings(value))].map((spelling) => ({
    spelling,
    remove:
      spelling.length < shortestEverywhere
        ? redactAsValue(value, spelling, REDACTED)
        : (text) => (text.includes(spelling) ? text.replaceAll(spelling, REDACTED) : text),
  }));

export interface ProtectedValues {
  /** Adds a value. The returned function removes it, unless another caller still protects the same value. */
  readonly protect: (value: string) => () => void;
  /** The text without any protected value, in any spelling; short ones only where they stand as a value. */
  readonly scrub: (text: string) => string;
}

export function createProtectedValues(): ProtectedValues {
  const values = new Map<string, { readonly removals: readonly Removal[]; holders: number }>();
  let targets: readonly Removal[] = [];
  // Longest first, so that a value inside another one leaves no part of that behind.
  const sort = (): void => {
    targets = [...values.values()]
      .flatMap((value) => value.removals)
      .toSorted((a, b) => b.spelling.length - a.spelling.length);
  };
  return {
    protect: (value) => {
      if (value === '') return () => {};
      const kept = values.get(value) ?? { removals: removalsOf(value), holders: 0 };
      kept.holders += 1;
      values.delete(value);
      values.set(value, kept);
      const oldest = values.size > MOST_VALUES ? values.keys().next().value : undefined;
      if (oldest !== undefined) values.delete(oldest);
      sort();
      let holds = true;
      return () => {
        if (holds) kept.holders -= 1;
        holds = false;
        if (kept.holders > 0 || values.get(value) !== kept) return;
        values.delete(value);
        sort();
      };
    },
    scrub: (text) => targets.reduce((rest, { remove }) => remove(rest), text),
  };
}

/** Whatever the scheme, which is not looked at: a long run of its characters would be read again from each dot. */
const CREDENTIALS_IN_URL = /(:\/\/)[^\s/@"']*@/g;

/**
 * Query parameters that grant access: Home Assistant's signed paths (`authSig`), and any named like a token, key or
 * code.
 */
const RIGHTS_IN_QUERY =
  /([?&;](?:[\w.-]*(?:token|secret|password|passwd|signature|credential)|authsig|api_?key|apikey|key|code|state|sig)=)[^\s&#"'\\;]+/gi;
/**
 * JSON Web Tokens (RFC 7519), as issued by Home Assistant, and the token after `Bearer` in a header. One
 * that begins within a run ends the one before, so that no part of a run is read twice.
 */
const BEARER = /\b(?:eyJ(?:(?!-eyJ)[\w-]){8,}\.[\w-]+(?:\.[\w-]*)?|(bearer\s+)[\w.~+/=-]{8,})/gi;

/** The text without credentials that are known by their shape: in URLs, in headers, signed tokens. */
export const stripCredentials = (text: string): string =>
  text
    .replace(CREDENTIALS_IN_URL, `$1${REDACTED}@`)
    .replace(RIGHTS_IN_QUERY, `$1${REDACTED}`)
    .replace(BEARER, (_, word: string | undefined) => `${word ?? ''}${REDACTED}`);

/** What may be logged of an error: its class and code. Its message may contain an address or worse. */
const errorFacts = (error: Error): { readonly name: string; readonly code?: string } =>
  'code' in error && typeof error.code === 'string' ? { name: error.name, code: error.code } : { name: error.name };

function plainValue(value: unknown, secretKeys: ReadonlySet<string>, depth: number): unknown {
  if (typeof value === 'string') return stripCredentials(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return errorFacts(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (depth >= DEEPEST) return '[deeper]';
  if (Array.isArray(value))
    return value.slice(0, MOST_ENTRIES).map((entry) => plainValue(entry, secretKeys, depth + 1));
  return plainFields(value, secretKeys, depth + 1);
}

/**
 * A plain copy of facts to log: values of secret keys redacted, errors as class and code, bounded in depth and size.
 */
export const plainFields = (facts: object, secretKeys: ReadonlySet<string>, depth = 0): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(facts)
      .slice(0, MOST_ENTRIES)
      .map(([key, value]: [string, unknown]) => {
        const isSecret =
          secretKeys.has(key.toLowerCase()) && value !== null && value !== '' && typeof value !== 'boolean';
        return [key, isSecret ? REDACTED : plainValue(value, secretKeys, depth)];
      }),
  );
