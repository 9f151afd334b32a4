import { parseAddress, parseIpv4 } from '../kit/ip-address.ts';

/** Replaces removed text, as in the log. */
const redacted = '[redacted]';

/** Addresses with a scheme, whole: their paths name dashboards. */
const ADDRESS = /\b([a-z][a-z0-9+.-]{1,15}:\/\/)[^\s"'<>]+/gi;
/** Each run is matched from its beginning only: from each of its characters, a long one would take minutes. */
const MAIL = /(?<![^\s@"'<>,;:()[\]{}=])[^\s@"'<>,;:()[\]{}=]+@[^\s@"'<>,;:()[\]{}=]+/g;
const DOTTED_MAC = /(?<![0-9a-f.])[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}(?![0-9a-f.])/gi;
/** Credentials in a header. */
const ADMISSION = /\b(Basic|Bearer)\s+[\w+/=.~-]{6,}/gi;
const MAC = /(?<![0-9a-f:-])[0-9a-f]{2}(?:([:-])[0-9a-f]{2})(?:\1[0-9a-f]{2}){4}(?![0-9a-f:-])/gi;
/** Anything with two colons among hexadecimal digits; parsing decides whether it is an address. */
const COLONS = /(?<![0-9a-z_.:])[0-9a-f]*:[0-9a-f]*:[0-9a-f:.]*(?:%[\w.-]+)?/gi;
const QUAD = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?!\d|\.\d)/g;
/** Host names: those of a home network, and those of the most common domains. */
const HOST =
  /(?<![\p{L}\p{N}_.-])(?:[\p{L}\p{N}_-]+\.)+(?:local|localdomain|lan|intranet|internal|home\.arpa|arpa|fritz\.box|box|casa|com|net|org|io|eu|de|at|ch|fr|nl|uk|us|info|online|cloud|dev|xyz|app|me|site|tech|se|no|dk|fi|pl|cz|es|it|pt|be|ca|au|nz|jp)\.?(?![\p{L}\p{N}_-])/giu;
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
/** Digests, install ids and tokens in hexadecimal digits. */
const HEX = /(?<![0-9a-z])[0-9a-f]{20,}(?![0-9a-z])/gi;
/** Long runs that are not words: letters of both cases and digits. */
const RUN = /(?<![\w+-])(?=[\w+-]*\d)(?=[\w+-]*[a-z])(?=[\w+-]*[A-Z])[\w+-]{24,}/g;
const FOLDER = /(\/(?:home|Users)\/)[^\s/"'<>:,;]+/g;
/** Entity ids of Home Assistant that name things of a home. */
const THING =
  /\b(person|device_tracker|zone|light|switch|sensor|binary_sensor|media_player|camera|climate|cover|lock|calendar|todo|weather|fan|update|number|select|button|event|vacuum|humidifier|valve|siren|remote|text|image|water_heater|lawn_mower|notify|group|alarm_control_panel|automation|script|scene|input_[a-z]+)\.[a-z0-9_]+/g;
/** Fields whose value names or opens something, as `key=value`, in JSON and in YAML. */
const FIELD =
  /((?:^|[\s"'{,;?&])(?:[a-z0-9]+[_-])*(?:pass|passwd|password|secret|token|credential|authorization|cookie|api_?key|ssid|bssid|mac|serial|imei|host|hostname|host_name|address|ip|user|username|user_name|email|latitude|longitude)(?:["']\s*:\s*|\s*=\s*|:\s+))("(?:[^"\\]|\\.)*"|'[^']*'|(?:\[redacted\]|[^\s"',;{}[\]])+)/gim;

/** Values of such fields that identify no one. */
const empty = /^(["']?)(?:|null|true|false|none|unknown|absent|yes|no|root|system|login|ipv[46]|dual|auto)\1$/i;

/** Punctuation that ends a sentence, a list or a quotation after an address. */
const trailing = /(?<!\[redacted)[).,;\]}]+$/;

const hideShapes = (text: string): string =>
  text
    .replace(FIELD, (whole, head: string, value: string) => {
      if (empty.test(value)) return whole;
      const quote = /^["']/.exec(value)?.[0] ?? '';
      return `${head}${quote}${redacted}${quote}`;
    })
    .replace(ADMISSION, `$1 ${redacted}`)
    .replace(MAIL, redacted)
    .replace(UUID, redacted)
    .replace(MAC, redacted)
    .replace(DOTTED_MAC, redacted)
    .replace(COLONS, (found) => {
      const [, address = '', rest = ''] = /^(.*?)([.:]?)$/.exec(found) ?? [];
      const is = (one: string): boolean => one !== '::' && parseAddress(one)?.octets !== undefined;
      if (is(found)) return redacted;
      return rest !== '' && is(address) ? `${redacted}${rest}` : found;
    })
    .replace(QUAD, (found) => (parseIpv4(found.replace(/(?<=^|\.)0+(?=\d)/g, '')) === null ? found : redacted))
    .replace(THING, (_, domain: string) => `${domain}.${redacted}`)
    .replace(HOST, redacted)
    .replace(HEX, redacted)
    .replace(RUN, redacted)
    .replace(FOLDER, `$1${redacted}`);

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/** Finds names as whole words: an underscore or a dash ends a word. */
const pattern = (names: readonly string[]): RegExp | null =>
  names.length === 0
    ? null
    : new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${names.map(literal).join('|')})(?![\p{L}\p{N}])`, 'giu');

/**
 * Creates a function that removes whatever names, reaches or opens something: the given names in any case, longest
 * first, then addresses, host names, ids and tokens by their shape.
 */
export function createRedaction(names: readonly string[]): (text: string) => string {
  const known = pattern(names);
  return (text) => {
    const whole = text.replace(ADDRESS, (found, scheme: string) => {
      const rest = trailing.exec(found)?.[0] ?? '';
      return `${scheme}${redacted}${rest}`;
    });
    return hideShapes(known === null ? whole : whole.replace(known, redacted));
  };
}

/** Fields of a profile with its author's texts: at the beginning of a line, and within braces. */
const SPOKEN = /^(\s*(?:-\s+)?(?:\{\s*)?(?:author|url|label|note)\s*:\s*)(?=\S).*$/i;
const SPOKEN_WITHIN = /([{,]\s*(?:author|url|label|note)\s*:\s*)[^,}]*/gi;

/** A line of YAML without its comment; a `#` in quotes does not begin one. */
function withoutComment(line: string): string {
  let quote = '';
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index);
    const before = line.slice(0, index);
    if (quote !== '') quote = character === quote ? '' : quote;
    // Only at the beginning of a value: within words it is an apostrophe.
    else if (/["']/.test(character) && /(?:^\s*|[[{,:]\s*|-\s+)$/.test(before)) quote = character;
    else if (character === '#' && /(?:^|\s)$/.test(before)) return before.trimEnd();
  }
  // For a quotation that continues on the next line, anything like a comment is removed.
  return quote === '' ? line : line.replace(/\s#.*$/, '');
}

/** A profile that was written on this panel, without its author's texts. */
export const withoutSpokenWords = (yaml: string): string =>
  yaml
    .split('\n')
    .map((line) => [line, withoutComment(line)] as const)
    .filter(([line, bare]) => bare.trim() !== '' || line.trim() === '')
    .map(([, bare]) => bare.replace(SPOKEN, `$1${redacted}`).replace(SPOKEN_WITHIN, `$1${redacted}`))
    .join('\n');
